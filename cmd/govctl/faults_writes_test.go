package main

import (
	"fmt"
	"strings"
	"testing"
)

// put is an apply of two limits whose request is answered so.
func put(name, about string, a answer, want string, exit int, ledger string, says ...string) scenario {
	return scenario{name: name, about: about, run: "apply DIR --auto-approve", wire: []spoil{{on: "PUT limits", answer: a}},
		want: want, exit: exit, asked: "PUT limits 1, users 1", ledger: "ask 2; " + ledger, says: says}
}

// unknown is a limits request of which nobody knows what it did. The next apply, with the
// service well again, must ask for the same once more and end in order.
func unknown(name, about string, a answer, says ...string) scenario {
	s := put(name, about, a, "failed unknown=2", exitPartly, "unknown 2", says...)
	s.more = healsBySending
	return s
}

func healsBySending(t *testing.T, m *met) {
	t.Helper()
	m.server.heal()
	end := m.again("apply DIR --auto-approve")
	if word := outcomeOf(t, end.stdout); word != "applied set=2" || end.code != exitDone {
		t.Errorf("the apply after it: %s, exit %d\n%s%s", word, end.code, end.stdout, end.stderr)
	}
	end = m.again("plan DIR --detailed-exitcode")
	if word := outcomeOf(t, end.stdout); word != "OK" || end.code != exitDone {
		t.Errorf("the plan after that: %s, exit %d", word, end.code)
	}
}

// limitsAnswer is a 200 with these lists.
func limitsAnswer(updated, errors string) answer {
	return says(200, `{"updated":[`+updated+`],"errors":[`+errors+`]}`, "Connection: close")
}

const setAda, setGrace = `{"email":"ada@acme.example","limit":5}`, `{"email":"grace@acme.example","limit":6}`

// limitScenarios are what can come back for a limits request.
func limitScenarios() []scenario {
	both := limitsAnswer(setAda+","+setGrace, "").bytes
	list := []scenario{
		put("confirmed in another order and spelling", "P3 U64", limitsAnswer(`{"email":" GRACE@acme.example ","limit":6},`+setAda, ""), "applied set=2", exitDone, "set 2"),
		put("confirmed with numbers as 5.0 and 0.6e1", "m6 U14", limitsAnswer(`{"email":"ada@acme.example","limit":5.0},{"email":"grace@acme.example","limit":0.6e1}`, ""), "applied set=2", exitDone, "set 2"),
		put("confirmed with 202", "P3", answer{strings.Replace(both, "200 OK", "202 Accepted", 1), closes}, "applied set=2", exitDone, "set 2"),
		put("confirmed twice alike", "P3", limitsAnswer(setAda+","+setAda+","+setGrace, ""), "applied set=2", exitDone, "set 2"),
		put("confirmed with fields nobody knows", "P2", limitsAnswer(setAda+`,{"email":"grace@acme.example","limit":6,"period":"month"}`, ""), "applied set=2", exitDone, "set 2"),
		put("one refused", "P3 U65", limitsAnswer(setAda, `{"email":"grace@acme.example","error":"no seat"}`), "partial set=1 refused=1", exitPartly, "set 1 refused 1", "no seat"),
		put("all refused", "P3", limitsAnswer("", `{"email":"ada@acme.example","error":"no seat"},{"email":"grace@acme.example","error":"no seat"}`), "failed refused=2", exitPartly, "refused 2", "no seat"),
		put("refused without a reason", "P3", limitsAnswer(setAda, `{"email":"grace@acme.example","error":""}`), "partial set=1 refused=1", exitPartly, "set 1 refused 1", "no reason"),
		put("refused with a hostile reason", "P6 P7", limitsAnswer(setAda, `{"email":"grace@acme.example","error":"\u001b[31m\n::error::x ##[y] `+canaryKey+`"}`), "partial set=1 refused=1", exitPartly, "set 1 refused 1", "[key]"),
		put("one not mentioned", "P3", limitsAnswer(setAda, ""), "partial set=1 unknown=1", exitPartly, "set 1 unknown 1", "did not mention"),
		put("none mentioned", "P3", limitsAnswer("", ""), "failed unknown=2", exitPartly, "unknown 2", "did not mention"),
		put("one both set and refused", "P3", limitsAnswer(setAda+","+setGrace, `{"email":"grace@acme.example","error":"no"}`), "partial set=1 unknown=1", exitPartly, "set 1 unknown 1", "both"),
		put("another value confirmed", "P3", limitsAnswer(setAda+`,{"email":"grace@acme.example","limit":7}`, ""), "partial set=1 unknown=1", exitPartly, "set 1 unknown 1", "acknowledged 7 instead"),
		put("two values confirmed", "P3", limitsAnswer(setAda+","+setGrace+`,{"email":"grace@acme.example","limit":7}`, ""), "partial set=1 unknown=1", exitPartly, "set 1 unknown 1", "acknowledged 7 instead"),
		put("a stranger confirmed", "P3", limitsAnswer(setAda+","+setGrace+`,{"email":"eve@acme.example","limit":7}`, ""), "partial set=2", exitPartly, "set 2", "nobody asked for", "eve@acme.example"),
		put("a stranger refused", "P3 P6", limitsAnswer(setAda+","+setGrace, `{"email":"eve\u202e@acme.example","error":"x"}`), "partial set=2", exitPartly, "set 2", "nobody asked for"),
		unknown("no lists", "P3", says(200, `{}`), "$.updated: the key is missing"),
		unknown("lists of null", "P3 m6", says(200, `{"updated":null,"errors":null}`), "updated: null"),
		unknown("lists under other names", "P3 m5", says(200, `{"Updated":[],"Errors":[]}`), "the key is missing"),
		unknown("a list twice", "P2 m5", says(200, `{"updated":[`+setAda+`],"updated":[],"errors":[]}`), "stands twice"),
		unknown("a value as text", "m6", limitsAnswer(`{"email":"ada@acme.example","limit":"5"}`, ""), "limit: string"),
		unknown("a value of null", "m6", limitsAnswer(`{"email":"ada@acme.example","limit":null}`, ""), "limit: null"),
		unknown("half a credit", "m6 U14", limitsAnswer(`{"email":"ada@acme.example","limit":5.5}`, ""), "not a whole number"),
		unknown("a value beyond 64 bits", "m6", limitsAnswer(`{"email":"ada@acme.example","limit":18446744073709551621}`, ""), "not a whole number"),
		unknown("confirmed, then markup", "m4 P3", says(200, `{"updated":[`+setAda+`,`+setGrace+`],"errors":[]}<br>`), "something follows"),
		unknown("confirmed, but cut after the JSON", "m3 P3", raw("HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n"+both[strings.Index(both, "{"):]), "unexpected EOF"),
		unknown("confirmed in a gzip that ends early", "m7 P3", says(200, zipped(both[strings.Index(both, "{"):])[:60], "Content-Encoding: gzip"), "EOF"),
		unknown("a page with status 200", "P3", says(200, "<html>signed out</html>"), "status 200"),
		unknown("no content for limits", "P3", raw("HTTP/1.1 204 No Content\r\n\r\n"), "ends too early"),
		unknown("broken at limits", "P3 T56", says(500, `{"detail":"boom"}`), "boom"),
		unknown("gateway at limits", "P3", says(502, `<html>`), "status 502"),
		unknown("found elsewhere at limits", "m2 P3", says(302, "", "Location: /done"), "redirects are not followed"),
		unknown("see other at limits", "m2", says(303, "", "Location: /done"), "redirects are not followed"),
		unknown("hangs up at limits", "T56", raw(""), "EOF"),
		unknown("reset at limits", "T56", answer{"", resets}),
		unknown("no answer at limits", "T56", answer{"", hangs}, "no whole answer within 300ms").with(func(s *scenario) { s.run += " --timeout 300ms" }),
		unknown("no HTTP at limits", "P3", raw("* OK IMAP4rev1\r\n"), "malformed"),
	}
	for _, status := range []int{301, 307, 308, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429} {
		about := "P3 U65"
		if status < 400 {
			about = "m2 m1"
		}
		list = append(list, put(fmt.Sprintf("limits answered %d", status), about, says(status, `{"detail":"no"}`), "failed refused=2", exitError, "refused 2", fmt.Sprintf("status %d", status)))
	}
	return append(list, repeatedLimits()...)
}

// repeatedLimits are limits requests that are sent again, which only they may be.
func repeatedLimits() []scenario {
	twice := func(name, about string, answers []answer, want string, exit int, ledger string, says ...string) scenario {
		s := put(name, about, answer{}, want, exit, ledger, says...)
		s.run += " --max-wait 20s"
		s.wire = nil
		for i, a := range answers {
			s.wire = append(s.wire, spoil{on: "PUT limits", nth: i + 1, answer: a})
		}
		s.asked = "PUT limits 2, users 1"
		s.more = func(t *testing.T, m *met) {
			t.Helper()
			if a, b := m.requests[1], m.requests[2]; a.body != b.body || a.body == "" {
				t.Errorf("sent %s, then %s", a.body, b.body)
			}
		}
		return s
	}
	refused := limitsAnswer(setAda, `{"email":"grace@acme.example","error":"no"}`)
	return []scenario{
		twice("lost once, then confirmed", "P5 U75 T56", []answer{raw("")}, "applied set=2", exitDone, "set 2"),
		twice("cut once, then confirmed", "P5 m3", []answer{cut(limitsAnswer(setAda, ""), 4)}, "applied set=2", exitDone, "set 2"),
		twice("busy once, then confirmed", "P5 U75", []answer{says(503, "")}, "applied set=2", exitDone, "set 2"),
		twice("too fast once, then confirmed", "P5 U75", []answer{says(429, "")}, "applied set=2", exitDone, "set 2"),
		twice("too fast once, then one refused", "P5 P3", []answer{says(429, ""), refused}, "partial set=1 refused=1", exitPartly, "set 1 refused 1"),
		twice("too fast once, then forbidden", "P5", []answer{says(429, ""), says(403, "")}, "failed refused=2", exitError, "refused 2"),
		twice("lost once, then refused as a whole", "P5 P3", []answer{raw(""), says(400, `{"detail":"no"}`)}, "failed unknown=2", exitPartly, "unknown 2"),
		// The first attempt may have set what the second refuses, but what that confirms is set.
		twice("lost once, then one refused", "P5 P3", []answer{raw(""), refused}, "partial set=1 unknown=1", exitPartly, "set 1 unknown 1", "refused after an attempt that was not answered: no"),
		twice("lost once, then half an answer", "P5 P3", []answer{raw(""), says(200, `{"updated":[`+setAda+`],"errors":[]}<br>`)}, "failed unknown=2", exitPartly, "unknown 2", "something follows"),
		twice("lost once, then one not mentioned", "P5 P3", []answer{raw(""), limitsAnswer(setAda, "")}, "partial set=1 unknown=1", exitPartly, "set 1 unknown 1", "did not mention"),
	}
}
