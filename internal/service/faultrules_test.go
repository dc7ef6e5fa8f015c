package service_test

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service"
)

// TestFaultRulesParse has each effect once.
func TestFaultRulesParse(t *testing.T) {
	t.Parallel()
	rules := []string{
		"* /api/v0/** delay=200ms",
		`PUT ` + limitsPath + ` status=503 retry-after=5s drop=after refuse=ada@acme.example:"no seat: ask IT"`,
		"GET /api/v0/computers/cmp_01 reset=before truncate=0.5 slow=1KB/s",
		"PUT " + limitsPath + " delay=1s status=500 reset",
	}
	parsed, err := service.ParseFaultRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		method, path string
		want         service.Fault
	}{
		{"GET", "/api/v1/analytics/activity", service.Fault{}},
		{"GET", "/api/v0/sessions", service.Fault{Name: rules[0], Delay: 200 * time.Millisecond}},
		{"GET", "/api/v0/computers/cmp_01", service.Fault{
			Name: rules[0] + "; " + rules[2], Delay: 200 * time.Millisecond, DropBefore: true, Reset: true, Truncate: 0.5, Slow: 1000,
		}},
		{"PUT", limitsPath, service.Fault{
			Name: rules[0] + "; " + rules[1] + "; " + rules[3], Delay: 1200 * time.Millisecond, Status: 503, RetryAfter: 5 * time.Second, DropAfter: true,
			Refuse: []service.RefusedUser{{Email: "ada@acme.example", Reason: "no seat: ask IT"}},
		}},
	} {
		got := parsed.Fault(httptest.NewRequest(tc.method, tc.path, nil))
		if !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s %s:\n got %+v\nwant %+v", tc.method, tc.path, got, tc.want)
		}
	}
}

// TestFaultRulesWhen: the same requests meet the same faults again.
func TestFaultRulesWhen(t *testing.T) {
	t.Parallel()
	struck := func(when string) string {
		parsed, err := service.ParseFaultRules([]string{"GET /api/v0/sessions status=503 " + when})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for range 20 {
			parsed.Fault(httptest.NewRequest(http.MethodGet, "/api/v0/organization/users", nil)) // is not counted
			b.WriteByte(".x"[min(parsed.Fault(httptest.NewRequest(http.MethodGet, "/api/v0/sessions", nil)).Status, 1)])
		}
		return b.String()
	}
	for when, want := range map[string]string{
		"": strings.Repeat("x", 20), "nth=3": "..x" + strings.Repeat(".", 17), "every=4": strings.Repeat("...x", 5),
		"p=0.3 seed=7": struck("seed=7 p=0.3"), "p=0.999999": strings.Repeat("x", 20),
	} {
		if got := struck(when); got != want {
			t.Errorf("%q: %s, want %s", when, got, want)
		}
	}
	if a, b := struck("p=0.5 seed=1"), struck("p=0.5 seed=2"); a == b || strings.Count(a, "x") < 4 || strings.Count(a, "x") > 16 {
		t.Errorf("seed 1 %s, seed 2 %s", a, b)
	}
}

// TestFaultRulesRefused: every mistake is named, all at once.
func TestFaultRulesRefused(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"":                                             "write METHOD PATH EFFECT",
		"GET /api/v0/sessions":                         "write METHOD PATH EFFECT",
		"GET /api/v0/sessions nth=1":                   "it has no effect",
		"GET /api/v0/sessions p=0.5 seed=1":            "it has no effect",
		"GET /api/v0/sessions status=200":              "a number from 300 to 599",
		"GET /api/v0/sessions status=x":                "a number from 300 to 599",
		"GET /api/v0/sessions delay=5":                 "a duration such as",
		"GET /api/v0/sessions drop":                    "before or after",
		"GET /api/v0/sessions truncate=50%":            "between 0 and 1",
		"GET /api/v0/sessions truncate=1":              "between 0 and 1",
		"GET /api/v0/sessions p=NaN status=500":        "between 0 and 1",
		"GET /api/v0/sessions slow=fast":               "a speed such as",
		"GET /api/v0/sessions slow=0":                  "a speed such as",
		"GET /api/v0/sessions pages=none":              "cycle, short or missing-cursor",
		"GET /api/v0/computers/x pages=short":          "pages works on lists only",
		"GET /api/v0/sessions refuse=a@b.c:x":          "refuse works on PUT",
		"PUT " + limitsPath + " refuse=ada":            "an address and a reason",
		"PUT " + limitsPath + ` refuse=a@b.c:""`:       "an address and a reason",
		"PUT " + limitsPath + ` refuse=a@b.c:"x`:       "a quote is not closed",
		"GET /api/v0/sessions statsu=503":              "no such effect; there are",
		"GET /api/v0/sessions status=503 nth=0":        "a number from 1",
		"GET /api/v0/sessions status=500 nth=1 p=0.5":  "exclude each other",
		"GET /api/v0/sessions status=500 seed=1":       "seed needs p",
		"GET /api/v0/sessions delay=1s retry-after=1s": "retry-after needs status",
		"GET /api/v0/sessions drop=after reset":        "drop and reset exclude each other",
		"GET /api/v0/sessions delay=1s delay=2s":       "delay is given twice",
		"GET /api/v0/[ status=500":                     "no path pattern",
		"PUT /api/v0/* status=500":                     "no endpoint is PUT /api/v0/*; note that * stays within one segment",
		"get /api/v0/sessions status=500":              "no endpoint is get",
	} {
		if _, err := service.ParseFaultRules([]string{rule}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", rule, err, want)
		}
	}
	_, err := service.ParseFaultRules([]string{"GET /api/v0/sessions status=1 delay=x", "GET /api/v0/sessions delay=1s", "x"})
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("want three problems at once: %v", err)
	}
}

func FuzzFaultRules(f *testing.F) {
	f.Add(`PUT /api/v0/** refuse=a@b.c:"x y" status=503 p=0.2 seed=7`)
	f.Add("GET /{a,b}/** slow=1KB/s")
	f.Fuzz(func(t *testing.T, rule string) {
		parsed, err := service.ParseFaultRules([]string{rule})
		if err == nil {
			parsed.Fault(httptest.NewRequest(http.MethodGet, "/api/v0/sessions", nil))
		}
	})
}
