package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/govctl/govctl/internal/api"
)

// stub is a server that answers as fast as it can: pages of members are made before, and
// every limit is confirmed.
type stub struct {
	url      string
	requests atomic.Int64
	server   *http.Server
	pages    [][]byte
	latency  time.Duration
}

const perPage = 100

func startStub(members int, latency time.Duration) (*stub, error) {
	s := &stub{latency: latency}
	for from := 0; from < members; from += perPage {
		page := api.UsersPage{Pagination: api.Pagination{HasMore: from+perPage < members}}
		if page.Pagination.HasMore {
			next := strconv.Itoa(from/perPage + 1)
			page.Pagination.NextCursor = &next
		}
		for n := from; n < min(from+perPage, members); n++ {
			address, name, at := email(n), "Name", "2026-01-01T00:00:00.000Z"
			page.Users = append(page.Users, api.User{
				ID: fmt.Sprintf("usr_%07d", n), Email: &address, FirstName: &name, LastName: &name, CreatedAt: &at, LastSignInAt: &at,
			})
		}
		body, err := json.Marshal(page)
		if err != nil {
			return nil, err
		}
		s.pages = append(s.pages, body)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s.url = "http://" + listener.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+api.PathUsers, s.users)
	mux.HandleFunc("PUT "+api.PathLimits, s.limits)
	s.server = &http.Server{Handler: s.counted(mux)}
	go func() { _ = s.server.Serve(listener) }()
	return s, nil
}

func (s *stub) close() { _ = s.server.Close() }

func (s *stub) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		if s.latency > 0 {
			time.Sleep(s.latency)
		}
		w.Header().Set("Content-Type", "application/json")
		next.ServeHTTP(w, r)
	})
}

func (s *stub) users(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.URL.Query().Get("cursor")) // "" is the first
	if page < 0 || page >= len(s.pages) {
		http.Error(w, "{}", http.StatusBadRequest)
		return
	}
	_, _ = w.Write(s.pages[page])
}

func (s *stub) limits(w http.ResponseWriter, r *http.Request) {
	var asked api.LimitsRequest
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, "{}", http.StatusBadRequest)
		return
	}
	_ = json.NewEncoder(w).Encode(api.LimitsResult{Updated: asked.Users, Errors: []api.LimitError{}})
}
