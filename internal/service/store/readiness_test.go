package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/store"
)

func report(id, repo string, hours int) store.Report {
	return store.Report{
		ID: id, RepoID: "id-" + repo, RepoURL: "https://x.example/" + repo, CreatedAt: now().Add(time.Duration(hours) * time.Hour),
		Apps: `{".":{"description":"d"}}`, Criteria: `{"lint":{"numerator":1,"denominator":2,"rationale":"r"}}`,
	}
}

func TestReports(t *testing.T) {
	t.Parallel()
	s := open(t)
	branch, dirty := "main", false
	full := report("c", "api", 2)
	full.Branch, full.LocalChanges, full.Unpushed, full.CommitHash = &branch, &dirty, &dirty, &branch
	full.ModelID, full.Effort, full.AgentVersion = &branch, &branch, &branch
	all := []store.Report{report("a", "api", 1), report("b", "web", 2), full, report("d", "web", 0)}
	if n, err := s.AddReports(t.Context(), all); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := s.AddReports(t.Context(), all); n != 0 || err != nil {
		t.Errorf("again: %d, %v", n, err)
	}
	changed := full
	changed.Branch = nil
	if _, err := s.AddReports(t.Context(), []store.Report{report("e", "api", 9), changed}); !errors.Is(err, store.ErrExists) {
		t.Errorf("another report with the same id: %v", err)
	}
	for name, c := range map[string]struct {
		q    store.ReportQuery
		want []string
	}{
		"U23 newest, then larger id":       {store.ReportQuery{Limit: 9}, []string{"c", "b", "a", "d"}},
		"limit":                            {store.ReportQuery{Limit: 2}, []string{"c", "b"}},
		"no limit":                         {store.ReportQuery{Limit: store.All}, []string{"c", "b", "a", "d"}},
		"U24 after":                        {store.ReportQuery{After: "b", Limit: 9}, []string{"a", "d"}},
		"after the last":                   {store.ReportQuery{After: "d", Limit: 9}, []string{}},
		"U25 id":                           {store.ReportQuery{Repo: "id-web", Limit: 9}, []string{"b", "d"}},
		"U25 url":                          {store.ReportQuery{Repo: "https://x.example/web", Limit: 9}, []string{"b", "d"}},
		"after a report of another repo":   {store.ReportQuery{Repo: "id-web", After: "c", Limit: 9}, []string{"b", "d"}},
		"unknown repository has no report": {store.ReportQuery{Repo: "web", Limit: 9}, []string{}},
	} {
		got, err := s.Reports(t.Context(), c.q)
		ids := []string{}
		for _, r := range got {
			ids = append(ids, r.ID)
		}
		if err != nil || !slices.Equal(ids, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, ids, err, c.want)
		}
	}
	if _, err := s.Reports(t.Context(), store.ReportQuery{After: "x", Limit: 9}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("U24 unknown: %v", err)
	}
	got, err := s.Reports(t.Context(), store.ReportQuery{Limit: 1})
	if diff := cmp.Diff([]store.Report{full}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
