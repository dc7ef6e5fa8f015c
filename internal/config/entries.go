package config

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// entry is one key and value of a map.
type entry struct {
	key   word
	value cty.Value
	at    hcl.Range // of the value
}

// entries reads maps that are declared in several blocks as one. Keys written twice
// are reported; entries of a map that is not written out share its place.
func (d *decoder) entries(attrs []*hcl.Attribute) []entry {
	var out []entry
	first := map[string]hcl.Range{}
	add := func(e entry) {
		if at, twice := first[e.key.text]; twice {
			d.twice(e.key.at, at, "keep one of them", "%q is declared twice", e.key.text)
			return
		}
		first[e.key.text] = e.key.at
		out = append(out, e)
	}
	for _, a := range attrs {
		if pairs, diags := hcl.ExprMap(a.Expr); !diags.HasErrors() {
			for _, p := range pairs {
				k, ok1 := d.value(p.Key)
				v, ok2 := d.value(p.Value)
				if !ok1 || !ok2 {
					continue
				}
				if key, ok := d.asWord("a name in "+a.Name, p.Key.Range(), k); ok {
					add(entry{key, v, p.Value.Range()})
				}
			}
			continue
		}
		v, ok := d.present(a)
		if !ok {
			continue
		}
		at := a.Expr.Range()
		if !v.Type().IsObjectType() && !v.Type().IsMapType() {
			d.error(at, "write names and values", "%s must be an object, not %s", a.Name, kindOf(v))
			continue
		}
		for it := v.ElementIterator(); it.Next(); {
			key, element := it.Element()
			add(entry{word{key.AsString(), at}, element, at})
		}
	}
	return out
}
