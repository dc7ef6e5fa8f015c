package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/store"
)

// spans makes distinct spans from short descriptions.
type spans []store.Span

func (s *spans) add(at, user, session, client, name string, more ...func(*store.Span)) {
	start, err := time.Parse(time.RFC3339Nano, at)
	if err != nil {
		panic(err)
	}
	one := store.Span{
		TraceID: "t", SpanID: fmt.Sprint(len(*s)), UserID: user, SessionID: session, Client: client, Name: name, Start: start,
	}
	for _, m := range more {
		m(&one)
	}
	*s = append(*s, one)
}

func day(s string) time.Time {
	d, err := time.Parse("2006-01-02", s)
	if err != nil {
		panic(err)
	}
	return d
}

// TestActivity holds F28 to F35 and I11 to I14.
func TestActivity(t *testing.T) {
	t.Parallel()
	role := func(r string) func(*store.Span) { return func(s *store.Span) { s.Role = r } }
	resumed := func(s *store.Span) { s.Resumed = true }
	var all spans
	all.add("2026-10-05T10:00:00Z", "u3", "s0", "web", "agent.tool.call")                         // s0 has no start: it counts here
	all.add("2026-11-01T23:59:59.999999999Z", "u1", "s1", "terminal-ui", store.SpanSessionStart)  // day 1
	all.add("2026-11-02T00:00:00Z", "u1", "s1", "terminal-ui", store.SpanMessage, role("user"))   // day 2
	all.add("2026-11-02T01:00:00+02:00", "u1", "s1", "web", store.SpanMessage, role("assistant")) // day 1 in UTC
	all.add("2026-11-02T10:00:00Z", "u2", "s2", "web", store.SpanSessionStart, resumed)
	all.add("2026-11-02T10:00:00Z", "u2", "s2", "odd", store.SpanMessage, role("tool"))
	all.add("2026-11-02T11:00:00Z", "u1", "s0", "web", "agent.tool.call")
	all.add("2026-11-03T11:00:00Z", "u1", "s3", "web", store.SpanSessionStart)
	all.add("2026-11-03T11:00:00Z", "u1", "s3", "web", store.SpanMessage, role("assistant"))
	s := open(t)
	for range 2 { // senders repeat themselves
		if err := s.AddSpans(t.Context(), all); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Activity(t.Context(), day("2026-11-01"), day("2026-11-04"))
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Activity{
		{Day: "2026-11-01", Daily: 1, Weekly: 1, Monthly: 2, ByClient: map[string]int64{"terminal-ui": 1, "web": 1}, Sessions: 1, Messages: 1},
		{Day: "2026-11-02", Daily: 2, Weekly: 2, Monthly: 3, ByClient: map[string]int64{"terminal-ui": 1, "web": 1, "odd": 1}, Messages: 1, UserMessages: 1},
		{Day: "2026-11-03", Daily: 1, Weekly: 2, Monthly: 3, ByClient: map[string]int64{"web": 1}, Sessions: 1, Messages: 1},
		{Day: "2026-11-04", Weekly: 2, Monthly: 2, ByClient: map[string]int64{}},
	}
	want[1].ByClient["web"] = 2
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	alone, err := s.Activity(t.Context(), day("2026-10-05"), day("2026-10-05"))
	if err != nil || alone[0].Sessions != 1 {
		t.Errorf("a session without a start: %+v, %v", alone, err)
	}
}

// TestActivityWindow holds T26: the trailing 7 and 30 days include the day itself.
func TestActivityWindow(t *testing.T) {
	t.Parallel()
	var all spans
	all.add("2026-06-01T12:00:00Z", "u", "s", "web", "agent.tool.call")
	s := open(t)
	if err := s.AddSpans(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	whole, err := s.Activity(t.Context(), day("2026-05-25"), day("2026-07-05"))
	if err != nil {
		t.Fatal(err)
	}
	weekly, monthly := 0, 0
	for i, d := range whole {
		weekly, monthly = weekly+int(d.Weekly), monthly+int(d.Monthly)
		one, err := s.Activity(t.Context(), day(d.Day), day(d.Day))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(whole[i], one[0]); diff != "" {
			t.Errorf("I15 %s alone: %s", d.Day, diff)
		}
	}
	if weekly != 7 || monthly != 30 {
		t.Errorf("the user counts on %d and %d days", weekly, monthly)
	}
}
