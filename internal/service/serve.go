package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"

	"github.com/govctl/govctl/internal/service/store"
)

// call is one request that has passed the door: authenticated, routed, allowed and read.
type call struct {
	ctx   context.Context
	who   store.Principal
	path  map[string]string // values of the path parameters
	query url.Values
	body  object // nil where the endpoint takes none

	request *http.Request // for endpoints that read the body themselves
}

// serveAPI answers one request of the API.
func (s *Service) serveAPI(w http.ResponseWriter, r *http.Request) {
	w, r, f := s.fault(w, r)
	o := observed(r)
	status, body, err := s.recovered(w, r, f)
	if err != nil {
		status, body = s.problem(r, o.id, err)
	}
	body = asOTLP(r, body)
	if f.DropAfter {
		f.hangUp(w)
	}
	o.status = status
	s.write(w, r, status, body)
}

// recovered turns a panic into an error, so that a broken invariant costs one answer.
func (s *Service) recovered(w http.ResponseWriter, r *http.Request, f Fault) (status int, body any, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.o.Logger.Error("panic", "value", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if f.Status != 0 {
		return 0, nil, f.told()
	}
	return s.answer(w, r)
}

// answer checks in the order of the contract (U71): 401, 404 for the route, 403, 405,
// 415, 413, 400; the handlers go on with 404 for the object and 409.
func (s *Service) answer(w http.ResponseWriter, r *http.Request) (int, any, error) {
	switch r.URL.Path {
	case "/healthz", "/readyz", "/openapi.json":
		observed(r).route = r.URL.Path
	}
	if r.URL.Path == "/healthz" {
		return s.health(r)
	}
	if r.URL.Path == "/readyz" {
		return s.ready(r)
	}
	if r.URL.Path == "/openapi.json" {
		return describe(r)
	}
	who, err := s.authenticate(r)
	if err != nil {
		return 0, nil, err
	}
	if err := s.admit(who); err != nil {
		return 0, nil, err
	}
	found := match(r.URL.EscapedPath())
	if len(found) == 0 {
		return 0, nil, refuse(http.StatusNotFound, "there is no such endpoint")
	}
	observed(r).route = found[0].path
	to, err := found.choose(r.Method, who.Role)
	if err != nil {
		return 0, nil, err
	}
	observed(r).route = to.path
	c := &call{ctx: r.Context(), who: who, path: to.values, request: r}
	if to.body {
		if c.body, err = readBody(w, r); err != nil {
			return 0, nil, err
		}
	}
	if c.query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		return 0, nil, refuse(http.StatusBadRequest, "the query is malformed")
	}
	body, err := to.handle(s, c)
	return to.status, body, err
}

func (s *Service) health(r *http.Request) (int, any, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return 0, nil, notAllowed([]string{http.MethodGet, http.MethodHead})
	}
	if err := s.store.Ping(r.Context()); err != nil {
		return 0, nil, err
	}
	return http.StatusOK, map[string]string{"status": "ok"}, nil
}

// admit takes one request from the allowance of a key.
func (s *Service) admit(who store.Principal) error {
	if s.o.RatePerMinute <= 0 {
		return nil
	}
	now := s.o.Now()
	took := s.limiter(who.Key).ReserveN(now, 1)
	wait := took.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	took.CancelAt(now)
	seconds := int(wait.Seconds()) + 1
	return &problem{
		status: http.StatusTooManyRequests,
		detail: fmt.Sprintf("more than %d requests per minute; try again in %d s", s.o.RatePerMinute, seconds),
		header: http.Header{"Retry-After": {strconv.Itoa(seconds)}},
	}
}

// orMissing turns what the store says about one object into an answer.
func orMissing(err error, noun string) error {
	if errors.Is(err, store.ErrNotFound) {
		return refuse(http.StatusNotFound, "there is no such %s", noun)
	}
	return err
}

// problem makes the answer to an error. What is not meant for the client is logged and
// stays inside.
func (s *Service) problem(r *http.Request, id string, err error) (int, any) {
	var p *problem
	if errors.Is(err, store.ErrText) {
		p = &problem{status: http.StatusBadRequest, detail: store.ErrText.Error()}
	} else if !errors.As(err, &p) {
		if r.Context().Err() == nil {
			s.o.Logger.LogAttrs(r.Context(), slog.LevelError, "request failed", slog.String("id", id), slog.Any("error", err))
		}
		p = &problem{status: http.StatusInternalServerError, detail: "internal error; the log of the service names this request"}
	}
	return p.status, p.answer(id)
}
