package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// twoUsers is the healthy page of users.
const twoUsers = `{"users":[{"id":"u1","email":"ada@acme.example"},{"id":"u2","email":"grace@acme.example"}],"pagination":{"hasMore":false,"nextCursor":""}}`

// unreadable is a plan whose list of users cannot be believed.
func unreadable(name, about string, a answer, says ...string) scenario {
	return scenario{name: name, about: about, wire: []spoil{{on: "GET users", answer: a}},
		want: "INCOMPLETE members", exit: exitIncomplete, asked: "users 1", says: says}
}

// readable is a plan whose list of users is odd and yet certain.
func readable(name, about string, a answer) scenario {
	return scenario{name: name, about: about, wire: []spoil{{on: "GET users", answer: a}},
		want: "CHANGES 2", exit: exitDone, asked: "users 1"}
}

// with changes a scenario in place.
func (s scenario) with(change func(*scenario)) scenario {
	change(&s)
	return s
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return b.String()
}

// bomb is small until it is unpacked.
var bomb = sync.OnceValue(func() string { return zipped(strings.Repeat(" ", 65<<20)) })

// transportScenarios are answers that are broken as bytes.
func transportScenarios() []scenario {
	whole := says(200, twoUsers)
	short := func(s *scenario) { s.run = "plan DIR --strict --timeout 150ms" }
	users := func(change string, to string) answer { return says(200, strings.Replace(twoUsers, change, to, 1)) }
	list := []scenario{
		unreadable("body shorter than its length", "m3 P2", cut(whole, 10), "unexpected EOF"),
		unreadable("one byte missing", "m3", cut(whole, 1), "unexpected EOF"),
		unreadable("whole JSON in a body announced longer", "m3", raw("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n"+twoUsers), "unexpected EOF"),
		unreadable("chunks end after the JSON but without a last one", "m3", raw(chunked(twoUsers)), "EOF"),
		unreadable("chunk cut in its middle", "m3", cut(raw(chunked(twoUsers)), 40), "EOF"),
		unreadable("chunk length is no number", "m3 P1", raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"), "chunk"),
		readable("chunks with trailers", "P1", raw(chunked(twoUsers)+"0\r\nX-Checksum: 1\r\n\r\n")),
		readable("HTTP/1.0 until the connection closes", "m3", raw("HTTP/1.0 200 OK\r\n\r\n"+twoUsers)),
		unreadable("HTTP/1.0 closed too early", "m3", cut(raw("HTTP/1.0 200 OK\r\n\r\n"+twoUsers), 5), "ends too early"),
		unreadable("shorter length than the body", "m3", raw("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n"+twoUsers), "ends too early"),
		unreadable("two different lengths", "P1", raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Length: 20\r\n\r\n"+twoUsers)),
		unreadable("markup after the JSON", "m4 P2", says(200, twoUsers+"<html>"), "something follows"),
		unreadable("a second JSON value", "m4", says(200, twoUsers+twoUsers), "something follows"),
		unreadable("NUL after the JSON", "m4", says(200, twoUsers+"\x00"), "something follows"),
		readable("white space around the JSON", "m4 P1", says(200, "\r\n\t "+twoUsers+" \n\n")),
		unreadable("byte order mark", "P2", says(200, "\ufeff"+twoUsers)),
		unreadable("NUL inside a string", "P2", users("ada@", "ada\x00@")),
		unreadable("not UTF-8", "P2", users("ada@", "ada\xff@"), "not valid UTF-8"),
		unreadable("UTF-16", "P2", says(200, "\xff\xfe{\x00}\x00"), "not valid UTF-8"),
		unreadable("key twice", "m5 P2", users(`{"users":`, `{"users":[],"users":`), "the key stands twice"),
		unreadable("key in capitals only", "m5 P2", users(`"users"`, `"Users"`), "$.users: the key is missing"),
		unreadable("key that folds to users", "m5", users(`"users"`, `"uſers"`), "$.users: the key is missing"),
		unreadable("HASMORE does not stand for hasMore", "m5", users(`"hasMore":false`, `"hasMore":true,"HASMORE":false`), "without a cursor"),
		unreadable("hasMore null", "m6 P2", users(`"hasMore":false`, `"hasMore":null`), "hasMore: null"),
		unreadable("hasMore as text", "m6", users(`"hasMore":false`, `"hasMore":"false"`), "hasMore: string"),
		unreadable("hasMore as number", "m6", users(`"hasMore":false`, `"hasMore":0`), "hasMore: number"),
		unreadable("users null", "m6 P1", says(200, `{"users":null,"pagination":{"hasMore":false}}`), "users: null"),
		unreadable("a user that is null", "m6", says(200, `{"users":[null],"pagination":{"hasMore":false}}`), "users[0]: null"),
		unreadable("an id that is a number", "m6", users(`"u1"`, `1`), "users[0].id: number"),
		unreadable("a list instead of an object", "P2", says(200, `[]`), "array instead of object"),
		unreadable("null instead of an object", "P2", says(200, `null`), "null instead of object"),
		unreadable("nested 20,000 deep", "P1", users(`"id":"u1"`, `"id":"u1","x":`+strings.Repeat("[", 20000)+strings.Repeat("]", 20000))),
		readable("a number nobody can hold, in a field nobody reads", "P2 U14", users(`"id":"u1"`, `"id":"u1","x":1e999999999`)),
		readable("fields and values nobody knows", "P2", users(`"id":"u1"`, `"id":"u1","status":"dormant","roles":[{"a":null}]`)),
		readable("gzip", "U77", says(200, zipped(twoUsers), "Content-Encoding: gzip")),
		unreadable("gzip cut", "m7", says(200, zipped(twoUsers)[:len(zipped(twoUsers))-9], "Content-Encoding: gzip"), "unexpected EOF"),
		unreadable("gzip without its checksum", "m7", says(200, zipped(twoUsers)[:len(zipped(twoUsers))-8], "Content-Encoding: gzip"), "unexpected EOF"),
		unreadable("gzip with a wrong checksum", "m7", says(200, strings.TrimSuffix(zipped(twoUsers), zipped(twoUsers)[len(zipped(twoUsers))-8:])+"12345678", "Content-Encoding: gzip"), "checksum"),
		unreadable("gzip that nobody announced", "m7", says(200, zipped(twoUsers)), "not valid UTF-8"),
		unreadable("gzip in gzip", "m7", says(200, zipped(zipped(twoUsers)), "Content-Encoding: gzip, gzip"), `content encoding \"gzip, gzip\"`),
		unreadable("an encoding nobody asked for", "m7 U77", says(200, twoUsers, "Content-Encoding: br"), `content encoding \"br\"`),
		unreadable("plain text announced as gzip", "m7", says(200, twoUsers, "Content-Encoding: gzip"), "gzip"),
		unreadable("gzip of 65 MiB of spaces", "U78", says(200, bomb(), "Content-Encoding: gzip"), "larger than 64 MiB"),
		unreadable("login page", "P1", says(200, "<!doctype html><title>Sign in</title>", "Content-Type: text/html"), "status 200"),
		readable("JSON called text/html", "P1", raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"+twoUsers)),
		unreadable("no content", "P2", raw("HTTP/1.1 204 No Content\r\n\r\n"), "ends too early"),
		unreadable("no content, with a body", "P2", raw("HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}"), "ends too early"),
		unreadable("empty body", "P2", says(200, ""), "ends too early"),
		readable("early hints first", "P1", raw("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"+whole.bytes)),
		unreadable("early hints for ever", "P1", raw(strings.Repeat("HTTP/1.1 103 Early Hints\r\nX: "+strings.Repeat("y", 1000)+"\r\n\r\n", 400)+whole.bytes)),
		unreadable("another protocol", "P1", answer{"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", hangs}, "switches to protocol"),
		unreadable("headers of a megabyte", "P1", says(200, twoUsers, "X-Long: "+strings.Repeat("a", 1<<20)), "header"),
		unreadable("a header without a colon", "P1", says(200, twoUsers, "nonsense"), "malformed MIME header"),
		unreadable("no status", "P1", raw("HTTP/1.1\r\n\r\n"+twoUsers), "malformed"),
		unreadable("a status of four digits", "P1", raw("HTTP/1.1 2000 OK\r\n\r\n"+twoUsers)),
		unreadable("not HTTP", "P1", raw("SSH-2.0-OpenSSH_9.9\r\n"), "malformed HTTP response"),
		unreadable("hangs up", "P1", raw(""), "EOF"),
		unreadable("reset", "P1", answer{"", resets}),
		unreadable("reset in the body", "m3", answer{whole.bytes[:len(whole.bytes)-20], resets}),
		unreadable("no answer", "P5", answer{"", hangs}, "no whole answer within 150ms").with(short),
		unreadable("no body", "P5", answer{cut(whole, len(twoUsers)).bytes, hangs}, "no whole answer within 150ms").with(short),
		unreadable("no end of the body", "P5", answer{cut(whole, 1).bytes, hangs}, "no whole answer within 150ms").with(short),
		unreadable("one byte at a time", "P5", answer{whole.bytes, drips}, "no whole answer within 150ms").with(short),
	}
	for _, status := range []int{300, 301, 302, 303, 304, 307, 308} {
		list = append(list, redirected(status))
	}
	return list
}

// redirected points to another port of this machine, which http.DefaultClient would
// follow with the key.
func redirected(status int) scenario {
	s := unreadable(fmt.Sprintf("redirect %d to another port", status), "m1 P2", raw(""), "redirects are not followed")
	s.wire = nil
	s.more = func(t *testing.T, m *met) {
		other := startWire(t, nil)
		got := startWire(t, []spoil{{on: "GET users", answer: raw(fmt.Sprintf("HTTP/1.1 %d %s\r\nLocation: %s/api/v0/organization/users?token=secret\r\nContent-Length: 0\r\n\r\n",
			status, http.StatusText(status), other.url))}})
		end := m.again("plan DIR --strict --base-url " + got.url)
		if len(other.seen()) > 0 || end.code != exitIncomplete || !strings.Contains(end.stdout, "redirects are not followed") || strings.Contains(end.stdout, "token=secret") {
			t.Errorf("exit %d, %d requests elsewhere\n%s", end.code, len(other.seen()), end.stdout)
		}
		if asked := askedOf(got.seen()); asked != "users 1" {
			t.Errorf("asked %q", asked)
		}
	}
	s.want, s.exit, s.says = "CHANGES 2", exitDone, nil // before the redirect
	return s
}
