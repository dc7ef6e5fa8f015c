package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/org"
)

// checkLoad loads one file of hostile bytes and holds what must be true whatever
// they are.
func checkLoad(t *testing.T, files map[string]string) {
	dir := project(t, files)
	p, err := Load(dir, Options{Now: today})
	if err == nil {
		var w org.Wanted
		w, err = p.Resolve([]org.Member{
			{ID: "1", Email: "a@example.com", Metadata: map[string]any{"team": "ml", "n": []any{true}}},
			{ID: "2", Email: "ü@bücher.example"}, {ID: "3"},
		}, today)
		checkWanted(t, w)
	}
	if err == nil {
		return
	}
	var ps Problems
	if !errors.As(err, &ps) {
		t.Fatalf("got %T %v, want Problems", err, err)
	}
	if len(ps) == 0 || ps.Error() == "" {
		t.Fatal("an error without problems")
	}
	for _, problem := range ps {
		at := problem.Source
		if at.IsZero() {
			continue
		}
		lines := strings.Split(files[at.File], "\n")
		if at.Line < 1 || at.Line > len(lines) || at.Column < 1 || at.Column > len(lines[at.Line-1])+2 {
			t.Errorf("%s does not exist: %s", at, problem.Message)
		}
		if problem.Message == "" || problem.Severity == "" || strings.ContainsAny(problem.Message, "\n\x1b") {
			t.Errorf("%s: message %q", at, problem.Message)
		}
	}
}

func checkWanted(t *testing.T, w org.Wanted) {
	for i, l := range w.Limits {
		if org.CheckEmail(string(l.Email)) != nil || l.Credits < 0 || l.Credits > org.MaxCredits || l.Why == "" || l.Source.IsZero() {
			t.Errorf("limit %+v", l)
		}
		if i > 0 && w.Limits[i-1].Email >= l.Email {
			t.Errorf("%s stands before %s", w.Limits[i-1].Email, l.Email)
		}
	}
	if !slices.IsSorted(w.Unlisted) {
		t.Errorf("unlisted %v", w.Unlisted)
	}
}

func addBroken(f *testing.F, extensions ...string) {
	for _, ext := range extensions {
		paths, err := filepath.Glob("testdata/broken/*/*" + ext)
		if err != nil || len(paths) == 0 {
			f.Fatalf("no seeds: %v", err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
}

func FuzzHCL(f *testing.F) {
	addBroken(f, ".hcl")
	f.Add("credit_limits {\n  default = 1e3\n  users = merge({ \"a@example.com\" = { limit = \"5\", reason = \"r\" } }, { for e in [\"b@example.com\"] : e => 1 })\n  group \"g\" {\n    limit = 1\n    where = user.metadata.n[0] && user.metadata[\"team\"] == \"ml\"\n    match = [\"*@{a,b}.[a-z]*\"]\n  }\n}")
	f.Add("variable \"x\" {\n  type = list(string)\n  default = [\"a\"]\n}\nlocals {\n  a = [for v in var.x : upper(v)]\n  b = yamldecode(yamlencode(local.a))\n}\nsettings {\n  expect = { a = local.b, \"x/y\" = { z = -0.5 } }\n  absent = [\"/q\"]\n}")
	f.Add("policy {\n  parameters = jsondecode(\"{\\\"a\\\":1e99}\")\n  waiver \"A1\" {\n    reason = \"${\"x\"}\"\n    expires = \"2026-01-01\"\n  }\n}\nreadiness {\n  repository \"https://x.example\" { criteria = { a = 0.5 } }\n}")
	f.Fuzz(func(t *testing.T, text string) { checkLoad(t, map[string]string{"a.hcl": text}) })
}

func FuzzYAML(f *testing.F) {
	addBroken(f, ".yaml", ".yml")
	f.Add("credit_limits:\n  default: 1e3\n  users: {a@example.com: 5, b@example.com: {limit: 6, reason: r}}\n  group:\n    g:\n      limit: 1\n      where: |\n        user.metadata.team == \"ml\"\n      match: ['*@x']\n")
	f.Add("computer:\n  a: &a {provider: byom, on_create: {source: {kind: x, n: 9007199254740993}}}\n  b: *a\nsettings: {expect: {a: [1, ~, 2026-01-01, \"\\u00e9\"]}, absent: [/x]}\n")
	f.Add("policy: {parameters: {a: -1e400, b: 0.10}, waiver: [{A1: {reason: x, expires: 2027-01-01}}]}\n# \u2028\n")
	f.Fuzz(func(t *testing.T, text string) { checkLoad(t, map[string]string{"a.yaml": text}) })
}

func FuzzCSV(f *testing.F) {
	f.Add("email,limit,reason\na@example.com,5,x\n\"b@example.com\",\"6\",\"y,\nz\"\n")
	f.Add("\xef\xbb\xbflimit,email\r\n9007199254740991,A@example.com\r\n")
	f.Add("email,limit\na\"@example.com,1\ne\u0301@example.com,2\n\u212A@example.com,07\n")
	f.Add("email;limit\n")
	f.Fuzz(func(t *testing.T, text string) {
		checkLoad(t, map[string]string{"a.hcl": "credit_limits {\n  users_from = [\"l.csv\"]\n}", "l.csv": text})
	})
}

// FuzzFormat formats whatever parses, and formatting is stable.
func FuzzFormat(f *testing.F) {
	addBroken(f, ".hcl")
	f.Fuzz(func(t *testing.T, text string) {
		once, err := Format([]byte(text), "a.hcl")
		if err != nil {
			return
		}
		if twice, err := Format(once, "a.hcl"); err != nil || string(twice) != string(once) {
			t.Errorf("%q becomes %q, then %q, %v", text, once, twice, err)
		}
	})
}
