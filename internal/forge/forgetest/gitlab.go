package forgetest

import (
	"fmt"
	"net/http"
	"strings"
)

func (s *Server) gitlab(mux *http.ServeMux) {
	user := map[string]string{"username": s.Login}
	mux.HandleFunc("GET /api/v4/user", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, user) })
	mux.HandleFunc("GET /api/v4/job", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"user": user})
	})
	const notes, issues = "/api/v4/projects/{project}/merge_requests/{number}/notes", "/api/v4/projects/{project}/issues"
	mux.HandleFunc("GET "+notes, func(w http.ResponseWriter, r *http.Request) {
		list := s.on(number(r, "number"))
		from, to, next := page(r, len(list))
		out := make([]any, 0, to-from)
		for _, c := range list[from:to] {
			out = append(out, gitlabNote(c))
		}
		nextPage(w, next)
		answer(w, http.StatusOK, out)
	})
	mux.HandleFunc("POST "+notes, func(w http.ResponseWriter, r *http.Request) {
		if v, ok := s.in(w, r); ok {
			c := Comment{Change: number(r, "number"), Author: s.Login, Body: text(v, "body", "")}
			c.ID = s.Add(c)
			answer(w, http.StatusCreated, gitlabNote(c))
		}
	})
	mux.HandleFunc("PUT "+notes+"/{id}", func(w http.ResponseWriter, r *http.Request) {
		v, ok := s.in(w, r)
		if !ok {
			return
		}
		if c := s.edit(number(r, "id"), text(v, "body", "")); c != nil {
			answer(w, http.StatusOK, gitlabNote(*c))
			return
		}
		fail(w, http.StatusNotFound, "404 Not found")
	})
	mux.HandleFunc("GET "+issues, func(w http.ResponseWriter, r *http.Request) {
		out := []any{}
		for i, one := range s.Issues() {
			if who := r.URL.Query().Get("author_username"); who == "" || who == one.Author {
				out = append(out, s.gitlabIssue(i+1, one))
			}
		}
		from, to, next := page(r, len(out))
		nextPage(w, next)
		answer(w, http.StatusOK, out[from:to])
	})
	mux.HandleFunc("POST "+issues, func(w http.ResponseWriter, r *http.Request) {
		if v, ok := s.in(w, r); ok {
			one := Issue{Author: s.Login, Title: text(v, "title", ""), Body: text(v, "description", "")}
			if l := text(v, "labels", ""); l != "" {
				one.Labels = strings.Split(l, ",")
			}
			s.AddIssues(one)
			answer(w, http.StatusCreated, s.gitlabIssue(len(s.Issues()), one))
		}
	})
	mux.HandleFunc("PUT "+issues+"/{number}", func(w http.ResponseWriter, r *http.Request) {
		v, ok := s.in(w, r)
		if !ok {
			return
		}
		n := number(r, "number")
		answer(w, http.StatusOK, s.gitlabIssue(n, s.editIssue(n, text(v, "description", ""), text(v, "state_event", ""))))
	})
}

func nextPage(w http.ResponseWriter, next int) {
	if next > 0 {
		w.Header().Set("X-Next-Page", fmt.Sprint(next))
	}
}

func gitlabNote(c Comment) map[string]any {
	return map[string]any{"id": c.ID, "body": c.Body, "author": map[string]string{"username": c.Author}}
}

func (s *Server) gitlabIssue(n int, i Issue) map[string]any {
	return map[string]any{
		"iid": n, "title": i.Title, "description": i.Body, "author": map[string]string{"username": i.Author},
		"state": state(i.Closed, "opened"), "web_url": fmt.Sprintf("%s/-/issues/%d", s.URL, n),
	}
}
