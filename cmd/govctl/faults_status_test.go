package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// statusScenarios are refusals of every kind and error bodies of every shape.
func statusScenarios() []scenario {
	list := []scenario{
		{name: "key refused", about: "U69 T33", wire: []spoil{{on: "GET ", answer: says(401, `{"title":"Unauthorized","detail":"the key `+canaryKey+` is not valid","status":401,"requestId":"req_9"}`)}},
			want: "FAILED", exit: exitError, asked: "users 1", says: []string{"status 401", "[key]", "request req_9"}},
		{name: "key refused by apply", about: "U69", run: "apply DIR --auto-approve", wire: []spoil{{on: "GET ", answer: says(401, `{}`)}},
			want: "FAILED", exit: exitError, asked: "users 1"},
		unreadable("role too low", "U69", says(403, `{"title":"Forbidden","detail":"needs Manager","status":403,"requestId":"req_1"}`), "403", "needs Manager", "req_1"),
		unreadable("a list that is not found is not empty", "U50 P1", says(404, `{"detail":"no route"}`), "404"),
		unreadable("no error body", "U70", says(500, ""), "status 500"),
		unreadable("error as text", "U70", says(500, "backend down"), "backend down"),
		unreadable("error as a page", "U70 P6", says(502, "<html><head><style>x{}</style></head><body><h1>Bad &amp; broken</h1><!-- note --></body></html>"), `Bad \u0026 broken`),
		unreadable("error as a list", "U70", says(400, `[{"message":"first"},{"message":"second"}]`), "first"),
		unreadable("error in an object in an object", "U70", says(400, `{"error":{"error":{"message":"deep"}}}`), "deep"),
		unreadable("error with the wrong types", "U70", says(400, `{"title":5,"detail":[],"status":"x","requestId":{}}`), "status 400"),
		unreadable("error with another status inside", "U70", says(503, `{"title":"OK","status":200}`), "status 503"),
		unreadable("error of 2 MB", "U70 P6", says(400, `{"detail":"`+strings.Repeat("x", 2<<20)+`"}`), "xxx…"),
		unreadable("error nested 100,000 deep", "U70", says(400, strings.Repeat("[", 100000)), "status 400"),
		unreadable("error of NULs", "U70 P6", says(400, strings.Repeat("\x00", 1000)), "status 400"),
		unreadable("error not in UTF-8", "U70 P6", says(400, "\xff\xfe\xfd"), "status 400"),
		unreadable("error with the key", "P7", says(400, `{"detail":"Bearer `+canaryKey+`"}`), "[key]"),
		unreadable("error with the key in capitals", "P7", says(400, `{"detail":"`+strings.ToUpper(canaryKey)+`"}`)).with(func(s *scenario) { s.silent = []string{strings.ToUpper(canaryKey)} }),
		unreadable("error with the key behind an escape sequence", "P7 P6", says(400, `{"detail":"`+canaryKey[:6]+`\u001b[0m`+canaryKey[6:]+`"}`), "[key]"),
		unreadable("error that drives a terminal", "P6", says(400, `{"detail":"\u001b[2J\u001b]0;title\u0007\u009b31m red"}`), "red"),
		unreadable("error that turns text around", "P6", says(400, `{"detail":"\u202egnp.exe\u2066"}`), "gnp.exe"),
		unreadable("error that commands a runner", "P6", says(400, `{"detail":"\n::set-output name=x::y\n##[error]z ##vso[task]"}`), "set-output"),
		unreadable("error with Markdown", "P6", says(400, `{"detail":"| a | @everyone <!-- x --> [l](http://evil)"}`)).with(func(s *scenario) {
			s.more = func(t *testing.T, m *met) {
				for line := range strings.Lines(m.markdown) {
					if strings.Contains(line, "@everyone") && !strings.Contains(line, "`") {
						t.Errorf("a live mention: %s", line)
					}
				}
			}
		}),
		unreadable("request id in a header", "U76", says(400, `{}`, "X-Request-Id: req_header"), "request req_header"),
		unreadable("request id that is none", "U76 P6", says(400, `{"requestId":"\u001b[31m"}`), "status 400"),
		unreadable("request id of a wrong answer", "U76", says(200, `{}`, "X-Request-Id: req_wrong"), "request req_wrong"),
		{name: "organization of another key", about: "U82", run: "apply DIR --auto-approve", files: ourOrganization(),
			wire: []spoil{{on: "GET activity", answer: says(200, `{"data":[],"meta":{"org_id":"org_other"}}`)}},
			want: "FAILED", exit: exitRefused, asked: "activity 1, users 1", says: []string{"org_other", "org_acme"}},
		{name: "organization with a hostile name", about: "U82 P6", run: "plan DIR", files: ourOrganization(),
			wire: []spoil{{on: "GET activity", answer: says(200, `{"data":[],"meta":{"org_id":"\u001b[31m\n::error::x`+canaryKey+`"}}`)}},
			want: "FAILED", exit: exitRefused, asked: "activity 1, users 1"},
		{name: "organization not told to this role", about: "U82", files: ourOrganization(),
			wire: []spoil{{on: "GET activity", answer: says(403, `{}`)}},
			want: "CHANGES 2", exit: exitDone, asked: "activity 1, users 1", says: []string{"organization not verified"}},
		{name: "organization unreadable", about: "U82 P1", run: "apply DIR --auto-approve", files: ourOrganization(),
			wire: []spoil{{on: "GET activity", answer: says(500, `{}`)}},
			want: "refused not_attempted=2", exit: exitIncomplete, asked: "activity 1, users 1", says: []string{"organization"}},
		{name: "organization without a name", about: "U82 P2", files: ourOrganization(),
			wire: []spoil{{on: "GET activity", answer: says(200, `{"data":[],"meta":{}}`)}},
			want: "INCOMPLETE organization", exit: exitIncomplete, asked: "activity 1, users 1", says: []string{"$.meta.org_id: the key is missing"}},
	}
	for _, status := range []int{400, 402, 405, 406, 409, 410, 413, 415, 418, 422, 429, 451, 500, 501, 502, 503, 504, 511, 599} {
		list = append(list, unreadable(fmt.Sprintf("status %d", status), "U70 P1", says(status, `{"detail":"no"}`), fmt.Sprintf("status %d: no", status)))
	}
	return list
}

func ourOrganization() map[string]string {
	return map[string]string{"s.hcl": "service {\n  organization = \"org_acme\"\n}\n"}
}

// again is a plan whose users come at the second attempt.
func again(name, about string, first answer) scenario {
	return scenario{name: name, about: about, run: "plan DIR --strict --max-wait 30s", wire: []spoil{{on: "GET users", nth: 1, answer: first}},
		want: "CHANGES 2", asked: "users 2"}
}

// retryScenarios are faults that pass.
func retryScenarios() []scenario {
	asks := func(headers ...string) answer { return says(503, `{}`, headers...) }
	atLeast := func(d time.Duration) func(*scenario) {
		return func(s *scenario) {
			s.more = func(t *testing.T, m *met) {
				if m.took < d {
					t.Errorf("went on after %s, was asked to wait %s", m.took, d)
				}
			}
		}
	}
	giveUp := func(name, about string, a answer) scenario {
		s := unreadable(name, about, a, "status")
		s.run, s.asked = "plan DIR --strict --max-wait 400ms", anyNumber
		s.more = func(t *testing.T, m *met) {
			if n := len(m.requests); n < 2 || n > 9 {
				t.Errorf("%d requests within 400 ms", n)
			}
		}
		return s
	}
	list := []scenario{
		again("busy once", "P5 U75", says(503, `{}`)),
		again("gateway once", "P5 U75", says(502, "<html>")),
		again("gateway too slow once", "P5 U75", says(504, "")),
		again("broken once", "P5 U75", says(500, "")),
		again("too fast once", "P5 U75", says(429, "")),
		again("reset once", "P5 U75", answer{"", resets}),
		again("hangs up once", "P5 U75", raw("")),
		again("cut once", "P5 U75 m3", cut(says(200, twoUsers), 10)),
		again("asked to wait a second", "P5 m14", asks("Retry-After: 1")).with(atLeast(time.Second)),
		again("asked to wait until a date of the server's clock", "P5 m14", asks("Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: Sun, 06 Nov 1994 08:49:38 GMT")).with(atLeast(time.Second)),
		again("asked to wait, RFC 850", "P5 m14", asks("Date: Sunday, 06-Nov-94 08:49:37 GMT", "Retry-After: Sunday, 06-Nov-94 08:49:38 GMT")).with(atLeast(time.Second)),
		again("asked to wait, asctime", "P5 m14", asks("Date: Sun Nov  6 08:49:37 1994", "Retry-After: Sun Nov  6 08:49:38 1994")).with(atLeast(time.Second)),
		again("asked to wait in no HTTP date", "P5 m14", asks("Retry-After: Sun, 06 Nov 2094 08:49:37 +0000")),
		again("asked to wait until the past", "P5 m14", asks("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT")),
		again("asked to wait a negative time", "P5", asks("Retry-After: -3600")),
		giveUp("busy for ever", "P5 U75", says(503, `{}`)),
		// The whole budget is one wait: two requests, and never a storm of them.
		unreadable("asked to wait for centuries", "P5 m14", asks("Retry-After: Fri, 31 Dec 9999 23:59:59 GMT"), "status 503").with(func(s *scenario) {
			s.run, s.asked = "plan DIR --strict --max-wait 300ms", "users 2"
		}),
		unreadable("asked to wait more seconds than there are", "P5", asks("Retry-After: 99999999999999999999999"), "status 503").with(func(s *scenario) {
			s.run, s.asked = "plan DIR --strict --max-wait 300ms", "users 2"
		}),
		unreadable("too large is not asked again", "P5 U78", says(200, bomb(), "Content-Encoding: gzip")).with(func(s *scenario) {
			s.run = "plan DIR --strict --max-wait 30s"
		}),
	}
	for _, status := range []int{302, 400, 403, 404, 409, 501} {
		list = append(list, unreadable(fmt.Sprintf("status %d is not asked again", status), "P5 U75", says(status, `{}`)).with(func(s *scenario) {
			s.run = "plan DIR --strict --max-wait 30s"
		}))
	}
	return list
}
