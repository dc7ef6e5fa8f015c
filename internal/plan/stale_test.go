package plan

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// TestStaleNamesWhatMoved changes one fact at a time.
func TestStaleNamesWhatMoved(t *testing.T) {
	t.Parallel()
	before := Make(rich())
	if moved := Stale(before, Make(rich())); moved != nil {
		t.Errorf("the same facts are stale: %v", moved)
	}
	for _, c := range []struct {
		name string
		edit func(*Input)
		want []string // parts
	}{
		{"a limit", func(in *Input) { in.Want.Limits[0].Credits++ }, []string{"facts"}},
		{"why a limit", func(in *Input) { in.Want.Limits[0].Why = "default" }, []string{"facts"}},
		{"where a limit", func(in *Input) { in.Want.Limits[0].Source.Line++ }, []string{"facts"}},
		{"the last known limit", func(in *Input) { remember(in, "ada@example.com", confirmed("ada", 9, day)) }, []string{"facts"}},
		{"a member left", func(in *Input) { in.Have.Members = in.Have.Members[1:] }, []string{"members"}},
		{"a member joined", func(in *Input) { in.Have.Members = append(in.Have.Members, member("new")) }, []string{"members"}},
		{"a member is spelled otherwise", func(in *Input) { in.Have.Members[0].Spelling = "ADA@example.com" }, []string{"members"}},
		{"the revision", func(in *Input) { in.Have.Newest.Number++ }, []string{"settings_revision"}},
		{"settings of one revision", func(in *Input) { in.Have.Newest.Settings["sandbox"] = nil }, []string{"facts"}},
		{"the ledger's position", func(in *Input) { in.Last.Position.Serial++ }, []string{"ledger"}},
		{"the ledger", func(in *Input) { in.Last.Position.Lineage = "other" }, []string{"ledger"}},
		{"the base URL", func(in *Input) { in.Target.BaseURL += "/v2" }, []string{"target"}},
		{"the organization", func(in *Input) { in.Target.Organization = "org_2" }, []string{"target"}},
		{"verified", func(in *Input) { in.Target.OrganizationVerified = false }, []string{"target"}},
		{"the policies", func(in *Input) { in.Policies = "sha256:b1" }, []string{"policies"}},
		{"the configuration", func(in *Input) { in.Config = "sha256:c1" }, []string{"config"}},
		{"a variable", func(in *Input) { in.Variables = map[string]string{"base_credits": "2"} }, []string{"facts"}},
		{"the selection", func(in *Input) { in.Selection.Target = []string{"limit"} }, []string{"facts"}},
		{"a live computer", func(in *Input) { in.Have.ByID["cmp_1"].RemoteUser = "ci" }, []string{"facts"}},
		{"a session ended, and a limit", func(in *Input) { in.Have.Sessions = in.Have.Sessions[1:]; in.Want.Limits[0].Credits++ }, []string{"facts"}},
		{"complete now", func(in *Input) { in.Have.Gaps = nil }, []string{"complete"}},
		{"several", func(in *Input) { in.Config, in.Policies, in.Have.Newest.Number = "sha256:c1", "", 43 }, []string{"config", "settings_revision", "policies"}},
		{"the time", func(in *Input) { in.Now = in.Now.Add(1) }, nil},
		{"the path", func(in *Input) { in.Project = "/abs" }, nil},
	} {
		in := rich()
		c.edit(&in)
		after := Make(in)
		var parts []string
		for _, m := range Stale(before, after) {
			parts = append(parts, m.Part)
			if m.Was == m.Is {
				t.Errorf("%s: %s moved from %q to itself", c.name, m.Part, m.Was)
			}
		}
		if diff := cmp.Diff(c.want, parts); diff != "" {
			t.Errorf("%s: parts (-want +got):\n%s", c.name, diff)
		}
		if (before.Digest == after.Digest) != (c.want == nil) {
			t.Errorf("%s: digests are equal = %t", c.name, before.Digest == after.Digest)
		}
	}
}

// TestSessionsAreNeverStale: sessions come, go and run while a plan is reviewed.
func TestSessionsAreNeverStale(t *testing.T) {
	t.Parallel()
	before := Make(rich())
	for name, edit := range map[string]func(*Input){
		"gone":    func(in *Input) { in.Have.Sessions = nil },
		"running": func(in *Input) { in.Have.Sessions[0].Status = "running" },
		"another": func(in *Input) {
			in.Have.Sessions = append(in.Have.Sessions, org.Session{ID: "new", Status: "idle", Model: "forbidden"})
		},
	} {
		in := rich()
		in.Have.Sessions = append([]org.Session(nil), in.Have.Sessions...)
		edit(&in)
		after := Make(in)
		if moved := Stale(before, after); moved != nil || before.Digest == after.Digest {
			t.Errorf("%s: %v, digests equal = %t", name, moved, before.Digest == after.Digest)
		}
	}
}

// TestNoDigestIsNeverFresh holds that a plan which cannot be written as JSON is not
// equal to another one.
func TestNoDigestIsNeverFresh(t *testing.T) {
	t.Parallel()
	in := rich()
	in.Want.Expectations[3].Value = json.Number("not a number")
	p := Make(in)
	if p.Digest != "" {
		t.Fatalf("digest %q of a value that is not JSON", p.Digest)
	}
	if len(Stale(p, p)) == 0 {
		t.Error("a plan without a digest is fresh")
	}
}

// TestFindingsCount holds that findings are part of what is approved.
func TestFindingsCount(t *testing.T) {
	t.Parallel()
	p := Make(rich())
	was := p.Digest
	p.AddFindings([]org.Finding{{Rule: "PLN001"}})
	if p.Digest == was || len(p.Findings) != 1 {
		t.Errorf("digest %s, findings %v", p.Digest, p.Findings)
	}
	if _, err := Decode(encode(t, p)); err != nil {
		t.Error(err)
	}
}
