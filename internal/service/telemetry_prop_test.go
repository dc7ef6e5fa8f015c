package service_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/govctl/govctl/internal/pgtest"
)

const propFrom, propTo = "2026-11-09", "2026-11-19"

// TestAnyOrderAnyBatches holds I11: the same spans in any order, in any batches, some
// twice, with days built in between, give the same answers.
func TestAnyOrderAnyBatches(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 7))
		spans := randomSpans(random, 10+random.IntN(250))
		one := bare(t)
		export(t, one, "sesame", spans...)
		want := answers(t, one, propFrom, propTo)
		other := bare(t)
		todo := append(slices.Clone(spans), spans[:len(spans)/2]...)
		random.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
		for len(todo) > 0 {
			n := min(len(todo), 1+random.IntN(40))
			export(t, other, "sesame", todo[:n]...)
			todo = todo[n:]
			if random.IntN(3) == 0 {
				if err := other.BuildDays(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := other.BuildDays(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, answers(t, other, propFrom, propTo)); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// TestInvariants holds I1 to I10, I15 and I16 for random spans.
func TestInvariants(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 11))
		s := bare(t)
		export(t, s, "sesame", randomSpans(random, 1+random.IntN(300))...)
		get := func(path, from, to string) (p page) {
			w := request(t, s, "sesame", "GET", "/api/v1/analytics/"+path+"startDate="+from+"&endDate="+to, "")
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != 200 {
				t.Fatalf("%s: %d %s", path, w.Code, w.Body)
			}
			return p
		}
		for day := 9; day <= 19; day++ {
			date := fmt.Sprintf("2026-11-%02d", day)
			one := func(path string) page { return get(path, date, date) }
			checkInvariants(t, fmt.Sprintf("seed %d, %s", seed, date), one)
		}
		for _, path := range []string{"tokens?", "tokens?group_by=model&", "tools?", "tools?group_by=tool_name&", "activity?", "activity?group_by=client&", "productivity?"} {
			joined := []row{}
			for day := 9; day <= 19; day++ {
				date := fmt.Sprintf("2026-11-%02d", day)
				joined = append(joined, get(path, date, date).Data...)
			}
			if diff := cmp.Diff(joined, get(path, propFrom, propTo).Data); diff != "" {
				t.Errorf("I15 %s: %s", path, diff)
			}
		}
		whole := get("users?limit=100&", propFrom, propTo)
		for _, limit := range []int{1, 2, 3, 7} {
			var walked []row
			for cursor, more := "", true; more; {
				p := get(fmt.Sprintf("users?limit=%d&cursor=%s&", limit, cursor), propFrom, propTo)
				walked, cursor, more = append(walked, p.Data...), p.Meta.NextCursor, p.Meta.HasMore
			}
			if diff := cmp.Diff(whole.Data, walked); diff != "" {
				t.Errorf("I16 limit %d: %s", limit, diff)
			}
		}
	}
}

type (
	row  map[string]any
	page struct {
		Data []row
		Meta struct {
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
		}
	}
)

func (r row) n(name string) float64 { f, _ := r[name].(float64); return f }

// sum adds a field of rows; of a list inside, when it is named before a dot.
func sum(rows []row, field string) (total float64) {
	list, inner, nested := strings.Cut(field, ".")
	for _, r := range rows {
		if !nested {
			total += r.n(field)
			continue
		}
		for _, item := range r[list].([]any) {
			total += row(item.(map[string]any)).n(inner)
		}
	}
	return total
}

// near is equality of sums of decimals that the service adds exactly and the test does not.
func near(all ...float64) bool { return slices.Max(all)-slices.Min(all) < 1e-6 }

func checkInvariants(t *testing.T, where string, get func(path string) page) {
	t.Helper()
	tokens, tools, activity, productivity := get("tokens?").Data, get("tools?").Data, get("activity?").Data, get("productivity?").Data
	users := get("users?limit=100&").Data
	hold := func(name string, ok bool) {
		t.Helper()
		if !ok {
			t.Errorf("%s: %s does not hold", where, name)
		}
	}
	hold("U7", len(tokens) == 1 && len(tools) == 1 && len(activity) == 1 && len(productivity) == 1)
	billable := tokens[0].n("billable_tokens")
	hold("I1", near(billable, sum(tokens, "by_model.billable_tokens"), sum(tokens, "by_user.billable_tokens"),
		sum(get("tokens?group_by=model&").Data, "billable_tokens"), sum(users, "billable_tokens")))
	calls := tools[0].n("tool_calls")
	hold("I2", near(calls, sum(tools, "by_tool.invocations"), sum(get("tools?group_by=tool_name&").Data, "tool_calls"), sum(users, "tool_calls")))
	hold("I3", sum(tools, "mcp_by_server.invocations") <= calls && near(sum(users, "mcp_calls"), sum(tools, "mcp_by_server.invocations")))
	a, most, all := activity[0], 0.0, 0.0
	for _, n := range a["daily_active_users_by_client"].(map[string]any) {
		most, all = max(most, n.(float64)), all+n.(float64)
	}
	daily := a.n("daily_active_users")
	hold("I4", most <= daily && daily <= all && near(all, sum(get("activity?group_by=client&").Data, "daily_active_users")))
	hold("I5", daily <= a.n("weekly_active_users") && a.n("weekly_active_users") <= a.n("monthly_active_users"))
	hold("I6", near(a.n("messages"), sum(users, "messages"), sum(users, "user_messages")+sum(users, "assistant_messages")) &&
		near(a.n("user_messages"), sum(users, "user_messages")))
	hold("I7", float64(len(users)) == daily)
	p := productivity[0]
	hold("I8", near(p.n("files_created")+p.n("files_edited"), sum(productivity, "by_extension.count"), sum(productivity, "by_language.count")))
	ratios := 0.0
	for _, n := range tools[0]["tool_autonomy_level_ratio"].(map[string]any) {
		ratios += n.(float64)
	}
	hold("I9", ratios == 0 || near(ratios, 1))
	hold("I10", tools[0].n("autonomy_ratio_p50") <= tools[0].n("autonomy_ratio_p90"))
	hold("F55", sum(users, "sessions") >= a.n("sessions"))
}

// zoneEnv makes the test binary print the answers of a database.
const zoneEnv = "GOVCTL_TEST_ZONE_DATABASE"

// TestTimeZoneDoesNotMatter holds I12: processes in three time zones ingest the same spans
// and answer the same.
func TestTimeZoneDoesNotMatter(t *testing.T) {
	if path := os.Getenv(zoneEnv); path != "" {
		s := openBare(t, path)
		export(t, s, "sesame", randomSpans(rand.New(rand.NewPCG(3, 3)), 100)...)
		text, _ := json.Marshal(answers(t, s, propFrom, propTo))
		_, _ = io.WriteString(os.Stdout, "ANSWERS "+string(text)+"\n")
		_ = s.Close()
		return
	}
	t.Parallel()
	var all []string
	for _, zone := range []string{"UTC", "Pacific/Kiritimati", "America/Los_Angeles"} {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTimeZoneDoesNotMatter$")
		child.Env = append(os.Environ(), "TZ="+zone, zoneEnv+"="+pgtest.Database(t))
		out, err := child.Output()
		if err != nil {
			t.Fatal(err)
		}
		_, text, ok := strings.Cut(string(out), "ANSWERS ")
		if !ok {
			t.Fatalf("%s", out)
		}
		text, _, _ = strings.Cut(text, "\n")
		all = append(all, text)
	}
	if all[0] != all[1] || all[1] != all[2] || len(all[0]) < 1000 {
		t.Errorf("%d, %d and %d bytes", len(all[0]), len(all[1]), len(all[2]))
	}
}

// TestRestartKeepsAnalytics holds I17, also for a copy of the file, and that a day nobody
// touched is built again byte by byte.
func TestRestartKeepsAnalytics(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openBare(t, filepath.Join(dir, "s.db"))
	spans := randomSpans(rand.New(rand.NewPCG(5, 5)), 200)
	export(t, s, "sesame", spans...)
	want := answers(t, s, propFrom, propTo)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "s.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "copy.db"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"s.db", "copy.db"} {
		s := openBare(t, filepath.Join(dir, name))
		if diff := cmp.Diff(want, answers(t, s, propFrom, propTo)); diff != "" {
			t.Error(diff)
		}
		late := func(n int, user string) *tracepb.Span {
			return newSpan(9000+n, "agent.git.commit", time.Unix(0, int64(spans[0].GetStartTimeUnixNano())), map[string]any{"user.id": user, "session.id": "x", "agent.client": "web"})
		}
		export(t, s, "sesame", late(1, "late"))
		if err := s.BuildDays(t.Context()); err != nil {
			t.Fatal(err)
		}
		if cmp.Equal(want, answers(t, s, propFrom, propTo)) {
			t.Error("a late span changed nothing")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
