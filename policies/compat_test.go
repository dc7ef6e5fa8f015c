package policies_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/format"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

const compatRules = "compat/rules.rego"

// TestCompatRules holds the table of compat to the metadata of the rules. UPDATE=1 go test
// ./policies writes it anew.
func TestCompatRules(t *testing.T) {
	t.Parallel()
	want := compatTable(t, rules(t))
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(compatRules, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(compatRules)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not what the rules say; run UPDATE=1 go test ./policies (-want +got):\n%s", compatRules, diff)
	}
}

// compatTable is what conftest.rego knows of the rules that are on by default.
func compatTable(t *testing.T, all []rule) []byte {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Written by UPDATE=1 go test ./policies from the METADATA of the rules.\npackage main\n\n_rules := {\n")
	for _, kind := range about() {
		fmt.Fprintf(&b, "\t%q: {\n", kind[0])
		for _, r := range all {
			if path.Base(path.Dir(r.dir)) != kind[0] || r.custom("default") != true {
				continue
			}
			paths := [][]any{}
			for _, pointer := range list(r.custom("requires")) {
				paths = append(paths, tokens(pointer))
			}
			requires, err := json.Marshal(paths)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "\t\t%q: {\"severity\": %q, \"requires\": %s},\n", path.Base(r.dir), r.custom("severity"), requires)
		}
		b.WriteString("\t},\n")
	}
	b.WriteString("}\n")
	out, err := format.Source(compatRules, []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// tokens are those of a JSON pointer without escapes; numbers are indexes.
func tokens(pointer string) []any {
	var out []any
	for token := range strings.SplitSeq(pointer[1:], "/") {
		if n, err := strconv.Atoi(token); err == nil {
			out = append(out, n)
			continue
		}
		out = append(out, token)
	}
	return out
}

// TestCompat holds that conftest denies and warns of what govctl finds, on the documents of
// the cases of all rules.
func TestCompat(t *testing.T) { // not parallel: the engine guards the built-in functions of the process
	ctx := context.Background()
	engine, err := policy.Load(policy.Options{Library: os.DirFS(".")})
	if err != nil {
		t.Fatal(err)
	}
	c, store := compiled(t), inmem.NewFromObject(data(t))
	prepare := func(query string) rego.PreparedEvalQuery {
		q, err := rego.New(rego.Query(query), rego.Compiler(c), rego.Store(store)).PrepareForEval(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	said := prepare(`{"kind": data.main._kind, "deny": data.main.deny, "warn": data.main.warn}`)
	compared := map[string]int{}
	for _, r := range rules(t) {
		cases, err := prepare(r.module.Package.Path.String() + "_test.cases").Eval(ctx)
		if err != nil || len(cases) != 1 {
			t.Fatal(r.id(), err)
		}
		kind := path.Base(path.Dir(r.dir))
		for name, example := range cases[0].Expressions[0].Value.(map[string]any) {
			document, ok := example.(map[string]any)["input"].(map[string]any)
			if !ok {
				continue
			}
			if document["kind"] = kind; document["now"] == nil { // both of which govctl adds
				document["now"] = "2026-11-20T09:00:00Z"
			}
			got, err := said.Eval(ctx, rego.EvalInput(document))
			if err != nil {
				t.Fatal(err)
			}
			if len(got) == 0 {
				continue // of no kind
			}
			answer := got[0].Expressions[0].Value.(map[string]any)
			if answer["kind"] != kind {
				continue
			}
			report, err := engine.Check(ctx, policy.Document{Kind: kind, Subject: "s", Body: document})
			if err != nil {
				t.Fatal(err)
			}
			compared[kind]++
			if diff := cmp.Diff(verdicts(report.Findings), messages(answer)); diff != "" {
				t.Errorf("%s, %s (-govctl +conftest):\n%s", r.id(), name, diff)
			}
		}
	}
	for _, kind := range about() {
		if compared[kind[0]] < 10 {
			t.Errorf("%d documents of the kind %s were compared", compared[kind[0]], kind[0])
		}
	}
}

// verdicts are what conftest should say of findings, sorted.
func verdicts(findings []org.Finding) []string {
	out := []string{}
	for _, f := range findings {
		verdict, text := "warn", f.Path+": "+f.Message
		switch {
		case f.Status == org.Indeterminate:
			text = f.Message
		case f.Status == org.Open && (f.Severity == "critical" || f.Severity == "high"):
			verdict = "deny"
		}
		out = append(out, fmt.Sprintf("%s %s %s", verdict, f.Rule, text))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// messages are what conftest says, sorted.
func messages(answer map[string]any) []string {
	out := []string{}
	for _, verdict := range []string{"deny", "warn"} {
		for _, f := range answer[verdict].([]any) {
			out = append(out, fmt.Sprintf("%s %s", verdict, f.(map[string]any)["msg"]))
		}
	}
	slices.Sort(out)
	return out
}
