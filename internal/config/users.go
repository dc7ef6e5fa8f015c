package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"go.yaml.in/yaml/v3"

	"github.com/govctl/govctl/internal/org"
)

// users reads the map of addresses to limits. Literal maps are walked as syntax, the
// only way that 100,000 entries cost little more than parsing them.
func (d *limitsDecoder) users(a *hcl.Attribute) {
	d.usersOf(a.Expr, nil)
}

// usersOf adds the entries of one expression. seen is set inside merge(), where a
// later argument replaces the same key of an earlier one.
func (d *limitsDecoder) usersOf(expr hcl.Expression, seen map[string]int) {
	switch e := expr.(type) {
	case *hclsyntax.ObjectConsExpr:
		d.out.users = slices.Grow(d.out.users, len(e.Items))
		for _, item := range e.Items {
			if key, ok := d.userKey(item.KeyExpr); ok {
				d.user(key, item.KeyExpr, item.ValueExpr, seen)
			}
		}
	case *yamlExpr:
		if e.node.Kind != yaml.MappingNode {
			d.error(e.Range(), "write a map of addresses to limits", "users must be a map")
			return
		}
		d.out.users = slices.Grow(d.out.users, len(e.node.Content)/2)
		key, value := &yamlKey{yamlExpr{file: e.file}}, e.child(nil) // one of each for all entries
		for i := 0; i+1 < len(e.node.Content); i += 2 {
			key.node, value.node = e.node.Content[i], e.node.Content[i+1]
			d.user(key.node.Value, key, value, seen)
		}
	case *hclsyntax.ParenthesesExpr:
		d.usersOf(e.Expression, seen)
	case *hclsyntax.FunctionCallExpr:
		if e.Name != "merge" || e.ExpandFinal {
			d.evaluatedUsers(expr, seen)
			return
		}
		if seen == nil {
			seen = map[string]int{}
		}
		for _, arg := range e.Args {
			d.usersOf(arg, seen)
		}
	default:
		d.evaluatedUsers(expr, seen)
	}
}

func (d *limitsDecoder) userKey(expr hcl.Expression) (string, bool) {
	if key, ok := literalKey(expr); ok {
		return key, true
	}
	v, ok := d.value(expr)
	if !ok {
		return "", false
	}
	w, ok := d.asWord("an address", expr.Range(), v)
	return w.text, ok
}

// user adds one entry whose key and value stand in the file.
func (d *limitsDecoder) user(raw string, key, value hcl.Expression, seen map[string]int) {
	email, ok := d.email(raw, key)
	if !ok {
		return
	}
	limit := org.Limit{Email: email, Why: "users", Source: d.start(key)}
	if pairs, isObject := objectPairs(value); isObject {
		limit.Credits, limit.Reason = d.userObject(pairs, value, raw)
	} else if y, isYAML := value.(*yamlExpr); isYAML {
		limit.Credits = d.yamlCredits(y, raw)
	} else if _, isLiteral := value.(*hclsyntax.LiteralValueExpr); isLiteral {
		limit.Credits, _ = d.credits(value, raw)
	} else if v, known := d.value(value); known {
		limit.Credits, limit.Reason = d.userValue(v, value, raw)
	}
	// An address with a wrong limit stays declared, so that a second declaration shows.
	d.addUser(raw, limit, seen)
}

// yamlCredits is credits without the detour of a cty.Value for plain digits.
func (d *limitsDecoder) yamlCredits(e *yamlExpr, what string) int64 {
	text := e.node.Value
	if e.node.Kind == yaml.ScalarNode && e.node.Tag == "!!int" && len(text) <= 15 && text[0] >= '1' && text[0] <= '9' {
		var n int64
		for i := 0; i < len(text); i++ {
			if text[i] < '0' || text[i] > '9' {
				n = -1
				break
			}
			n = n*10 + int64(text[i]-'0')
		}
		if n >= 0 {
			return n
		}
	}
	n, _ := d.credits(e, what)
	return n
}

func (d *limitsDecoder) addUser(raw string, limit org.Limit, seen map[string]int) {
	if seen != nil {
		if i, replaced := seen[raw]; replaced {
			d.out.users[i] = limit
			return
		}
		seen[raw] = len(d.out.users)
	}
	d.out.users = append(d.out.users, limit)
}

// start is the place of an expression without the cost of finding its end.
func (d *limitsDecoder) start(expr hcl.Expression) org.Source {
	if k, ok := expr.(*yamlKey); ok {
		offset := k.file.offset(k.node)
		number, start := k.file.source.line(offset, k.node.Line)
		return org.Source{File: k.file.name, Line: number, Column: offset - start + 1}
	}
	return d.place(expr.Range())
}

func objectPairs(expr hcl.Expression) ([]hcl.KeyValuePair, bool) {
	switch e := expr.(type) {
	case *hclsyntax.ObjectConsExpr:
		return e.ExprMap(), true
	case *yamlExpr:
		if e.node.Kind == yaml.MappingNode {
			return e.ExprMap(), true
		}
	}
	return nil, false
}

// userObject reads { limit = …, reason = "…" }.
func (d *limitsDecoder) userObject(pairs []hcl.KeyValuePair, object hcl.Expression, what string) (credits int64, reason string) {
	first := map[string]hcl.Range{}
	for _, p := range pairs {
		k, known := d.value(p.Key)
		if !known {
			continue
		}
		key, _ := d.asWord("a name", p.Key.Range(), k)
		if at, twice := first[key.text]; twice {
			d.twice(key.at, at, "keep one of them", "%q is declared twice", key.text)
			continue
		}
		first[key.text] = key.at
		switch key.text {
		case "limit":
			credits, _ = d.credits(p.Value, what)
		case "reason":
			if v, known := d.value(p.Value); known {
				w, _ := d.asWord("reason", p.Value.Range(), v)
				reason = w.text
			}
		default:
			d.error(p.Key.Range(), didYouMean(key.text, userNames()), "unknown name %q", key.text)
		}
	}
	if _, written := first["limit"]; !written {
		d.error(object.Range(), "add limit", "%s needs a limit", what)
	}
	return credits, reason
}

// userNames are the names in the long form of a user's limit.
func userNames() []string { return []string{"limit", "reason"} }

// evaluatedUsers adds the entries of a value that is computed; they share its place.
func (d *limitsDecoder) evaluatedUsers(expr hcl.Expression, seen map[string]int) {
	v, ok := d.value(expr)
	if !ok {
		return
	}
	if v.IsNull() || (!v.Type().IsObjectType() && !v.Type().IsMapType()) {
		d.error(expr.Range(), "write a map of addresses to limits", "users must be a map, not %s", kindOf(v))
		return
	}
	at := d.place(expr.Range())
	for it := v.ElementIterator(); it.Next(); {
		key, element := it.Element()
		raw := key.AsString()
		email, _, err := canonical(raw)
		if err != nil {
			d.error(expr.Range(), "", "%q: %s", raw, err)
			continue
		}
		limit := org.Limit{Email: email, Why: "users", Source: at}
		limit.Credits, limit.Reason = d.userValue(element, expr, raw)
		d.addUser(raw, limit, seen)
	}
}

// userValue reads a computed number or { limit, reason }.
func (d *limitsDecoder) userValue(v cty.Value, expr hcl.Expression, what string) (credits int64, reason string) {
	if v.IsNull() || (!v.Type().IsObjectType() && !v.Type().IsMapType()) {
		credits, _ = d.amount(v, expr, what)
		return credits, ""
	}
	found := false
	for it := v.ElementIterator(); it.Next(); {
		k, element := it.Element()
		switch k.AsString() {
		case "limit":
			credits, _ = d.amount(element, expr, what)
			found = true
		case "reason":
			if !element.IsNull() {
				w, _ := d.asWord("reason", expr.Range(), element)
				reason = w.text
			}
		default:
			d.error(expr.Range(), didYouMean(k.AsString(), userNames()), "%s: unknown name %q", what, k.AsString())
		}
	}
	if !found {
		d.error(expr.Range(), "add limit", "%s needs a limit", what)
	}
	return credits, reason
}
