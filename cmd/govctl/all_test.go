package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

// TestWorst: many exit codes are one of them, the first of 1 > 5 > 7 > 4 > 3 > 6 > 2, in
// whatever order the projects are; a signal comes before all.
func TestWorst(t *testing.T) {
	t.Parallel()
	order := []int{143, 130, 1, 5, 7, 4, 3, 6, 2, 0}
	rapid.Check(t, func(t *rapid.T) {
		codes := rapid.SliceOf(rapid.SampledFrom(order)).Draw(t, "codes")
		want := 0
		for _, c := range order {
			if slices.Contains(codes, c) {
				want = c
				break
			}
		}
		if got := worst(codes...); got != want {
			t.Fatalf("worst(%v) = %d, want %d", codes, got, want)
		}
		if got := exitCode(seen{projects: codes, changes: true}, nil, nil); got != worst(want, exitChanges) {
			t.Fatalf("with changes of its own: %d", got)
		}
	})
}

// TestAllOutputs: two projects never write one file, whatever they are called.
func TestAllOutputs(t *testing.T) {
	t.Parallel()
	one, two := []subproject{{name: "a"}}, []subproject{{name: "a/b"}, {name: "c"}}
	for name, c := range map[string]struct {
		outs []output
		w    work
		list []subproject
		want string // of the error, "" for none
	}{
		"apart":             {[]output{{"text", ""}, {"json", "out/{project}.json"}}, work{}, two, ""},
		"one project":       {[]output{{"json", ""}, {"markdown", "plan.md"}}, work{writes: []string{"plan.json"}, own: []string{"old.json"}}, one, ""},
		"shared":            {[]output{{"json", "plan.json"}}, work{}, two, "share the file plan.json"},
		"shared by --out":   {[]output{{"text", ""}}, work{writes: []string{"", "p.json"}}, two, "share the file p.json"},
		"shared to read":    {[]output{{"text", ""}}, work{own: []string{"p.json"}}, two, "share the file p.json"},
		"two of one":        {[]output{{"json", "{project}"}, {"text", "./{project}"}}, work{}, two, "would be written twice"},
		"same after all":    {[]output{{"json", "x/{project}/../{project}"}, {"text", "x/{project}"}}, work{}, []subproject{{name: "c"}}, "would be written twice"},
		"not for stdout":    {[]output{{"sarif", ""}}, work{}, two, "does not fit on stdout"},
		"one, not for many": {[]output{{"sarif", ""}}, work{}, one, "does not fit on stdout"},
	} {
		_, err := allOutputs(c.outs, c.w, c.list)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestEachProjectInterrupted: a signal reaches every project and is the exit code.
func TestEachProjectInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(&signalError{syscall.SIGTERM})
	o := outcome{subproject: subproject{name: "a", dir: "a"}}
	(&app{stdio: stdio{now: fixedNow}}).one(ctx, work{run: func(ctx context.Context, _ *app, _ subproject) error { return ctx.Err() }}, nil, &o)
	if o.code != exitTerminate || !errors.Is(o.failure, context.Canceled) || !strings.Contains(o.err.String(), "interrupted") {
		t.Errorf("exit %d, %v, %q", o.code, o.failure, o.err.String())
	}
}
