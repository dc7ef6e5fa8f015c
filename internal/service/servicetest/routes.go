package servicetest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

func (s *suite) testRoutes(t *testing.T) {
	s.rows(t, []row{
		{"U70 root", ask{Path: "/"}, 404},
		{"U70 unknown route", ask{Path: "/api/v0/nothing"}, 404},
		{"C9 analytics are not in v0", ask{Path: "/api/v0/analytics/activity"}, 404},
		{"C9 users are not in v1", ask{Path: "/api/v1/organization/users"}, 404},
		{"U70 slash at the end", ask{Path: "/api/v0/sessions/"}, 404},
		{"U70 double slash is no redirect", ask{Path: "/api//v0/sessions"}, 404},
		{"U70 dots are no redirect", ask{Path: "/api/v0/computers/../sessions"}, 404},
		{"U70 other case", ask{Path: "/API/v0/sessions"}, 404},
		{"m8 computer with the id name", ask{Path: "/api/v0/computers/name"}, 404},
		{"C6 limits cannot be read", ask{Path: "/api/v0/organization/usage/limits/users"}, 405},
		{"C5 computers cannot be listed", ask{Path: "/api/v0/computers"}, 405},
		{"C5 computers cannot be deleted", ask{Method: http.MethodDelete, Path: "/api/v0/computers/x"}, 405},
		{"C7 history is read-only", ask{Method: http.MethodPost, Path: "/api/v0/organization/enterprise-controls/history", Body: "{}"}, 405},
		{"C6 users cannot be added", ask{Method: http.MethodPost, Path: "/api/v0/organization/users", Body: "{}"}, 405},
		{"C14 analytics are GET", ask{Method: http.MethodPost, Path: "/api/v1/analytics/activity", Body: "{}"}, 405},
		{"U71 405 before 415", ask{Method: http.MethodPost, Path: "/api/v0/sessions", Body: "x", Type: "text/plain"}, 405},
		{"OPTIONS is not allowed", ask{Method: http.MethodOptions, Path: "/api/v0/sessions"}, 405},
	})
	allow := map[string]string{
		"/api/v0/sessions": "GET, HEAD", "/api/v0/sessions/x": "GET, HEAD, PATCH", "/api/v0/computers": "POST",
		"/api/v0/computers/x": "GET, HEAD, PATCH", "/api/v0/computers/x/install-deps": "POST",
		"/api/v0/computers/name/x": "GET, HEAD", "/api/v0/computers/name/install-deps": "GET, HEAD, POST",
		"/api/v0/organization/usage/limits/users": "PUT",
	}
	for path, methods := range allow {
		t.Run("U70 Allow of "+path, func(t *testing.T) {
			got := s.send(t, ask{Method: http.MethodDelete, Path: path}, 405).Header.Get("Allow")
			if got != methods {
				t.Errorf("Allow %q, want %q", got, methods)
			}
		})
	}
}

func (s *suite) testTransport(t *testing.T) {
	t.Run("U76 every request has its own id", func(t *testing.T) {
		seen := map[string]bool{}
		for range 20 {
			seen[s.send(t, ask{Path: "/api/v0/sessions?limit=1"}, 200).Header.Get("X-Request-Id")] = true
		}
		if len(seen) != 20 {
			t.Errorf("%d ids for 20 requests", len(seen))
		}
	})
	t.Run("U81 healthz needs no key", func(t *testing.T) {
		s.send(t, ask{Path: "/healthz", Key: "none"}, 200)
		s.send(t, ask{Path: "/healthz", Key: "none", Method: http.MethodHead}, 200)
		s.send(t, ask{Path: "/openapi.json", Key: "none"}, 200)
	})
	t.Run("HEAD is GET without a body", func(t *testing.T) {
		for _, path := range []string{"/api/v0/sessions", "/api/v0/organization/users", "/api/v0/organization/enterprise-controls/history"} {
			get := s.send(t, ask{Path: path}, 200)
			head := s.send(t, ask{Path: path, Method: http.MethodHead}, 200)
			if len(head.Body) != 0 || head.Header.Get("Content-Length") != itoa(len(get.Body)) {
				t.Errorf("%s: %d bytes, Content-Length %s, want %d", path, len(head.Body), head.Header.Get("Content-Length"), len(get.Body))
			}
		}
		s.send(t, ask{Path: "/api/v0/sessions/nowhere", Method: http.MethodHead}, 404)
	})
	t.Run("U77 gzip", s.testGzip)
	t.Run("U13 unknown query parameters are ignored", func(t *testing.T) {
		s.send(t, ask{Path: "/api/v0/sessions?shade=red&shade=blue"}, 200)
	})
	s.rows(t, []row{{"malformed query", ask{Path: "/api/v0/sessions?limit=%zz"}, 400}})
}

func (s *suite) testGzip(t *testing.T) {
	const path = "/api/v0/organization/users?limit=100"
	plain := s.send(t, ask{Path: path}, 200)
	for _, accept := range []string{"identity", "gzip;q=0", "br", "*;q=0", "gzip;q=0, *"} {
		if e := s.send(t, ask{Path: path, Header: http.Header{"Accept-Encoding": {accept}}}, 200).Header.Get("Content-Encoding"); e != "" {
			t.Errorf("%s got %s", accept, e)
		}
	}
	for _, accept := range []string{"gzip", "br, gzip;q=0.5", "*"} {
		got := s.send(t, ask{Path: path, Header: http.Header{"Accept-Encoding": {accept}}}, 200)
		if got.Header.Get("Content-Encoding") != "gzip" || len(got.Body) >= len(plain.Body) {
			t.Fatalf("%s: not compressed: %v", accept, got.Header)
		}
		z, err := gzip.NewReader(bytes.NewReader(got.Body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil || !bytes.Equal(text, plain.Body) {
			t.Errorf("%s: other text than without compression (%v)", accept, err)
		}
	}
	small := s.send(t, ask{Path: "/api/v0/sessions?limit=1&computerId=nowhere", Header: http.Header{"Accept-Encoding": {"gzip"}}}, 200)
	if small.Header.Get("Content-Encoding") != "" {
		t.Error("a small answer is compressed")
	}
}

func (s *suite) testBodies(t *testing.T) {
	const path = "/api/v0/organization/usage/limits/users"
	nobody := `{"users":[{"email":"nobody@nowhere.example","limit":1}]}`
	big := `{"users":[],"padding":"` + strings.Repeat("x", 1<<20) + `"}`
	put := func(body, kind string) ask { return ask{Method: http.MethodPut, Path: path, Body: body, Type: kind} }
	s.rows(t, []row{
		{"U71 form is 415", put(nobody, "application/x-www-form-urlencoded"), 415},
		{"U71 text is 415", put(nobody, "text/plain"), 415},
		{"U71 other charset is 415", put(nobody, "application/json; charset=latin1"), 415},
		{"U71 415 before 413", put(big, "text/plain"), 415},
		{"U71 415 before 400", put("{", "text/plain"), 415},
		{"compressed body is 415", ask{Method: http.MethodPut, Path: path, Body: nobody, Header: http.Header{"Content-Encoding": {"gzip"}}}, 415},
		{"C2 charset utf-8", put(nobody, "application/json; charset=UTF-8"), 200},
		{"C2 no type", put(nobody, "none"), 200},
		{"U78 over 1 MiB", put(big, ""), 413},
		{"U78 1 MiB exactly", put(nobody+strings.Repeat(" ", 1<<20-len(nobody)), ""), 200},
		{"U61 no body", put("", ""), 400},
		{"U61 cut body", put(nobody[:20], ""), 400},
		{"U61 text behind the object", put(nobody+"x", ""), 400},
		{"U61 second object", put(nobody+nobody, ""), 400},
		{"U61 array", put("["+nobody+"]", ""), 400},
		{"U61 null", put("null", ""), 400},
		{"U61 string", put(`"users"`, ""), 400},
		{"U61 byte order mark", put("\ufeff"+nobody, ""), 400},
		{"U61 not UTF-8", put(`{"users":[{"email":"nobody@nowhere.example","limit":1,"x":"`+"\xff"+`"}]}`, ""), 400},
		{"U61 name twice", put(`{"users":[],"users":[{"email":"nobody@nowhere.example","limit":1}]}`, ""), 400},
		{"U61 name twice inside", put(`{"users":[{"email":"nobody@nowhere.example","limit":2,"limit":1}]}`, ""), 400},
		{"m5 other case of a name is another name", put(`{"Users":[{"email":"nobody@nowhere.example","limit":1}]}`, ""), 400},
		{"deep nesting", put(strings.Repeat("[", 100000), ""), 400},
		{"unknown fields are ignored", put(`{"x":{"y":[1]},"users":[{"email":"nobody@nowhere.example","limit":1,"why":null}]}`, ""), 200},
	})
}
