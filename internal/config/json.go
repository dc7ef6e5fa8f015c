package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// json reads any JSON value; numbers keep their digits.
func (d *decoder) json(expr hcl.Expression) (any, bool) {
	if e, ok := expr.(*yamlExpr); ok {
		v, diags := e.json()
		d.diagnostics(diags)
		return v, !diags.HasErrors()
	}
	v, ok := d.value(expr)
	if !ok {
		return nil, false
	}
	out, err := toJSON(v)
	if err != nil {
		d.error(expr.Range(), "", "%s", err)
		return nil, false
	}
	return out, true
}

// toJSON turns a known value into what encoding/json would decode it from.
func toJSON(v cty.Value) (any, error) {
	t := v.Type()
	switch {
	case v.IsNull():
		return nil, nil
	case t == cty.String:
		return v.AsString(), nil
	case t == cty.Bool:
		return v.True(), nil
	case t == cty.Number:
		return decimalNumber(v.AsBigFloat())
	case t.IsObjectType() || t.IsMapType():
		out := map[string]any{}
		for it := v.ElementIterator(); it.Next(); {
			key, element := it.Element()
			w, err := toJSON(element)
			if err != nil {
				return nil, err
			}
			out[key.AsString()] = w
		}
		return out, nil
	case v.CanIterateElements():
		out := []any{}
		for it := v.ElementIterator(); it.Next(); {
			_, element := it.Element()
			w, err := toJSON(element)
			if err != nil {
				return nil, err
			}
			out = append(out, w)
		}
		return out, nil
	default:
		return nil, fmt.Errorf("a value of type %s has no form in JSON", t.FriendlyName())
	}
}

func decimalNumber(f *big.Float) (json.Number, error) {
	if e := f.MantExp(nil); f.IsInf() || e > 4096 || e < -4096 {
		return "", errors.New("this number is too large or too small to be written out")
	}
	return json.Number(f.Text('f', -1)), nil
}

// fromJSON turns decoded JSON into a value for expressions.
func fromJSON(v any) (cty.Value, error) {
	switch x := v.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType), nil
	case bool:
		return cty.BoolVal(x), nil
	case string:
		return cty.StringVal(x), nil
	case float64:
		return cty.NumberFloatVal(x), nil
	case json.Number:
		if !decimal.MatchString(string(x)) {
			return cty.NilVal, fmt.Errorf("%s is not a decimal number", x)
		}
		return cty.ParseNumberVal(string(x))
	case []any:
		list := make([]cty.Value, len(x))
		for i := range x {
			w, err := fromJSON(x[i])
			if err != nil {
				return cty.NilVal, err
			}
			list[i] = w
		}
		return cty.TupleVal(list), nil
	case map[string]any:
		object := make(map[string]cty.Value, len(x))
		for k := range x {
			w, err := fromJSON(x[k])
			if err != nil {
				return cty.NilVal, err
			}
			object[k] = w
		}
		return cty.ObjectVal(object), nil
	default:
		return cty.NilVal, fmt.Errorf("%T is not JSON", v)
	}
}
