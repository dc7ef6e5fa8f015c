package servicetest

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
)

const readinessPath = "/api/organization/maturity-level-reports?"

// reports fetches one page of readiness reports.
func (s *suite) reports(t *testing.T, query string) []object {
	t.Helper()
	body := s.send(t, ask{Path: readinessPath + query}, 200).object(t)
	if body["pagination"] != nil {
		t.Error("C115 readiness has no pagination")
	}
	return parse[[]object](t, body["reports"])
}

func ids(t *testing.T, list []object, key string) []string {
	t.Helper()
	out := []string{}
	for _, one := range list {
		out = append(out, text(t, one, key))
	}
	return out
}

func (s *suite) testReadiness(t *testing.T) {
	at := func(query string) ask { return ask{Path: readinessPath + query} }
	rows := []row{
		{"C124 no key", ask{Path: readinessPath, Key: "none"}, 401},
		{"C111 U27 owner", ask{Path: readinessPath, Key: "owner"}, 200},
		{"U27 member", ask{Path: readinessPath, Key: "member"}, 200},
		{"U27 guest", ask{Path: readinessPath, Key: "guest"}, 200},
		{"C124 405", ask{Path: readinessPath, Method: "POST", Body: "{}"}, 405},
		{"C114 U24 unknown startAfter", at("startAfter=" + uuid.NewString()), 400},
		{"U24 strange startAfter", at("startAfter=%27+OR+1=1"), 400},
		{"U24 empty startAfter is the first page", at("startAfter="), 200},
		{"U12 two limits", at("limit=5&limit=5"), 400},
		{"U12 two repositories", at("repoId=a&repoId=b"), 400},
		{"U12 two startAfter", at("startAfter=a&startAfter=a"), 400},
		{"U13 unknown parameter", at("cursor=zzz"), 200},
	}
	for _, limit := range []string{"", "0", "00", "-1", "1.5", "1.0", "1e1", "abc", "%2B5", "%205", "0x10", "٣", "null"} {
		rows = append(rows, row{"C113 limit " + quote(limit), at("limit=" + limit), 400})
	}
	for _, limit := range []string{"1", "100", "101", "1000", "1001", "1000000000000000000000000000000"} {
		rows = append(rows, row{"C113 U22 limit " + limit, at("limit=" + limit), 200})
	}
	s.rows(t, rows)
	whole := s.allReports(t, "limit=1000")
	if len(whole) == 0 {
		s.lacks(t, "there are no readiness reports")
	}
	t.Run("C116-C123 U28 fields", func(t *testing.T) {
		for _, r := range whole {
			checkReport(t, r)
		}
	})
	t.Run("U23 newest first", func(t *testing.T) {
		if !slices.IsSortedFunc(whole, func(a, b object) int {
			if d := parse[int64](t, b["createdAt"]) - parse[int64](t, a["createdAt"]); d != 0 {
				return int(d / max(d, -d))
			}
			return strings.Compare(text(t, b, "reportId"), text(t, a, "reportId"))
		}) {
			t.Error("not in order")
		}
	})
	t.Run("C115 U22 every page size gives the same list", func(t *testing.T) {
		want := ids(t, whole, "reportId")
		for _, query := range []string{"", "limit=1", "limit=2", "limit=3", "limit=7", "limit=19", "limit=20", "limit=21"} {
			if got := ids(t, s.allReports(t, query), "reportId"); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
	})
	t.Run("C112 U25 repository", func(t *testing.T) { s.testRepository(t, whole) })
}

// allReports walks the list as C115 says, until a page is empty.
func (s *suite) allReports(t *testing.T, query string) (all []object) {
	t.Helper()
	after := ""
	for range 10_000 {
		page := s.reports(t, query+after)
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
		after = "&startAfter=" + text(t, page[len(page)-1], "reportId")
	}
	t.Fatal("C115 the list does not end")
	return nil
}

// testRepository filters by the URL: a report does not name the id (U25).
func (s *suite) testRepository(t *testing.T, whole []object) {
	seen := map[string][]string{}
	for _, r := range whole {
		repo := text(t, r, "repoUrl")
		seen[repo] = append(seen[repo], text(t, r, "reportId"))
	}
	for repo, want := range seen {
		for _, limit := range []string{"", "&limit=1", "&limit=3"} {
			got := ids(t, s.allReports(t, "repoId="+url.QueryEscape(repo)+limit), "reportId")
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", repo, got, want)
			}
		}
		if got := s.reports(t, "repoId="+url.QueryEscape(repo+"/")); len(got) != 0 {
			t.Errorf("U25 the URL must be exact: %v", got)
		}
	}
	if got := s.reports(t, "repoId=nowhere"); len(got) != 0 {
		t.Errorf("unknown repository: %v", got)
	}
}

func checkReport(t *testing.T, r object) {
	t.Helper()
	id := text(t, r, "reportId")
	if !regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`).MatchString(id) {
		t.Errorf("C116 reportId %q", id)
	}
	if at := parse[int64](t, r["createdAt"]); at < 1e12 || at > 1e14 {
		t.Errorf("C117 T24 createdAt %d is not Unix ms", at)
	}
	text(t, r, "repoUrl")
	want(t, r, "repoId", "") // U25
	for path, app := range parse[map[string]object](t, r["apps"]) {
		text(t, app, "description")
		if path == "" {
			t.Error("C119 an application without a path")
		}
	}
	for id, c := range parse[map[string]object](t, r["report"]) {
		n, d := parse[float64](t, c["numerator"]), parse[float64](t, c["denominator"])
		if n < 0 || d < 1 || n > d {
			t.Errorf("C123 %s: %v of %v", id, n, d)
		}
		text(t, c, "rationale")
	}
	checkOptional(t, r, "C121 U28", []string{"commitHash", "branch", "agentVersion"}, []string{"hasLocalChanges", "hasNonRemoteCommits"})
	if raw, ok := r["modelUsed"]; ok {
		m := parse[object](t, raw)
		text(t, m, "id")
		checkEnum(t, m, "C122", "reasoningEffort", "low", "medium", "high", "off")
	}
}

// checkOptional wants strings and booleans where the fields are there: null is not one.
func checkOptional(t *testing.T, o object, number string, texts, flags []string) {
	t.Helper()
	for _, name := range texts {
		if raw, ok := o[name]; ok && !strings.HasPrefix(string(raw), `"`) {
			t.Errorf("%s: %s is %s", number, name, raw)
		}
	}
	for _, name := range flags {
		if raw, ok := o[name]; ok && string(raw) != "true" && string(raw) != "false" {
			t.Errorf("%s: %s is %s", number, name, raw)
		}
	}
}

// checkEnum wants one of the values where the field is there.
func checkEnum(t *testing.T, o object, number, name string, values ...string) {
	t.Helper()
	if raw, ok := o[name]; ok && !slices.Contains(values, parse[string](t, raw)) {
		t.Errorf("%s: %s is %s", number, name, raw)
	}
}
