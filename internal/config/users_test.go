package config

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

// What is written out has its own place; what is computed has that of its expression.
func TestUsersPlaces(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{"a.hcl": `
locals {
  base = 10
  rows = csvdecode("email,limit\nc@example.com,3\nD@example.com,4\n")
}
credit_limits {
  users = merge(
    { "a@example.com" = 1, "d@example.com" = 8, "z@example.com" = 9 },
    ({ for r in local.rows : lower(r.email) => tonumber(r.limit) }),
    { "z@example.com" = local.base, (format("%s@example.com", "e")) = { limit = "5", reason = "r" } },
  )
}
credit_limits {
  users = { for name in ["f"] : "${name}@example.com" => { limit = 6, reason = "s" } }
}
`})
	want := []org.Limit{
		{Email: "a@example.com", Credits: 1, Why: "users", Source: org.Source{File: "a.hcl", Line: 8, Column: 7}},
		{Email: "c@example.com", Credits: 3, Why: "users", Source: org.Source{File: "a.hcl", Line: 9, Column: 6}},
		{Email: "d@example.com", Credits: 4, Why: "users", Source: org.Source{File: "a.hcl", Line: 9, Column: 6}},
		{Email: "e@example.com", Credits: 5, Why: "users", Reason: "r", Source: org.Source{File: "a.hcl", Line: 10, Column: 37}},
		{Email: "f@example.com", Credits: 6, Why: "users", Reason: "s", Source: org.Source{File: "a.hcl", Line: 14, Column: 11}},
		{Email: "z@example.com", Credits: 10, Why: "users", Source: org.Source{File: "a.hcl", Line: 10, Column: 7}},
	}
	w, err := p.Resolve(nil, today)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, w.Limits); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUsersProblems(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"merge of two spellings": {`merge({ "a@example.com" = 1 }, { "A@example.com" = 1 })`,
			"a.hcl:2:44: a@example.com is declared twice\n  also at a.hcl:2:19\n"},
		"computed twice": {`{ for e in ["a@example.com", "A@example.com"] : e => 1 }`,
			"a.hcl:2:11: a@example.com is declared twice\n  also at a.hcl:2:11\n"},
		"computed address": {`{ for e in ["a b"] : e => 1 }`,
			"a.hcl:2:11: \"a b\": an address has no spaces or control characters; declare one address, without a display name\n"},
		"computed limit": {`{ for e in ["a@example.com"] : e => 1.5 }`,
			"a.hcl:2:11: the limit of a@example.com is a fraction\n"},
		"computed object": {`{ for e in ["a@example.com"] : e => { limt = 1 } }`,
			"a.hcl:2:11: a@example.com needs a limit\na.hcl:2:11: a@example.com: unknown name \"limt\"\n"},
		"object": {`{ "a@example.com" = { limt = 1 } }`,
			"a.hcl:2:31: a@example.com needs a limit\na.hcl:2:33: unknown name \"limt\"\n"},
		"object twice": {`{ "a@example.com" = { limit = 1, limit = 2 } }`,
			"a.hcl:2:44: \"limit\" is declared twice\n  also at a.hcl:2:33\n"},
		"bare address": {`{ ada = 1 }`,
			"a.hcl:2:13: \"ada\": not a bare e-mail address like ada@example.com\n"},
		"null": {`null`,
			"a.hcl:2:11: users must be a map, not null\n"},
	}
	for name, test := range tests {
		_, err := load(t, map[string]string{"a.hcl": "credit_limits {\n  users = " + test.text + "\n}\n"}, Options{})
		if err == nil {
			t.Errorf("%s: no problem", name)
		} else if diff := gocmp.Diff(test.want, problemLines(t, err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The order of many limits is that of their addresses, then their places.
func TestSorted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		prefix := rapid.SampledFrom([]string{"", "u", "user-00000"}).Draw(r, "prefix")
		limits := rapid.SliceOf(rapid.Custom(func(t *rapid.T) org.Limit {
			return org.Limit{
				Email:  org.Email(prefix + rapid.StringMatching(`[abä]{0,10}@x`).Draw(t, "email")),
				Source: org.Source{File: "f", Line: rapid.IntRange(1, 3).Draw(t, "line"), Column: 1},
			}
		})).Draw(r, "limits")
		want := slices.Clone(limits)
		slices.SortStableFunc(want, func(a, b org.Limit) int {
			return cmp.Or(strings.Compare(string(a.Email), string(b.Email)), a.Source.Line-b.Source.Line)
		})
		if got := sorted(slices.Clone(limits)); !slices.Equal(got, want) {
			r.Fatalf("got %v, want %v", got, want)
		}
	})
}
