package main

import (
	"fmt"
	"strings"
	"testing"
)

// readinessScenarios are reports that policy check judges, of a service that sends them in
// any order, leaves things out, or does not send them.
func readinessScenarios() []scenario {
	const listed, walked = "/api/organization/maturity-level-reports 1, history 1", "/api/organization/maturity-level-reports 2, history 1"
	const days = 1795000000000 // 2026-11-18
	report := func(id, repository string, at, passes int, more string) string {
		return fmt.Sprintf(`{"reportId":%q,"createdAt":%d,"repoUrl":"https://git.example/%s","apps":{},"report":{"tests":{"numerator":%d,"denominator":4,"rationale":"seen"}}%s}`, id, at, repository, passes, more)
	}
	reports := func(list ...string) []spoil {
		return []spoil{{on: "GET maturity-level-reports?limit=100&startAfter", answer: says(200, `{"reports":[]}`)},
			{on: "GET maturity", answer: says(200, `{"reports":[`+strings.Join(list, ",")+`]}`)}}
	}
	check := func(name, about, rule string, exit int, wire []spoil, words ...string) scenario {
		return scenario{name: name, about: about, run: "policy check DIR --strict --kind readiness --rule " + rule, wire: wire, want: anyOutcome, exit: exit, asked: walked, says: words,
			files: map[string]string{"r.hcl": "readiness {\n  default {\n    min_score = 0.6\n  }\n}\n"}}
	}
	of := func(url string) func(*scenario) {
		return func(s *scenario) {
			s.files = map[string]string{"r.hcl": fmt.Sprintf("readiness {\n  repository %q {\n    min_score = 0.6\n  }\n}\n", url)}
		}
	}
	whole := func(t *testing.T, m *met) {
		for _, r := range m.requests {
			if strings.Contains(r.uri, "maturity") && !strings.HasPrefix(r.uri, "/api/organization/maturity-level-reports?limit=100") || strings.Contains(r.uri, "repoId") {
				t.Errorf("asked %s", r.uri)
			}
		}
	}
	return []scenario{
		check("the newest report comes last", "U23", "RDY002", exitDone, reports(report("r1", "a", days, 1, ""), report("r2", "a", days+2, 3, ""), report("r3", "a", days+1, 0, "")), `"findings": []`),
		check("the newest report comes last and is bad", "U23", "RDY003", exitDenied, reports(report("r1", "a", days, 4, ""), report("r2", "a", days+1, 1, "")), "passed for 4 of 4 and passes for 1 of 4"),
		check("two reports of one time, the larger id second", "U23", "RDY002", exitDone, reports(report("r1", "a", days, 1, ""), report("r2", "a", days, 3, "")), `"findings": []`),
		check("two reports of one time are said", "U23", "RDY010", exitDone, reports(report("r1", "a", days, 1, ""), report("r2", "a", days, 3, "")), "two reports have the time of the newest"),
		check("reports that say null are as those that say nothing", "U28", "RDY006", exitDone, reports(
			report("r1", "a", days, 3, `,"branch":null,"commitHash":null,"hasLocalChanges":null,"hasNonRemoteCommits":null,"modelUsed":null,"agentVersion":null`),
			report("r2", "b", days, 3, "")), `"findings": []`),
		check("a report that names no branch", "U28", "RDY007", exitDone, reports(report("r1", "a", days, 3, `,"branch":null,"commitHash":"c0ffee"`)), "the newest report names no branch"),
		check("a declared repository by its URL, whatever id it has", "U25", "RDY011", exitDenied, reports(report("r1", "a", days, 3, "")),
			`no report of \"https://git.example/b\" is visible to this key`).with(of("https://git.example/b")).with(func(s *scenario) { s.more = whole }),
		check("a repository by the exact URL", "U25", "RDY002", exitDone, reports(report("r1", "a", days, 1, ""), report("r2", "A", days, 4, "")),
			"the score is 0.25, and 0.6 is wanted", `"medium": 1`).with(of("https://git.example/a")),
		check("reports that this key does not see", "U26", "RDY011", exitDenied, nil, "is visible to this key").with(of("https://git.example/a")).with(func(s *scenario) {
			s.wire, s.asked = []spoil{}, listed
			s.silent = []string{"not all reports were read", "has no report"}
		}),
		check("a role that may not see what policies judge", "U27 P1", "RDY011", exitDenied, []spoil{{on: "GET maturity", answer: says(403, `{"detail":"no"}`)}},
			"status 403", `"fact": "readiness"`, "not all reports were read").with(of("https://git.example/a")).with(func(s *scenario) { s.asked = listed }),
		check("a role that may not see reports of no declared repository", "U27 P1", "RDY002", exitIncomplete, []spoil{{on: "GET maturity", answer: says(403, `{"detail":"no"}`)}},
			"status 403", `"fact": "readiness"`).with(func(s *scenario) { s.asked = listed }),
		check("reports that break off", "P1", "RDY002", exitIncomplete, []spoil{{on: "GET maturity-level-reports?limit=100&startAfter", answer: says(500, "")}, {on: "GET maturity", answer: says(200, `{"reports":[`+report("r1", "a", days, 3, "")+`]}`)}},
			"status 500", `"fact": "readiness"`),
	}
}
