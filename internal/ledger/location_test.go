package ledger

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestLocate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(string(filepath.Separator), "project")
	for _, c := range []struct{ text, want, err string }{
		{"file:.govctl/ledger.jsonl", "/project/.govctl/ledger.jsonl", ""},
		{"ledger.jsonl", "/project/ledger.jsonl", ""},
		{"file:///var/ledger.jsonl", "/var/ledger.jsonl", ""},
		{"/var/ledger.jsonl", "/var/ledger.jsonl", ""},
		{"file:", "", "names no file"},
		{"s3://bucket/ledger", "", `scheme of ledger "s3:…"`},
		{"postgres://db.example/acme", "postgres://db.example/acme", ""},
		{"postgresql://ada@db.example:5433/acme?sslmode=verify-full", "postgres://ada@db.example:5433/acme", ""},
		{"postgres:///?service=ledger", "postgres:///?service=ledger", ""},
		{"postgres://db/acme?ledger=prod", "postgres://db/acme?ledger=prod", ""},
		{"postgres://db/acme?ledger=default", "postgres://db/acme", ""},
		{"postgres://db/acme?ledger=", "", "names no ledger"},
		{"postgres://ada:s@db/acme?application_name=s", "postgres://ada@db/acme", ""},
	} {
		at, err := Locate(c.text, dir)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.err)
		}
		if got := filepath.ToSlash(at.String()); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
		if at.Shared() != strings.HasPrefix(c.want, "postgres") || at.HasPassword() != strings.Contains(c.text, ":s@") {
			t.Errorf("%s: shared %v, password %v", c.text, at.Shared(), at.HasPassword())
		}
	}
}
