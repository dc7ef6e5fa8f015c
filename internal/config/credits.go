package config

import (
	"math/big"
	"regexp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"

	"github.com/govctl/govctl/internal/org"
)

// digits is a limit written as text in HCL.
var digits = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

// credits reads an amount of credits. what names its owner in messages.
func (d *limitsDecoder) credits(expr hcl.Expression, what string) (int64, bool) {
	switch e := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		if d.leadingZero(e) {
			return 0, false
		}
		return d.amount(e.Val, expr, what)
	case *yamlExpr:
		if e.node.Kind == yaml.ScalarNode && e.node.Tag == "!!str" && digits.MatchString(e.node.Value) {
			d.error(e.Range(), "remove the quotes", "the limit of %s is text", what)
			return 0, false
		}
	}
	v, ok := d.value(expr)
	if !ok {
		return 0, false
	}
	return d.amount(v, expr, what)
}

// amount checks a value: an exact whole number from 0 to org.MaxCredits (T8).
func (d *limitsDecoder) amount(v cty.Value, expr hcl.Expression, what string) (int64, bool) {
	switch {
	case v.IsNull():
		d.error(expr.Range(), "write a number, or remove the declaration", "the limit of %s has no value", what)
	case v.Type() == cty.String && digits.MatchString(v.AsString()):
		n, err := cty.ParseNumberVal(v.AsString())
		if err == nil {
			return d.number(n.AsBigFloat(), expr, what)
		}
		d.error(expr.Range(), "", "the limit of %s is not a number", what)
	case v.Type() == cty.String && leadingZero.MatchString(v.AsString()):
		d.error(expr.Range(), "drop the zeros", "the limit of %s has a leading zero, which means different things to different readers", what)
	case v.Type() != cty.Number:
		d.error(expr.Range(), "write a whole number of credits", "the limit of %s must be a number, not %s", what, kindOf(v))
	default:
		return d.number(v.AsBigFloat(), expr, what)
	}
	return 0, false
}

func (d *limitsDecoder) number(f *big.Float, expr hcl.Expression, what string) (int64, bool) {
	n, accuracy := f.Int64()
	if accuracy == big.Exact {
		if why, advice := d.refused(n); why != "" {
			d.error(expr.Range(), advice, "the limit of %s %s", what, why)
			return 0, false
		}
		return n, true
	}
	if f.IsInt() {
		d.error(expr.Range(), "", "the limit of %s is larger than %d", what, int64(org.MaxCredits))
	} else {
		d.error(expr.Range(), "write a whole number of credits", "the limit of %s is a fraction", what)
	}
	return 0, false
}

// refused says why n cannot be a limit, or "".
func (d *limitsDecoder) refused(n int64) (why, advice string) {
	switch {
	case n < 0:
		return "is negative", "write a whole number of credits"
	case n > org.MaxCredits:
		return "is larger than 9007199254740991 (2^53-1); the service may round it", ""
	case n == 0 && !d.out.AllowZero:
		return "is 0", "0 is not explained by the service; write allow_zero = true to send it"
	}
	return "", ""
}
