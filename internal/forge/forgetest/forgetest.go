// Package forgetest stands in for a code host: it keeps comments and issues, records what
// it is asked, and fails when told to.
//
// It speaks the few routes of the GitHub and GitLab APIs that package forge uses, over
// real HTTP, with their pages, their limits and their errors.
package forgetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Comment is a comment on a change.
type Comment struct {
	ID     int64
	Change int
	Author string
	Body   string
}

// Issue is an issue; its number is its place in the list, from 1.
type Issue struct {
	Author string
	Title  string
	Body   string
	Labels []string
	Closed bool
	Pull   bool // GitHub lists pull requests, too
}

// Server is a code host. Its fields may be changed before and between requests.
type Server struct {
	*httptest.Server
	Kind    string // github | gitlab
	Login   string // who the token writes as
	Hidden  bool   // the token may not ask who it is
	MaxBody int    // longest text, 0 for any

	// Fail answers a request with a status, 0 for none; what is "comment", "issue" or
	// "user".
	Fail func(method, what string) int

	mu       sync.Mutex
	comments []Comment
	list     []Issue
	requests []string
	tokens   []string
}

// Start starts a code host of a kind. The caller closes it.
func Start(kind string) *Server {
	s := &Server{Kind: kind, Login: "govctl-bot"}
	mux := http.NewServeMux()
	if kind == "gitlab" {
		s.gitlab(mux)
	} else {
		s.github(mux)
	}
	s.Server = httptest.NewServer(s.record(mux))
	return s
}

// API is the base address of the API.
func (s *Server) API() string {
	if s.Kind == "gitlab" {
		return s.URL + "/api/v4"
	}
	return s.URL
}

// Add puts comments there as if somebody had written them, and returns the first one's id.
func (s *Server) Add(list ...Comment) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := int64(len(s.comments) + 1)
	for _, c := range list {
		c.ID = int64(len(s.comments) + 1)
		s.comments = append(s.comments, c)
	}
	return first
}

// AddIssues puts issues there.
func (s *Server) AddIssues(list ...Issue) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, list...)
}

// Comments is what stands on all changes, oldest first.
func (s *Server) Comments() []Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.comments)
}

// Issues is every issue, oldest first.
func (s *Server) Issues() []Issue {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// Requests is every request since the last call, as METHOD PATH?QUERY.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.requests
	s.requests = nil
	return out
}

// Tokens is every credential that was sent, each once.
func (s *Server) Tokens() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.tokens)
}

// record notes a request and carries out the faults.
func (s *Server) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
		for _, token := range []string{r.Header.Get("Authorization"), r.Header.Get("Private-Token"), r.Header.Get("Job-Token")} {
			if token != "" && !slices.Contains(s.tokens, token) {
				s.tokens = append(s.tokens, token)
			}
		}
		s.mu.Unlock()
		what := "issue"
		switch {
		case strings.HasSuffix(r.URL.Path, "/user"), strings.HasSuffix(r.URL.Path, "/job"):
			what = "user"
		case strings.Contains(r.URL.Path, "/comments"), strings.Contains(r.URL.Path, "/notes"):
			what = "comment"
		}
		if s.Fail != nil {
			if status := s.Fail(r.Method, what); status != 0 {
				fail(w, status, http.StatusText(status))
				return
			}
		}
		if what == "user" && s.Hidden {
			fail(w, http.StatusForbidden, "Resource not accessible by integration")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func fail(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"message": message})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// in reads a request's JSON and refuses texts that are too long, as each host does.
func (s *Server) in(w http.ResponseWriter, r *http.Request) (map[string]any, bool) {
	data, err := io.ReadAll(r.Body)
	var v map[string]any
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return nil, false
	}
	for _, name := range []string{"body", "description"} {
		if text, _ := v[name].(string); s.MaxBody > 0 && len(text) > s.MaxBody {
			status := http.StatusUnprocessableEntity
			if s.Kind == "gitlab" {
				status = http.StatusBadRequest
			}
			fail(w, status, fmt.Sprintf("body is too long (maximum is %d characters)", s.MaxBody))
			return nil, false
		}
	}
	return v, true
}

// page is the part of n things that a request asks for, and the next page, 0 for none.
func page(r *http.Request, n int) (from, to, next int) {
	number := func(name string, otherwise int) int {
		if v, err := strconv.Atoi(r.URL.Query().Get(name)); err == nil && v > 0 {
			return v
		}
		return otherwise
	}
	at, size := number("page", 1), min(number("per_page", 30), 100)
	from = min((at-1)*size, n)
	to = min(from+size, n)
	if to < n {
		next = at + 1
	}
	return from, to, next
}

// text is a string of a request, otherwise what it was.
func text(v map[string]any, name, was string) string {
	if s, ok := v[name].(string); ok {
		return s
	}
	return was
}

func number(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.PathValue(name))
	if err != nil {
		return 0
	}
	return n
}

// edit changes the comment with an id under the lock and returns it, nil for none.
func (s *Server) edit(id int, body string) *Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id < 1 || id > len(s.comments) {
		return nil
	}
	s.comments[id-1].Body = body
	c := s.comments[id-1]
	return &c
}

// on lists the comments of a change.
func (s *Server) on(change int) []Comment {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Comment
	for _, c := range s.comments {
		if c.Change == change {
			out = append(out, c)
		}
	}
	return out
}
