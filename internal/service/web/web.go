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

func (w *Web) route() {
	w.mux.HandleFunc("GET /{$}", func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, pathKeys, http.StatusSeeOther)
	})
	w.mux.HandleFunc("GET "+pathAssets+"{name}", w.asset)
	w.mux.HandleFunc("GET "+pathLogin, w.showLogin)
	w.mux.HandleFunc("POST "+pathLogin, w.logIn)
	w.mux.HandleFunc("POST "+pathLogout, w.inside(w.logOut))
	w.mux.HandleFunc("GET "+pathKeys, w.inside(w.showKeys))
	w.mux.HandleFunc("POST "+pathKeys, w.inside(w.createKey))
	w.mux.HandleFunc("POST "+pathKeys+"/{prefix}/revoke", w.inside(w.revokeKey))
	w.mux.HandleFunc("GET "+pathHistory, w.inside(w.showHistory))
	w.mux.HandleFunc("GET "+pathHistory+"/{revision}", w.inside(w.showRevision))
	w.mux.HandleFunc("GET "+pathReadiness, w.inside(w.showReadiness))
	if w.o.Usage != nil {
		w.mux.HandleFunc("GET "+pathUsage, w.inside(w.showUsage))
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
