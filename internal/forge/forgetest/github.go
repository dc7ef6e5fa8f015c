package forgetest

import (
	"fmt"
	"net/http"
)

func (s *Server) github(mux *http.ServeMux) {
	mux.HandleFunc("GET /user", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]string{"login": s.Login})
	})
	const repo = "/repos/{owner}/{name}/issues"
	mux.HandleFunc("GET "+repo+"/{number}/comments", func(w http.ResponseWriter, r *http.Request) {
		list := s.on(number(r, "number"))
		from, to, next := page(r, len(list))
		out := make([]any, 0, to-from)
		for _, c := range list[from:to] {
			out = append(out, s.githubComment(c))
		}
		s.link(w, r, next)
		answer(w, http.StatusOK, out)
	})
	mux.HandleFunc("POST "+repo+"/{number}/comments", func(w http.ResponseWriter, r *http.Request) {
		if v, ok := s.in(w, r); ok {
			c := Comment{Change: number(r, "number"), Author: s.Login, Body: text(v, "body", "")}
			c.ID = s.Add(c)
			answer(w, http.StatusCreated, s.githubComment(c))
		}
	})
	mux.HandleFunc("PATCH "+repo+"/comments/{id}", func(w http.ResponseWriter, r *http.Request) {
		v, ok := s.in(w, r)
		if !ok {
			return
		}
		if c := s.edit(number(r, "id"), text(v, "body", "")); c != nil {
			answer(w, http.StatusOK, s.githubComment(*c))
			return
		}
		fail(w, http.StatusNotFound, "Not Found")
	})
	mux.HandleFunc("GET "+repo, func(w http.ResponseWriter, r *http.Request) {
		out := []any{}
		for i, one := range s.Issues() {
			if who := r.URL.Query().Get("creator"); who == "" || who == one.Author {
				out = append(out, s.githubIssue(i+1, one))
			}
		}
		from, to, next := page(r, len(out))
		s.link(w, r, next)
		answer(w, http.StatusOK, out[from:to])
	})
	mux.HandleFunc("POST "+repo, func(w http.ResponseWriter, r *http.Request) {
		if v, ok := s.in(w, r); ok {
			one := Issue{Author: s.Login, Title: text(v, "title", ""), Body: text(v, "body", ""), Labels: labels(v["labels"])}
			s.AddIssues(one)
			answer(w, http.StatusCreated, s.githubIssue(len(s.Issues()), one))
		}
	})
	mux.HandleFunc("PATCH "+repo+"/{number}", func(w http.ResponseWriter, r *http.Request) {
		v, ok := s.in(w, r)
		if !ok {
			return
		}
		n := number(r, "number")
		one := s.editIssue(n, text(v, "body", ""), text(v, "state", ""))
		answer(w, http.StatusOK, s.githubIssue(n, one))
	})
}

// link says where the next page is.
func (s *Server) link(w http.ResponseWriter, r *http.Request, next int) {
	if next == 0 {
		return
	}
	q := r.URL.Query()
	q.Set("page", fmt.Sprint(next))
	w.Header().Set("Link", fmt.Sprintf(`<%s%s?%s>; rel="next"`, s.URL, r.URL.Path, q.Encode()))
}

func (s *Server) githubComment(c Comment) map[string]any {
	return map[string]any{
		"id": c.ID, "body": c.Body, "user": map[string]string{"login": c.Author},
		"html_url": fmt.Sprintf("%s/pull/%d#issuecomment-%d", s.URL, c.Change, c.ID),
	}
}

func (s *Server) githubIssue(n int, i Issue) map[string]any {
	out := map[string]any{
		"number": n, "title": i.Title, "body": i.Body, "user": map[string]string{"login": i.Author},
		"state": state(i.Closed, "open"), "html_url": fmt.Sprintf("%s/issues/%d", s.URL, n),
	}
	if i.Pull {
		out["pull_request"] = map[string]string{"url": "x"}
	}
	return out
}

func state(closed bool, open string) string {
	if closed {
		return "closed"
	}
	return open
}

// editIssue changes an issue; state is GitHub's state or GitLab's state_event.
func (s *Server) editIssue(n int, body, state string) Issue {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n < 1 || n > len(s.list) {
		return Issue{}
	}
	i := &s.list[n-1]
	i.Body = body
	switch state {
	case "closed", "close":
		i.Closed = true
	case "open", "reopen":
		i.Closed = false
	}
	return *i
}

// labels reads a list of names.
func labels(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, l := range list {
		out = append(out, fmt.Sprint(l))
	}
	return out
}
