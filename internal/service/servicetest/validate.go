package servicetest

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Validate returns a transport that holds every exchange to openapi.yaml: each answer
// must be one the document promises for its request, without a key it does not name, and
// each request that was not refused as malformed must be one it allows. What differs is an error of t,
// which must outlive the requests.
//
// The check of JSON Schema is our own, of the keywords the document uses, and refuses any
// other: kin-openapi, which TestKin uses, lets undeclared keys of an answer pass.
func Validate(t testing.TB, next http.RoundTripper) http.RoundTripper {
	t.Helper()
	d, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return &validating{t: t, doc: d, next: next}
}

// Judge holds one answer to openapi.yaml, like Validate; body is what the request had. A
// request that the document does not have is not judged unless it is one of the API.
func Judge(t testing.TB, r *http.Request, body string, w *httptest.ResponseRecorder) {
	t.Helper()
	d, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range d.judge(exchange{
		method: r.Method, path: r.URL.EscapedPath(), query: r.URL.RawQuery, header: r.Header, body: []byte(body),
		status: w.Code, answerHeader: w.Header(), answer: w.Body.Bytes(),
	}) {
		t.Errorf("openapi.yaml: %s %s %.200s: %d: %s", r.Method, r.URL, body, w.Code, problem)
	}
}

type validating struct {
	t    testing.TB
	doc  *document
	next http.RoundTripper
}

// exchange is one request and its answer.
type exchange struct {
	method, path, query string
	header              http.Header
	body                []byte
	status              int
	answerHeader        http.Header
	answer              []byte
}

// CloseIdleConnections lets http.Client close those of the transport behind.
func (v *validating) CloseIdleConnections() {
	if c, ok := v.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// RoundTrip sends the request and checks the exchange. An answer that breaks off is
// passed on unchecked.
func (v *validating) RoundTrip(req *http.Request) (*http.Response, error) {
	x := exchange{method: req.Method, path: req.URL.EscapedPath(), query: req.URL.RawQuery, header: req.Header}
	if req.Body != nil {
		var err error
		if x.body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		req = req.Clone(req.Context())
		req.Body = io.NopCloser(bytes.NewReader(x.body))
	}
	resp, err := v.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(resp.Body)
	err = errors.Join(err, resp.Body.Close())
	resp.Body = io.NopCloser(bytes.NewReader(text))
	if err != nil {
		resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(text), broken{err}))
		return resp, nil
	}
	x.status, x.answerHeader, x.answer = resp.StatusCode, resp.Header, text
	for _, problem := range v.doc.judge(x) {
		v.t.Errorf("openapi.yaml: %s %s %s %.200s: %d: %s", x.method, x.path, x.query, x.body, x.status, problem)
	}
	return resp, nil
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// judge returns what the document says against an exchange.
func (d *document) judge(x exchange) []string {
	places := d.find(x.path)
	if len(places) == 0 {
		if !strings.HasPrefix(x.path, "/api/") && !strings.HasPrefix(x.path, "/v1/") {
			return nil // a page or probe outside the API
		}
		return d.judgeOther(x, nil, http.StatusNotFound)
	}
	at, op := choose(places, x.method)
	if op == nil && isWeb(places[0].item) {
		return d.judgeOther(x, places[0].item, http.StatusSeeOther, http.StatusForbidden, http.StatusNotFound)
	}
	if op == nil {
		return d.judgeOther(x, places[0].item, http.StatusMethodNotAllowed, http.StatusForbidden)
	}
	c := &checker{doc: d, closed: true}
	r := op.Responses[strconv.Itoa(x.status)]
	if r == nil {
		c.fail("status", "not declared; declared are %v", slices.Sorted(maps.Keys(op.Responses)))
		return c.errs
	}
	c.checkAnswer(x, r)
	if x.status < 300 || x.status == http.StatusNotFound || x.status == http.StatusConflict { // 400 comes before (U71)
		c.errs = append(c.errs, d.refuse(at, op, x)...)
	}
	return c.errs
}

// isWeb reports whether a path belongs to the pages for people.
func isWeb(item map[string]*operation) bool {
	for _, op := range item {
		return op.web()
	}
	return false
}

// judgeOther judges the answer to a request that the document does not have. It is that
// of another method on the path, if there is one.
func (d *document) judgeOther(x exchange, item map[string]*operation, want ...int) []string {
	c := &checker{doc: d, closed: true}
	names := map[int]string{401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 405: "MethodNotAllowed", 429: "TooManyRequests", 500: "InternalError"}
	want = append(want, 401, 429, 500)
	if !slices.Contains(want, x.status) {
		c.fail("status", "the document does not have this request, so it should get one of %v", want)
		return c.errs
	}
	r := d.Components.Responses[names[x.status]]
	for _, op := range item {
		r = cmp.Or(op.Responses[strconv.Itoa(x.status)], r)
	}
	c.checkAnswer(x, r)
	return c.errs
}

// checkAnswer checks headers, type and body of an answer.
func (c *checker) checkAnswer(x exchange, r *response) {
	for name, h := range r.Headers {
		for h.Ref != "" {
			h = c.doc.Components.Headers[strings.TrimPrefix(h.Ref, "#/components/headers/")]
		}
		if v := x.answerHeader.Values(name); len(v) > 0 {
			c.check(h.Schema, v[0], name)
		} else if h.Required {
			c.fail(name, "is missing")
		}
	}
	if x.status == http.StatusSeeOther && len(x.answer) == 0 {
		return // what leads on after a form has no body
	}
	kind, _, err := mime.ParseMediaType(x.answerHeader.Get("Content-Type"))
	m := r.Content[kind]
	if err != nil || m == nil {
		c.fail("Content-Type", "%q is not declared", x.answerHeader.Get("Content-Type"))
		return
	}
	if x.method == http.MethodHead || kind != "application/json" {
		return
	}
	text := x.answer
	if x.answerHeader.Get("Content-Encoding") == "gzip" {
		if z, err := gzip.NewReader(bytes.NewReader(text)); err == nil {
			text, _ = io.ReadAll(z) // what is cut does not parse
		}
	}
	v, err := decodeAny(text)
	if err != nil {
		c.fail("body", "%v", err)
		return
	}
	c.check(m.Schema, v, "body")
}

// refuse returns what the document says against a request.
func (d *document) refuse(at place, op *operation, x exchange) []string {
	c := &checker{doc: d}
	open := op.Security != nil && len(*op.Security) == 0 // probes do not look at the query
	query, err := url.ParseQuery(x.query)
	if err != nil && !open {
		c.fail("query", "%v", err)
	}
	for _, p := range op.Parameters {
		values := query[p.Name]
		if p.In == "path" {
			values = []string{at.values[p.Name]}
		}
		c.checkParameter(p, values)
	}
	if op.RequestBody != nil {
		c.checkBody(op.RequestBody, x)
	}
	return c.errs
}

func (c *checker) checkParameter(p *parameter, values []string) {
	switch {
	case len(values) > 1:
		c.fail(p.Name, "is given %d times", len(values))
	case len(values) == 1:
		c.check(p.Schema, asParameter(c.doc.schema(p.Schema), values[0]), p.Name)
	case p.Required:
		c.fail(p.Name, "is missing")
	}
}

// asParameter is a number where the schema wants one and the text is only digits.
func asParameter(s *schema, text string) any {
	if slices.Contains(s.Type, "integer") && text != "" && strings.Trim(text, "0123456789") == "" {
		return json.Number(text)
	}
	return text
}

func (c *checker) checkBody(b *requestBody, x exchange) {
	kind, _, err := mime.ParseMediaType(x.header.Get("Content-Type"))
	if x.header.Get("Content-Type") == "" {
		kind, err = "application/json", nil // a body that names no type is JSON (C2)
	}
	m := b.Content[kind]
	if err != nil || m == nil {
		c.fail("Content-Type", "%q", x.header.Get("Content-Type"))
		return
	}
	if kind != "application/json" || x.header.Get("Content-Encoding") != "" {
		return
	}
	v, err := decodeAny(x.body)
	if err != nil {
		c.fail("body", "%v", err)
		return
	}
	c.check(m.Schema, v, "body")
}
