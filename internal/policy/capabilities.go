package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// refused are built-in functions beyond the non-deterministic ones that rules do not get:
// they reach outside, parse foreign languages or keys, or can grow a value without bound
// in one step that nothing can interrupt.
func refused(name string) bool {
	for _, prefix := range []string{nativePrefix, "http.", "opa.", "rand.", "io.jwt.", "graphql.", "providers.", "crypto.x509.", "crypto.parse", "crypto.hmac."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{
		"net.lookup_ip_addr", "net.cidr_expand", "time.now_ns", "uuid.rfc4122", "rego.parse_module", "trace",
		"bits.lsh", "graph.reachable_paths", "yaml.marshal", "strings.render_template",
	}, name)
}

// Capabilities are what rules and tests may use of this OPA version: nothing that
// depends on anything but the input and the data, and no network for schemas either.
// They are shared, so nobody may change them.
var Capabilities = sync.OnceValue(func() *ast.Capabilities {
	registerNatives()
	c := ast.CapabilitiesForThisVersion()
	c.Builtins = slices.DeleteFunc(slices.Clone(c.Builtins), func(b *ast.Builtin) bool {
		return b.IsNondeterministic() || refused(b.Name)
	})
	c.AllowNet = []string{}
	return c
})

// maxText is how large a text a built-in function may make in one step.
const maxText = 16 << 20

// guardBuiltins bounds the built-in functions that can make a huge value of a small one
// in one step, between which OPA cannot be interrupted. OPA's registry belongs to the
// process, so this happens once, before anything is evaluated.
var guardBuiltins = sync.OnceFunc(func() {
	guard("sprintf", smallFormat)
	guard("regex.replace", smallReplacement)
	for _, name := range []string{"internal.template_string", "json.marshal", "json.marshal_with_options"} {
		guard(name, smallTexts)
	}
	guard("mul", smallNumbers)
	guard("div", smallNumbers)
})

func guard(name string, check func([]*ast.Term) error) {
	f := topdown.GetBuiltin(name)
	if f == nil {
		return // not in this version
	}
	topdown.RegisterBuiltinFunc(name, func(ctx topdown.BuiltinContext, operands []*ast.Term, iter func(*ast.Term) error) error {
		if err := check(operands); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return f(ctx, operands, iter)
	})
}

var (
	errHugeText   = fmt.Errorf("the text would be larger than %d bytes", maxText)
	errHugeNumber = fmt.Errorf("the number has more than %d digits", maxDigits)
)

// smallTexts refuses operands that are too large written out.
func smallTexts(operands []*ast.Term) error { return within(maxText, operands) }

func within(budget int, operands []*ast.Term) error {
	for _, o := range operands {
		if !fits(o.Value, &budget) {
			return errHugeText
		}
	}
	return nil
}

// smallFormat assumes the worst of sprintf: that every verb shows every argument, and
// pads it if there is a width.
func smallFormat(operands []*ast.Term) error {
	format, ok := operands[0].Value.(ast.String)
	if !ok {
		return nil // refused by sprintf itself
	}
	verbs := max(1, strings.Count(string(format), "%"))
	budget := maxText / verbs
	if strings.ContainsAny(string(format), "*0123456789") {
		budget -= maxWidth
	}
	return within(budget, operands)
}

// maxWidth is the largest width and precision that formatting knows, together.
const maxWidth = 2_000_000

// smallReplacement assumes that a pattern matches everywhere.
func smallReplacement(operands []*ast.Term) error {
	s, ok1 := operands[0].Value.(ast.String)
	value, ok2 := operands[2].Value.(ast.String)
	if ok1 && ok2 && (len(s)+1)*(len(value)+1) > maxText {
		return errHugeText
	}
	return nil
}

// maxDigits is how long a number written out may be before it is multiplied: squares of
// squares soon have more digits than there is memory, or time to write them.
const maxDigits = 5000

// smallNumbers refuses numbers with more than maxDigits digits.
func smallNumbers(operands []*ast.Term) error {
	for _, o := range operands {
		text, ok := o.Value.(ast.Number)
		if !ok {
			continue // sets have a difference, too
		}
		exponent := 0
		if i := strings.LastIndexAny(string(text), "eE"); i >= 0 {
			exponent, _ = strconv.Atoi(string(text[i+1:])) // out of range is the largest there is
		}
		if len(text) > maxDigits || exponent > maxDigits || exponent < -maxDigits {
			return errHugeNumber
		}
	}
	return nil
}

// fits counts the bytes of a value written out, until none are left. A value can hold
// another one many times over, so it must not be written out to be measured.
func fits(v ast.Value, left *int) bool {
	switch x := v.(type) {
	case ast.String:
		*left -= len(x) + 2
	case ast.Number:
		*left -= len(x)
	case *ast.Array:
		for i := 0; i < x.Len() && *left > 0; i++ {
			fits(x.Elem(i).Value, left)
		}
	case ast.Set:
		x.Until(func(t *ast.Term) bool { return !fits(t.Value, left) })
	case ast.Object:
		x.Until(func(k, t *ast.Term) bool { return !fits(k.Value, left) || !fits(t.Value, left) })
	default:
		*left -= 5
	}
	*left--
	return *left > 0
}
