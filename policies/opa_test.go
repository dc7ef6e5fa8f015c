package policies_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/format"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
	"github.com/open-policy-agent/opa/v1/tester"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// TestFormat is opa fmt --list --fail.
func TestFormat(t *testing.T) {
	t.Parallel()
	for _, name := range regoFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		laid, err := format.Source(name, text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if string(laid) != string(text) {
			t.Errorf("%s: opa fmt would change it", name)
		}
	}
}

// strict is the compiler of opa check --strict with the schemas.
func strict(t *testing.T) *ast.Compiler {
	t.Helper()
	return ast.NewCompiler().WithStrict(true).WithSchemas(schemas(t)).WithUseTypeCheckAnnotations(true)
}

// compiled is opa check --strict with the schemas.
func compiled(t *testing.T) *ast.Compiler {
	t.Helper()
	c := strict(t)
	if c.Compile(modules(t)); c.Failed() {
		t.Fatal(c.Errors)
	}
	return c
}

// TestRules is opa test --coverage --threshold 100.
func TestRules(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	store := inmem.NewFromObject(data(t))
	all := modules(t)
	tracer := cover.New()
	// The runner has to compile the modules: it lets tests with cases fail case by case.
	runner := tester.NewRunner().SetCompiler(strict(t)).SetModules(modules(t)).SetStore(store).SetCoverageQueryTracer(tracer)
	txn, err := store.NewTransaction(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Abort(ctx, txn)
	results, err := runner.RunTests(ctx, txn)
	if err != nil {
		t.Fatal(err)
	}
	for r := range results {
		if r.Error != nil || r.Fail {
			t.Errorf("%s: %s: %v %v", r.Package, r.Name, r.Error, r.SubResults)
		}
	}
	for name, f := range tracer.Report(all).Files {
		for _, u := range f.NotCovered {
			t.Errorf("%s:%d: no test reaches this", name, u.Start.Row)
		}
	}
}

// TestForeignValues holds that no value of any type at any place of a document makes a
// built-in function or a rule fail, or a finding be malformed: in Rego the one looks like a
// pass, and the engine takes both for a broken rule.
func TestForeignValues(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	c := compiled(t)
	store := inmem.NewFromObject(data(t))
	prepare := func(query string) rego.PreparedEvalQuery {
		q, err := rego.New(rego.Query(query), rego.Compiler(c), rego.Store(store)).PrepareForEval(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	for _, r := range rules(t) {
		pkg := r.module.Package.Path.String()
		cases, err := prepare(pkg + "_test.cases").Eval(ctx)
		if err != nil || len(cases) != 1 {
			t.Fatal(r.id(), err)
		}
		findings := prepare(pkg + ".findings with input as input.document with data.params as input.params")
		said := map[string]bool{}
		judge := func(input, params any) {
			var failed []topdown.Error
			found, err := findings.Eval(ctx, rego.EvalInput(map[string]any{"document": input, "params": params}), rego.EvalBuiltinErrorList(&failed))
			for _, f := range failed {
				err = &f
			}
			if err == nil {
				err = wellFormed(found)
			}
			if err != nil && !said[err.Error()] {
				said[err.Error()] = true
				t.Errorf("%s: %v\non %v", r.id(), err, input)
			}
		}
		for _, example := range cases[0].Expressions[0].Value.(map[string]any) {
			fields := example.(map[string]any)
			input := fields["input"]
			params := maps.Clone(data(t)["params"].(map[string]any))
			changed, _ := fields["params"].(map[string]any)
			maps.Copy(params, changed)
			judge(input, params)
			disturb(&input, func() { judge(input, params) })
		}
	}
}

// wellFormed says what of findings the engine would refuse.
func wellFormed(found rego.ResultSet) error {
	for _, result := range found {
		for _, f := range result.Expressions[0].Value.([]any) {
			for name, v := range f.(map[string]any) {
				if _, ok := v.(string); !ok {
					return fmt.Errorf("the %s of a finding is %v", name, v)
				}
			}
		}
	}
	return nil
}

// disturb puts values of every type in the place of each value at and below v, one at a
// time, and calls judge for each.
func disturb(v *any, judge func()) {
	was := *v
	for _, foreign := range []any{nil, true, "x", json.Number("-1"), []any{"x", nil}, map[string]any{"x": map[string]any{}}} {
		*v = foreign
		judge()
	}
	*v = was
	switch x := was.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			inner := x[name]
			disturb(&inner, func() { x[name] = inner; judge() })
			x[name] = inner
		}
	case []any:
		for i := range min(len(x), 3) {
			inner := x[i]
			disturb(&inner, func() { x[i] = inner; judge() })
			x[i] = inner
		}
	}
}
