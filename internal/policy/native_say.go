package policy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/open-policy-agent/opa/v1/ast"
)

// pointerOf is pointer.of.
func pointerOf(t *ast.Term) (*ast.Term, error) {
	segments, ok := t.Value.(*ast.Array)
	if !ok {
		return nil, operandError("array", t)
	}
	var b strings.Builder
	for i := range segments.Len() {
		text := shown(segments.Elem(i))
		if strings.ContainsAny(text, "~/") {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "~", "~0"), "/", "~1")
		}
		b.WriteByte('/')
		b.WriteString(text)
	}
	return ast.StringTerm(b.String()), nil
}

// shown is what sprintf makes of a value for %v.
func shown(t *ast.Term) string {
	switch v := t.Value.(type) {
	case ast.String:
		return string(v)
	case ast.Number:
		if strings.ContainsAny(string(v), ".eE") {
			if f, ok := v.Float64(); ok {
				return fmt.Sprint(f)
			}
		}
		return string(v)
	}
	return t.Value.String()
}

// sayList is say.list.
func sayList(t *ast.Term) (*ast.Term, error) {
	var all []string
	for _, e := range values(t) {
		said, err := sayValue(e)
		if err != nil {
			return nil, err
		}
		all = append(all, string(said.Value.(ast.String)))
	}
	slices.Sort(all)
	if more := len(all) - 10; more > 0 {
		all = append(all[:10], "and "+strconv.Itoa(more)+" more")
	}
	return ast.StringTerm(strings.Join(all, ", ")), nil
}

// sayValue is say.value.
func sayValue(t *ast.Term) (*ast.Term, error) {
	text, err := "", error(nil)
	switch v := t.Value.(type) {
	case ast.Null:
		text = "null"
	case ast.String:
		text, err = sayText(string(v))
	case *ast.Array:
		text = "a list of " + strconv.Itoa(v.Len())
	case ast.Object:
		text = "an object"
		if redacted := v.Get(ast.InternedTerm("redacted")); redacted != nil && redacted.Equal(ast.InternedTerm(true)) {
			text = "a hidden value"
		}
	default:
		if err = smallTexts([]*ast.Term{t}); err == nil {
			text, err = written(t.Value)
		}
	}
	if err != nil {
		return nil, err
	}
	return ast.StringTerm(text), nil
}

func written(v ast.Value) (string, error) {
	plain, err := ast.JSON(v)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(plain)
	return string(text), err
}

// sayText quotes a text, cut if it is long.
func sayText(s string) (string, error) {
	ellipsis := ""
	if len(s) > 80 && utf8.RuneCountInString(s) > 80 {
		s, ellipsis = string([]rune(s)[:77]), "…"
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r) }) {
		return `"` + s + `"` + ellipsis, nil
	}
	text, err := json.Marshal(s)
	return string(text) + ellipsis, err
}
