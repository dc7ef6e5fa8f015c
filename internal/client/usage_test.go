package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/api"
)

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		days Days
		most int
		want []Days
	}{
		{Days{From: "2028-02-28", To: "2028-03-01"}, 90, []Days{{From: "2028-02-28", To: "2028-03-01"}}},
		{Days{From: "2028-02-28", To: "2028-03-01"}, 1, []Days{{From: "2028-02-28", To: "2028-02-28"}, {From: "2028-02-29", To: "2028-02-29"}, {From: "2028-03-01", To: "2028-03-01"}}},
		{Days{From: "2026-12-30", To: "2027-01-02"}, 3, []Days{{From: "2026-12-30", To: "2027-01-01"}, {From: "2027-01-02", To: "2027-01-02"}}},
		{Days{From: "2026-12-30", To: "2026-12-29"}, 3, nil},
		{Days{}, 3, nil},
	} {
		if diff := cmp.Diff(c.want, c.days.Cut(c.most)); diff != "" {
			t.Errorf("%v by %d (-want +got):\n%s", c.days, c.most, diff)
		}
	}
}

// TestCutCovers: every day is in exactly one window, in order, and none is too long.
func TestCutCovers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first := time.Date(2026, 1, 14, 0, 0, 0, 0, time.UTC).AddDate(0, 0, rapid.IntRange(0, 1000).Draw(t, "from"))
		n, most := rapid.IntRange(1, 400).Draw(t, "days"), rapid.IntRange(1, 120).Draw(t, "most")
		d := Days{From: first.Format(api.DateLayout), To: first.AddDate(0, 0, n-1).Format(api.DateLayout)}
		var days []string
		for _, w := range d.Cut(most) {
			single := w.Cut(1)
			if len(single) > most {
				t.Fatalf("%v has %d days", w, len(single))
			}
			for _, s := range single {
				days = append(days, s.From)
			}
		}
		if len(days) != n || days[0] != d.From || days[n-1] != d.To {
			t.Fatalf("%v by %d: %v", d, most, days)
		}
		for i := 1; i < n; i++ {
			if before, _ := time.Parse(api.DateLayout, days[i-1]); before.AddDate(0, 0, 1).Format(api.DateLayout) != days[i] {
				t.Fatalf("%s follows %s", days[i], days[i-1])
			}
		}
	})
}

func TestClosedDays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		now  string
		n    int
		want Days
	}{
		{"2026-11-20T00:00:00Z", 30, Days{From: "2026-10-21", To: "2026-11-19"}},
		{"2026-11-19T23:59:59.999Z", 1, Days{From: "2026-11-18", To: "2026-11-18"}},
		{"2026-11-20T09:00:00+14:00", 1, Days{From: "2026-11-18", To: "2026-11-18"}},
		{"2026-01-16T00:00:00Z", 30, Days{From: "2026-01-14", To: "2026-01-15"}},
		{"2026-01-14T00:00:00Z", 30, Days{}},
		{"2026-11-20T00:00:00Z", 0, Days{}},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := ClosedDays(now, c.n); got != c.want {
			t.Errorf("%d days before %s: %v, want %v", c.n, c.now, got, c.want)
		}
	}
}

const usageMeta = `"meta":{"org_id":"o","start_date":"2026-11-01","end_date":"2026-11-02"}`

// TestUsageIsDistrusted: rows that cannot be right are an error of the whole answer.
func TestUsageIsDistrusted(t *testing.T) {
	t.Parallel()
	day := func(date string) string {
		return `{"date":"` + date + `","input_tokens":1,"output_tokens":2}`
	}
	group := func(date, key string) string {
		return `{"date":"` + date + `",` + key + `"input_tokens":1,"output_tokens":2}`
	}
	for name, c := range map[string]struct {
		groupBy, body, want string
	}{
		"in order":             {"", `{"data":[` + day("2026-11-02") + `,` + day("2026-11-01") + `],` + usageMeta + `}`, ""},
		"a day is missing":     {"", `{"data":[` + day("2026-11-02") + `],` + usageMeta + `}`, ""},
		"a day twice":          {"", `{"data":[` + day("2026-11-02") + `,` + day("2026-11-02") + `],` + usageMeta + `}`, "comes twice"},
		"another day":          {"", `{"data":[` + day("2026-11-03") + `],` + usageMeta + `}`, "not asked for"},
		"no day":               {"", `{"data":[` + day("tomorrow") + `],` + usageMeta + `}`, "not asked for"},
		"a day with a time":    {"", `{"data":[` + day("2026-11-01T00:00:00Z") + `],` + usageMeta + `}`, "not asked for"},
		"no meta":              {"", `{"data":[]}`, "$.meta: the key is missing"},
		"meta of no days":      {"", `{"data":[],"meta":{"org_id":"o","start_date":"","end_date":""}}`, "the answer is about"},
		"tokens null":          {"", `{"data":[{"date":"2026-11-01","input_tokens":null,"output_tokens":2}],` + usageMeta + `}`, "null instead of number"},
		"credits null":         {"", `{"data":[{"date":"2026-11-01","billable_tokens":null,"input_tokens":1,"output_tokens":2}],` + usageMeta + `}`, ""},
		"groups":               {"model", `{"data":[` + group("2026-11-01", `"group_key":"",`) + `,` + group("2026-11-01", `"group_key":"a",`) + `],` + usageMeta + `}`, ""},
		"a group twice":        {"model", `{"data":[` + group("2026-11-01", `"group_key":"a",`) + `,` + group("2026-11-01", `"group_key":"a",`) + `],` + usageMeta + `}`, "comes twice"},
		"a group without name": {"model", `{"data":[` + group("2026-11-01", ``) + `],` + usageMeta + `}`, "no group_key"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked string
			c0 := serve(t, func(w http.ResponseWriter, r *http.Request) {
				asked = r.URL.RawQuery
				fmt.Fprint(w, c.body)
			})
			_, err := c0.Tokens(t.Context(), UsageQuery{Days: Days{From: "2026-11-01", To: "2026-11-02"}, GroupBy: c.groupBy})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			want := "endDate=2026-11-02&startDate=2026-11-01"
			if c.groupBy != "" {
				want = "endDate=2026-11-02&group_by=model&startDate=2026-11-01"
			}
			if asked != want {
				t.Errorf("asked %s", asked)
			}
		})
	}
}

// userRow is a row of analytics /users.
func userRow(id, date string) string {
	return fmt.Sprintf(`{"user_id":%q,"user_email":null,"date":%q,"tool_calls":1,"primary_model":"m","primary_model_tier":"standard","files_created":0,"files_edited":0,"git_commits":0,"git_prs_created":0,"mcp_calls":0,"skill_calls":0,"slash_commands":0,"hooks":0,"sessions":0,"messages":0,"user_messages":0,"assistant_messages":0,"autonomy_ratio":0.5,"delegation_level":"x","languages":[]}`, id, date)
}

// TestUsageUsersPages: a service may cut pages by users or by rows, and pages that lead
// nowhere end the walk.
func TestUsageUsersPages(t *testing.T) {
	t.Parallel()
	page := func(meta string, rows ...string) string {
		return `{"data":[` + strings.Join(rows, ",") + `],"meta":{"org_id":"o","start_date":"2026-11-01","end_date":"2026-11-02"` + meta + `}}`
	}
	more := func(cursor string) string { return fmt.Sprintf(`,"has_more":true,"next_cursor":%q`, cursor) }
	const a1, a2, b1 = "2026-11-01", "2026-11-02", "2026-11-01"
	for name, c := range map[string]struct {
		pages map[string]string
		want  string
		err   string
	}{
		"by users":             {map[string]string{"": page(more("a"), userRow("a", a1), userRow("a", a2)), "a": page(`,"has_more":false`, userRow("b", b1))}, "a1 a2 b1", ""},
		"by rows":              {map[string]string{"": page(more("1"), userRow("a", a1)), "1": page(more("2"), userRow("a", a2)), "2": page(`,"has_more":false,"next_cursor":null`, userRow("b", b1))}, "a1 a2 b1", ""},
		"a row on two pages":   {map[string]string{"": page(more("1"), userRow("a", a1)), "1": page(`,"has_more":false`, userRow("a", a1), userRow("b", b1))}, "a1 b1", ""},
		"an empty last page":   {map[string]string{"": page(more("1"), userRow("a", a1)), "1": page(`,"has_more":false`)}, "a1", ""},
		"more, and no cursor":  {map[string]string{"": page(`,"has_more":true`, userRow("a", a1))}, "a1", "without a cursor"},
		"no has_more":          {map[string]string{"": page(``, userRow("a", a1))}, "", "has_more: the key is missing"},
		"the same cursor":      {map[string]string{"": page(more("1"), userRow("a", a1)), "1": page(more("1"), userRow("b", b1))}, "a1 b1", "a cursor comes again"},
		"nothing new":          {map[string]string{"": page(more("1"), userRow("a", a1)), "1": page(more("2"), userRow("a", a1))}, "a1", "nothing new"},
		"two pages in circles": {map[string]string{"": page(more("1"), userRow("a", a1)), "1": page(more("2"), userRow("b", b1)), "2": page(more("3"), userRow("a", a1))}, "a1 b1 a1", "nothing new"},
		"empty with more":      {map[string]string{"": page(more("1"))}, "", "nothing new"},
		"a row of another day": {map[string]string{"": page(`,"has_more":false`, userRow("a", "2026-11-03"))}, "", "not asked for"},
		"a row without a user": {map[string]string{"": page(`,"has_more":false`, userRow("", a1))}, "", "no user_id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c0 := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Get("limit") != "100" {
					t.Errorf("asked %s", r.URL.RawQuery)
				}
				fmt.Fprint(w, c.pages[r.URL.Query().Get("cursor")])
			})
			var got []string
			var failed error
			for p, err := range c0.UsageUsers(context.Background(), Days{From: "2026-11-01", To: "2026-11-02"}) {
				if failed = err; err != nil {
					break
				}
				for _, r := range p.Data {
					got = append(got, r.UserID+r.Date[9:])
				}
			}
			if strings.Join(got, " ") != c.want || c.err == "" && failed != nil || c.err != "" && (failed == nil || !strings.Contains(failed.Error(), c.err)) {
				t.Errorf("got %q, %v; want %q, %q", got, failed, c.want, c.err)
			}
		})
	}
}
