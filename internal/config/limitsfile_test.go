package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadLimits reads a file that no project mentions, and refuses what users_from
// refuses, all at once.
func TestReadLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"good", "email,limit\nBob@x.example,0\nada@x.example,5\n", "ada@x.example=5 bob@x.example=0"},
		{"bad", "email,limit\nada@x.example,010\nnobody,1\nbob@x.example,1\nBOB@x.example,2\n", "known.csv:2:15: known.csv:3:1: known.csv:5:1: "},
		{"empty", "", "known.csv:1:1: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "known.csv")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			limits, err := ReadLimits(path)
			var got []string
			for _, l := range limits {
				got = append(got, fmt.Sprintf("%s=%d", l.Email, l.Credits))
			}
			text := strings.Join(got, " ")
			if err != nil {
				for _, p := range err.(Problems) {
					text += p.Source.String() + ": "
				}
			}
			if diff := cmp.Diff(c.want, text); diff != "" {
				t.Errorf("(-want +got):\n%s\n%v", diff, err)
			}
		})
	}
	if _, err := ReadLimits(filepath.Join(t.TempDir(), "none.csv")); err == nil {
		t.Error("a missing file was read")
	}
}
