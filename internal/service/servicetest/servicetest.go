// Package servicetest checks over raw HTTP that a service keeps the contract.
//
// The tests speak net/http and encoding/json only, never govctl's client, so that the two
// cannot agree on the same mistake. Each test names the statements (C) and decisions (U)
// of the contract it holds. Start runs a service with the sample organization for any
// other test that wants a real one.
package servicetest

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/sample"
	"github.com/govctl/govctl/internal/service/store"
)

// Keys are API keys of the four roles, and one that was revoked.
type Keys struct {
	Owner   string
	Manager string
	Member  string
	Guest   string
	Revoked string
}

// Target is a running service to be tested.
type Target struct {
	BaseURL        string // without a slash at the end
	AppURL         string // of readiness (C1); "" is BaseURL
	Keys           Keys   // "" skips what needs the role
	OrganizationID string // "" skips the comparison
	Now            func() time.Time
	Advance        func(time.Duration) // moves the clock of the service; nil skips what needs it
	ReadOnly       bool                // send no request that could change anything
	Complete       bool                // has everything the tests need: nothing may be skipped
}

// Server is a service on loopback with the sample organization. Owner is usr_001 (ada),
// Manager usr_002 (grace), Member usr_003 (linus), Guest usr_010.
type Server struct {
	Target
	Service *service.Service
	Clock   *Clock
}

// StartTime is what the clock of a started service shows at first.
func StartTime() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// Clock stands still until it is moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the time it shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves it forward.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Start runs a service with a fresh database, the sample organization and the keys until
// the test ends. Each opt may change the options before the service is opened.
func Start(t testing.TB, opts ...func(*service.Options)) *Server {
	t.Helper()
	clock := &Clock{now: StartTime()}
	o := service.Options{Database: pgtest.Database(t), Now: clock.Now}
	for _, opt := range opts {
		opt(&o)
	}
	s, err := service.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := sample.Load(t.Context(), s.Store()); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewUnstartedServer(s)
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	web.Start()
	t.Cleanup(func() {
		web.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &Server{
		Target: Target{
			BaseURL: web.URL, Keys: makeKeys(t, s.Store(), o.Now()), OrganizationID: sample.OrganizationID,
			Now: o.Now, Advance: clock.Advance, Complete: true,
		},
		Service: s, Clock: clock,
	}
}

func makeKeys(t testing.TB, s *store.Store, now time.Time) Keys {
	t.Helper()
	made := func(user string) (text, prefix string) {
		text, k, err := s.CreateKey(t.Context(), store.NewKey{Name: "test", UserID: user}, now)
		if err != nil {
			t.Fatal(err)
		}
		return text, k.Prefix
	}
	var k Keys
	k.Owner, _ = made("usr_001")
	k.Manager, _ = made("usr_002")
	k.Member, _ = made("usr_003")
	k.Guest, _ = made("usr_010")
	revoked, prefix := made("usr_001")
	if err := s.RevokeKey(t.Context(), prefix, now); err != nil {
		t.Fatal(err)
	}
	k.Revoked = revoked
	return k
}

// lacks ends a test that the target has not enough for: a skip for a foreign service, a
// failure for our own, which would hide that the sample lost something.
func (s *suite) lacks(t *testing.T, what string) {
	t.Helper()
	if s.Complete {
		t.Fatal("cannot be tested: " + what)
	}
	t.Skip(what)
}

// Conform runs every test against a target.
func Conform(t *testing.T, target Target) {
	s := &suite{Target: target, http: &http.Client{
		Transport:     Validate(t, &http.Transport{DisableCompression: true}),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	t.Cleanup(s.http.CloseIdleConnections)
	t.Run("keys", s.testKeys)
	t.Run("roles", s.testRoles)
	t.Run("routes", s.testRoutes)
	t.Run("transport", s.testTransport)
	t.Run("pages", s.testPages)
	t.Run("users", s.testUsers)
	t.Run("settings", s.testSettings)
	t.Run("analytics", s.testAnalytics)
	t.Run("sessions", s.testSessions)
	t.Run("C129-C137 session", s.testSessionShape)
	t.Run("messages", s.testMessages)
	t.Run("readiness", s.testReadiness)
	if target.ReadOnly {
		return
	}
	t.Run("bodies", s.testBodies)
	t.Run("limits", s.testLimits)
	t.Run("computers", s.testComputers)
	t.Run("C176-C186 computer", s.testComputerShape)
	t.Run("session settings", s.testSessionSettings)
	t.Run("C4 telemetry", s.testTelemetry)
}
