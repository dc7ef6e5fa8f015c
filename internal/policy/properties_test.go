package policy_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// drawSettings draws snapshots that rules of testdata have something to say about.
func drawSettings() *rapid.Generator[any] {
	value := rapid.SampledFrom([]any{nil, true, false, "x", "*", json1(), []any{}, []any{"*", "a.example"}, map[string]any{}})
	return rapid.Custom(func(t *rapid.T) any {
		out := map[string]any{}
		if rapid.Bool().Draw(t, "sandbox") {
			network := map[string]any{"allowedDomains": value.Draw(t, "domains")}
			out["sandbox"] = map[string]any{"enabled": value.Draw(t, "enabled"), "network": network}
		} else {
			out["sandbox"] = value.Draw(t, "odd")
		}
		out["sessionRetentionDays"] = value.Draw(t, "days")
		return out
	})
}

func json1() any { v, _ := org.DecodeJSON([]byte("1")); return v }

// TestOrder holds that the same documents give the same report however many workers
// there are, in the order of the documents, and that each document is judged as if it
// were alone.
func TestOrder(t *testing.T) {
	t.Parallel()
	o := options()
	o.Extended = true
	o.Limits.Workers = 1
	one := load(t, o)
	o.Limits.Workers = 7
	many := load(t, o)
	rapid.Check(t, func(t *rapid.T) {
		var documents []policy.Document
		for i, s := range rapid.SliceOfN(drawSettings(), 1, 30).Draw(t, "settings") {
			documents = append(documents, policy.Document{Kind: policy.Settings, Subject: fmt.Sprintf("s%03d", i), Base: "/settings", Body: map[string]any{"settings": s}})
		}
		want, err := one.Check(context.Background(), documents...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := many.Check(context.Background(), documents...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		if !slices.IsSortedFunc(got.Findings, func(a, b org.Finding) int { return strings.Compare(a.Subject, b.Subject) }) {
			t.Fatalf("not in the order of the documents: %q", lines(got.Findings))
		}
		var alone []org.Finding
		for _, d := range documents {
			r, err := one.Check(context.Background(), d)
			if err != nil {
				t.Fatal(err)
			}
			alone = append(alone, r.Findings...)
		}
		if diff := cmp.Diff(lines(alone), lines(got.Findings)); diff != "" {
			t.Fatal(diff)
		}
		if s := got.Summary; s.Denied > 0 != (got.Verdict == "deny") {
			t.Fatalf("verdict %s with %+v", got.Verdict, s)
		}
	})
}

// TestEnds holds that an error of the documents, of the handler and a cancelled context
// end a batch with themselves.
func TestEnds(t *testing.T) {
	t.Parallel()
	e := load(t, options())
	mine := errors.New("mine")
	endless := func(yield func(policy.Document, error) bool) {
		for yield(settings(t, `{}`), nil) {
		}
	}
	_, err := e.Each(t.Context(), endless, func(policy.Outcome) error { return mine })
	if !errors.Is(err, mine) {
		t.Errorf("handler: %v", err)
	}
	_, err = e.CheckAll(t.Context(), func(yield func(policy.Document, error) bool) {
		_ = yield(settings(t, `{}`), nil) && yield(policy.Document{}, mine)
	})
	if !errors.Is(err, mine) {
		t.Errorf("documents: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err = e.Each(ctx, endless, func(policy.Outcome) error {
		if n++; n == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("context: %v", err)
	}
}

// FuzzDocuments holds that no document breaks the engine: it is judged, or the report
// says that it was not, twice the same, and no secret of a redacted one comes back.
func FuzzDocuments(f *testing.F) {
	for _, seed := range []string{
		`{"settings":{"sandbox":{"enabled":false}}}`, `{}`, `[]`, `{"settings":null}`, `{"settings":{"sandbox":[1,{"enabled":1e300}]}}`,
		`{"settings":{"sandbox":{"network":{"allowedDomains":["*",1,null]}}}}`, `{"kind":1,"now":[]}`, `{"settings":{"a~/b":{"":0}}}`,
		`{"settings":{"customModels":[{"apiKey":"sk-fuzz-secret"}]}}`,
	} {
		f.Add([]byte(seed))
	}
	o := options()
	o.Extended = true
	e, err := policy.Load(o)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := org.DecodeJSON(data)
		if err != nil {
			return
		}
		d := policy.Document{Kind: policy.Settings, Subject: "fuzz", Base: "/settings", Body: org.Redact(v), Before: v}
		first, err := e.Check(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		second, err := e.Check(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Fatal(diff)
		}
		for _, f := range first.Findings {
			if f.Rule == "" || f.Status == "" || f.Title == "" || f.Message == "" || strings.Contains(f.Message, "sk-fuzz-secret") {
				t.Fatalf("%+v", f)
			}
		}
	})
}
