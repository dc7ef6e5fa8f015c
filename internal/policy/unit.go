package policy

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage"
)

// unit is rules that are compiled together.
type unit struct {
	read    sync.Once
	rules   []*rule                // sorted by id
	written map[string]*ast.Module // as the authors wrote them, by file

	compiled sync.Once
	compiler *ast.Compiler
	parts    [][]string // of the input, that any of the rules reads
	problems []string   // why there is no compiler

	mu      sync.Mutex
	queries map[string]*rego.PreparedEvalQuery // by the ids they ask for
}

// maxQueries bounds how many combinations of rules stay prepared.
const maxQueries = 256

// Shared is the rules of one library as engines have compiled them. The zero value is ready,
// and may be used by several goroutines at once.
type Shared struct {
	read  sync.Once
	facts *loaded // what is no Rego

	mu    sync.Mutex
	units map[string]*unit // by everything of the options that a unit depends on
}

// load is load for a library of which no Rego is needed yet.
func (s *Shared) load(library fs.FS) *loaded {
	s.read.Do(func() {
		s.facts = newLoaded()
		s.facts.facts(library)
	})
	l := newLoaded()
	l.data, l.defaults, l.schemas = maps.Clone(s.facts.data), maps.Clone(s.facts.defaults), s.facts.schemas
	l.ids, l.problems = slices.Clone(s.facts.ids), slices.Clone(s.facts.problems)
	return l
}

// unit is that of a kind for an engine with such options, read and compiled or not.
func (s *Shared) unit(o Options, kind string) (*unit, error) {
	o.Library, o.Shared, o.Kinds, o.Waivers, o.FailOn, o.Now, o.Limits = nil, nil, []string{kind}, nil, "", time.Time{}, Limits{}
	key, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.units == nil {
		s.units = map[string]*unit{}
	}
	name := fmt.Sprint(o.plain, " ", string(key))
	if s.units[name] == nil {
		s.units[name] = &unit{}
	}
	return s.units[name], nil
}

// lazy reports whether each kind of rules is read and compiled when it is asked for. That
// is so for the library alone, if it is known to have no mistakes. With rules of
// somebody's own everything is compiled at once, so that every mistake is known at once.
func (e *Engine) lazy() bool {
	return e.options.Shared != nil && len(e.options.Sources) == 0 && e.options.Library != nil
}

// divide makes the units, by kind; problems go to l.
func (e *Engine) divide(l *loaded, rules []*rule) {
	if e.lazy() {
		for _, kind := range Kinds() {
			if len(e.options.Kinds) == 0 || slices.Contains(e.options.Kinds, kind) {
				u, err := e.options.Shared.unit(e.options, kind)
				if err != nil {
					l.problem("parameters: %v", err)
				}
				e.units[kind] = u
			}
		}
		return
	}
	e.enable(rules)
	all := &unit{rules: rules, written: l.modules}
	all.read.Do(func() {})
	for _, kind := range Kinds() {
		e.units[kind] = all
	}
	if len(l.problems) == 0 {
		all.compiled.Do(func() { all.compile(e) })
		l.problems = all.problems
	}
}

// readUnit is what has the rules of a kind, nil if there are none. It may not be compiled.
func (e *Engine) readUnit(kind string) *unit {
	u := e.units[kind]
	if u == nil {
		return nil
	}
	u.read.Do(func() {
		l := newLoaded()
		l.library(e.options.Library, false, func(dir string) bool { return dir == kind })
		u.rules = l.rules(nil)
		e.enable(u.rules)
		l.imported(e.options.Library)
		u.written, u.problems = l.modules, l.problems
	})
	return u
}

// rules are those of a kind, sorted by id.
func (e *Engine) rules(kind string) []*rule {
	u := e.readUnit(kind)
	if u == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(u.rules), func(r *rule) bool { return r.Kind != kind })
}

// unit is what judges documents of a kind, compiled.
func (e *Engine) unit(kind string) (*unit, error) {
	u := e.readUnit(kind)
	if u == nil {
		return nil, fmt.Errorf("there are no rules for documents of the kind %q", kind)
	}
	u.compiled.Do(func() { u.compile(e) })
	if len(u.problems) > 0 {
		return nil, errors.New(strings.Join(u.problems, "; "))
	}
	return u, nil
}

func (u *unit) compile(e *Engine) {
	if len(u.problems) > 0 {
		return
	}
	u.queries = map[string]*rego.PreparedEvalQuery{}
	c := newCompiler(e.schemas)
	if !e.options.plain {
		c.WithStageAfterID(ast.StageCheckDeprecatedBuiltins, ast.CompilerStageDefinition{Name: "UseNatives", Stage: e.useNatives})
	}
	modules := u.written
	if len(e.options.Sources) == 0 {
		modules = reached(modules, u.rules)
	}
	l := &loaded{defaults: e.params}
	if c.Compile(modules); c.Failed() {
		l.regoErrors(c.Errors)
	}
	l.unknownParameters(c.Modules)
	if u.problems = l.problems; len(u.problems) == 0 {
		u.compiler, u.parts = c, partsOf(c, u.rules)
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
