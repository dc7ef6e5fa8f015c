package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/apply"
)

// localScenarios are mistakes that must end before a request, and facts that no request
// can tell.
func localScenarios() []scenario {
	refused := func(name, about, run string, says ...string) scenario {
		return scenario{name: name, about: about, run: run, want: "FAILED", exit: exitError, says: says}
	}
	hcl := func(name, about, limit string, says ...string) scenario {
		s := refused(name, about, "", append(says, "a.hcl")...)
		s.files = map[string]string{"a.hcl": "credit_limits {\n  unlisted = \"ignore\"\n  users = { \"ada@acme.example\" = " + limit + " }\n}\n"}
		return s
	}
	yaml := func(name, about, limit string, says ...string) scenario {
		s := refused(name, about, "", append(says, "b.yaml")...)
		s.files = map[string]string{"a.hcl": "", "b.yaml": yamlLimits(limit)}
		return s
	}
	value := func(name, about string, files map[string]string, sent string) scenario {
		return scenario{name: name, about: about, run: "apply DIR --auto-approve", files: files, want: "applied set=1", asked: "PUT limits 1, users 1", ledger: "ask 1; set 1",
			more: sends(`{"users":[{"email":"ada@acme.example","limit":` + sent + `}]}`)}
	}
	return []scenario{
		refused("http to another machine", "U80", "plan DIR --base-url http://192.0.2.1", "https", "--insecure-http"),
		refused("http to another machine for the application", "U80", "plan DIR --app-url http://192.0.2.1", "https"),
		refused("http to a name that begins like this machine", "U80", "plan DIR --base-url http://localhost.example.com", "https"),
		refused("an address with a password", "U80 P7", "plan DIR --base-url https://user:hunter2@api.example.com", "must not hold a user").with(func(s *scenario) { s.silent = []string{"hunter2"} }),
		refused("an address with a query", "U80", "plan DIR --base-url https://api.example.com/?a=1", "query"),
		refused("an address of another kind", "U80", "plan DIR --base-url gopher://api.example.com", "https://"),
		refused("a key of two lines", "P7", "", "exactly one line").with(func(s *scenario) { s.files = map[string]string{"key": "one\ntwo\n"} }),
		refused("an empty key", "P7", "", "exactly one line").with(func(s *scenario) { s.files = map[string]string{"key": "\n"} }),
		refused("a key with a space", "P7", "", "header cannot carry").with(func(s *scenario) { s.files = map[string]string{"key": "one two\n"} }),
		{name: "nobody listens", about: "U75 P1", run: "plan DIR --strict --base-url http://127.0.0.1:1", want: "INCOMPLETE members", exit: exitIncomplete, says: []string{"refused"}},
		{name: "TLS to a server without", about: "U80", run: "plan DIR --strict --base-url https://SERVER", want: "INCOMPLETE members", exit: exitIncomplete, says: []string{"EOF"}},
		{name: "asked nothing", about: "P1", run: "plan DIR --strict --refresh=false", want: "INCOMPLETE members", exit: exitIncomplete, says: []string{"not read"}},
		{name: "nothing declared", about: "T57", files: map[string]string{"a.hcl": "# nothing\n"}, want: "OK"},
		{name: "validate asks nobody", about: "P1", run: "validate DIR", want: "OK"},

		hcl("a negative limit", "T8", "-1"), hcl("half a credit declared", "T8 m13", "0.5"), hcl("a limit of null", "T8 m13", "null"),
		hcl("a limit beyond 53 bits", "T8", "9007199254740993", "round"), hcl("a limit beyond 64 bits", "T8 m13", "9223372036854775808"),
		hcl("a limit of zero", "T8 U63", "0", "allow_zero"), hcl("a limit of true", "T8 m13", "true"),
		yaml("a limit with a leading zero", "m12 T8", "010"), yaml("a limit in octal", "m12 T8", "0o10"), yaml("a limit in quotes", "m12 T8", `"5"`),
		yaml("no limit in YAML", "m12 T8", ""), yaml("yes for a limit", "m12 T8", "yes"),
		// Written on purpose it is planned, and the built-in rules still deny it.
		{name: "zero on purpose", about: "U63 T8", run: "apply DIR --auto-approve", files: map[string]string{"a.hcl": "credit_limits {\n  unlisted = \"ignore\"\n  allow_zero = true\n  users = { \"ada@acme.example\" = 0 }\n}\n"},
			want: "refused not_attempted=1", exit: exitDenied, asked: "users 1"},
		value("a product in HCL", "m13 T8", map[string]string{"a.hcl": "credit_limits {\n  unlisted = \"ignore\"\n  users = { \"ada@acme.example\" = 5 * 1000000 }\n}\n"}, "5000000"),
		value("1e6 in YAML", "m12 T8", map[string]string{"a.hcl": "", "b.yaml": yamlLimits("1e6")}, "1000000"),
		refused("one address in HCL and in YAML", "T58", "", "a.hcl", "b.yaml").with(func(s *scenario) {
			s.files = map[string]string{"b.yaml": yamlLimits("7")}
		}),
		refused("a key twice in YAML", "T58 m12", "", "b.yaml").with(func(s *scenario) {
			s.files = map[string]string{"a.hcl": "", "b.yaml": yamlLimits("7") + "    ada@acme.example: 8\n"}
		}),
		refused("aliases that explode", "T58", "", "b.yaml").with(func(s *scenario) {
			s.files = map[string]string{"a.hcl": "", "b.yaml": "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n"}
		}),
		refused("a configuration that drives a terminal", "P6", "").with(func(s *scenario) {
			s.files = map[string]string{"a.hcl": "\x1b[31mnonsense \u202e\"::error::x\n##[error]\" {\n}\n"}
		}),

		{name: "a limit that goes down is marked", about: "T9 U66", run: "apply DIR --auto-approve", want: "applied set=2", asked: "PUT limits 1, users 1", ledger: "ask 2; set 2",
			silent: []string{"month", "per day", "current limit is"},
			more: func(t *testing.T, m *met) {
				m.write(t, "a.hcl", strings.ReplaceAll(project, "= 5", "= 3"))
				if end := m.again("plan DIR"); !strings.Contains(end.stdout, `"lower": 1`) || outcomeOf(t, end.stdout) != "CHANGES 1" {
					t.Errorf("%s", end.stdout)
				}
			}},
		{name: "a member taken out of the configuration", about: "T12 U67", run: "apply DIR --auto-approve", want: "applied set=2", asked: "PUT limits 1, users 1", ledger: "ask 2; set 2",
			more: func(t *testing.T, m *met) {
				m.write(t, "a.hcl", declares("ada@acme.example")["a.hcl"])
				end := m.again("apply DIR --auto-approve")
				if outcomeOf(t, end.stdout) != "nothing" || askedOf(end.requests) != "users 1" || end.code != exitDone {
					t.Errorf("exit %d, asked %s\n%s", end.code, askedOf(end.requests), end.stdout)
				}
				if end = m.again("plan DIR"); !strings.Contains(end.stdout, "stays") {
					t.Errorf("does not say that the limit stays:\n%s", end.stdout)
				}
			}},
		{name: "a default for everybody", about: "T11", files: map[string]string{"a.hcl": "credit_limits {\n  default = 7\n}\n"}, users: []string{ada, grace, user("u3", "eve@acme.example")},
			want: "CHANGES 3", asked: "users 1", says: []string{"default"}},
		{name: "equal input, equal plan", about: "T53 U31", users: []string{grace, ada}, want: "CHANGES 2", asked: "users 1",
			more: func(t *testing.T, m *met) {
				m.server.setUsers(ada, grace)
				second := m.again("plan DIR --strict")
				if a, b := withoutTime(t, m.stdout), withoutTime(t, second.stdout); a != b || m.text != second.text {
					t.Errorf("another order gave another plan:\n%s\n%s", a, b)
				}
			}},
		{name: "the day is that of UTC", about: "U79 T25", run: "plan DIR --strict --now 2028-03-01T10:30:00+14:00", files: ourOrganization(), want: "CHANGES 2", asked: "activity 1, users 1",
			more: func(t *testing.T, m *met) {
				for _, r := range m.requests {
					if strings.Contains(r.uri, "activity") && !strings.HasSuffix(r.uri, "?endDate=2028-02-28&startDate=2028-02-28") {
						t.Errorf("asked %s", r.uri)
					}
				}
			}},
		{name: "a denylist in another order is another list", about: "T31", files: map[string]string{"a.hcl": "settings {\n  expect = {\n    commandDenylist = [\"a\", \"b\"]\n  }\n}\n"},
			wire: []spoil{{on: "GET history", answer: historyPage(last, revision(3, `{"commandDenylist":["b","a"]}`))}}, want: "CHANGES 1", asked: "history 2"},
		{name: "relay addresses are never shown", about: "T36 P7", files: oneComputer("  remote_user = \"ci\"\n"),
			wire: found(shown(`,"relayClientUrl":"wss://relay.example/hunter8","relayAgentUrl":"wss://relay.example/hunter9","remoteUser":"root"`)),
			want: "CHANGES 1", asked: "name/build-01 1", silent: []string{"hunter8", "hunter9"}},
		{name: "an apply after an apply sends nothing", about: "T53 U65", run: "apply DIR --auto-approve", want: "applied set=2", asked: "PUT limits 1, users 1", ledger: "ask 2; set 2",
			more: func(t *testing.T, m *met) {
				end := m.again("apply DIR --auto-approve")
				if outcomeOf(t, end.stdout) != "nothing" || askedOf(end.requests) != "users 1" || len(end.ledger) > 0 {
					t.Errorf("asked %s, wrote %s\n%s", askedOf(end.requests), recordsOf(end.ledger), end.stdout)
				}
			}},
	}
}

func yamlLimits(limit string) string {
	return "credit_limits:\n  unlisted: ignore\n  users:\n    ada@acme.example: " + limit + "\n"
}

// withoutTime is a plan without when it was made.
func withoutTime(t *testing.T, plan string) string {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(plan), &v); err != nil {
		t.Fatal(err)
	}
	delete(v, "created_at")
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

const putLimits = "PUT /api/v0/organization/usage/limits/users "

// embeddedScenarios meet the fault rules of the embedded service and its sample
// organization of 250 members.
func embeddedScenarios() []scenario {
	const users = "GET /api/v0/organization/users "
	plan := func(name, about, want string, exit int, asked string, rules ...string) scenario {
		return scenario{name: name, about: about, rules: rules, want: want, exit: exit, asked: asked}
	}
	apply := func(name, about, want string, exit int, asked, ledger string, rules ...string) scenario {
		return scenario{name: name, about: about, run: "apply DIR --auto-approve", rules: rules, want: want, exit: exit, asked: asked, ledger: ledger}
	}
	many := func(name, about string, rules ...string) scenario {
		return scenario{name: name, about: about, run: "apply DIR --auto-approve", rules: rules, files: map[string]string{"a.hcl": "credit_limits {\n  default = 5\n}\n"},
			want: anyOutcome, exit: exitPartly, asked: anyNumber, ledger: anyOutcome, more: accountsForAll}
	}
	const once = "PUT limits 1, users 3"
	return []scenario{
		plan("service: pages that cycle", "P4", "INCOMPLETE members", exitIncomplete, "users 2", users+"pages=cycle"),
		plan("service: pages without a cursor", "P4", "INCOMPLETE members", exitIncomplete, "users 1", users+"pages=missing-cursor"),
		plan("service: pages shorter than asked for", "P4 U12", "CHANGES 2", exitDone, "users 5", users+"pages=short"),
		plan("service: a page cut in half", "m3", "INCOMPLETE members", exitIncomplete, "users 2", users+"truncate=0.5 nth=2"),
		plan("service: dropped before", "P5", "INCOMPLETE members", exitIncomplete, "users 1", users+"drop=before"),
		plan("service: reset", "P5", "INCOMPLETE members", exitIncomplete, "users 1", users+"reset=before"),
		plan("service: slow as a trickle", "P5", "INCOMPLETE members", exitIncomplete, "users 1", users+"slow=100B/s").with(func(s *scenario) { s.run = "plan DIR --strict --timeout 300ms" }),
		plan("service: too late", "P5", "INCOMPLETE members", exitIncomplete, "users 1", users+"delay=1m").with(func(s *scenario) { s.run = "plan DIR --strict --timeout 300ms" }),
		plan("service: every third request fails and is asked again", "P5 U75", "CHANGES 2", exitDone, "users 4", users+"status=503 every=3").with(func(s *scenario) { s.run = "plan DIR --strict --max-wait 20s" }),
		plan("service: asks for a pause", "P5 U75", "CHANGES 2", exitDone, "users 4", users+"status=429 retry-after=1s nth=2").with(func(s *scenario) { s.run = "plan DIR --strict --max-wait 20s" }),
		apply("service: all well", "P3 U64", "applied set=2", exitDone, once, "ask 2; set 2", "GET /healthz status=500"),
		apply("service: one refused", "P3 T10", "partial set=1 refused=1", exitPartly, once, "ask 2; set 1 refused 1", putLimits+`refuse=ADA@acme.example:"no seat"`),
		apply("service: carried out and not answered", "P3 T56", "failed unknown=2", exitPartly, once, "ask 2; unknown 2", putLimits+"drop=after nth=1").with(settles),
		apply("service: carried out and reset", "P3 T56", "failed unknown=2", exitPartly, once, "ask 2; unknown 2", putLimits+"reset=after nth=1").with(settles),
		apply("service: carried out and the answer cut", "P3 m3", "failed unknown=2", exitPartly, once, "ask 2; unknown 2", putLimits+"truncate=0.7 nth=1").with(settles),
		apply("service: carried out too late to be heard", "P3 T56", "failed unknown=2", exitPartly, once, "ask 2; unknown 2", putLimits+"slow=20B/s nth=1").with(func(s *scenario) { s.run += " --timeout 500ms"; settles(s) }),
		apply("service: carried out, lost and asked again", "P5 T56", "applied set=2", exitDone, "PUT limits 2, users 3", "ask 2; set 2", putLimits+"drop=after nth=1").with(func(s *scenario) { s.run += " --max-wait 20s" }),
		many("service: one batch of three breaks", "P3 T56", putLimits+"status=500 nth=2").with(settles2),
		many("service: one batch of three is lost", "P3 T56", putLimits+"drop=after nth=2").with(settles2),
		many("service: the key is withdrawn between batches", "P3 U69", putLimits+"status=401 nth=2").with(settles2),
		plan("service: history whose pages cycle", "P4", "FAILED", exitError, "history 2", "GET /api/v0/organization/enterprise-controls/history pages=cycle").with(func(s *scenario) { s.run = "history list DIR --limit 0" }),
		plan("service: history cut", "m3", "FAILED", exitError, "history 1", "GET /api/v0/organization/enterprise-controls/history truncate=0.9").with(func(s *scenario) { s.run = "history list DIR" }),
		plan("service: history shown", "U56 U57", "REVISION 3", exitDone, anyNumber, "GET /healthz status=500").with(func(s *scenario) { s.run = "history show 3 DIR" }),
	}
}

// settles checks that the next apply ends in order and the plan after it is empty.
func settles(s *scenario) {
	s.more = func(t *testing.T, m *met) {
		t.Helper()
		if end := m.again("apply DIR --auto-approve"); outcomeOf(t, end.stdout) != "applied set=2" || end.code != exitDone {
			t.Errorf("the apply after it: exit %d\n%s", end.code, end.stdout)
		}
		if end := m.again("plan DIR --detailed-exitcode"); end.code != exitDone {
			t.Errorf("the plan after that: exit %d\n%s", end.code, end.stdout)
		}
	}
}

// settles2 is settles after accountsForAll.
func settles2(s *scenario) {
	s.more = func(t *testing.T, m *met) {
		t.Helper()
		accountsForAll(t, m)
		if end := m.again("apply DIR --auto-approve"); end.code != exitDone {
			t.Errorf("the apply after it: exit %d\n%s", end.code, end.stdout)
		}
		if end := m.again("plan DIR --detailed-exitcode"); end.code != exitDone {
			t.Errorf("the plan after that: exit %d\n%s", end.code, end.stdout)
		}
	}
}

// accountsForAll checks that each of 250 limits has exactly one outcome, and that the
// ledger says the same.
func accountsForAll(t *testing.T, m *met) {
	t.Helper()
	var r apply.Report
	if err := json.Unmarshal([]byte(m.stdout), &r); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, list := range [][]apply.LimitOutcome{r.Limits.Set, r.Limits.Refused, r.Limits.Unknown, r.Limits.NotAttempted} {
		for _, o := range list {
			seen[o.Email]++
		}
	}
	if len(seen) != 250 || len(r.Limits.Set) == 250 || r.Result != apply.ResultPartial {
		t.Errorf("%d addresses, %d set, %s", len(seen), len(r.Limits.Set), r.Result)
	}
	set := 0
	for _, record := range m.ledger {
		set += len(record.Set)
	}
	if set != len(r.Limits.Set) {
		t.Errorf("the ledger has %d set, the report %d", set, len(r.Limits.Set))
	}
	for email, n := range seen {
		if n != 1 {
			t.Errorf("%s has %d outcomes", email, n)
		}
	}
}
