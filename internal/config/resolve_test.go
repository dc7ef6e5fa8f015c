package config

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/govctl/govctl/internal/org"
)

// limitsOf is address -> why, for projects of one file.
func limitsOf(t *testing.T, text string, now time.Time, members ...org.Member) map[org.Email]string {
	t.Helper()
	w, err := mustLoad(t, map[string]string{"a.hcl": text}).Resolve(members, now)
	if err != nil {
		t.Fatal(err)
	}
	got := map[org.Email]string{}
	for _, l := range w.Limits {
		got[l.Email] = fmt.Sprintf("%s %d", l.Why, l.Credits)
	}
	return got
}

// A boost holds through its last day in UTC and not a moment longer; what it covers
// comes back by itself.
func TestBoostEnds(t *testing.T) {
	t.Parallel()
	const text = `
credit_limits {
  users = { "a@example.com" = 1 }
  boost "A@example.com" {
    limit = 9
    from  = "2026-12-01"
    until = "2026-12-31"
  }
}
`
	for now, want := range map[string]string{
		"2026-11-30T23:59:59Z":      "users 1",
		"2026-12-01T00:00:00Z":      "boost 9",
		"2026-12-31T23:59:59Z":      "boost 9",
		"2027-01-01T05:00:00+14:00": "boost 9",
		"2026-12-31T20:00:00-05:00": "users 1",
		"2027-01-01T00:00:00Z":      "users 1",
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		if got := limitsOf(t, text, at)["a@example.com"]; got != want {
			t.Errorf("at %s: got %q, want %q", now, got, want)
		}
	}
}

func TestExpiredBoostWarns(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{"a.yaml": "credit_limits:\n  boost:\n    a@example.com: [{limit: 1, until: 2026-11-19}, {limit: 2, until: 2026-11-20}]\n"})
	if got, want := problemLines(t, p.Warnings), "a.yaml:3:5: warning: the boost of a@example.com ended on 2026-11-19\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	w, err := p.Resolve(nil, today)
	if err != nil || len(w.Limits) != 1 || w.Limits[0].Credits != 2 {
		t.Errorf("got %v, %v; want the second boost", w.Limits, err)
	}
}

func TestGroupsThatDisagree(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{"a.hcl": `
credit_limits {
  group "b" {
    limit = 2
    match = ["*@example.com"]
  }
  group "a" {
    limit   = 1
    members = ["x@example.com", "gone@example.com"]
    match   = ["y@*"]
  }
  group "same" {
    limit   = 2
    members = ["z@example.com"]
  }
}
`})
	_, err := p.Resolve([]org.Member{{ID: "1", Email: "x@example.com"}, {ID: "2", Email: "y@example.com"}, {ID: "3", Email: "z@example.com"}}, today)
	want := "a.hcl:7:3: group \"b\" (2) and group \"a\" (1) have different limits for gone@example.com and 2 other members\n  also at a.hcl:3:3\n"
	if diff := cmp.Diff(want, problemLines(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What a condition needs may be missing in metadata; then the member is not meant.
func TestWhere(t *testing.T) {
	t.Parallel()
	ada := org.Member{ID: "u1", Email: "ada@example.com", FirstName: "Ada", Metadata: map[string]any{
		"team": "ml", "level": json.Number("3"), "tags": []any{"a", "b"}, "cost": map[string]any{"center": "c1"}, "none": nil,
	}}
	for where, want := range map[string]bool{
		`user.metadata.team == "ml"`:                                       true,
		`user.metadata["team"] != "ml"`:                                    false,
		`user.metadata.level >= 3`:                                         true,
		`user.metadata.cost.center == "c1"`:                                true,
		`user.metadata.cost.other == "c1"`:                                 false,
		`user.metadata.team.deeper == "c1"`:                                false,
		`user.metadata.absent != "ml"`:                                     false,
		`user.metadata[var.key] == "ml"`:                                   true,
		`user.metadata["${var.key}s"] == "ml"`:                             false,
		`contains(user.metadata.tags, "b")`:                                true,
		`user.metadata.none == null`:                                       true,
		`try(user.metadata.absent, "x") == "x"`:                            true,
		`can(user.metadata.absent)`:                                        false,
		`endswith(user.email, "@example.com") && user.first_name == "Ada"`: true,
		`user.id == "u2" || user.metadata.team == "ml"`:                    true,
		`length([for t in user.metadata.tags : t if t == "a"]) == 1`:       true,
		`lookup(user.metadata, "absent", "x") == "x"`:                      true,
		`true`: true,
	} {
		got := limitsOf(t, fmt.Sprintf("variable \"key\" { default = \"team\" }\ncredit_limits {\n  group \"g\" {\n    limit = 1\n    where = %s\n  }\n}\n", where), today, ada)
		if _, selected := got["ada@example.com"]; selected != want {
			t.Errorf("where = %s: got %v, want %v", where, selected, want)
		}
	}
}

// A condition that fails on members is one problem, however many there are.
func TestWhereFails(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{"a.yaml": "credit_limits:\n  group:\n    g: {limit: 1, where: 'user.metadata.level > 2'}\n    h: {limit: 1, where: user.metadata.level}\n"})
	level := func(v any) map[string]any { return map[string]any{"level": v} }
	_, err := p.Resolve([]org.Member{
		{ID: "1", Email: "a@example.com", Metadata: level("high")}, {ID: "2", Email: "b@example.com", Metadata: level("low")},
		{ID: "3", Email: "c@example.com", Metadata: level(true)}, {ID: "4", Email: "d@example.com"},
	}, today)
	want := "a.yaml:3:27: where of group \"g\" fails for a@example.com and 2 other members: invalid operand: Unsuitable value for left operand: a number is required\n" +
		"a.yaml:4:26: where of group \"h\" fails for a@example.com and 1 other member: not true or false\n"
	if diff := cmp.Diff(want, problemLines(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The same domain in Unicode and in ASCII is one mailbox and two strings (T3).
func TestAmbiguousSpelling(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{"a.yaml": "credit_limits:\n  users:\n    bob@bücher.example: 1\n    eve@xn--bcher-kva.example: 2\n    una@bücher.example: 3\n    new@bücher.example: 4\n"})
	_, err := p.Resolve([]org.Member{
		{ID: "1", Email: "bob@xn--bcher-kva.example", Spelling: "Bob@xn--bcher-kva.example"},
		{ID: "2", Email: "eve@bücher.example", Spelling: "eve@bücher.example"},
		{ID: "3", Email: "una@bücher.example", Spelling: "una@bücher.example"},
	}, today)
	want := "a.yaml:3:5: bob@bücher.example is ambiguous: no member has this address, but one has its other spelling\n" +
		"a.yaml:4:5: eve@xn--bcher-kva.example is ambiguous: no member has this address, but one has its other spelling\n"
	if diff := cmp.Diff(want, problemLines(t, err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if ps := err.(Problems); ps[0].Hint != "write Bob@xn--bcher-kva.example, as the service does" {
		t.Errorf("hint %q", ps[0].Hint)
	}
}

// Samples of RFC 3492, section 7.1.
func TestDecodePunycode(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"bcher-kva":                "bücher",
		"mnchen-3ya":               "münchen",
		"egbpdaj6bu4bxfgehfvwxn":   "ليهمابتكلموشعربي؟",
		"ihqwcrb4cv8a8dqg056pqjye": "他们为什么不说中文",
		"PorqunopuedensimplementehablarenEspaol-fmd56a": "PorquénopuedensimplementehablarenEspañol",
	} {
		if got, ok := decodePunycode(in); !ok || got != want {
			t.Errorf("%s: got %q, %v; want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{"9", "!", "99999999999", "bcher-kv"} {
		if got, ok := decodePunycode(in); ok {
			t.Errorf("%s: got %q, want none", in, got)
		}
	}
}

// Two members with one address are one wanted limit; the order of members does not show.
func TestMembersInAnyOrder(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{"a.yaml": "credit_limits: {default: 5, users: {b@example.com: 1}}"})
	members := []org.Member{{ID: "3", Email: "c@example.com"}, {ID: "1", Email: "b@example.com"}, {ID: "2", Email: "a@example.com"}, {ID: "4", Email: "c@example.com"}}
	first, err := p.Resolve(members, today)
	if err != nil {
		t.Fatal(err)
	}
	members[0], members[2] = members[2], members[0]
	second, err := p.Resolve(members, today)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, second); diff != "" || len(first.Limits) != 3 {
		t.Errorf("got %v and (-first +second):\n%s", first.Limits, diff)
	}
}

func TestNeedsMembers(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{"a.yaml": "computer: {x: {provider: byom}}"})
	w, err := p.Resolve(nil, today)
	want := org.Wanted{Computers: []org.Computer{{Name: "x", Provider: "byom"}}}
	if diff := cmp.Diff(want, w, cmpopts.IgnoreTypes(org.Source{})); err != nil || diff != "" || p.NeedsMembers() {
		t.Errorf("needs members %v, error %v (-want +got):\n%s", p.NeedsMembers(), err, diff)
	}
	if !mustLoad(t, map[string]string{"a.yaml": "credit_limits: {}"}).NeedsMembers() {
		t.Error("credit_limits does not need members")
	}
}
