package ledger

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// TestWithout holds that leaving a plan out gives the knowledge and the position of
// before it.
func TestWithout(t *testing.T) {
	t.Parallel()
	f, err := Open(filepath.Join(t.TempDir(), "l.jsonl"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	target := org.Target{BaseURL: "https://api.example.com"}
	ask := func(plan string, credits int64) {
		t.Helper()
		asked, err := f.Append(t.Context(), Record{
			Kind: Intention, Plan: plan, Target: TargetOf(target), Limits: []Limit{{Email: "ada@example.com", Credits: credits}},
		})
		if err == nil {
			_, err = f.Append(t.Context(), Record{Kind: Outcome, Of: asked.ID, Set: []org.Email{"ada@example.com"}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Log().Without("sha256:b").Position(); got != (org.Position{}) {
		t.Errorf("nothing without a plan is at %v", got)
	}
	ask("sha256:a", 1)
	before := f.Log()
	ask("sha256:b", 2)
	ask("sha256:b", 3)
	for plan, want := range map[string]*Log{"sha256:b": before, "sha256:c": f.Log(), "": f.Log()} {
		got := f.Log().Without(plan)
		if diff := cmp.Diff(want.Known(target), got.Known(target)); diff != "" {
			t.Errorf("without %q (-want +got):\n%s", plan, diff)
		}
	}
	only := f.Log().Without("sha256:a").Without("sha256:b")
	if got := only.Position(); got != (org.Position{}) || len(only.Records()) != 0 {
		t.Errorf("without all plans: %v, %d records", got, len(only.Records()))
	}
}
