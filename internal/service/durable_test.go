package service_test

import (
	"bufio"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/sample"
	"github.com/govctl/govctl/internal/service/servicetest"
)

func openSample(t testing.TB, path string) *service.Service {
	t.Helper()
	s, err := service.Open(t.Context(), service.Options{Database: path, OwnerKey: "sesame", Now: servicetest.StartTime})
	if err != nil {
		t.Fatal(err)
	}
	if err := sample.Load(t.Context(), s.Store()); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRestartKeepsEveryAnswer holds I17.
func TestRestartKeepsEveryAnswer(t *testing.T) {
	t.Parallel()
	path := pgtest.Database(t)
	s := openSample(t, path)
	for path, body := range map[string]string{
		"PUT " + limitsPath:                             `{"users":[{"email":"ada@acme.example","limit":5}]}`,
		"POST /api/v0/computers":                        `{"name":"new","repos":["https://git.example.com/a"]}`,
		"POST /api/v0/computers/cmp_12/install-deps":    ``,
		"PATCH /api/v0/computers/cmp_01":                `{"remoteUser":"ci"}`,
		"PATCH /api/v0/sessions/ses_001":                `{"sessionSettings":{"model":"model-b","tags":[]}}`,
		"PATCH /api/v0/sessions/ses_002":                `{"sessionSettings":{"model":null}}`,
		"POST /api/v0/computers/name/install-deps?x=%2": ``,
	} {
		method, path, _ := strings.Cut(path, " ")
		request(t, s, "sesame", method, path, body)
	}
	answers := func(s *service.Service) []string {
		paths := []string{"/api/v0/organization/users?limit=100", "/api/v0/organization/enterprise-controls/history?limit=100", "/api/v0/sessions?limit=100",
			"/api/v0/sessions/ses_001/messages?limit=100", "/api/organization/maturity-level-reports",
			"/api/v0/computers/name/new", "/api/v1/analytics/activity?startDate=2026-01-14&endDate=2026-11-19"}
		for n := range 13 {
			paths = append(paths, fmt.Sprintf("/api/v0/computers/cmp_%02d", n+1))
		}
		var all []string
		for _, path := range paths {
			w := request(t, s, "sesame", "GET", path, "")
			if w.Code != 200 {
				t.Errorf("%s: %d", path, w.Code)
			}
			all = append(all, w.Body.String())
		}
		limits, err := s.Store().Limits(t.Context())
		return append(all, fmt.Sprint(limits, err))
	}
	before := answers(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openSample(t, path)
	defer s.Close()
	if diff := cmp.Diff(before, answers(s)); diff != "" {
		t.Error(diff)
	}
}

// crashEnv names the database of the child process of TestKilledProcessLosesNothing.
const crashEnv = "GOVCTL_TEST_CRASH_DATABASE"

// TestKilledProcessLosesNothing kills a process that reports each acknowledged limit and
// looks for the last reported one.
func TestKilledProcessLosesNothing(t *testing.T) {
	if path := os.Getenv(crashEnv); path != "" {
		acknowledge(t, path)
		return
	}
	t.Parallel()
	path := pgtest.Database(t)
	child := exec.Command(os.Args[0], "-test.run=^TestKilledProcessLosesNothing$")
	child.Env = append(os.Environ(), crashEnv+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var last int64
	for lines := bufio.NewScanner(out); last < 200 && lines.Scan(); {
		if last, err = strconv.ParseInt(lines.Text(), 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // killed
	s := openSample(t, path)
	defer s.Close()
	limits, err := s.Store().Limits(t.Context())
	if err != nil || len(limits) != 1 || limits[0].Value < last || last < 200 {
		t.Errorf("reported %d, stored %+v, %v", last, limits, err)
	}
}

func acknowledge(t *testing.T, path string) {
	s := openSample(t, path)
	for n := 1; ; n++ {
		w := request(t, s, "sesame", "PUT", limitsPath, fmt.Sprintf(`{"users":[{"email":"ada@acme.example","limit":%d}]}`, n))
		if w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if _, err := fmt.Println(n); err != nil {
			return // nobody listens any more
		}
	}
}

// TestParallelRequests is meant for the race detector: readers and writers at once, and
// no write is lost.
func TestParallelRequests(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	var done sync.WaitGroup
	for worker := range 8 {
		done.Go(func() {
			for n := range 10 {
				name := fmt.Sprintf("box-%d-%d", worker, n)
				for path, want := range map[string]int{
					"POST /api/v0/computers":         http.StatusCreated,
					"PUT " + limitsPath:              http.StatusOK,
					"PATCH /api/v0/sessions/ses_001": http.StatusOK,
					"GET /api/v0/sessions":           http.StatusOK,
					"GET /api/v0/organization/users": http.StatusOK,
				} {
					method, path, _ := strings.Cut(path, " ")
					body := fmt.Sprintf(`{"name":%q,"sessionSettings":{"model":%q},"users":[{"email":"ada@acme.example","limit":%d}]}`, name, name, n)
					if w := request(t, s.Service, s.Keys.Owner, method, path, body); w.Code != want {
						t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
					}
				}
				if w := request(t, s.Service, s.Keys.Guest, "GET", "/api/v0/computers/name/"+name, ""); w.Code != 200 {
					t.Errorf("%s: %d", name, w.Code)
				}
			}
		})
	}
	done.Wait()
	if c, err := s.Service.Store().Computer(t.Context(), "cmp_92"); err != nil {
		t.Errorf("80 computers were created behind the 12: %+v, %v", c, err)
	}
	if _, err := s.Service.Store().User(t.Context(), "usr_251"); err == nil {
		t.Error("a member from nowhere")
	}
}
