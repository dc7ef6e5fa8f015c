package servicetest

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// How many requests TestGenerated makes and from which seed, unless GOVCTL_GENERATE and
// GOVCTL_GENERATE_SEED say otherwise.
const (
	generated     = 3000
	generatedSeed = 1
)

// notBuilt are operations the document has and the service may not have yet: a 404 is
// accepted, and anything else is judged as usual.
func notBuilt() []string { return nil }

// TestGenerated sends requests made from openapi.yaml, good ones and ones with something
// wrong in them. No answer is a 5xx or one the document does not promise, no request the
// document refuses is carried out, and none it allows is called malformed.
func TestGenerated(t *testing.T) {
	t.Parallel()
	s := Start(t)
	d, err := load()
	if err != nil {
		t.Fatal(err)
	}
	n, seed := fromEnv(t, "GOVCTL_GENERATE", generated), fromEnv(t, "GOVCTL_GENERATE_SEED", generatedSeed)
	seen := map[string]int{}
	for i := range n {
		g := newGenerator(d, s, rand.New(rand.NewPCG(uint64(seed), uint64(i))))
		x, op, at := g.request()
		r := httptest.NewRequestWithContext(t.Context(), x.method, "http://service.example"+x.path+"?"+x.query, strings.NewReader(string(x.body)))
		r.Header = x.header.Clone()
		w := httptest.NewRecorder()
		s.Service.ServeHTTP(w, r)
		x.status, x.answerHeader, x.answer = w.Code, w.Header(), w.Body.Bytes()
		name := "other"
		if op != nil {
			name = op.OperationID
		}
		if (x.status == 404 || x.status == 401) && unbuilt(d.find(x.path)) {
			seen[name+" 404 (not built)"]++
			continue
		}
		seen[name+" "+strconv.Itoa(x.status)]++
		problems := d.judge(x)
		if x.status >= 500 {
			problems = append(problems, "a fault of the service")
		}
		if op != nil && x.status == 400 && g.fine && d.refuse(at, op, x) == nil {
			problems = append(problems, "the document allows this")
		}
		for _, p := range problems {
			t.Errorf("request %d of seed %d: %s %s?%s %.300s\n%d %.300s\n%s", i, seed, x.method, x.path, x.query, x.body, x.status, x.answer, p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		t.Logf("%6d %s", seen[name], name)
	}
	checkReached(t, d, seen, n)
}

func unbuilt(places []place) bool {
	for _, at := range places {
		for _, op := range at.item {
			if slices.Contains(notBuilt(), op.OperationID) {
				return true
			}
		}
	}
	return false
}

// checkReached wants every built operation to have succeeded: a test that only ever hears
// 401 proves nothing.
func checkReached(t *testing.T, d *document, seen map[string]int, n int) {
	t.Helper()
	if n < generated {
		return
	}
	for _, path := range d.programs() {
		for method, op := range d.Paths[path] {
			good := seen[op.OperationID+" 404 (not built)"]
			for _, status := range []string{"200", "201", "202"} {
				good += seen[op.OperationID+" "+status]
			}
			if good < 5 {
				t.Errorf("%s %s succeeded %d times only", method, path, good)
			}
		}
	}
}

func fromEnv(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// generator makes one request. Fine says that nothing the document cannot express, such
// as an unknown cursor, speaks against it.
type generator struct {
	*rand.Rand
	doc  *document
	s    *Server
	fine bool
}

func newGenerator(d *document, s *Server, r *rand.Rand) *generator {
	return &generator{Rand: r, doc: d, s: s, fine: true}
}

func (g *generator) one(in int) bool { return g.IntN(in) == 0 }

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

// programs are the paths that are not pages for people, which need a session and forms.
func (d *document) programs() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(d.Paths)), func(path string) bool { return isWeb(d.Paths[path]) })
}

// request makes a request; op is nil if the document has none for it.
func (g *generator) request() (exchange, *operation, place) {
	template := pick(g, g.doc.programs()...)
	item := g.doc.Paths[template]
	method := pick(g, slices.Sorted(maps.Keys(item))...)
	op := item[method]
	x := exchange{method: strings.ToUpper(method), header: http.Header{}}
	x.path = g.path(template, op)
	x.query = g.query(op)
	if op.RequestBody != nil {
		g.body(&x, op)
	}
	g.key(&x)
	switch {
	case g.one(40):
		x.method = pick(g, "GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")
	case g.one(60):
		other := pick(g, x.path+"/", x.path+"/x", "/"+x.path, strings.ToUpper(x.path), x.path[:len(x.path)-1], strings.Replace(x.path, "v0", "v2", 1))
		if _, err := url.PathUnescape(other); err == nil {
			x.path = other
		}
	}
	at, op := choose(g.doc.find(x.path), x.method)
	return x, op, at
}

// key is the owner's mostly.
func (g *generator) key(x *exchange) {
	k := g.s.Keys
	switch g.IntN(30) {
	case 0:
		return
	case 1:
		x.header["Authorization"] = []string{pick(g, "Bearer", "Basic x", "Bearer a b", "Bearer "+g.text(), "bearer "+k.Revoked, "\x00")}
	case 2:
		x.header["Authorization"] = []string{"Bearer " + pick(g, k.Member, k.Guest)}
	default:
		x.header["Authorization"] = []string{"Bearer " + pick(g, k.Owner, k.Manager)}
	}
}
