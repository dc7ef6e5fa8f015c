package main

import (
	"fmt"
	"strings"
	"testing"
)

const ada, grace = `{"id":"u1","email":"ada@acme.example"}`, `{"id":"u2","email":"grace@acme.example"}`

// page is a page of users with its pagination.
func page(pagination string, users ...string) answer {
	return says(200, `{"users":[`+strings.Join(users, ",")+`],"pagination":`+pagination+`}`, "Connection: close")
}

// pages answers the requests for users one after the other, the last one for ever.
func pages(list ...answer) []spoil {
	var rules []spoil
	for i, a := range list {
		rule := spoil{on: "GET users", nth: i + 1, answer: a}
		if i == len(list)-1 {
			rule.nth = 0
		}
		rules = append(rules, rule)
	}
	return rules
}

const last = `{"hasMore":false,"nextCursor":""}`

func next(cursor string) string { return fmt.Sprintf(`{"hasMore":true,"nextCursor":%q}`, cursor) }

// pageScenarios are lists whose pages lead nowhere, or astray.
func pageScenarios() []scenario {
	lost := func(name, about, asked, why string, list ...answer) scenario {
		return scenario{name: name, about: about, wire: pages(list...), want: "INCOMPLETE members", exit: exitIncomplete, asked: asked, says: []string{why}}
	}
	list := func(name, about, asked string, list ...answer) scenario {
		return scenario{name: name, about: about, wire: pages(list...), want: "CHANGES 2", asked: asked}
	}
	return []scenario{
		lost("the same cursor again", "P4", "users 3", "a cursor comes again", page(next("a"), ada), page(next("b"), grace), page(next("a"), `{"id":"u3"}`)),
		lost("a page that names itself", "P4", "users 2", "a cursor comes again", page(next("a"), ada), page(next("a"), grace)),
		lost("more without a cursor", "P4 U10", "users 1", "without a cursor", page(`{"hasMore":true}`, ada, grace)),
		lost("more with the cursor null", "P4 U10", "users 1", "without a cursor", page(`{"hasMore":true,"nextCursor":null}`, ada, grace)),
		lost("more with an empty cursor", "P4 U10", "users 1", "without a cursor", page(`{"hasMore":true,"nextCursor":""}`, ada, grace)),
		lost("a cursor that is a number", "P4 U9", "users 1", "nextCursor: number", page(`{"hasMore":true,"nextCursor":5}`, ada, grace)),
		lost("no pagination", "P4", "users 1", "$.pagination: the key is missing", says(200, `{"users":[]}`)),
		lost("pagination null", "P4 m6", "users 1", "pagination: null", page(`null`, ada, grace)),
		lost("no hasMore", "P4", "users 1", "$.pagination.hasMore: the key is missing", page(`{}`, ada, grace)),
		lost("an empty page with more", "P4", "users 1", "nothing new", page(next("a"))),
		lost("nothing new on a page", "P4", "users 2", "nothing new", page(next("a"), ada, grace), page(next("b"), grace, ada)),
		lost("new cursors for ever", "P4", "users 2", "nothing new", page(next("a"), ada), page(next("b"), ada)),
		{name: "new users for ever", about: "P4", pages: 1 << 20, want: "INCOMPLETE members", exit: exitIncomplete, asked: "users 65536",
			says: []string{"page 65536: there is no end"}, silent: []string{"not in the organization"}},
		lost("the second page is refused", "U9 P1", "users 2", "status 400", page(next("a"), ada), says(400, `{"detail":"cursor expired"}`)),
		lost("the second page breaks", "P1", "users 2", "status 500", page(next("a"), ada), says(500, ``)),
		lost("the third page is cut", "P1 m3", "users 3", "unexpected EOF", page(next("a"), ada), page(next("b"), grace), cut(page(last, `{"id":"u3"}`), 3)),
		lost("a user without an id", "P1", "users 1", "no id", page(last, ada, `{"id":"","email":"grace@acme.example"}`)),
		list("a cursor on the last page", "U10", "users 1", page(`{"hasMore":false,"nextCursor":"x"}`, ada, grace)),
		list("the last page has no cursor", "U10", "users 1", page(`{"hasMore":false}`, ada, grace)),
		list("the last page is empty", "U10", "users 3", page(next("a"), ada), page(next("b"), grace), page(last)),
		list("cursors of every kind of character", "U9", "users 2", page(next("a/b?c=d&e#f ü%2e"), ada), page(last, grace)).with(func(s *scenario) {
			s.more = func(t *testing.T, m *met) {
				if uri := m.requests[1].uri; !strings.Contains(uri, "cursor=a%2Fb%3Fc%3Dd%26e%23f+%C3%BC%252e") || strings.Contains(m.requests[0].uri, "cursor") {
					t.Errorf("asked %s after %s", uri, m.requests[0].uri)
				}
			}
		}),
		list("always 100 a page and nothing else", "U12 U13", "users 1", page(last, ada, grace)).with(func(s *scenario) {
			s.more = func(t *testing.T, m *met) {
				if uri := m.requests[0].uri; uri != "/api/v0/organization/users?limit=100" {
					t.Errorf("asked %s", uri)
				}
			}
		}),
		list("a user on two pages", "P4", "users 2", page(next("a"), ada), page(last, ada, grace)),
		list("a list that moves: found in the second pass", "P4 T10", "users 2", page(last, ada), page(last, grace)),
		{name: "in neither pass", about: "T10 P1", wire: pages(page(last, ada)), want: "CHANGES 1", exit: exitIncomplete, asked: "users 2",
			says: []string{"not in the organization", "grace@acme.example"}},
		{name: "the second pass breaks", about: "T10 P1", wire: pages(page(last, ada), says(500, "")), want: "INCOMPLETE members", exit: exitIncomplete, asked: "users 2",
			silent: []string{"not in the organization", "not_in_organization"}},
		{name: "apply refuses on half a list", about: "P1 P4", run: "apply DIR --auto-approve", wire: pages(page(next("a"), ada, grace), says(500, "")),
			want: "refused not_attempted=2", exit: exitIncomplete, asked: "users 2"},
		{name: "a half list without --strict is still said", about: "P1", run: "plan DIR", wire: pages(page(next("a"), ada, grace), says(500, "")),
			want: "INCOMPLETE members", exit: exitDone, asked: "users 2"},
		{name: "a half list is no reason to exit 2", about: "P1", run: "plan DIR --detailed-exitcode --strict", wire: pages(page(next("a"), ada, grace), says(500, "")),
			want: "INCOMPLETE members", exit: exitIncomplete, asked: "users 2"},
		{name: "history cut in the middle", about: "P4 T37", run: "history list DIR",
			wire: []spoil{{on: "GET history", nth: 1, answer: historyPage(next("a"), revision(9, `{}`))}, {on: "GET history", answer: says(500, "")}},
			want: "FAILED", exit: exitError, asked: "history 2", says: []string{"status 500"}},
		{name: "history that does not descend", about: "P4 U57", run: "history list DIR", wire: []spoil{{on: "GET history", answer: historyPage(last, revision(3, `{}`), revision(4, `{}`))}},
			want: "FAILED", exit: exitError, asked: "history 1", says: []string{"revision 4 comes after 3"}},
		{name: "history that cycles", about: "P4", run: "history list DIR", wire: []spoil{{on: "GET history", answer: historyPage(next("a"), revision(3, `{}`))}},
			want: "FAILED", exit: exitError, asked: "history 2", says: []string{"revision 3 comes after 3"}},
		{name: "a revision that is not visible", about: "T37", run: "history show 7 DIR", wire: []spoil{{on: "GET history", answer: historyPage(last, revision(9, `{}`), revision(5, `{}`))}},
			want: "FAILED", exit: exitError, asked: "history 1", says: []string{"revision 7 is not visible"}},
	}
}

func historyPage(pagination string, changes ...string) answer {
	return says(200, `{"changes":[`+strings.Join(changes, ",")+`],"pagination":`+pagination+`}`, "Connection: close")
}

func revision(n int, settings string) string {
	return fmt.Sprintf(`{"revision":%d,"settings":%s,"user":{"id":"u1","email":"ada@acme.example","name":"Ada"},"updatedAt":"2026-11-01T00:00:00Z"}`, n, settings)
}

// declares is a project of limits for these addresses.
func declares(emails ...string) map[string]string {
	var b strings.Builder
	b.WriteString("credit_limits {\n  unlisted = \"ignore\"\n  users = {\n")
	for _, e := range emails {
		fmt.Fprintf(&b, "    %q = 5\n", e)
	}
	return map[string]string{"a.hcl": b.String() + "  }\n}\n"}
}

func user(id, email string) string { return fmt.Sprintf(`{"id":%q,"email":%q}`, id, email) }

// sends checks the body of the only limits request.
func sends(body string) func(*testing.T, *met) {
	return func(t *testing.T, m *met) {
		t.Helper()
		for _, r := range m.requests {
			if r.method == "PUT" && r.body != body {
				t.Errorf("sent %s, want %s", r.body, body)
			}
		}
	}
}

// memberScenarios are traps of addresses and members.
func memberScenarios() []scenario {
	absent := func(name, about string, declared, live string) scenario {
		return scenario{name: name, about: about, files: declares(declared), users: []string{user("u1", live)},
			want: "OK", exit: exitIncomplete, asked: "users 2", says: []string{"not in the organization"}}
	}
	refused := func(name, about string, why string, emails ...string) scenario {
		return scenario{name: name, about: about, files: declares(emails...), want: "FAILED", exit: exitError, says: []string{why}}
	}
	return []scenario{
		{name: "sent as the service spells it", about: "T1 U64", run: "apply DIR --auto-approve", files: declares("ADA@acme.example"), users: []string{user("u1", "Ada@ACME.example")},
			want: "applied set=1", asked: "PUT limits 1, users 1", ledger: "ask 1; set 1", more: sends(`{"users":[{"email":"Ada@ACME.example","limit":5}]}`)},
		absent("KELVIN SIGN is not a k", "T2 m10", "kate@acme.example", "\u212aate@acme.example"),
		absent("LONG S is not an s", "T2 m10", "sam@acme.example", "\u017fam@acme.example"),
		absent("capital I with a dot is not an i", "T2 m10", "ida@acme.example", "\u0130da@acme.example"),
		absent("a plus address is another member", "T4", "bob+ci@acme.example", "bob@acme.example"),
		absent("dots count", "T4", "b.ob@acme.example", "bob@acme.example"),
		{name: "composed and decomposed letters are one address", about: "T2", run: "apply DIR --auto-approve", files: declares("jos\u00e9@acme.example"), users: []string{user("u1", "jose\u0301@acme.example")},
			want: "applied set=1", asked: "PUT limits 1, users 1", ledger: "ask 1; set 1", more: sends(`{"users":[{"email":"jose` + "\u0301" + `@acme.example","limit":5}]}`)},
		refused("an address twice in two spellings", "T1 T58", "a.hcl", "Bob@acme.example", "bob@ACME.example"),
		{name: "an international name whose ASCII form is a member", about: "T3", files: declares("bob@bücher.example"), users: []string{user("u1", "bob@xn--bcher-kva.example")},
			want: "FAILED", exit: exitError, asked: "users 2", says: []string{"ambiguous"}},
		refused("a KELVIN SIGN in a declaration", "T2 m10", "U+212A", "\u212aate@acme.example"),
		refused("an address with a name", "T5 m11", "Bob <bob@acme.example>", "Bob <bob@acme.example>"),
		refused("two addresses in one", "T5 m11", "a.hcl", "a@acme.example, b@acme.example"),
		refused("an address of this machine", "T5 m11", "a.hcl", "bob@localhost"),
		refused("an address of a number", "T5 m11", "a.hcl", "bob@[127.0.0.1]"),
		refused("an address with a comment", "T5 m11", "a.hcl", "bob(x)@acme.example"),
		refused("an address that is too long", "T5", "a.hcl", strings.Repeat("a", 250)+"@acme.example"),
		{name: "two members with one address", about: "T6", users: []string{user("u1", "ada@acme.example"), user("u2", "ADA@acme.example"), user("u3", "grace@acme.example")},
			want: "CHANGES 1", exit: exitIncomplete, asked: "users 1", says: []string{"ada@acme.example"}},
		{name: "a member without an address", about: "U54", users: []string{ada, grace, `{"id":"u3"}`, `{"id":"u4","email":null}`}, want: "CHANGES 2", asked: "users 1"},
		{name: "members in any order, dates in any form", about: "U52 U53", users: []string{
			`{"id":"u2","email":"grace@acme.example","createdAt":"yesterday","lastSignInAt":""}`, `{"id":"u1","email":"ada@acme.example","createdAt":null}`},
			want: "CHANGES 2", asked: "users 1"},
		{name: "a user without an account yet", about: "U55", users: []string{ada, `{"id":"inv_1","email":"grace@acme.example","status":"invited"}`}, want: "CHANGES 2", asked: "users 1"},
		{name: "everybody sent once, also with many spellings", about: "T7", run: "apply DIR --auto-approve", files: declares("ada@ACME.example", "grace@acme.example"),
			want: "applied set=2", asked: "PUT limits 1, users 1", ledger: "ask 2; set 2",
			more: sends(`{"users":[{"email":"ada@acme.example","limit":5},{"email":"grace@acme.example","limit":5}]}`)},
		{name: "a member who changed the address", about: "T13 T12", run: "apply DIR --auto-approve", files: declares("ada@acme.example"),
			users: []string{user("u1", "ada@acme.example")}, want: "applied set=1", asked: "PUT limits 1, users 1", ledger: "ask 1; set 1",
			more: func(t *testing.T, m *met) {
				m.server.setUsers(user("u1", "countess@acme.example"))
				end := m.again("plan DIR --strict")
				if end.code != exitIncomplete || !strings.Contains(end.stdout, "not in the organization") {
					t.Errorf("exit %d\n%s", end.code, end.stdout)
				}
			}},
	}
}
