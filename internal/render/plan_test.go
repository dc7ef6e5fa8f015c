package render

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/plan"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with testdata/NAME; a reviewer reads its diff as prose.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), -update rewrites it:\n%s", path, diff)
	}
}

// write renders a plan to a string.
func write(t rapid.TB, format string, p *plan.Plan, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Plan(&b, format, p, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPlanGoldens(t *testing.T) {
	t.Parallel()
	for name, p := range plans() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, markdown := write(t, Text, p, Options{}), write(t, Markdown, p, Options{})
			golden(t, name+".txt", text)
			if name == "groups" || name == "distinct" { // the full list is a wall by design: keep its edges
				lines := strings.Split(markdown, "\n")
				markdown = strings.Join(lines[:40], "\n") + "\n[…]\n" + strings.Join(lines[len(lines)-6:], "\n")
			}
			golden(t, name+".md", markdown)
		})
	}
}
