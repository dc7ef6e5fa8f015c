package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/storage/inmem"

	"github.com/govctl/govctl/internal/org"
)

// Engine is a set of compiled rules. It may be used by several goroutines at once.
type Engine struct {
	options Options
	limits  Limits
	units   map[string]*unit // by kind
	store   storage.Store
	params  map[string]any
	schemas map[string]any
	ids     []string // that exist, read or not, sorted
	now     string   // for documents that say none
}

// Load reads and compiles rules. Its error is a *LoadError with every problem.
func Load(o Options) (*Engine, error) {
	guardBuiltins()
	e := &Engine{options: o, limits: o.Limits.orDefault(), units: map[string]*unit{}}
	var l *loaded
	if e.lazy() {
		l = o.Shared.load(o.Library)
	} else {
		l = load(o, false)
	}
	e.schemas = l.schemas
	rules := l.rules(o.Kinds)
	e.ids = slices.Clone(l.ids)
	for _, r := range slices.Concat(infos(rules), EngineRules()) {
		e.ids = append(e.ids, r.ID)
	}
	slices.Sort(e.ids)
	e.ids = slices.Compact(e.ids)
	e.checkNames(l)
	e.params = l.parameters(o.Parameters)
	e.divide(l, rules)
	if len(l.problems) > 0 {
		slices.Sort(l.problems)
		return nil, &LoadError{slices.Compact(l.problems)}
	}
	e.store = l.store(e.params)
	e.now = o.Now.UTC().Format(time.RFC3339)
	return e, nil
}

// store holds the data and the parameters.
func (l *loaded) store(params map[string]any) storage.Store {
	data := maps.Clone(l.data)
	data["params"] = params
	return inmem.NewFromObjectWithOpts(data, inmem.OptRoundTripOnWrite(true), inmem.OptReturnASTValuesOnRead(true))
}

// newCompiler is strict, knows the schemas and gives rules nothing from outside.
func newCompiler(schemas map[string]any) *ast.Compiler {
	set := ast.NewSchemaSet()
	for name, s := range schemas {
		set.Put(ast.MustParseRef("schema."+name), s)
	}
	return ast.NewCompiler().WithCapabilities(Capabilities()).WithStrict(true).
		WithSchemas(set).WithUseTypeCheckAnnotations(true).SetErrorLimit(0)
}

// rules finds the rules in the modules. Of a kind that is not wanted none is returned.
func (l *loaded) rules(kinds []string) []*rule {
	files := slices.Sorted(maps.Keys(l.modules))
	list := make([]*ast.Module, len(files))
	byPackage := map[string][]string{}
	for i, f := range files {
		list[i] = l.modules[f]
		p := list[i].Package.Path.String()
		byPackage[p] = append(byPackage[p], f)
	}
	set, errs := ast.BuildAnnotationSet(list)
	if len(errs) > 0 {
		l.regoErrors(errs)
		return nil
	}
	var out []*rule
	first := map[string]*rule{}
	packages := map[string]bool{}
	for i, f := range files {
		def := definition(list[i])
		if def == nil || packages[list[i].Package.Path.String()] {
			continue
		}
		packages[list[i].Package.Path.String()] = true
		if def.Head.RuleKind() != ast.MultiValue || len(def.Head.Args) > 0 {
			l.problem("%s: write %s contains {…} if {…}", def.Location, ruleName)
			continue
		}
		r, err := describe(set, def, f)
		if err != nil {
			l.problem("%v", err)
			continue
		}
		r.files = byPackage[list[i].Package.Path.String()]
		l.shipped(r, f)
		if other := first[r.ID]; other != nil {
			l.problem("%s: the id %s is that of %s already", r.where, r.ID, other.where)
			continue
		}
		first[r.ID] = r
		if len(kinds) == 0 || slices.Contains(kinds, r.Kind) {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b *rule) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// shipped holds the library to its layout, by which ids are known without parsing.
func (l *loaded) shipped(r *rule, file string) {
	if l.own[file] {
		if slices.Contains(l.ids, r.ID) {
			l.problem("%s: the id %s is that of a shipped rule", r.where, r.ID)
		}
		return
	}
	if want := "govctl." + r.Kind + "." + strings.ToLower(r.ID); r.Package != want {
		l.problem("%s: package %s should be %s", r.where, r.Package, want)
	}
}

// definition is the first rule named findings of a module, nil without one.
func definition(m *ast.Module) *ast.Rule {
	for _, r := range m.Rules {
		if r.Head.Ref()[0].Value.String() == ruleName {
			return r
		}
	}
	return nil
}

// checkNames refuses names of rules that nobody knows: a misspelt exception excepts nothing.
func (e *Engine) checkNames(l *loaded) {
	known := func(what, id string) {
		if _, ok := slices.BinarySearch(e.ids, id); !ok {
			l.problem("%s %q is no rule: %s", what, id, didYouMean(id, e.ids))
		}
	}
	for _, id := range e.options.Only {
		known("rule", id)
	}
	for _, id := range e.options.Disable {
		known("disable", id)
	}
	for _, id := range slices.Sorted(maps.Keys(e.options.Severity)) {
		known("severity", id)
		if s := e.options.Severity[id]; !slices.Contains(org.Severities(), s) {
			l.problem("severity of %s: %q is none of %s", id, s, strings.Join(org.Severities(), ", "))
		}
	}
	for _, w := range e.options.Waivers {
		known("waiver", w.Rule)
	}
}

// enable applies what the configuration says of rules.
func (e *Engine) enable(rules []*rule) {
	for _, r := range rules {
		r.name = ast.StringTerm(r.ID)
		level, named := e.options.Severity[r.ID]
		r.Enabled = (r.Default || named || e.options.Extended) && !slices.Contains(e.options.Disable, r.ID)
		if len(e.options.Only) > 0 {
			r.Enabled = slices.Contains(e.options.Only, r.ID)
		}
		if named {
			r.Severity = level
		}
	}
}

// Rules describes the rules of the kinds that were loaded and those of the engine,
// sorted by id.
func (e *Engine) Rules() []org.Rule { return e.describe(Kinds()) }

// describe is Rules for some kinds.
func (e *Engine) describe(kinds []string) []org.Rule {
	out := EngineRules()
	for _, kind := range kinds {
		out = append(out, infos(e.rules(kind))...)
	}
	for i := range out {
		if s, ok := e.options.Severity[out[i].ID]; ok {
			out[i].Severity = s
		}
	}
	slices.SortFunc(out, func(a, b org.Rule) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// Rule describes one rule; its error names the rule meant.
func (e *Engine) Rule(id string) (org.Rule, error) {
	for _, r := range e.Rules() {
		if strings.EqualFold(r.ID, id) {
			return r, nil
		}
	}
	return org.Rule{}, fmt.Errorf("%q is no rule: %s", id, didYouMean(id, e.ids))
}

// Schema is the JSON Schema of a kind as the library has it, nil without one.
func (e *Engine) Schema(kind string) any { return e.schemas[kind] }

// enabled are the rules of a kind that are on, sorted by id.
func (e *Engine) enabled(kind string) []*rule {
	var out []*rule
	for _, r := range e.rules(kind) {
		if r.Enabled {
			out = append(out, r)
		}
	}
	return out
}

func infos(rules []*rule) []org.Rule {
	out := make([]org.Rule, len(rules))
	for i, r := range rules {
		out[i] = r.Rule
	}
	return out
}

// EnabledKinds are the kinds that any rule which is on judges.
func (e *Engine) EnabledKinds() []string {
	var out []string
	for _, k := range Kinds() {
		if len(e.enabled(k)) > 0 {
			out = append(out, k)
		}
	}
	return out
}
