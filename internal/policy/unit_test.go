package policy

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// TestSound holds that a library which is read kind by kind says what it says as a whole,
// and that kinds nobody asks for are not read.
func TestSound(t *testing.T) {
	t.Parallel()
	o := Options{Library: os.DirFS("../../policies"), Now: time.Unix(0, 0), Severity: map[string]string{"ACC002": "low"}, Disable: []string{"SBX001"}}
	whole, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	o.Shared = new(Shared)
	lazy, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	body, err := org.DecodeJSON([]byte(`{"settings":{"sandbox":{"enabled":false},"commandAllowlist":["sudo x"],"networkPolicy":{"allowedIps":["0.0.0.0/0"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	d := Document{Kind: Settings, Subject: "s", Body: body}
	want, err := whole.Check(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := lazy.Check(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-whole +lazy):\n%s", diff)
	}
	for kind, u := range lazy.units {
		if asked := kind == Settings; asked != (u.written != nil) {
			t.Errorf("%s: %d modules were read", kind, len(u.written))
		}
	}
	if diff := cmp.Diff(whole.Rules(), lazy.Rules()); diff != "" {
		t.Errorf("rules (-whole +lazy):\n%s", diff)
	}
	for _, kind := range Kinds() {
		unitOf(t, lazy, kind)
	}
	o.Disable = []string{"SBX999"}
	if _, err := Load(o); err == nil {
		t.Error("a rule that does not exist can be disabled")
	}
}

// TestShared holds that engines which ask for the same share what is compiled, and that one
// which asks for anything else that rules depend on does not get theirs.
func TestShared(t *testing.T) {
	t.Parallel()
	first := Options{Library: os.DirFS("../../policies"), Shared: new(Shared), Now: time.Unix(0, 0), Severity: map[string]string{"SBX001": "low"}}
	unitFor := func(change func(*Options)) *unit {
		t.Helper()
		o := first
		change(&o)
		e, err := Load(o)
		if err != nil {
			t.Fatal(err)
		}
		return unitOf(t, e, Settings)
	}
	want := unitFor(func(*Options) {})
	for name, change := range map[string]func(*Options){
		"nothing":      func(*Options) {},
		"the hour":     func(o *Options) { o.Now = time.Unix(3600, 0) },
		"waivers":      func(o *Options) { o.Waivers = []org.Waiver{{Rule: "SBX002"}} },
		"limits":       func(o *Options) { o.Limits.Findings = 1 },
		"more kinds":   func(o *Options) { o.Kinds = []string{Hooks, Settings} },
		"when to deny": func(o *Options) { o.FailOn = "low" },
	} {
		if unitFor(change) != want {
			t.Errorf("other %s: compiled again", name)
		}
	}
	for name, change := range map[string]func(*Options){
		"severity":   func(o *Options) { o.Severity = map[string]string{"SBX001": "high"} },
		"disabled":   func(o *Options) { o.Disable = []string{"SBX002"} },
		"only":       func(o *Options) { o.Only = []string{"SBX001"} },
		"extended":   func(o *Options) { o.Extended = true },
		"parameters": func(o *Options) { o.Parameters = map[string]any{"retention_max_days": 7} },
		"plain":      func(o *Options) { o.plain = true },
	} {
		if unitFor(change) == want {
			t.Errorf("other %s: shared", name)
		}
	}
}
