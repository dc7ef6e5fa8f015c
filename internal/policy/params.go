package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/govctl/govctl/internal/org"
)

// decodeObject decodes one JSON object, numbers kept.
func decodeObject(text []byte) (map[string]any, error) {
	v, err := org.DecodeJSON(text)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("not names and values")
	}
	return object, nil
}

// parameters lays what was declared over the defaults. A name nobody knows and a value
// of another type are mistakes: a rule would go by its default, silently, or never fire.
func (l *loaded) parameters(declared map[string]any) map[string]any {
	out := maps.Clone(l.defaults)
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		def, known := l.defaults[name]
		if !known {
			l.problem("parameter %q: %s", name, didYouMean(name, slices.Collect(maps.Keys(l.defaults))))
			continue
		}
		if want, got := typeOf(def), typeOf(declared[name]); def != nil && want != got {
			l.problem("parameter %q must be %s, not %s", name, want, got)
			continue
		}
		out[name] = declared[name]
	}
	return out
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "a text"
	case json.Number, float64, int, int64:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return fmt.Sprintf("%T", v)
}

// unknownParameters finds data.params.NAME, and params.value(NAME) of the library, of a
// name that has no default: the rule would be undefined, which looks like a pass.
func (l *loaded) unknownParameters(modules map[string]*ast.Module) {
	known := slices.Collect(maps.Keys(l.defaults))
	said := map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(modules)) {
		check := func(asked *ast.Term, at *ast.Location) {
			name, ok := asked.Value.(ast.String)
			if _, has := l.defaults[string(name)]; !ok || has || said[file+string(name)] {
				return
			}
			said[file+string(name)] = true
			l.problem("%s: the parameter %s has no default in a data.yaml: %s", place(at, file), string(name), didYouMean(string(name), known))
		}
		ast.WalkRefs(modules[file], func(r ast.Ref) bool {
			if len(r) > 2 && r[0].Equal(ast.DefaultRootDocument) && r[1].Equal(ast.StringTerm("params")) {
				check(r[2], r[0].Location)
			}
			return false
		})
		ast.WalkExprs(modules[file], func(x *ast.Expr) bool {
			if terms, ok := x.Terms.([]*ast.Term); ok && len(terms) > 1 && terms[0].Value.String() == parameterFunction {
				check(terms[1], x.Location)
			}
			return false
		})
	}
}

// parameterFunction is the function of the library by which rules read parameters.
const parameterFunction = libraryPackage + "params.value"

func place(at *ast.Location, file string) string {
	if at == nil || strings.TrimSpace(at.File) == "" {
		return file
	}
	return at.String()
}
