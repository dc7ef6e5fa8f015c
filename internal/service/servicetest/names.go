package servicetest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// testComputerNames holds m8, T21 and U43: any name can be stored, read by name and found
// again as it was.
func (s *suite) testComputerNames(t *testing.T) {
	mark := "m" + uuid.NewString()[:7]
	names := []string{
		mark + " a/b", mark + "%2F", mark + "?x=1&y#z", mark + " ü", mark + ";,:@", mark + `"\`, mark + "+", mark + "%",
		" " + mark + " ", strings.Repeat("😀", 63-8) + mark, "/" + mark, mark + "/..", "../" + mark, mark + "\u00e9", mark + "e\u0301",
		strings.ToUpper(mark) + "UP", mark + "up", "<" + mark + ">",
	}
	once := []string{".", "..", "name", "install-deps", "a/..", "%2e%2e", "/", "//"} // exist after a first run
	for _, name := range append(names, once...) {
		t.Run(quote(name), func(t *testing.T) {
			status := 201
			path := computersPath + "/name/" + escape(name)
			if had := s.get(t, path); had == 200 {
				status = 409
			}
			s.send(t, create(`{"name":`+quote(name)+`}`), status)
			got := s.send(t, ask{Path: path}, 200).object(t)
			want(t, got, "name", quote(name))
			id := text(t, got, "id")
			want(t, s.send(t, patch(id, `{"name":`+quote(name)+`}`), 200).object(t), "name", quote(name))
		})
	}
	long := escape(strings.Repeat("😀", 64))
	s.rows(t, []row{
		{"C173 64 characters", ask{Path: computersPath + "/name/" + long}, 400},
		{"C173 no name", ask{Path: computersPath + "/name/"}, 404},
		{"U43 control character", ask{Path: computersPath + "/name/a%00b"}, 400},
		{"U43 not UTF-8", ask{Path: computersPath + "/name/%ff"}, 400},
		{"U44 names are case-sensitive", ask{Path: computersPath + "/name/" + strings.ToUpper(mark) + "up"}, 404},
	})
}

// escape writes a path segment so that no client and no proxy changes it.
func escape(name string) string {
	if strings.Trim(name, ".") == "" {
		return strings.ReplaceAll(name, ".", "%2E")
	}
	return url.PathEscape(name)
}

// get tells the status of a read.
func (s *suite) get(t *testing.T, path string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.BaseURL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.Keys.Manager)
	got, err := s.do(req)
	if err != nil {
		t.Fatal(err)
	}
	return got.Status
}
