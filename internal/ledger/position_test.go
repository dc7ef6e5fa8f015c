package ledger

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/govctl/govctl/internal/org"
)

// TestPositionOfBranches: two copies of one ledger that grew by one record each have the
// same lineage and serial, and still different positions, so that a plan made on one
// is stale on the other.
func TestPositionOfBranches(t *testing.T) {
	t.Parallel()
	f, path := openTemp(t)
	add(t, f, intend("ada@x.io"))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var positions [2]org.Position
	for i, email := range []org.Email{"bob@x.io", "eve@x.io"} {
		branch := filepath.Join(t.TempDir(), "ledger.jsonl")
		if err := os.WriteFile(branch, data, 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := Open(branch, Options{Now: clock()})
		if err != nil {
			t.Fatal(err)
		}
		add(t, g, intend(email))
		positions[i] = g.Log().Position()
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
	a, b := positions[0], positions[1]
	if a.Lineage != b.Lineage || a.Serial != b.Serial {
		t.Fatalf("the branches must agree on lineage and serial to test anything: %+v, %+v", a, b)
	}
	if a == b {
		t.Errorf("both branches are at %+v", a)
	}
}
