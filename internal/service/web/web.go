// Package web serves the pages on which people make API keys and look at their organization.
//
// Every page is made on the server and works without JavaScript; there is none, so that
// the content security policy can forbid it. One style sheet serves phone and desktop,
// light and dark. Who logs in with an API key gets a session cookie; the key is not kept,
// and its holder is looked up again for every page, so that revoking a key also ends the
// sessions it opened. Forms are protected twice: by the token of the session they carry,
// and by what the browser says about where the request comes from. Foreign text is
// escaped by html/template and freed of characters that steer instead of being read;
// settings are shown with their secrets redacted.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// ErrRefused is what Options.Enter and Pass.Again return for a key that opens nothing.
var ErrRefused = errors.New("refused")

// Pass is what a key opens.
type Pass struct {
	Principal store.Principal
	// Again looks the holder up without the key: with the role of now, or ErrRefused.
	Again func(context.Context) (store.Principal, error)
}

// Options say what the pages are made from. All but Usage are required.
type Options struct {
	Store  *store.Store
	Enter  func(ctx context.Context, key string) (Pass, error)
	Usage  func(ctx context.Context, first, last time.Time) ([]Day, error) // nil: no usage page
	Now    func() time.Time
	Logger *slog.Logger

	HideCredits bool // the usage page shows no credits
}

// Day is what happened on one UTC day.
type Day struct {
	Date        time.Time
	Credits     float64 // standard credits
	ActiveUsers int64
	WeeklyUsers int64 // of the seven days that end with it
	Sessions    int64
	Messages    int64
}

// Web is the application. It is safe for concurrent use.
type Web struct {
	o        Options
	pages    pages
	mux      *http.ServeMux
	origin   *http.CrossOriginProtection
	sessions sessions
}

// New makes the application.
func New(o Options) (*Web, error) {
	p, err := parsePages()
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	w := &Web{o: o, pages: p, mux: http.NewServeMux(), origin: http.NewCrossOriginProtection()}
	w.sessions.open = map[[32]byte]*session{}
	w.route()
	return w, nil
}

// The addresses of the pages.
const (
	pathLogin     = "/login"
	pathLogout    = "/logout"
	pathKeys      = "/settings/api-keys"
	pathHistory   = "/settings/history"
	pathReadiness = "/readiness"
	pathUsage     = "/usage"
	pathAssets    = "/assets/"
)

// route is a page or a form by its pattern, as http.ServeMux has it.
type route struct {
	pattern string
	handle  http.HandlerFunc
}

func (w *Web) routes() []route {
	all := []route{
		{"GET /{$}", func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, pathKeys, http.StatusSeeOther) }},
		{"GET " + pathAssets + "{name}", w.asset},
		{"GET " + pathLogin, w.showLogin},
		{"POST " + pathLogin, w.logIn},
		{"POST " + pathLogout, w.inside(w.logOut)},
		{"GET " + pathKeys, w.inside(w.showKeys)},
		{"POST " + pathKeys, w.inside(w.createKey)},
		{"POST " + pathKeys + "/{prefix}/revoke", w.inside(w.revokeKey)},
		{"GET " + pathHistory, w.inside(w.showHistory)},
		{"GET " + pathHistory + "/{revision}", w.inside(w.showRevision)},
		{"GET " + pathReadiness, w.inside(w.showReadiness)},
	}
	if w.o.Usage != nil {
		all = append(all, route{"GET " + pathUsage, w.inside(w.showUsage)})
	}
	return all
}

// Patterns returns what the application answers, each as a method and a path.
func (w *Web) Patterns() []string {
	var all []string
	for _, r := range w.routes() {
		all = append(all, strings.TrimSuffix(r.pattern, "{$}"))
	}
	return all
}

func (w *Web) route() {
	for _, r := range w.routes() {
		w.mux.HandleFunc(r.pattern, r.handle)
	}
	w.mux.HandleFunc("/", w.inside(func(*visit) error {
		return &trouble{http.StatusNotFound, "There is no such page."}
	}))
}

// Owns reports whether a request is for the application and not for the API. The root
// belongs to the API, except for a person who typed the address into a browser.
func (w *Web) Owns(r *http.Request) bool {
	if r.URL.Path == "/" {
		return r.Method == http.MethodGet && r.Header.Get("Authorization") == "" && strings.Contains(r.Header.Get("Accept"), "text/html")
	}
	return owned(r.URL.Path)
}

// owned reports whether the application has pages below a path.
func owned(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "login", "logout", "settings", "readiness", "usage", "assets":
		return true
	}
	return false
}

// ServeHTTP answers one request. Afterwards r.Pattern names the route.
func (w *Web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	secure(rw.Header(), r)
	if err := w.origin.Check(r); err != nil {
		w.refuse(rw, r, nil, &trouble{http.StatusForbidden, "This form was sent from another site."})
		return
	}
	r.Body = http.MaxBytesReader(rw, r.Body, maxForm)
	w.mux.ServeHTTP(rw, r)
}

// maxForm is the size of a request; the largest form has a key and a name.
const maxForm = 16 << 10

// secure says what a browser may do with the pages: nothing but show them and send
// their forms back.
func secure(h http.Header, r *http.Request) {
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self'; "+
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
	if r.TLS != nil {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}
