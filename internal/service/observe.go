package service

import (
	"bytes"
	"context"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/govctl/govctl/internal/service/web"
)

// observation is what the log and the metrics say about one request. It travels in the
// context of the request.
type observation struct {
	id     string // req_ and a number nobody has seen before (U76)
	route  string // the pattern that matched; "unmatched" for none
	status int    // 0: the request was not answered
}

type observationKey struct{}

// observed returns the observation of a request.
func observed(r *http.Request) *observation {
	if o, ok := r.Context().Value(observationKey{}).(*observation); ok {
		return o
	}
	return &observation{} // a handler that was called without ServeHTTP
}

// ServeHTTP answers one request: of the web application, of the metrics or of the API.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o := &observation{id: "req_" + strings.ReplaceAll(uuid.Must(uuid.NewV7()).String(), "-", ""), route: "unmatched"}
	r = r.WithContext(context.WithValue(r.Context(), observationKey{}, o))
	w.Header().Set("X-Request-Id", o.id)
	started := s.o.Now()
	s.metrics.begin()
	defer func() { // also when the connection is dropped by a panic
		took := s.o.Now().Sub(started)
		s.metrics.end(r.Method, o.route, o.status, took)
		s.o.Logger.Info("request", "id", o.id, "method", r.Method, "route", o.route, "status", o.status, "duration", took)
	}()
	switch {
	case r.URL.Path == "/metrics":
		o.route = "/metrics"
		s.serveMetrics(w, r)
	case s.web.Owns(r):
		s.serveWeb(w, r)
	default:
		s.serveAPI(w, r)
	}
}

// serveWeb answers with a page. The route is known afterwards.
func (s *Service) serveWeb(w http.ResponseWriter, r *http.Request) {
	o := observed(r)
	status := &statusWriter{ResponseWriter: w}
	s.web.ServeHTTP(status, r)
	o.status = status.status
	if _, path, ok := strings.Cut(r.Pattern, " "); ok {
		o.route = path
	}
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader remembers the first status.
func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write answers 200 if nothing else was said.
func (w *statusWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// serveMetrics answers GET metrics without a key, like the probes: there is nothing in it
// but counts by pattern.
func (s *Service) serveMetrics(w http.ResponseWriter, r *http.Request) {
	o := observed(r)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		status, body := s.problem(r, o.id, notAllowed([]string{http.MethodGet, http.MethodHead}))
		o.status = status
		s.write(w, r, status, body)
		return
	}
	var text bytes.Buffer
	if err := s.metrics.write(&text); err != nil {
		status, body := s.problem(r, o.id, err)
		o.status = status
		s.write(w, r, status, body)
		return
	}
	o.status = http.StatusOK
	s.send(w, r, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", text.Bytes())
}

// readyTime is how long the database may take to answer before the service is not ready.
const readyTime = 2 * time.Second

// ready answers GET readyz: 200 when the database answers, 503 when it does not.
func (s *Service) ready(r *http.Request) (int, any, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return 0, nil, notAllowed([]string{http.MethodGet, http.MethodHead})
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTime)
	defer cancel()
	if err := s.store.Ready(ctx); err != nil {
		s.o.Logger.Error("not ready", "error", err)
		return 0, nil, refuse(http.StatusServiceUnavailable, "the database does not answer")
	}
	return http.StatusOK, map[string]string{"status": "ready"}, nil
}

// observeAndShow prepares the metrics and the web application.
func (s *Service) observeAndShow() (err error) {
	s.metrics = newMetrics(s.o.Version, runtime.Version())
	s.web, err = web.New(web.Options{
		Store: s.store, Enter: s.identify, Usage: s.webUsage, Now: s.o.Now, Logger: s.o.Logger, HideCredits: s.o.HideCredits,
	})
	return err
}
