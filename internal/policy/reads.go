package policy

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// partsOf are the parts of the input that rules read, each once. Which of them a rule
// reads goes to the rule.
func partsOf(c *ast.Compiler, rules []*rule) [][]string {
	var parts [][]string
	for _, r := range rules {
		for _, names := range readsOf(c, r) {
			i := slices.IndexFunc(parts, func(p []string) bool { return slices.Equal(p, names) })
			if i < 0 {
				i = len(parts)
				parts = append(parts, names)
			}
			r.reads = append(r.reads, i)
		}
	}
	return parts
}

// readsOf are the parts of the input that what a rule finds can depend on, as names from
// the outside in; one without names is all of it. They are sorted, and none lies inside
// another. Rules reach nothing but input and data, which does not change, so two documents
// with equal parts have equal findings.
func readsOf(c *ast.Compiler, r *rule) [][]string {
	w := readers{compiler: c, seen: map[*ast.Rule]bool{}}
	w.follow(r.ref)
	slices.SortFunc(w.reads, slices.Compare)
	var out [][]string
	for _, names := range w.reads {
		if len(out) > 0 && begins(names, out[len(out)-1]) {
			continue
		}
		out = append(out, names)
	}
	return out
}

// begins reports whether names begin with those of prefix.
func begins(names, prefix []string) bool {
	return len(names) >= len(prefix) && slices.Equal(names[:len(prefix)], prefix)
}

// readers follows rules through everything that they may use.
type readers struct {
	compiler *ast.Compiler
	seen     map[*ast.Rule]bool
	reads    [][]string
}

func (w *readers) follow(ref ast.Ref) {
	for _, def := range w.compiler.GetRulesDynamicWithOpts(ref, ast.RulesOptions{IncludeHiddenModules: true}) {
		if w.seen[def] {
			continue
		}
		w.seen[def] = true
		ast.WalkTerms(def, func(t *ast.Term) bool {
			switch x := t.Value.(type) {
			case ast.Var:
				if t.Equal(ast.InputRootDocument) {
					w.reads = append(w.reads, nil)
				}
			case ast.Ref:
				w.ref(x)
				// Its head is no use of the whole, but what stands in brackets may be one.
				for _, inner := range x[1:] {
					if _, isVar := inner.Value.(ast.Var); !isVar {
						ast.WalkRefs(inner, func(r ast.Ref) bool { w.ref(r); return false })
					}
				}
				return true
			}
			return false
		})
	}
}

func (w *readers) ref(r ast.Ref) {
	switch {
	case len(r) == 0:
	case r[0].Equal(ast.DefaultRootDocument):
		w.follow(r)
	case r[0].Equal(ast.InputRootDocument):
		names := []string{}
		for _, t := range r[1:] {
			s, ok := t.Value.(ast.String)
			if !ok {
				break
			}
			names = append(names, string(s))
		}
		w.reads = append(w.reads, names)
	}
}

// Reads reports whether any rule of a kind that is on may read input.FIELD, so that facts
// nobody asks for need not be fetched.
func (e *Engine) Reads(kind, field string) bool {
	rules := e.enabled(kind)
	if len(rules) == 0 {
		return false
	}
	u, err := e.unit(kind)
	if err != nil {
		return true // nobody knows
	}
	for _, r := range rules {
		for _, i := range r.reads {
			if names := u.parts[i]; len(names) == 0 || names[0] == field {
				return true
			}
		}
	}
	return false
}
