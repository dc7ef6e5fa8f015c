package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// usageAnswer is an answer of analytics about these days, with these rows.
func usageAnswer(from, to, more string, rows ...string) answer {
	return says(200, fmt.Sprintf(`{"data":[%s],"meta":{"org_id":"org_acme","start_date":%q,"end_date":%q%s}}`, strings.Join(rows, ","), from, to, more), "Connection: close")
}

func tokenDay(date, more string) string {
	return fmt.Sprintf(`{"date":%q,"input_tokens":1,"output_tokens":2%s}`, date, more)
}

func activeDay(date string, users int, more string) string {
	return fmt.Sprintf(`{"date":%q,"daily_active_users":%d%s}`, date, users, more)
}

func userDay(id, email, date string) string {
	return fmt.Sprintf(`{"user_id":%q,"user_email":%s,"date":%q,"tool_calls":1,"billable_tokens":5,"primary_model":"m","primary_model_tier":"standard","files_created":0,"files_edited":0,"git_commits":0,"git_prs_created":0,"mcp_calls":0,"skill_calls":0,"slash_commands":0,"hooks":0,"sessions":0,"messages":0,"user_messages":0,"assistant_messages":0,"autonomy_ratio":0.5,"delegation_level":"auto-high","languages":[]}`, id, email, date)
}

// getScenarios are reads of the whole API that go wrong, or come in odd forms.
func getScenarios() []scenario {
	const two = " --project DIR --from 2026-11-01 --to 2026-11-02"
	on := func(path string, a answer) []spoil { return []spoil{{on: "GET " + path, answer: a}} }
	activity := func(name, about string, a answer, says ...string) scenario {
		return scenario{name: name, about: about, run: "get usage activity" + two, wire: on("activity", a), want: "OK", asked: "activity 1", says: says}
	}
	refused := func(name, about, run, why string) scenario {
		return scenario{name: name, about: about, run: run, wire: []spoil{}, want: "FAILED", exit: exitError, says: []string{why}}
	}
	return []scenario{
		refused("a group that there is not", "U1", "get usage tokens --group-by user"+two, "can be grouped by model"),
		refused("days the wrong way round", "U4", "get usage tokens --project DIR --from 2026-11-02 --to 2026-11-01", "is after"),
		refused("days before the first", "U5", "get usage tokens --project DIR --from 2025-12-31 --to 2026-01-20", "--clamp leaves those days out"),
		refused("days to come", "T25", "get usage tokens --project DIR --to 2999-01-01", "not available yet"),
		activity("days in any order", "U2", usageAnswer("2026-11-01", "2026-11-02", "", activeDay("2026-11-02", 7, ""), activeDay("2026-11-01", 6, ""))).with(func(s *scenario) {
			s.more = func(t *testing.T, m *met) {
				if strings.Index(m.stdout, "2026-11-01") > strings.Index(m.stdout, "2026-11-02") {
					t.Errorf("not sorted:\n%s", m.stdout)
				}
			}
		}),
		{name: "more days than one answer has", about: "U3", run: "get usage activity --project DIR --from 2026-02-01 --to 2026-08-01", wire: []spoil{}, want: "OK", asked: "activity 3",
			says: []string{"0 of 182 days reported"}},
		activity("a day that is not reported", "U7 U21", usageAnswer("2026-11-01", "2026-11-02", "", activeDay("2026-11-01", 6, "")),
			`"date": "2026-11-02", "daily_active_users": null`, "1 of 2 days reported", `"days_reported": 1`, "as of "),
		activity("people of two days stay two rows", "T40 T45", usageAnswer("2026-11-01", "2026-11-02", "",
			activeDay("2026-11-01", 6, `,"daily_active_users_by_client":{"web":5,"terminal-ui":4}`), activeDay("2026-11-02", 7, `,"weekly_active_users":9,"monthly_active_users":9`)),
			`"daily_active_users": 6`, `"daily_active_users": 7`, `{"terminal-ui":4,"web":5}`).with(func(s *scenario) { s.silent = []string{`": 13`, "warning"} }),
		{name: "counts that cannot look back", about: "T26", run: "get usage activity --project DIR --from 2026-01-20 --to 2026-01-21", wire: []spoil{}, want: "OK", asked: "activity 1",
			says: []string{"before 2026-02-12 monthly counts look back on fewer than 30 days"}},
		{name: "the service covers fewer days", about: "U5 P1", run: "get usage activity" + two + " -o json -o csv=DIR/out.csv", wire: on("activity", usageAnswer("2026-11-02", "2026-11-02", "", activeDay("2026-11-02", 7, ""))),
			want: anyOutcome, exit: exitIncomplete, asked: "activity 1", says: []string{"the service covered 2026-11-02 to 2026-11-02 of 2026-11-01 to 2026-11-02", `"complete": false`}, more: noFile("out.csv")},
		{name: "the second window breaks", about: "P1", run: "get usage activity --window-days 1" + two + " -o json -o csv=DIR/out.csv", wire: []spoil{
			{on: "GET activity", nth: 1, answer: usageAnswer("2026-11-01", "2026-11-01", "", activeDay("2026-11-01", 6, ""))}, {on: "GET activity", answer: says(500, "")}},
			want: anyOutcome, exit: exitIncomplete, asked: "activity 2", says: []string{"incomplete: after 1 rows", "status 500", `"complete": false`}, more: noFile("out.csv")},
		{name: "rows of days nobody asked for", about: "P1", run: "get usage activity" + two, wire: on("activity", usageAnswer("2026-11-01", "2026-11-02", "", activeDay("2026-11-03", 6, ""))),
			want: "FAILED", exit: exitError, asked: "activity 1", says: []string{"which was not asked for"}},
		{name: "a role that may not see usage", about: "U69", run: "get usage activity" + two, wire: on("activity", says(403, `{"detail":"no"}`)),
			want: "FAILED", exit: exitError, asked: "activity 1", says: []string{"status 403", "analytics needs a key of a Manager or Owner"}},
		{name: "usage of another organization", about: "U82", run: "get usage activity" + two, files: map[string]string{"o.hcl": "service {\n  organization = \"org_other\"\n}\n"}, wire: []spoil{},
			want: "FAILED", exit: exitRefused, asked: "activity 1", says: []string{"belongs to organization org_acme"}},
		{name: "users cut by rows, some without an address", about: "U8 U19 T39 T44", run: "get usage users" + two, wire: []spoil{
			{on: "GET analytics/users", nth: 1, answer: usageAnswer("2026-11-01", "2026-11-02", `,"has_more":true,"next_cursor":"1"`, userDay("u1", "null", "2026-11-01"))},
			{on: "GET analytics/users", answer: usageAnswer("2026-11-01", "2026-11-02", `,"has_more":false`, userDay("u1", `""`, "2026-11-02"), userDay("u2", `"ada@acme.example"`, "2026-11-01"))}},
			want: "OK", asked: "/api/v1/analytics/users 2", says: []string{`"user_id": "u1", "user_email": null, "date": "2026-11-01"`, `"user_id": "u1", "user_email": null, "date": "2026-11-02"`, `"u2"`, `"auto-high"`}},
		{name: "users in circles", about: "P4", run: "get usage users" + two, wire: on("analytics/users", usageAnswer("2026-11-01", "2026-11-02", `,"has_more":true,"next_cursor":"1"`, userDay("u1", "null", "2026-11-01"))),
			want: anyOutcome, exit: exitIncomplete, asked: "/api/v1/analytics/users 2", says: []string{"incomplete: after 1 rows", "a cursor comes again"}},
		{name: "credits that are hidden", about: "U15", run: "get usage tokens" + two, wire: on("tokens", usageAnswer("2026-11-01", "2026-11-02", "", tokenDay("2026-11-01", ""), tokenDay("2026-11-02", `,"billable_tokens":null`))),
			want: "OK", asked: "/api/v1/analytics/tokens 1", says: []string{`"billable_tokens": null`, "2 rows without credits: the organization hides them"}, silent: []string{`"billable_tokens": 0`}},
		{name: "names that are no tool's", about: "T43", run: "get usage tools --group-by tool_name" + two, wire: on("tools", usageAnswer("2026-11-01", "2026-11-02", "",
			`{"date":"2026-11-01","group_key":"","tool_calls":1}`, `{"date":"2026-11-01","group_key":"{\"name\":","tool_calls":1}`, `{"date":"2026-11-01","group_key":"read_file","tool_calls":1}`)),
			want: "OK", asked: "/api/v1/analytics/tools 1", says: []string{"2 of 3 tool names", `"recognized": false`, `"group_key": ""`}},
		{name: "a token in the command of a hook", about: "T34", run: "get usage tools" + two, wire: on("tools", usageAnswer("2026-11-01", "2026-11-02", "",
			`{"date":"2026-11-01","tool_calls":1,"hooks_by_event":[{"event":"Stop","matcher":"","command":"notify --token tk-51c0ffee API_KEY=k-51c0ffee","count":1}]}`)),
			want: "OK", asked: "/api/v1/analytics/tools 1", says: []string{"--token redacted"}, silent: []string{"51c0ffee"}},
		{name: "reports of one repository", about: "U25 U28 T49", run: "get readiness --project DIR --repository https://git.example/a", wire: []spoil{
			{on: "GET maturity-level-reports?limit=100&startAfter", answer: says(200, `{"reports":[]}`)},
			{on: "GET maturity", answer: says(200, `{"reports":[
				{"reportId":"r2","createdAt":1,"repoUrl":"https://git.example/b","apps":{},"report":{}},
				{"reportId":"r1","createdAt":1,"repoUrl":"https://git.example/a","apps":{},"branch":null,"report":{"x":{"numerator":1,"denominator":1,"rationale":""},"y":{"numerator":0,"denominator":3,"rationale":""}}}]}`)}},
			want: "OK", asked: "/api/organization/maturity-level-reports 2", says: []string{`"score": 0.25, "mean_score": 0.5`, `"branch": null`}, silent: []string{"git.example/b", "repoId"}},
		{name: "no report", about: "U26", run: "get readiness --project DIR", wire: []spoil{}, want: "OK", asked: "/api/organization/maturity-level-reports 1", says: []string{"no report visible to this key"}},
		{name: "a role that may not see reports", about: "U27", run: "get readiness --project DIR", wire: on("maturity", says(403, `{}`)), want: "FAILED", exit: exitError,
			asked: "/api/organization/maturity-level-reports 1", says: []string{"status 403", "role of this key does not permit it"}},
		{name: "messages that end early", about: "P4", run: "get messages s --project DIR", wire: on("messages", says(200, `{"messages":[{"id":"m","role":"user","content":[],"createdAt":1,"updatedAt":1}],"pagination":{"hasMore":true}}`)),
			want: anyOutcome, exit: exitIncomplete, asked: "sessions/s/messages 1", says: []string{"more are promised without a cursor"}},
		{name: "revisions that are not there", about: "T37", run: "get history --project DIR", wire: on("history", historyPage(last, revision(9, `{}`), revision(5, `{}`))),
			want: "OK", asked: "history 1", says: []string{"revisions 6-8 not visible"}},
		{name: "a setting whose write is not answered", about: "P3", run: "set session s --project DIR --model m", wire: sessionRules(says(500, "")),
			want: "unknown", exit: exitPartly, asked: "PATCH sessions/s 1, sessions/s 1", says: []string{"status 500"}},
		{name: "a setting that the answer shows otherwise", about: "P3", run: "set session s --project DIR --model m", wire: sessionRules(says(200, sessionBody("other"))),
			want: "unconfirmed", exit: exitPartly, asked: "PATCH sessions/s 1, sessions/s 1", says: []string{`"model"`}},
		{name: "a setting that is refused", about: "U69", run: "set session s --project DIR --model m", wire: sessionRules(says(403, `{"detail":"no"}`)),
			want: "FAILED", exit: exitError, asked: "PATCH sessions/s 1, sessions/s 1", says: []string{"status 403"}},
		{name: "a setting of another organization", about: "U82", run: "set session s --project DIR --model m", files: map[string]string{"o.hcl": "service {\n  organization = \"org_other\"\n}\n"}, wire: sessionRules(says(200, sessionBody("m"))),
			want: "FAILED", exit: exitRefused, asked: "activity 1", says: []string{"belongs to organization org_acme"}},
	}
}

func sessionBody(model string) string {
	return `{"sessionId":"s","status":"idle","messageCount":1,"createdAt":1,"updatedAt":1,"sessionSettings":{"model":"` + model + `"}}`
}

// sessionRules are a session that can be read, and what a PATCH of it gets.
func sessionRules(patch answer) []spoil {
	return []spoil{{on: "GET sessions/s", answer: says(200, sessionBody("before"), "Connection: close")}, {on: "PATCH sessions/s", answer: patch}}
}

// noFile checks that nothing half-written was left.
func noFile(name string) func(*testing.T, *met) {
	return func(t *testing.T, m *met) {
		t.Helper()
		left, err := filepath.Glob(filepath.Join(m.dir, "*"+name+"*"))
		hidden, err2 := filepath.Glob(filepath.Join(m.dir, "."+name+"*"))
		if err != nil || err2 != nil || len(left)+len(hidden) > 0 {
			t.Errorf("left behind: %v %v", left, hidden)
		}
		if _, err := os.Stat(filepath.Join(m.dir, "key")); err != nil {
			t.Error("the project is gone")
		}
	}
}
