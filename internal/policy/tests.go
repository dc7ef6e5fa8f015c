package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/storage"
	"github.com/open-policy-agent/opa/v1/tester"

	"github.com/govctl/govctl/internal/org"
)

// TestOptions chooses which tests run.
type TestOptions struct {
	Library bool   // also those of the shipped rules
	Filter  string // regular expression on package.name
}

// TestReport is what tests of rules say.
type TestReport struct {
	Passed   int          `json:"passed"`
	Failed   int          `json:"failed"`
	Errored  int          `json:"errored"`
	Skipped  int          `json:"skipped"`
	Tests    []TestResult `json:"tests"` // sorted by package, name
	Coverage Coverage     `json:"coverage"`
}

// TestResult is the outcome of one test.
type TestResult struct {
	Package string     `json:"package"`
	Name    string     `json:"name"`
	Outcome string     `json:"outcome"` // pass | fail | error | skip
	Cases   []string   `json:"failed_cases,omitempty"`
	Message string     `json:"message,omitempty"`
	Output  string     `json:"output,omitempty"` // what it printed
	Source  org.Source `json:"source"`
}

// The outcomes of a test.
const (
	TestPass  = "pass"
	TestFail  = "fail"
	TestError = "error"
	TestSkip  = "skip"
)

// Coverage is how much of the rules tests evaluated, in percent.
type Coverage struct {
	Percent float64        `json:"percent"`
	Files   []FileCoverage `json:"files"` // sorted by name
}

// FileCoverage is the coverage of one file.
type FileCoverage struct {
	File       string      `json:"file"`
	Percent    float64     `json:"percent"`
	NotCovered []LineRange `json:"not_covered"`
}

// LineRange is some lines of a file, both ends included.
type LineRange struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Test runs the tests of the rules with the capabilities rules have. Its error is a
// *LoadError if they cannot be compiled; a failed test is no error.
func Test(ctx context.Context, o Options, t TestOptions) (*TestReport, error) {
	guardBuiltins()
	l := load(o, true)
	l.rules(nil) // for its problems
	params := l.parameters(o.Parameters)
	modules := maps.Clone(l.modules)
	for name, m := range l.tests {
		if t.Library || l.own[name] {
			modules[name] = m
		}
	}
	if len(l.problems) > 0 {
		slices.Sort(l.problems)
		return nil, &LoadError{slices.Compact(l.problems)}
	}
	store := l.store(params)
	covered := cover.New()
	c := newCompiler(l.schemas).WithEnablePrintStatements(true)
	results, err := runTests(ctx, store, tester.NewRunner().SetCompiler(c).SetStore(store).SetModules(modules).
		SetCoverageQueryTracer(covered).CapturePrintOutput(true).SetTimeout(o.Limits.orDefault().Time).Filter(t.Filter))
	if err != nil {
		l.regoErrors(err)
		return nil, &LoadError{l.problems}
	}
	r := &TestReport{Tests: []TestResult{}}
	for _, result := range results {
		r.add(result)
	}
	slices.SortFunc(r.Tests, func(a, b TestResult) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Source.Line, b.Source.Line))
	})
	judged := map[string]*ast.Module{}
	for name, m := range l.modules {
		if t.Library || l.own[name] {
			judged[name] = m
		}
	}
	r.Coverage = coverage(covered.Report(judged), judged)
	return r, ctx.Err()
}

func runTests(ctx context.Context, store storage.Store, runner *tester.Runner) ([]*tester.Result, error) {
	txn, err := store.NewTransaction(ctx)
	if err != nil {
		return nil, fmt.Errorf("run the tests: %w", err)
	}
	defer store.Abort(ctx, txn)
	ch, err := runner.RunTests(ctx, txn)
	if err != nil {
		return nil, err
	}
	var out []*tester.Result
	for result := range ch {
		out = append(out, result)
	}
	return out, nil
}

func (r *TestReport) add(result *tester.Result) {
	t := TestResult{Package: strings.TrimPrefix(result.Package, "data."), Name: result.Name, Output: string(result.Output)}
	if at := result.Location; at != nil {
		t.Source = org.Source{File: at.File, Line: at.Row, Column: max(1, at.Col)}
	}
	for name, sub := range result.SubResults.Iter {
		if sub.Fail && len(sub.SubResults) == 0 {
			t.Cases = append(t.Cases, strings.Join(name, "/"))
		}
	}
	switch {
	case result.Pass():
		t.Outcome = TestPass
		r.Passed++
	case result.Skip:
		t.Outcome = TestSkip
		r.Skipped++
	case result.Fail:
		t.Outcome = TestFail
		r.Failed++
	default:
		t.Outcome, t.Message = TestError, oneLine(cmp.Or(result.Error, errors.New("it did not end")))
		r.Errored++
	}
	r.Tests = append(r.Tests, t)
}

// coverage takes over OPA's report. A file without an expression is covered.
func coverage(report cover.Report, modules map[string]*ast.Module) Coverage {
	c := Coverage{Percent: round(report.Coverage), Files: []FileCoverage{}}
	if report.CoveredLines+report.NotCoveredLines == 0 {
		c.Percent = 100
	}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		file := report.Files[name]
		if file == nil {
			continue
		}
		f := FileCoverage{File: name, Percent: round(file.Coverage), NotCovered: []LineRange{}}
		for _, gap := range file.NotCovered {
			f.NotCovered = append(f.NotCovered, LineRange{gap.Start.Row, gap.End.Row})
		}
		c.Files = append(c.Files, f)
	}
	return c
}

// round keeps two digits, so that reports do not show noise.
func round(f float64) float64 { return math.Floor(f*100) / 100 }
