package service_test

import (
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/service/servicetest"
)

// TestReadinessByRepoID holds U25 for the id, which no answer of the API names, and U22
// for the cap, which needs to know how many there are.
func TestReadinessByRepoID(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	for query, want := range map[string]int{
		"repoId=repo_api": 4, "repoId=repo_api&limit=3": 3, "repoId=repo": 0, "": 20, "repoId=": 20, "limit=99999999999999999999": 20,
		"repoId=https://git.example.com/acme/api&startAfter=5ea51de0-0000-4000-8000-000000010002": 1,
	} {
		w := request(t, s.Service, s.Keys.Guest, "GET", "/api/organization/maturity-level-reports?"+query, "")
		if n := strings.Count(w.Body.String(), `"reportId"`); w.Code != 200 || n != want {
			t.Errorf("%s: %d, %d reports, want %d", query, w.Code, n, want)
		}
	}
}

// TestMessageCountIsTrue: the sample's sessions show as many messages as they say (C131).
func TestMessageCountIsTrue(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	w := request(t, s.Service, s.Keys.Owner, "GET", "/api/v0/sessions/ses_001/messages?limit=100", "")
	one := request(t, s.Service, s.Keys.Owner, "GET", "/api/v0/sessions/ses_001", "")
	if strings.Count(w.Body.String(), `"createdAt"`) != 45 || !strings.Contains(one.Body.String(), `"messageCount":45`) {
		t.Errorf("%d %s", w.Code, one.Body)
	}
}
