package servicetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// suite is one run of Conform.
type suite struct {
	Target
	http *http.Client
}

// ask is one request. The zero Method is GET; Key is a role, "none" for no header;
// the zero Key is the manager. A body is sent as application/json unless Type is set.
type ask struct {
	Method string
	Path   string
	Key    string
	Body   string
	Type   string
	Header http.Header
}

// answer is what came back.
type answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// row is one line of a table: a request and the status it must get.
type row struct {
	name string
	ask
	status int
}

func (s *suite) rows(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) { s.send(t, r.ask, r.status) })
	}
}

func (s *suite) key(t *testing.T, role string) string {
	t.Helper()
	keys := map[string]string{
		"": s.Keys.Manager, "owner": s.Keys.Owner, "manager": s.Keys.Manager,
		"member": s.Keys.Member, "guest": s.Keys.Guest, "revoked": s.Keys.Revoked,
	}
	key, ok := keys[role]
	if !ok {
		t.Fatalf("no such role %q", role)
	}
	if key == "" {
		s.lacks(t, "a key of "+role)
	}
	return key
}

// send sends a request, wants the status, and checks what every answer must have.
func (s *suite) send(t *testing.T, a ask, status int) answer {
	t.Helper()
	if a.Method == "" {
		a.Method = http.MethodGet
	}
	var body io.Reader
	if a.Body != "" {
		body = strings.NewReader(a.Body)
	}
	base := s.BaseURL
	if s.AppURL != "" && strings.HasPrefix(a.Path, readinessPath[:len(readinessPath)-1]) {
		base = s.AppURL
	}
	req, err := http.NewRequestWithContext(t.Context(), a.Method, base+a.Path, body)
	if err != nil {
		t.Fatal(err)
	}
	if a.Type == "" && a.Body != "" {
		a.Type = "application/json"
	}
	if a.Type != "" && a.Type != "none" {
		req.Header.Set("Content-Type", a.Type)
	}
	if a.Key != "none" {
		req.Header.Set("Authorization", "Bearer "+s.key(t, a.Key))
	}
	for name, values := range a.Header {
		req.Header[name] = values
	}
	got, err := s.do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", a.Method, a.Path, err)
	}
	if got.Status != status {
		t.Fatalf("%s %s %.300s: status %d, want %d: %.500s", a.Method, a.Path, a.Body, got.Status, status, got.Body)
	}
	got.check(t, a.Method)
	return got
}

// do sends a request and reads the whole answer.
func (s *suite) do(req *http.Request) (got answer, err error) {
	resp, err := s.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	got = answer{Status: resp.StatusCode, Header: resp.Header}
	got.Body, err = io.ReadAll(resp.Body)
	return got, err
}

// check holds C2, C39, U70 and U76 for every answer.
func (got answer) check(t *testing.T, method string) {
	t.Helper()
	if ct := got.Header.Get("Content-Type"); ct != "application/json" {
		t.Errorf("C2: Content-Type %q", ct)
	}
	id := got.Header.Get("X-Request-Id")
	if !strings.HasPrefix(id, "req_") || len(id) < 20 {
		t.Errorf("U76: X-Request-Id %q", id)
	}
	if got.Status < 400 || method == http.MethodHead {
		return
	}
	body := got.object(t)
	if string(body["status"]) != itoa(got.Status) {
		t.Errorf("C39 U70: status in the body is %s, want %d", body["status"], got.Status)
	}
	if title := text(t, body, "title"); title != http.StatusText(got.Status) {
		t.Errorf("C39 U70: title %q, want the status text", title)
	}
	if text(t, body, "detail") == "" {
		t.Error("C39 U70: detail is empty")
	}
	if text(t, body, "requestId") != id {
		t.Errorf("U76: requestId %s, header %s", body["requestId"], id)
	}
}

type object = map[string]json.RawMessage

func (got answer) object(t *testing.T) object { t.Helper(); return parse[object](t, got.Body) }

func parse[T any](t *testing.T, raw []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %.300s", err, raw)
	}
	return v
}

// text returns a required string.
func text(t *testing.T, o object, name string) string {
	t.Helper()
	raw, ok := o[name]
	if !ok {
		t.Errorf("%s is missing", name)
		return ""
	}
	return parse[string](t, raw)
}

// want compares one value of an object as JSON text; "" wants it absent.
func want(t *testing.T, o object, name, value string) {
	t.Helper()
	if got := string(o[name]); got != value {
		t.Errorf("%s is %s, want %s", name, got, value)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

func quote(s string) string { return raw(s) }

// raw returns the JSON text of a value, for comparing.
func raw(v any) string {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // values of this package and parsed JSON
	}
	return strings.TrimSpace(text.String())
}
