package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/api"
)

// wire is a server that writes bytes, not HTTP: what it answers need not be an answer.
// Requests that no rule of a scenario spoils meet a small healthy organization.
type wire struct {
	url   string
	rules []spoil
	users []string // as JSON
	pages int      // of one user more each, instead of users; 0 for none

	spoilt   chan struct{} // closed when the first rule struck
	mu       sync.Mutex
	log      []wireRequest
	struck   []int // by rule
	machines map[string]string
}

// wireRequest is what was asked, as it stood on the wire.
type wireRequest struct{ method, uri, body, authorization string }

// spoil is one rule: the requests it is for and what they get.
type spoil struct {
	on     string // "METHOD part-of-path", as in "PUT limits"
	nth    int    // only the nth of them, from 1; 0 is all
	done   bool   // the request is carried out all the same
	answer answer
}

// answer is what goes back over one connection.
type answer struct {
	bytes string
	then  ending
}

// ending is what happens to the connection after the bytes.
type ending int

const (
	closes ending = iota // the usual end
	resets               // with a TCP reset
	hangs                // nothing, until the client gives up
	drips                // the bytes come one by one, slower than anybody waits
)

// startWire listens until the test ends.
func startWire(t *testing.T, rules []spoil) *wire {
	t.Helper()
	w := &wire{rules: rules, struck: make([]int, len(rules)), spoilt: make(chan struct{}), machines: map[string]string{}, users: []string{
		`{"id":"u1","email":"ada@acme.example"}`, `{"id":"u2","email":"grace@acme.example"}`,
	}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.url = "http://" + l.Addr().String()
	var all sync.WaitGroup
	var mu sync.Mutex
	open := map[net.Conn]bool{}
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open[c] = true
			mu.Unlock()
			all.Go(func() {
				w.converse(c)
				mu.Lock()
				delete(open, c)
				mu.Unlock()
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for c := range open {
			c.Close()
		}
		mu.Unlock()
		all.Wait()
	})
	return w
}

// converse answers the requests of one connection.
func (w *wire) converse(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		a, healthy := w.reply(r, string(body))
		if !a.write(c, in) || !healthy {
			return
		}
	}
}

// reply chooses the answer: of the first rule that fits, or a healthy one.
func (w *wire) reply(r *http.Request, body string) (a answer, healthy bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, wireRequest{r.Method, r.RequestURI, body, r.Header.Get("Authorization")})
	chosen := -1
	for i, s := range w.rules {
		method, part, _ := strings.Cut(s.on, " ")
		if r.Method != method || !strings.Contains(r.RequestURI, part) {
			continue
		}
		if w.struck[i]++; chosen < 0 && (s.nth == 0 || s.nth == w.struck[i]) {
			chosen = i
		}
	}
	if chosen >= 0 {
		select {
		case <-w.spoilt:
		default:
			close(w.spoilt)
		}
		if w.rules[chosen].done {
			w.well(r, body)
		}
		return w.rules[chosen].answer, false
	}
	return w.well(r, body), true
}

// well is how a service in order answers.
func (w *wire) well(r *http.Request, body string) answer {
	path := r.URL.EscapedPath()
	switch {
	case path == api.PathUsers && w.pages > 0:
		n, _ := strconv.Atoi(r.URL.Query().Get("cursor")) // "" is 0
		return says(200, fmt.Sprintf(`{"users":[{"id":"u%d"}],"pagination":{"hasMore":%t,"nextCursor":"%d"}}`, n, n+1 < w.pages, n+1))
	case path == api.PathUsers:
		return says(200, `{"users":[`+strings.Join(w.users, ",")+`],"pagination":{"hasMore":false,"nextCursor":""}}`)
	case path == api.PathLimits:
		return says(200, echo(body))
	case path == api.PathHistory:
		return historyPage(last, revision(3, `{"sandbox":{"enabled":true}}`), revision(2, `{"sandbox":{"enabled":false}}`), revision(1, `{}`))
	case path == api.PathSessions:
		return says(200, `{"sessions":[],"pagination":{"hasMore":false,"nextCursor":""}}`)
	case strings.HasPrefix(path, "/api/v1/analytics/"):
		return says(200, wellUsage(r))
	case path == api.PathReadiness:
		return says(200, `{"reports":[]}`)
	case strings.HasSuffix(path, "/messages"):
		return says(200, `{"messages":[],"pagination":{"hasMore":false,"nextCursor":""}}`)
	case r.Method == http.MethodPost && path == api.PathComputers:
		var n api.NewComputer
		if json.Unmarshal([]byte(body), &n) != nil {
			return says(400, `{"detail":"not a computer"}`)
		}
		w.machines[n.Name] = machine("cmp_1", n.Name, n.Provider, optional("hostId", n.HostID)+optional("remoteUser", n.RemoteUser))
		return says(201, w.machines[n.Name])
	case strings.HasPrefix(path, "/api/v0/computers/name/"):
		name, _ := strings.CutPrefix(r.URL.Path, "/api/v0/computers/name/")
		if m, ok := w.machines[name]; ok {
			return says(200, m)
		}
	}
	return says(404, `{"title":"Not Found","detail":"no such thing","status":404,"requestId":"req_404"}`)
}

// echo acknowledges every entry of a limits request.
func echo(body string) string {
	var q api.LimitsRequest
	if json.Unmarshal([]byte(body), &q) != nil {
		return `{}`
	}
	out, _ := json.Marshal(api.LimitsResult{Updated: q.Users, Errors: []api.LimitError{}})
	return string(out)
}

func machine(id, name, provider, more string) string {
	return fmt.Sprintf(`{"id":%q,"name":%q,"providerType":%q,"createdAt":1%s}`, id, name, provider, more)
}

func optional(key, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(",%q:%q", key, value)
}

// write sends the bytes and ends as told; false means that nothing more can be said.
func (a answer) write(c net.Conn, in io.Reader) bool {
	if a.then == drips {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for _, b := range []byte(a.bytes) {
			<-tick.C
			if _, err := c.Write([]byte{b}); err != nil {
				return false
			}
		}
		return false
	}
	if _, err := io.WriteString(c, a.bytes); err != nil {
		return false
	}
	switch a.then {
	case hangs:
		_, _ = io.Copy(io.Discard, in) // until the client closes
		return false
	case resets:
		_ = c.(*net.TCPConn).SetLinger(0)
		return false
	}
	return true
}

// says is a whole and correct answer with further headers, as "Name: value".
func says(status int, body string, headers ...string) answer {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", status, http.StatusText(status), len(body))
	for _, h := range headers {
		b.WriteString(h + "\r\n")
	}
	return answer{bytes: b.String() + "\r\n" + body}
}

// raw is bytes as they are; the connection is closed after them.
func raw(bytes string) answer { return answer{bytes: bytes} }

// cut is a correct answer that ends n bytes early.
func cut(a answer, n int) answer { return answer{bytes: a.bytes[:len(a.bytes)-n]} }

// chunked is an answer in one chunk, without the last one that ends it.
func chunked(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n", len(body), body)
}

// setUsers changes who is in the organization.
func (w *wire) setUsers(users ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.users = users
}

// heal forgets the rules.
func (w *wire) heal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rules = nil
}

// seen is every request so far.
func (w *wire) seen() []wireRequest {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]wireRequest(nil), w.log...)
}
