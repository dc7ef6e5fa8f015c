package config

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/govctl/govctl/internal/org"
)

// errNotBool is the problem of a condition that computes something else.
var errNotBool = errors.New("not true or false")

// selects reports whether a member meets the condition. A member that lacks a part of
// metadata the condition needs does not. diags or err say why it cannot be told.
func (w *where) selects(m *org.Member) (bool, hcl.Diagnostics, error) {
	key, cached := w.key(m)
	if cached {
		if yes, known := w.known[key]; known {
			return yes, nil, nil
		}
	}
	user, err := w.user(m)
	if err != nil {
		return false, nil, err
	}
	w.scope.Variables["user"] = user
	v, diags := w.expr.Value(w.scope)
	yes := false
	switch {
	case diags.HasErrors() && w.lacks():
	case diags.HasErrors():
		return false, diags, nil
	case v.IsNull() || !v.IsKnown() || v.Type() != cty.Bool:
		return false, nil, errNotBool
	default:
		yes = v.True()
	}
	if cached {
		w.known[key] = yes
	}
	return yes, nil, nil
}

// maxAnswers bounds the answers that are remembered.
const maxAnswers = 10_000

// key is what the condition reads of a member as text; false when that is more than
// scalars of metadata.
func (w *where) key(m *org.Member) (string, bool) {
	if w.reads.metadata == nil || len(w.reads.attributes) > 0 || len(w.known) >= maxAnswers {
		return "", false
	}
	var b []byte
	for _, name := range w.reads.metadata {
		switch v := m.Metadata[name].(type) {
		case string:
			b = append(strconv.AppendInt(append(b, 's'), int64(len(v)), 10), ':')
			b = append(b, v...)
		case json.Number:
			b = append(append(append(b, 'n'), v...), ';')
		case bool:
			b = append(strconv.AppendBool(b, v), ';')
		case nil:
			if _, null := m.Metadata[name]; null {
				b = append(b, "null"...)
			}
			b = append(b, ';')
		default:
			return "", false
		}
	}
	return string(b), true
}

func (w *where) user(m *org.Member) (cty.Value, error) {
	user := map[string]cty.Value{}
	for _, name := range w.reads.attributes {
		user[name] = cty.StringVal(map[string]string{
			"id": m.ID, "email": string(m.Email), "first_name": m.FirstName, "last_name": m.LastName,
		}[name])
	}
	metadata := m.Metadata
	if w.reads.metadata != nil && !w.reads.all {
		metadata = make(map[string]any, len(w.reads.metadata))
		for _, name := range w.reads.metadata {
			if v, ok := m.Metadata[name]; ok {
				metadata[name] = v
			}
		}
	}
	if metadata == nil {
		metadata = map[string]any{}
	}
	var err error
	if user["metadata"], err = fromJSON(metadata); err != nil {
		return cty.NilVal, err
	}
	return cty.ObjectVal(user), nil
}

// lacks reports whether the present member lacks something below user.metadata that
// the expression reads.
func (w *where) lacks() bool {
	lacks := false
	hclsyntax.VisitAll(w.expr, func(n hclsyntax.Node) hcl.Diagnostics {
		switch n := n.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			if name, ok := step(n.Traversal, 1); ok && n.Traversal.RootName() == "user" && name == "metadata" {
				_, diags := n.Traversal.TraverseAbs(w.scope)
				lacks = lacks || diags.HasErrors()
			}
		case *hclsyntax.IndexExpr:
			if t, ok := n.Collection.(*hclsyntax.ScopeTraversalExpr); ok && t.Traversal.RootName() == "user" {
				_, keyDiags := n.Key.Value(w.scope)
				_, diags := n.Value(w.scope)
				lacks = lacks || (!keyDiags.HasErrors() && diags.HasErrors())
			}
		}
		return nil
	})
	return lacks
}
