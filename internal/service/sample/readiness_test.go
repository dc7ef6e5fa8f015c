package sample_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/govctl/govctl/internal/service/sample"
	"github.com/govctl/govctl/internal/service/store"
)

// score is the share of a report that passes, and the names of its criteria.
func score(t *testing.T, r store.Report) (float64, []string) {
	t.Helper()
	var criteria map[string]struct{ Numerator, Denominator float64 }
	if err := json.Unmarshal([]byte(r.Criteria), &criteria); err != nil {
		t.Fatal(err)
	}
	n, d, names := 0.0, 0.0, []string{}
	for name, c := range criteria {
		if c.Numerator < 0 || c.Denominator < 1 || c.Numerator > c.Denominator {
			t.Errorf("%s: C123 %s: %v of %v", r.ID, name, c.Numerator, c.Denominator)
		}
		n, d, names = n+c.Numerator, d+c.Denominator, append(names, name)
	}
	slices.Sort(names)
	return n / d, names
}

// TestReports holds the facts of the readiness reports that examples rely on.
func TestReports(t *testing.T) {
	t.Parallel()
	of := map[string][]store.Report{}
	var dirty, branches []string
	for _, r := range sample.Reports() {
		of[r.RepoID] = append(of[r.RepoID], r)
		if uuid.Validate(r.ID) != nil || !json.Valid([]byte(r.Apps)) {
			t.Errorf("%+v", r)
		}
		if r.LocalChanges != nil && *r.LocalChanges {
			dirty = append(dirty, r.ID)
		}
		if r.Branch != nil && *r.Branch != "main" {
			branches = append(branches, r.ID)
		}
	}
	if len(of) != 5 || len(dirty) != 1 || len(branches) != 1 || dirty[0] != of["repo_web"][3].ID || branches[0] != of["repo_mobile"][3].ID {
		t.Errorf("%d repositories, dirty %v, other branch %v", len(of), dirty, branches)
	}
	for id, reports := range of {
		first, _ := score(t, reports[0])
		for i := 1; i < len(reports); i++ {
			before, _ := score(t, reports[i-1])
			if after, _ := score(t, reports[i]); after < before || !reports[i].CreatedAt.After(reports[i-1].CreatedAt) {
				t.Errorf("%s: report %d: %.3f after %.3f", id, i, after, before)
			}
		}
		if last, _ := score(t, reports[len(reports)-1]); len(reports) != 4 || last <= first {
			t.Errorf("%s: %d reports, from %.3f to %.3f", id, len(reports), first, last)
		}
	}
	_, before := score(t, of["repo_data"][1])
	_, after := score(t, of["repo_data"][3])
	if !slices.Contains(before, "secret_scanning") || slices.Contains(after, "secret_scanning") || slices.Contains(before, "agents_md") || !slices.Contains(after, "agents_md") {
		t.Errorf("criteria of data: %v, then %v", before, after)
	}
	if least := of["repo_infra"][0]; least.CommitHash != nil || least.ModelID != nil || least.LocalChanges != nil {
		t.Errorf("%+v says something optional", least)
	}
}

// TestMessages: every session has as many messages as it says, in its time, and one has
// every field.
func TestMessages(t *testing.T) {
	t.Parallel()
	count, roles := map[string]int64{}, map[string]int{}
	at := map[string]store.Session{}
	for _, s := range sample.Sessions() {
		at[s.ID] = s
	}
	full := 0
	for _, m := range sample.Messages() {
		count[m.SessionID]++
		roles[m.Role]++
		s := at[m.SessionID]
		if m.CreatedAt.Before(s.CreatedAt) || m.UpdatedAt.After(s.UpdatedAt) {
			t.Errorf("%s %s: %v lies outside of the session", m.SessionID, m.ID, m.CreatedAt)
		}
		var extra map[string]any
		if err := json.Unmarshal([]byte(m.Extra), &extra); err != nil || !json.Valid([]byte(m.Content)) {
			t.Errorf("%s: %v", m.ID, err)
		}
		full = max(full, len(extra))
	}
	want := map[string]int64{}
	for id, s := range at {
		want[id] = s.MessageCount
	}
	if diff := cmp.Diff(want, count); diff != "" || full != 13 {
		t.Errorf("%d optional fields at most: %s", full, diff)
	}
	for _, role := range []string{"user", "assistant", "tool", "system"} {
		if roles[role] == 0 {
			t.Errorf("no message of %s", role)
		}
	}
}
