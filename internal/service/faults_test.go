package service_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
)

const usersPath, historyPath = "/api/v0/organization/users", "/api/v0/organization/enterprise-controls/history"

// faulty is a service with fault rules.
type faulty struct {
	*servicetest.Server
	t *testing.T
}

func startFaulty(t *testing.T, rules ...string) faulty {
	t.Helper()
	parsed, err := service.ParseFaultRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	return faulty{servicetest.Start(t, func(o *service.Options) { o.Fault = parsed.Fault }), t}
}

// ask sends one request on a connection of its own and reads what comes.
func (s faulty) ask(method, path, body string) (*http.Response, string, error) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.BaseURL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.Keys.Owner)
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		return nil, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp, string(text), err
}

func (s faulty) put(body string) (*http.Response, string, error) {
	return s.ask(http.MethodPut, limitsPath, body)
}

// limits tells how many limits are stored.
func (s faulty) limits() int {
	s.t.Helper()
	rows, err := s.Service.Store().Limits(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return len(rows)
}

const setAda = `{"users":[{"email":"ada@acme.example","limit":5}]}`

func TestFaultStatus(t *testing.T) {
	t.Parallel()
	s := startFaulty(t, "PUT "+limitsPath+" status=429 retry-after=1500ms nth=2")
	for n, want := range []int{200, 429, 200} {
		resp, text, err := s.put(setAda)
		if err != nil || resp.StatusCode != want {
			t.Fatalf("request %d: %v, %v %s", n+1, err, resp, text)
		}
		if after := resp.Header.Get("Retry-After"); want == 429 && (after != "2" || !strings.Contains(text, `"status":429`)) {
			t.Errorf("Retry-After %q, body %s", after, text)
		}
	}
}

func TestFaultDropAndReset(t *testing.T) {
	t.Parallel()
	for rule, stored := range map[string]int{"drop=before": 0, "drop=after": 1, "reset=before": 0, "reset=after": 1, "reset": 1} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := startFaulty(t, "PUT /api/v0/** "+rule)
			_, _, err := s.put(setAda)
			if err == nil || s.limits() != stored {
				t.Errorf("%v, %d limits stored", err, s.limits())
			}
			if reset := errors.Is(err, syscall.ECONNRESET); reset != strings.HasPrefix(rule, "reset") {
				t.Errorf("%v: is a reset: %v", err, reset)
			}
			if resp, _, err := s.ask(http.MethodGet, usersPath, ""); err != nil || resp.StatusCode != http.StatusOK {
				t.Errorf("another request: %v", err)
			}
		})
	}
}

func TestFaultDelayAndSlow(t *testing.T) {
	t.Parallel()
	s := startFaulty(t, "GET /api/v0/organization/* delay=60ms", "GET "+usersPath+" slow=4KB/s")
	plain := startFaulty(t)
	for path, least := range map[string]time.Duration{
		usersPath + "?limit=10": 150 * time.Millisecond, // 60 and some 600 bytes, compressed, at 4 KB/s
		"/api/v0/sessions":      0,
	} {
		began := time.Now()
		_, text, err := s.ask(http.MethodGet, path, "")
		took := time.Since(began)
		if _, want, _ := plain.ask(http.MethodGet, path, ""); err != nil || text != want {
			t.Errorf("%s: %v, %d bytes, want %d", path, err, len(text), len(want))
		}
		if took < least {
			t.Errorf("%s took %s only, for %d bytes", path, took, len(text))
		}
	}
}

func TestFaultTruncate(t *testing.T) {
	t.Parallel()
	s := startFaulty(t, "GET "+usersPath+" truncate=0.5", "PUT "+limitsPath+" truncate=0.9")
	resp, text, err := s.ask(http.MethodGet, usersPath, "")
	if !errors.Is(err, io.ErrUnexpectedEOF) || resp.StatusCode != http.StatusOK || len(text) == 0 {
		t.Errorf("%v after %d bytes", err, len(text))
	}
	if _, _, err := s.put(setAda); !errors.Is(err, io.ErrUnexpectedEOF) || s.limits() != 1 {
		t.Errorf("%v, %d limits stored", err, s.limits())
	}
}

func TestFaultRefuse(t *testing.T) {
	t.Parallel()
	s := startFaulty(t, `PUT /api/v0/** refuse=ADA@acme.example:"no seat left" refuse=nobody@acme.example:x`)
	_, text, err := s.put(`{"users":[{"email":"grace@acme.example","limit":1},{"email":"ada@acme.example","limit":5},{"email":"linus@acme.example","limit":2}]}`)
	const want = `{"updated":[{"email":"grace@acme.example","limit":1},{"email":"linus@acme.example","limit":2}],"errors":[{"email":"ada@acme.example","error":"no seat left"}]}`
	if err != nil || strings.TrimSpace(text) != want || s.limits() != 2 {
		t.Errorf("%v %s\n%d limits stored", err, text, s.limits())
	}
}

// paged is a page of any list.
type paged struct {
	Users, Changes, Reports []json.RawMessage
	Pagination              struct {
		HasMore    bool
		NextCursor *string
	}
}

func (s faulty) page(path string) (p paged) {
	s.t.Helper()
	resp, text, err := s.ask(http.MethodGet, path, "")
	if err != nil || resp.StatusCode != http.StatusOK || json.Unmarshal([]byte(text), &p) != nil {
		s.t.Fatalf("%s: %v %s", path, err, text)
	}
	return p
}

func TestFaultPages(t *testing.T) {
	t.Parallel()
	t.Run("cycle", func(t *testing.T) {
		t.Parallel()
		s := startFaulty(t, "GET /api/** pages=cycle")
		first := s.page(historyPath + "?limit=3")
		second := s.page(historyPath + "?limit=3&cursor=" + *first.Pagination.NextCursor)
		if string(first.Changes[0]) != string(second.Changes[0]) || *first.Pagination.NextCursor != *second.Pagination.NextCursor || !second.Pagination.HasMore {
			t.Errorf("%+v, then %+v", first.Pagination, second.Pagination)
		}
	})
	t.Run("missing cursor", func(t *testing.T) {
		t.Parallel()
		s := startFaulty(t, "GET "+usersPath+" pages=missing-cursor")
		if p := s.page(usersPath + "?limit=100").Pagination; !p.HasMore || p.NextCursor != nil {
			t.Errorf("%+v", p)
		}
		if p := s.page(historyPath + "?limit=1").Pagination; p.NextCursor == nil {
			t.Error("another list lost its cursor")
		}
	})
	t.Run("short", func(t *testing.T) {
		t.Parallel()
		s := startFaulty(t, "GET "+usersPath+" pages=short")
		n, cursor := 0, ""
		for {
			p := s.page(usersPath + "?limit=100&cursor=" + cursor)
			if n += len(p.Users); len(p.Users) > 50 {
				t.Fatalf("a page of %d", len(p.Users))
			}
			if cursor = *p.Pagination.NextCursor; cursor == "" {
				break
			}
		}
		if n != 250 {
			t.Errorf("%d users; a short page must lose nobody", n)
		}
	})
}
