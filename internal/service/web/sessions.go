package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"sync"
	"time"
)

const (
	idleTime    = time.Hour      // without a page, a session ends
	wholeTime   = 12 * time.Hour // a session ends in any case
	maxSessions = 10_000         // the one that was used longest ago makes room
)

// session is one browser that is logged in.
type session struct {
	pass   Pass
	csrf   string
	opened time.Time

	mu    sync.Mutex
	seen  time.Time
	flash *flash
}

// flash is what the next page says, once.
type flash struct {
	Kind string // ok, error, key
	Text string
	Key  string // the text of a new API key
}

// sessions are kept in memory: a restart logs everybody out. The key of the map is the
// hash of a session id; the id itself is only in the cookie.
type sessions struct {
	mu   sync.Mutex
	open map[[32]byte]*session
}

// begin opens a session and returns its id.
func (s *sessions) begin(p Pass, now time.Time) string {
	id := random()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.makeRoom(now)
	s.open[sha256.Sum256([]byte(id))] = &session{pass: p, csrf: random(), opened: now, seen: now}
	return id
}

// makeRoom forgets sessions that are over, and the oldest one when there are too many.
func (s *sessions) makeRoom(now time.Time) {
	var oldest [32]byte
	var at time.Time
	for k, one := range s.open {
		seen, over := one.state(now)
		if over {
			delete(s.open, k)
		} else if at.IsZero() || seen.Before(at) {
			oldest, at = k, seen
		}
	}
	if len(s.open) >= maxSessions {
		delete(s.open, oldest)
	}
}

func (s *session) state(now time.Time) (seen time.Time, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen, now.Sub(s.seen) > idleTime || now.Sub(s.opened) > wholeTime
}

// find returns the session of an id, ErrRefused if there is none.
func (s *sessions) find(id string, now time.Time) (*session, error) {
	key := sha256.Sum256([]byte(id))
	s.mu.Lock()
	defer s.mu.Unlock()
	one, ok := s.open[key]
	if !ok {
		return nil, ErrRefused
	}
	if _, over := one.state(now); over {
		delete(s.open, key)
		return nil, ErrRefused
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	one.seen = now
	return one, nil
}

func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, sha256.Sum256([]byte(id)))
}

// say leaves a flash for the next page.
func (s *session) say(f flash) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flash = &f
}

// said takes the flash, nil if there is none.
func (s *session) said() *flash {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.flash
	s.flash = nil
	return f
}

// random is a text nobody can guess: 256 bits.
func random() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails: crypto/rand stops the process instead
	return base64.RawURLEncoding.EncodeToString(b)
}

// cookieName is the name of the session cookie. Browsers take a __Host- cookie only
// over TLS, for this host alone and for all its paths.
func cookieName(r *http.Request) string {
	if r.TLS != nil {
		return "__Host-govctl"
	}
	return "govctl"
}

func sessionID(r *http.Request) string {
	c, err := r.Cookie(cookieName(r))
	if err != nil {
		return ""
	}
	return c.Value
}

func (w *Web) setCookie(rw http.ResponseWriter, r *http.Request, id string) {
	http.SetCookie(rw, cookie(r, id, 0))
}

func (w *Web) dropCookie(rw http.ResponseWriter, r *http.Request) {
	if _, err := r.Cookie(cookieName(r)); err == nil {
		http.SetCookie(rw, cookie(r, "", -1))
	}
}

func cookie(r *http.Request, value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: cookieName(r), Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: r.TLS != nil, SameSite: http.SameSiteStrictMode,
	}
}
