package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
)

// unit is rules that are compiled together.
type unit struct {
	once     sync.Once
	compiler *ast.Compiler
	parts    [][]string // of the input, that any of the rules reads
	problems []string   // why there is no compiler

	mu      sync.Mutex
	queries map[string]*rego.PreparedEvalQuery // by the ids they ask for
}

// maxQueries bounds how many combinations of rules stay prepared.
const maxQueries = 256

// divide makes the units, by kind. Rules of somebody's own are compiled with all others at
// once, so that every mistake is known at once. Of the library alone, if it is known to
// have none, each kind is compiled when its first document comes.
func (e *Engine) divide(l *loaded) {
	e.units = map[string]*unit{}
	together := &unit{}
	lazy := e.options.Sound && len(e.options.Sources) == 0
	for _, r := range e.rules {
		r.name = ast.StringTerm(r.ID)
	}
	for _, kind := range Kinds() {
		if e.units[kind] = together; lazy {
			e.units[kind] = &unit{}
		}
	}
	if !lazy && len(l.problems) == 0 {
		together.once.Do(func() { together.compile(e, e.rules) })
		l.problems = together.problems
	}
}

// unit is what judges documents of a kind, compiled.
func (e *Engine) unit(kind string) (*unit, error) {
	u := e.units[kind]
	if u == nil {
		return nil, fmt.Errorf("%q is no kind of documents", kind)
	}
	u.once.Do(func() {
		u.compile(e, slices.DeleteFunc(slices.Clone(e.rules), func(r *rule) bool { return r.Kind != kind }))
	})
	if len(u.problems) > 0 {
		return nil, errors.New(strings.Join(u.problems, "; "))
	}
	return u, nil
}

func (u *unit) compile(e *Engine, rules []*rule) {
	u.queries = map[string]*rego.PreparedEvalQuery{}
	c := newCompiler(e.schemas)
	if !e.options.plain {
		c.WithStageAfterID(ast.StageCheckDeprecatedBuiltins, ast.CompilerStageDefinition{Name: "UseNatives", Stage: e.useNatives})
	}
	modules := e.written
	if len(e.options.Sources) == 0 {
		modules = reached(modules, rules)
	}
	l := &loaded{defaults: e.params}
	if c.Compile(modules); c.Failed() {
		l.regoErrors(c.Errors)
	}
	l.unknownParameters(c.Modules)
	if u.problems = l.problems; len(u.problems) == 0 {
		u.compiler, u.parts = c, partsOf(c, rules)
	}
}

// reached are the modules of rules that are on, and what they can use.
func reached(modules map[string]*ast.Module, rules []*rule) map[string]*ast.Module {
	out := map[string]*ast.Module{}
	var follow func(file string)
	follow = func(file string) {
		if out[file] != nil {
			return
		}
		out[file] = modules[file]
		ast.WalkRefs(modules[file], func(ref ast.Ref) bool {
			if ref[0].Equal(ast.DefaultRootDocument) {
				for other, m := range modules {
					if p := m.Package.Path; p.HasPrefix(ref.ConstantPrefix()) || ref.HasPrefix(p) {
						follow(other)
					}
				}
			}
			return false
		})
	}
	for _, r := range rules {
		if r.Enabled {
			for _, file := range r.files {
				follow(file)
			}
		}
	}
	return out
}

// queryKey names a combination of rules.
func queryKey(asked []question) string {
	var ids strings.Builder
	for _, q := range asked {
		ids.WriteString(q.ID)
		ids.WriteByte(' ')
	}
	return ids.String()
}

// mayPrepare reports whether a combination of rules is prepared, or there is room for it.
func (u *unit) mayPrepare(asked []question) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.queries) < maxQueries || u.queries[queryKey(asked)] != nil
}

// prepared is the query that gives {id: findings} for some rules. Documents that lack the
// same paths share one, and so does everything else.
func (u *unit) prepared(ctx context.Context, store storage.Store, asked []question) (*rego.PreparedEvalQuery, error) {
	key := queryKey(asked)
	u.mu.Lock()
	defer u.mu.Unlock()
	if q := u.queries[key]; q != nil {
		return q, nil
	}
	pairs := make([][2]*ast.Term, len(asked))
	for i, q := range asked {
		pairs[i] = [2]*ast.Term{q.name, ast.NewTerm(q.ref)}
	}
	body := ast.NewBody(ast.Equality.Expr(ast.VarTerm(ruleName), ast.ObjectTerm(pairs...)))
	q, err := rego.New(rego.ParsedQuery(body), rego.Compiler(u.compiler), rego.Store(store),
		rego.GenerateJSON(func(t *ast.Term, _ *rego.EvalContext) (any, error) { return t, nil })).PrepareForEval(ctx)
	if err != nil {
		return nil, fmt.Errorf("prepare policies: %w", err)
	}
	if len(asked) == 1 || len(u.queries) < maxQueries {
		u.queries[key] = &q
	}
	return &q, nil
}
