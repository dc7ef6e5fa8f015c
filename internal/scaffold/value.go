package scaffold

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"golang.org/x/text/unicode/norm"

	"github.com/govctl/govctl/internal/org"
)

// Bounds of values that come back from HCL as they were. Expressions have 512 bits of
// precision, and nobody reads a setting a hundred levels down.
const (
	maxDigits   = 100
	maxExponent = 100
	maxDepth    = 100
)

// Reasons why a value cannot be declared, as they follow its name.
const (
	isSecret   = "contains a secret; secrets never stand in configuration"
	isChanged  = "has text that is not in Unicode normal form C, which HCL would change"
	isNumber   = "has a number that HCL would round"
	isTooDeep  = "is nested too deeply"
	isNameless = "has an empty name"
)

// unsayable says why HCL cannot express a decoded JSON value exactly, "" if it can.
func unsayable(v any, depth int) string {
	if depth > maxDepth {
		return isTooDeep
	}
	if secret(v) {
		return isSecret
	}
	switch x := v.(type) {
	case string:
		return unsayableText(x)
	case json.Number:
		if !exact(string(x)) {
			return isNumber
		}
	case []any:
		for _, e := range x {
			if why := unsayable(e, depth+1); why != "" {
				return why
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			if why := unsayableText(k); why != "" {
				return why
			}
			if why := unsayable(x[k], depth+1); why != "" {
				return why
			}
		}
	}
	return ""
}

func unsayableText(s string) string {
	switch {
	case !utf8.ValidString(s), !norm.NFC.IsNormalString(s):
		return isChanged
	case strings.Contains(s, "//redacted@"), strings.Contains(s, "=redacted"):
		return isSecret // what org.RedactURL leaves of one
	}
	return ""
}

// secret recognizes what stands for a secret.
func secret(v any) bool {
	_, is := org.SecretText(v)
	return is
}

// exact reports whether a JSON number survives the precision of expressions.
func exact(s string) bool {
	mantissa, exponent, has := strings.Cut(strings.ToLower(s), "e")
	if len(mantissa) > maxDigits {
		return false
	}
	if !has {
		return true
	}
	e, err := strconv.Atoi(exponent)
	return err == nil && -maxExponent <= e && e <= maxExponent
}

// expression writes a decoded JSON value that can be said as an HCL expression.
func expression(v any) hclwrite.Tokens {
	switch x := v.(type) {
	case nil:
		return hclwrite.TokensForIdentifier("null")
	case bool:
		return hclwrite.TokensForValue(cty.BoolVal(x))
	case json.Number:
		return number(string(x))
	case string:
		return hclwrite.TokensForValue(cty.StringVal(x))
	case []any:
		elements := make([]hclwrite.Tokens, len(x))
		for i, e := range x {
			elements[i] = expression(e)
		}
		return list(elements)
	case map[string]any:
		var attrs []hclwrite.ObjectAttrTokens
		for _, k := range slices.Sorted(maps.Keys(x)) {
			attrs = append(attrs, hclwrite.ObjectAttrTokens{Name: name(k), Value: expression(x[k])})
		}
		return hclwrite.TokensForObject(attrs)
	}
	return hclwrite.TokensForIdentifier("null") // decoded JSON has nothing else
}

// words is expression for a list of texts.
func words(texts []string) hclwrite.Tokens {
	out := make([]any, len(texts))
	for i, s := range texts {
		out[i] = s
	}
	return expression(out)
}

// plainName is a name that needs no quotes. hclsyntax.ValidIdentifier also takes some that
// do not parse, as those after a byte order mark.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// name writes the name of a property. At the beginning of an object the word "for" would
// start a loop.
func name(k string) hclwrite.Tokens {
	if plainName.MatchString(k) && k != "for" {
		return hclwrite.TokensForIdentifier(k)
	}
	return hclwrite.TokensForValue(cty.StringVal(k))
}

func number(s string) hclwrite.Tokens {
	var t hclwrite.Tokens
	if rest, negative := strings.CutPrefix(s, "-"); negative {
		t, s = append(t, token(hclsyntax.TokenMinus, "-")), rest
	}
	return append(t, token(hclsyntax.TokenNumberLit, s))
}

// maxLine is how long a list may be on one line.
const maxLine = 90

// list writes short lists on one line and long ones with a line for each element.
func list(elements []hclwrite.Tokens) hclwrite.Tokens {
	length, lines := 0, false
	for _, e := range elements {
		for _, t := range e {
			length += len(t.Bytes) + 1
			lines = lines || t.Type == hclsyntax.TokenNewline
		}
	}
	if length <= maxLine && !lines {
		return hclwrite.TokensForTuple(elements)
	}
	out := hclwrite.Tokens{token(hclsyntax.TokenOBrack, "["), token(hclsyntax.TokenNewline, "\n")}
	for _, e := range elements {
		out = append(out, e...)
		out = append(out, token(hclsyntax.TokenComma, ","), token(hclsyntax.TokenNewline, "\n"))
	}
	return append(out, token(hclsyntax.TokenCBrack, "]"))
}

func token(kind hclsyntax.TokenType, text string) *hclwrite.Token {
	return &hclwrite.Token{Type: kind, Bytes: []byte(text)}
}
