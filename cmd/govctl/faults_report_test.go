package main

import (
	"fmt"
	"strings"
)

// reportScenarios are reports for people of a service that says odd things, or nothing.
func reportScenarios() []scenario {
	const two = " --from 2026-11-01 --to 2026-11-02 -o json"
	on := func(path string, a answer) spoil { return spoil{on: "GET " + path, answer: a} }
	usage := func(rows ...string) answer { return usageAnswer("2026-11-01", "2026-11-02", "", rows...) }
	credits := on("tokens", usage(tokenDay("2026-11-01", `,"billable_tokens":10,"by_model":[{"model_id":"m","model_tier":"standard","billable_tokens":6,"input_tokens":1,"output_tokens":1}]`),
		tokenDay("2026-11-02", `,"billable_tokens":0`)))
	only := func(section string) string { return "report DIR --section " + section + two }
	repository := func(id, at, more string) string {
		return fmt.Sprintf(`{"reportId":%q,"createdAt":%s,"repoUrl":"https://git.example/a","apps":{},"report":{"x":{"numerator":1,"denominator":2,"rationale":""}}%s}`, id, at, more)
	}
	reports := func(list ...string) []spoil {
		return []spoil{on("maturity-level-reports?limit=100&startAfter", says(200, `{"reports":[]}`)), on("maturity", says(200, `{"reports":[`+strings.Join(list, ",")+`]}`))}
	}
	return []scenario{
		{name: "models that are less than the whole", about: "T41", asked: "/api/v1/analytics/tokens 1, history 1, users 1", run: only("credits"), wire: []spoil{credits}, want: "OK", says: []string{`"total": 10`, `"without_a_model": 4`}},
		{name: "models that are more than the whole", about: "T41", asked: "/api/v1/analytics/tokens 1, history 1, users 1", run: only("credits"), wire: []spoil{on("tokens", usage(tokenDay("2026-11-01", `,"billable_tokens":10,"by_model":[{"model_id":"m","model_tier":"standard","billable_tokens":12,"input_tokens":1,"output_tokens":1}]`)))},
			want: "OK", says: []string{`"without_a_model": -2`, "models add up to 2 credits more than the days do"}},
		{name: "servers that differ by case", about: "T42", asked: "/api/v1/analytics/tools 1", run: only("tools"), wire: []spoil{on("tools", usage(`{"date":"2026-11-01","tool_calls":5,"mcp_by_server":[{"server":"GitHub","invocations":2},{"server":"github","invocations":3}]}`))},
			want: "OK", says: []string{`"mcp_calls": 5`, `"name": "GitHub"`, `"count": 2`}},
		{name: "credits that a report may not see", about: "U15", asked: "/api/v1/analytics/tokens 1, history 1, users 1", run: only("credits"), wire: []spoil{on("tokens", usage(tokenDay("2026-11-01", "")))}, want: "OK",
			says: []string{`"hidden": true`, `"total": null`, "credits are hidden by the organization"}, silent: []string{`"total": 0`}},
		{name: "a report of a role that may not see usage", about: "U69 P1", asked: "/api/organization/maturity-level-reports 2, /api/v1/analytics/productivity 1, /api/v1/analytics/tokens 1, /api/v1/analytics/tools 1, /api/v1/analytics/users 1, activity 1, history 3, users 1", run: "report DIR --strict" + two, wire: []spoil{on("analytics", says(403, `{"detail":"no"}`))}, want: anyOutcome, exit: exitIncomplete,
			says: []string{`"complete": false`, "status 403", "analytics needs a key of a Manager or Owner"}, silent: []string{`"credits": {`, `"people": {`}},
		{name: "a report of another organization", about: "U82", asked: "activity 1, users 1", run: only("credits"), files: map[string]string{"o.hcl": "service {\n  organization = \"org_other\"\n}\n"}, wire: []spoil{}, want: "FAILED", exit: exitRefused,
			says: []string{"belongs to organization org_acme"}},
		{name: "a score of an old, unclean report of another branch", about: "T50", asked: "/api/organization/maturity-level-reports 2", run: only("readiness"), files: map[string]string{"r.hcl": "readiness {\n  default {\n    max_age = \"2d\"\n    branch = \"main\"\n  }\n}\n"},
			wire: reports(repository("r1", "1700000000000", `,"branch":"dev","hasLocalChanges":true`)), want: "OK", says: []string{"days old; 2 are accepted", `about branch \"dev\"`, "not made from a clean, pushed commit"}},
		{name: "a criterion that disappeared", about: "T51", asked: "/api/organization/maturity-level-reports 2", run: only("readiness"),
			wire: reports(repository("r1", "2", ""), strings.Replace(repository("r0", "1", ""), `"report":{`, `"report":{"gone":{"numerator":1,"denominator":1,"rationale":""},`, 1)), want: "OK", says: []string{`criterion \"gone\" disappeared`}},
		{name: "reports of two models, and two of one time", about: "T52 U23", asked: "/api/organization/maturity-level-reports 2", run: only("readiness"), wire: reports(repository("r1", "1", `,"modelUsed":{"id":"y"}`), repository("r2", "1", `,"modelUsed":{"id":"x"}`)), want: "OK",
			says: []string{"the scores are not comparable", "the one with the larger id is taken", `"report_id": "r2"`, `"change": null`}},
	}
}
