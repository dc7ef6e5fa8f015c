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
	o.Sound = true
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

// TestCollector holds how much room the collector leaves: a lot beside little, and not many
// times what is much already.
func TestCollector(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{0: 400, 1 << 20: 400, 32 << 20: 400, 64 << 20: 200, 128 << 20: 100, 256 << 20: 50, 4 << 30: 50} {
		if got := percentOf(live); got != want {
			t.Errorf("%d MiB alive: %d %%, want %d %%", live>>20, got, want)
		}
	}
}
