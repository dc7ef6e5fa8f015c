package main

import (
	"fmt"
	"strings"
	"testing"
)

// oneComputer is a project that declares build-01 with these attributes.
func oneComputer(more string) map[string]string {
	return map[string]string{"a.hcl": fmt.Sprintf("computer \"build-01\" {\n  provider = \"byom\"\n%s}\n", more)}
}

// shown is the computer build-01 as the service shows it.
func shown(more string) answer {
	return says(200, machine("cmp_1", "build-01", "byom", more), "Connection: close")
}

// found makes the service have build-01.
func found(a answer) []spoil { return []spoil{{on: "GET name/build-01", answer: a}} }

// body checks what was sent with a method.
func body(method, want string) func(*testing.T, *met) {
	return func(t *testing.T, m *met) {
		t.Helper()
		n := 0
		for _, r := range m.requests {
			if r.method == method {
				n++
				if r.body != want {
					t.Errorf("%s sent %s, want %s", method, r.body, want)
				}
			}
		}
		if n != 1 {
			t.Errorf("%d %s requests, want 1", n, method)
		}
	}
}

// computerScenarios are lookups, creates and changes of machines.
func computerScenarios() []scenario {
	create := func(name, about string, post spoil, want string, exit int, result, asked string) scenario {
		s := scenario{name: name, about: about, run: "apply DIR --auto-approve --max-wait 5s", files: oneComputer("  remote_user = \"ci\"\n"),
			want: want, exit: exit, asked: asked, ledger: "create build-01; create build-01 " + result}
		if post.on != "" {
			s.wire = []spoil{post}
		}
		return s
	}
	lost := func(a answer) spoil { return spoil{on: "POST computers", answer: a} }
	took := func(a answer) spoil { return spoil{on: "POST computers", answer: a, done: true} }
	const all = "POST computers 1, name/build-01 3" // the plan's lookup, the one before and the one after
	const unread = "POST computers 1, name/build-01 2"
	lookup := func(name, about string, a answer, says ...string) scenario {
		return scenario{name: name, about: about, files: oneComputer(""), wire: found(a),
			want: "INCOMPLETE computer:build-01", exit: exitIncomplete, asked: "name/build-01 1", says: says, silent: []string{`"action": "create"`}}
	}
	change := func(name, about, want string, exit int, result string, patch answer) scenario {
		return scenario{name: name, about: about, run: "apply DIR --auto-approve --max-wait 5s", files: oneComputer("  remote_user = \"ci\"\n"),
			wire: append(found(shown(`,"remoteUser":"root"`)), spoil{on: "PATCH ", answer: patch}),
			want: want, exit: exit, asked: "PATCH computers/cmp_1 1, name/build-01 1", ledger: "update build-01; update build-01 " + result,
			more: body("PATCH", `{"remoteUser":"ci"}`)}
	}
	install := func(name, about, want string, exit int, result string, a answer) scenario {
		return scenario{name: name, about: about, run: "apply DIR --auto-approve --max-wait 5s", files: oneComputer("  retry_failed_install = true\n"),
			wire: append(found(shown(`,"status":"error"`)), spoil{on: "POST install-deps", answer: a}),
			want: want, exit: exit, asked: "POST computers/cmp_1/install-deps 1, name/build-01 1", ledger: "retry_install build-01; retry_install build-01 " + result}
	}
	same := func(name, about string, a answer, files map[string]string) scenario {
		return scenario{name: name, about: about, files: files, wire: found(a), want: "OK", asked: "name/build-01 1"}
	}
	list := []scenario{
		create("created", "U75 U39 U48", spoil{}, "applied done", exitDone, "done", all).with(func(s *scenario) {
			s.more = body("POST", `{"name":"build-01","provider":"byom","remoteUser":"ci"}`)
		}),
		create("created with everything", "U39 U45", spoil{}, "applied done", exitDone, "done", all).with(func(s *scenario) {
			s.files = oneComputer("  host_id = \"6F1C2D3E-0000-4000-8000-00000000ABCD\"\n  on_create {\n    repos = [\"https://git.example.com/a\"]\n    auto_install_deps = true\n    service_account_id = \"sa\"\n    source = { kind = \"scratch\", size = 3 }\n  }\n")
			s.more = body("POST", `{"name":"build-01","provider":"byom","hostId":"6f1c2d3e-0000-4000-8000-00000000abcd","repos":["https://git.example.com/a"],"autoInstallDeps":true,"serviceAccountId":"sa","source":{"kind":"scratch","size":3}}`)
		}),
		create("create lost, but carried out", "P5 U75 m9 T14", took(raw("")), "applied done", exitDone, "done", all),
		create("create answered with nonsense, but carried out", "P5 U75", took(says(201, "{}")), "applied done", exitDone, "done", all),
		create("create broken, but carried out", "P5 U75", took(says(500, "")), "applied done", exitDone, "done", all),
		create("create lost on the way", "P5 U75 m9", lost(raw("")), "failed unknown", exitPartly, "unknown", all),
		create("create reset", "m9 U75", lost(answer{"", resets}), "failed unknown", exitPartly, "unknown", all),
		create("create busy is not sent again", "P5 U75", lost(says(503, "")), "failed unknown", exitPartly, "unknown", all),
		create("create too fast is not sent again", "P5 U75", lost(says(429, "")), "failed failed", exitPartly, "failed", unread),
		create("create redirected", "m1 m2", lost(says(307, "", "Location: /elsewhere")), "failed failed", exitPartly, "failed", unread),
		create("create of a taken name", "U44 T15", lost(says(409, `{"detail":"name is taken"}`)), "failed failed", exitPartly, "failed", unread),
		create("create refused", "U45", lost(says(400, `{"detail":"no"}`)), "failed failed", exitPartly, "failed", unread),
		create("create confirmed with another id than its name has", "U44 P3", took(says(201, machine("cmp_2", "build-01", "byom", ``))), "failed unknown", exitPartly, "unknown", all),
		create("created as something else", "P3 U75", took(says(201, machine("cmp_1", "build-01", "byom", ``))), "failed unknown", exitPartly, "unknown", all).with(func(s *scenario) {
			s.wire = append(s.wire, spoil{on: "GET name/build-01", nth: 3, answer: shown(`,"remoteUser":"root"`)})
		}),
		create("created, and unreadable", "P3 U75", took(says(201, machine("cmp_1", "build-01", "byom", ``))), "failed unknown", exitPartly, "unknown", all).with(func(s *scenario) {
			s.run = "apply DIR --auto-approve"
			s.wire = append(s.wire, spoil{on: "GET name/build-01", nth: 3, answer: says(500, "")})
		}),
		create("there since the plan", "U75 T55", spoil{on: "GET name/build-01", nth: 2, answer: shown("")}, "failed failed", exitPartly, "failed", "name/build-01 2"),
		lookup("lookup broken", "U50 P1", says(500, ""), "status 500"),
		lookup("lookup forbidden", "U50 U69", says(403, ""), "status 403"),
		lookup("lookup answered with a page", "U50 P1", says(200, "<html>"), "status 200"),
		lookup("lookup cut", "m3", cut(shown(""), 2), "unexpected EOF"),
		lookup("another machine than the one asked for", "U43 P1", says(200, machine("cmp_9", "Build-01", "byom", "")), "is about"),
		lookup("a machine without an id", "P1", says(200, machine("", "build-01", "byom", "")), "no id"),
		lookup("a machine without a provider", "P2", says(200, `{"id":"cmp_1","name":"build-01","createdAt":1}`), "$.providerType: the key is missing"),
		{name: "not found may be not visible", about: "U50 T14", files: oneComputer(""), want: "CHANGES 1", asked: "name/build-01 1", says: []string{`"action": "create"`}},
		same("host ids in capitals are one machine", "U46 T17", shown(`,"hostId":"6F1C2D3E-0000-4000-8000-00000000ABCD"`), oneComputer("  host_id = \"{6f1c2d3e-0000-4000-8000-00000000abcd}\"\n")),
		same("what is not declared is not managed", "U48 T19 T22 U51", shown(`,"remoteUser":"root","hostId":"6f1c2d3e-0000-4000-8000-00000000abcd"`), oneComputer("")),
		same("an unknown status is shown as it is", "U42 T20 P2", shown(`,"status":"dreaming","provisioningSteps":[{"id":"s","name":"x","status":"HALTED"}]`), oneComputer("")),
		same("an error is health, not a difference", "T20 U42", shown(`,"status":"error","provisioningSteps":[{"id":"s","name":"x","status":"error","error":"\u001b[31mbad\n::error::x"}]`), oneComputer("")),
		same("a creation date in any unit", "U47 T24", says(200, `{"id":"cmp_1","name":"build-01","providerType":"byom","createdAt":-1.5e300}`, "Connection: close"), oneComputer("")),
		{name: "another provider is blocked", about: "T18 U49", files: oneComputer(""), wire: found(says(200, machine("cmp_1", "build-01", "sandbox_vendor", ""))),
			want: "CHANGES 1", asked: "name/build-01 1", says: []string{"blocked", "cannot be changed through the API"}},
		{name: "another host is blocked", about: "T17", files: oneComputer("  host_id = \"6f1c2d3e-0000-4000-8000-000000000001\"\n"),
			wire: found(shown(`,"hostId":"6f1c2d3e-0000-4000-8000-000000000002"`)), want: "CHANGES 1", asked: "name/build-01 1", says: []string{"blocked", "allow_host_change"}},
		{name: "two blocks, one machine", about: "T23", files: map[string]string{"a.hcl": "computer \"a\" {\n  provider = \"byom\"\n  id = \"x\"\n}\ncomputer \"b\" {\n  provider = \"byom\"\n  id = \"x\"\n}\n"},
			want: "FAILED", exit: exitError, says: []string{"declared twice"}},
		{name: "names swapped", about: "T16 T23", files: map[string]string{"a.hcl": "computer \"a\" {\n  provider = \"byom\"\n  previously = [\"b\"]\n}\ncomputer \"b\" {\n  provider = \"byom\"\n  previously = [\"a\"]\n}\n"},
			want: "FAILED", exit: exitError},
		{name: "renamed outside, and the name is taken", about: "T15", files: map[string]string{"a.hcl": "computer \"build-01\" {\n  provider = \"byom\"\n  id = \"cmp_1\"\n}\n"},
			wire: []spoil{{on: "GET computers/cmp_1", answer: says(200, machine("cmp_1", "old", "byom", ""))}, {on: "GET name/build-01", answer: says(200, machine("cmp_2", "build-01", "byom", ""))}},
			want: "CHANGES 1", asked: "computers/cmp_1 1, name/build-01 1", says: []string{"belongs to another computer"}},
		{name: "a pinned id that is gone", about: "T14 U50", files: map[string]string{"a.hcl": "computer \"build-01\" {\n  provider = \"byom\"\n  id = \"cmp_1\"\n}\n"},
			want: "CHANGES 1", asked: "computers/cmp_1 1, name/build-01 1", says: []string{"blocked", "not visible to this key"}},
		change("changed", "T19 T22 U51", "applied done", exitDone, "done", shown(`,"remoteUser":"ci"`)),
		change("change not shown in the answer", "P3", "failed unknown", exitPartly, "unknown", shown(`,"remoteUser":"root"`)),
		change("change confirmed for another machine", "P3", "failed unknown", exitPartly, "unknown", says(200, machine("cmp_2", "build-01", "byom", `,"remoteUser":"ci"`))),
		change("change lost", "P5 U75", "failed unknown", exitPartly, "unknown", raw("")),
		change("change busy is not sent again", "P5", "failed unknown", exitPartly, "unknown", says(503, "")),
		change("change refused", "P3", "failed failed", exitPartly, "failed", says(409, `{"detail":"no"}`)),
		change("change redirected", "m2", "failed unknown", exitPartly, "unknown", says(303, "", "Location: /")),
		install("installation accepted", "U41", "applied done", exitDone, "done", answer{strings.Replace(shown(`,"status":"error"`).bytes, "200 OK", "202 Accepted", 1), closes}),
		install("installation lost is not sent again", "U75 U41 P5", "failed unknown", exitPartly, "unknown", raw("")),
		install("installation busy is not sent again", "U75 P5", "failed unknown", exitPartly, "unknown", says(503, "")),
		install("installation running already", "U41", "failed failed", exitPartly, "failed", says(409, "")),
		{name: "a create that is all steps in the path", about: "m8 T21 U43", files: map[string]string{"a.hcl": "computer \"..\" {\n  provider = \"byom\"\n}\n"}, want: "FAILED", exit: exitError, says: []string{"a.hcl:1"}},
		{name: "a name of 64 characters", about: "U43", files: map[string]string{"a.hcl": "computer \"" + strings.Repeat("x", 64) + "\" {\n  provider = \"byom\"\n}\n"}, want: "FAILED", exit: exitError},
	}
	for name, uri := range map[string]string{
		"a/b": "a%2Fb", "%2e%2e": "%252e%252e", "ü": "%C3%BC", "install-deps": "install-deps", "name": "name", "x?y#z": "x%3Fy%23z",
		strings.Repeat("😀", 63): strings.Repeat("%F0%9F%98%80", 63),
	} {
		list = append(list, scenario{name: "a machine called " + strings.ReplaceAll(name, "/", " slash "), about: "m8 T21 U43",
			files: map[string]string{"a.hcl": fmt.Sprintf("computer %q {\n  provider = \"byom\"\n}\n", name)}, want: "CHANGES 1", asked: "name/" + uri + " 1"})
	}
	return list
}

// wants is a project that expects the sandbox to be on.
func wants(more string) map[string]string {
	return map[string]string{"a.hcl": "settings {\n  expect = {\n    sandbox = { enabled = true }\n  }\n" + more + "}\n"}
}

// settingScenarios are histories of every kind.
func settingScenarios() []scenario {
	const on, off = `{"sandbox":{"enabled":true}}`, `{"sandbox":{"enabled":false}}`
	history := func(name, about, want string, exit int, asked string, a answer, says ...string) scenario {
		return scenario{name: name, about: about, files: wants(""), wire: []spoil{{on: "GET history", answer: a}}, want: want, exit: exit, asked: asked, says: says}
	}
	gap := func(name, about string, a answer, says ...string) scenario {
		return history(name, about, "INCOMPLETE settings", exitIncomplete, "history 1", a, says...)
	}
	return []scenario{
		history("settings met", "U56", "OK", exitDone, "history 1", historyPage(last, revision(3, on))),
		history("settings differ", "U56", "CHANGES 1", exitDone, "history 2", historyPage(last, revision(3, off), revision(2, on)), `"as_of_revision": 3`, "ada@acme.example"),
		history("a setting that is absent is not false", "U59 T28 T29", "CHANGES 1", exitDone, "history 2", historyPage(last, revision(3, `{"sandbox":{}}`), revision(2, on))),
		history("settings nobody knows", "P2 U60", "OK", exitDone, "history 1", historyPage(last, revision(3, `{"sandbox":{"enabled":true,"planet":{"x":[1,{"y":null}]}},"future":1e400}`))),
		history("a change by nobody", "U58 T38", "CHANGES 1", exitDone, "history 2", historyPage(last, `{"revision":3,"settings":`+off+`,"user":null,"updatedAt":"t"}`)),
		history("a change by somebody without a name", "U58", "CHANGES 1", exitDone, "history 2", historyPage(last, `{"revision":3,"settings":`+off+`,"user":{"name":null},"updatedAt":"t"}`)),
		history("revisions that are not visible", "T37 U57", "CHANGES 1", exitDone, "history 2", historyPage(last, revision(9, off), revision(5, on))),
		history("the older history breaks", "T37 P1", "CHANGES 1", exitDone, "history 3", historyPage(next("a"), revision(9, off))).with(func(s *scenario) {
			s.wire = []spoil{{on: "GET history?cursor", answer: says(500, "")}, {on: "GET history", answer: historyPage(next("a"), revision(9, off))}}
			s.more = func(t *testing.T, m *met) {
				if !strings.Contains(m.stdout, `"at_or_before": true`) {
					t.Errorf("blames one revision for certain:\n%s", m.stdout)
				}
			}
		}),
		gap("an empty history", "U56 U59", historyPage(last), "history is empty"),
		gap("history forbidden", "U69", says(403, `{"detail":"needs Manager"}`), "needs Manager"),
		gap("history broken", "P1", says(502, ""), "status 502"),
		gap("settings that are a list", "U60 P2", historyPage(last, revision(3, `[]`)), "not a JSON object"),
		gap("settings with a key twice", "m5 P2", historyPage(last, revision(3, `{"sandbox":{"enabled":true,"enabled":false}}`))),
		gap("settings null", "m6 U59", historyPage(last, revision(3, `null`)), "not a JSON object"),
		gap("a revision that is no number", "m6 U57", historyPage(last, strings.Replace(revision(3, on), "3", `"3"`, 1)), "revision: string"),
		gap("a revision beyond 64 bits", "m6 U14", historyPage(last, strings.Replace(revision(3, on), "3", `1e40`, 1)), "not a whole number"),
		history("a revision as 3.0", "m6 U14", "OK", exitDone, "history 1", historyPage(last, strings.Replace(revision(3, on), "3", `3.0`, 1))),
		gap("no settings", "P2", historyPage(last, `{"revision":3,"updatedAt":"t"}`), "settings: the key is missing"),
		history("secrets in settings", "T33 P7 T36", "CHANGES 1", exitDone, "history 2",
			historyPage(last, revision(3, `{"sandbox":{"enabled":false,"note":"https://u:hunter2@h.example/?api_key=hunter3"},"customModels":[{"apiKey":"hunter4"}]}`))).with(func(s *scenario) {
			s.files = wants("  absent = [\"/customModels\", \"/sandbox/note\"]\n")
			s.want, s.silent = "CHANGES 3", []string{"hunter2", "hunter3", "hunter4"}
		}),
		{name: "a history shown with its secrets hidden", about: "T33 P7", run: "history show 3 DIR", wire: []spoil{{on: "GET history", answer: historyPage(last, revision(3, `{"customModels":[{"apiKey":"hunter4","extraHeaders":{"X":"hunter5"},"bedrock":{"awsAuthRefresh":"hunter6"}}]}`))}},
			want: "REVISION 3", asked: "history 1", silent: []string{"hunter4", "hunter5", "hunter6"}},
		{name: "models as sets", about: "T30 T31", files: map[string]string{"a.hcl": "models {\n  allowed = [\"b\", \"a\"]\n}\n"}, wire: []spoil{{on: "GET history", answer: historyPage(last, revision(3, `{"modelPolicy":{"allowedModelIds":["a","b","a"]}}`))}},
			want: "OK", asked: "history 1"},
		{name: "models in other cases are others", about: "T30", files: map[string]string{"a.hcl": "models {\n  allowed = [\"a\"]\n}\n"}, wire: []spoil{{on: "GET history", answer: historyPage(last, revision(3, `{"modelPolicy":{"allowedModelIds":["A"]}}`))}},
			want: "CHANGES 1", asked: "history 2"},
	}
}

// resets is a project that moves sessions to model a.
const resetModels = "models {\n  allowed  = [\"a\"]\n  sessions = \"reset\"\n  reset_to = \"a\"\n}\n"

// sessionScenarios are sessions on a model that is not permitted.
func sessionScenarios() []scenario {
	item := func(id, model string) string {
		return fmt.Sprintf(`{"sessionId":%q,"sessionSettings":{"model":%q}}`, id, model)
	}
	session := func(id, status, model string) answer {
		return says(200, fmt.Sprintf(`{"sessionId":%q,"status":%q,"messageCount":1,"createdAt":1,"updatedAt":1,"sessionSettings":{"model":%q,"tokenUsage":{"inputTokens":5},"archivedAt":null}}`, id, status, model), "Connection: close")
	}
	list := func(items ...string) spoil {
		return spoil{on: "GET sessions?", answer: says(200, `{"sessions":[`+strings.Join(items, ",")+`],"pagination":{"hasMore":false,"nextCursor":""}}`, "Connection: close")}
	}
	policy := spoil{on: "GET history", answer: historyPage(last, revision(3, `{"modelPolicy":{"allowedModelIds":["a"]}}`))}
	files := map[string]string{"a.hcl": resetModels}
	plan := func(name, about, want string, exit int, asked string, wire ...spoil) scenario {
		return scenario{name: name, about: about, files: files, wire: append(wire, policy), want: want, exit: exit, asked: asked}
	}
	apply := func(name, about, want string, exit int, result string, patch answer) scenario {
		return scenario{name: name, about: about, run: "apply DIR --auto-approve --max-wait 5s", files: files,
			wire: []spoil{list(item("s1", "x")), {on: "GET sessions/s1", answer: session("s1", "idle", "x")}, {on: "PATCH ", answer: patch}, policy},
			want: want, exit: exit, asked: "PATCH sessions/s1 1, history 1, sessions 1, sessions/s1 2", ledger: "update s1; update s1 " + result,
			more: body("PATCH", `{"sessionSettings":{"model":"a"}}`)}
	}
	return []scenario{
		plan("sessions in any order, with hardly a field", "U31 U32", "CHANGES 2", exitDone, "history 1, sessions 1, sessions/s1 1, sessions/s2 1",
			list(`{"sessionId":"s9"}`, item("s2", "x"), item("s1", "x")), spoil{on: "GET sessions/s1", answer: session("s1", "idle", "x")}, spoil{on: "GET sessions/s2", answer: session("s2", "idle", "x")}),
		plan("a session that waits or runs is left alone", "U30", "OK", exitDone, "history 1, sessions 1, sessions/s1 1, sessions/s2 1, sessions/s3 1",
			list(item("s1", "x"), item("s2", "x"), item("s3", "x")), spoil{on: "GET sessions/s1", answer: session("s1", "running", "x")},
			spoil{on: "GET sessions/s2", answer: session("s2", "pending", "x")}, spoil{on: "GET sessions/s3", answer: session("s3", "IDLE", "x")}),
		plan("a session that is gone since", "U31", "OK", exitDone, "history 1, sessions 1, sessions/s1 1", list(item("s1", "x"))),
		plan("a session that moved on since", "U31", "OK", exitDone, "history 1, sessions 1, sessions/s1 1", list(item("s1", "x")), spoil{on: "GET sessions/s1", answer: session("s1", "idle", "a")}),
		plan("a session that cannot be read", "P1", "INCOMPLETE sessions:s1", exitIncomplete, "history 1, sessions 1, sessions/s1 1", list(item("s1", "x")), spoil{on: "GET sessions/s1", answer: says(500, "")}),
		plan("sessions that cannot be listed", "P1", "INCOMPLETE sessions", exitIncomplete, "history 1, sessions 1", spoil{on: "GET sessions?", answer: says(503, "")}),
		plan("a session without an id", "P1 U32", "INCOMPLETE sessions", exitIncomplete, "history 1, sessions 1", list(item("", "x"))),
		plan("sessions whose pages cycle", "P4", "INCOMPLETE sessions", exitIncomplete, "history 1, sessions 2, sessions/s1 1",
			spoil{on: "GET sessions?", answer: says(200, `{"sessions":[`+item("s1", "x")+`],"pagination":{"hasMore":true,"nextCursor":"a"}}`, "Connection: close")}).with(func(s *scenario) {
			s.asked = "history 1, sessions 2" // nothing of half a list is asked for
		}),
		plan("tags are never shown", "T35 P7", "CHANGES 1", exitDone, "history 1, sessions 1, sessions/s1 1", list(item("s1", "x")),
			spoil{on: "GET sessions/s1", answer: says(200, `{"sessionId":"s1","status":"idle","sessionSettings":{"model":"x","tags":[{"name":"t","metadata":{"k":"hunter7"}}]}}`, "Connection: close")}).with(func(s *scenario) { s.silent = []string{"hunter7"} }),
		apply("session moved", "U34 U38 T22", "applied done", exitDone, "done", session("s1", "idle", "a")),
		apply("session not moved after all", "P3", "failed unknown", exitPartly, "unknown", session("s1", "idle", "x")),
		apply("session change lost", "P5", "failed unknown", exitPartly, "unknown", raw("")),
		apply("session change busy is not sent again", "P5", "failed unknown", exitPartly, "unknown", says(503, "")),
		apply("session change refused", "P3", "failed failed", exitPartly, "failed", says(400, `{"detail":"no"}`)),
	}
}
