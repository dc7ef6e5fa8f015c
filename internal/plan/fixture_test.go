package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// now is the clock of all tests.
var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

// member is ID u_NAME with the address NAME@example.com, spelled as the service might.
func member(name string) org.Member {
	return org.Member{ID: "u_" + name, Email: org.Email(name + "@example.com"), Spelling: name + "@Example.com"}
}

// limit wants credits for name@example.com.
func limit(name string, credits int64) org.Limit {
	return org.Limit{
		Email: org.Email(name + "@example.com"), Credits: credits, Why: "users",
		Source: org.Source{File: "limits.hcl", Line: 9, Column: 5},
	}
}

// confirmed is a limit that the service acknowledged some time before now.
func confirmed(name string, credits int64, ago time.Duration) org.KnownLimit {
	return org.KnownLimit{Grade: org.Confirmed, Credits: credits, At: now.Add(-ago), UserID: "u_" + name}
}

// limitsInput declares limits in an organization of members.
func limitsInput(members []org.Member, limits ...org.Limit) Input {
	return Input{
		Want: org.Wanted{LimitsDeclared: true, Limits: limits, ReassertAfter: 30 * day, UnlistedMode: "report"},
		Have: org.Live{Members: members, MembersRead: true},
		Now:  now,
	}
}

// remember adds what the ledger knows of one limit.
func remember(in *Input, email org.Email, k org.KnownLimit) {
	known := maps.Collect(in.Last.Limits.All())
	known[email] = k
	in.Last.Limits = org.LimitsOf(known)
}

// notes are the plan's notes as CODE[!]: KEY=DETAIL lines.
func notes(p *Plan) []string {
	out := []string{}
	for _, n := range p.Notes {
		code := n.Code
		if n.Refuses {
			code += "!"
		}
		if len(n.Items) == 0 {
			out = append(out, code)
		}
		for _, i := range n.Items {
			out = append(out, fmt.Sprintf("%s: %s=%s", code, i.Key, i.Detail))
		}
	}
	return out
}

// wantNotes compares all notes of a plan.
func wantNotes(t *testing.T, p *Plan, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), notes(p)); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// encode is the stored form of a plan.
func encode(t interface {
	Helper()
	Fatalf(string, ...any)
}, p *Plan) []byte {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	return data
}
