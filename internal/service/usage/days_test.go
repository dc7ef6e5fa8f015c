package usage_test

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/service/usage"
)

// states is what a store would say about sessions, from all spans there are.
func states(spans []usage.Span) func(string) usage.SessionState {
	all := map[string]usage.SessionState{}
	for _, s := range spans {
		state := all[s.SessionID]
		if state.FirstDay == "" || s.Date() < state.FirstDay {
			state.FirstDay = s.Date()
		}
		state.HasStart = state.HasStart || s.Kind == usage.SessionStart
		all[s.SessionID] = state
	}
	return func(id string) usage.SessionState { return all[id] }
}

// TestMidnightI13: the last nanosecond of a day and the first of the next are two days,
// whatever zone the caller's time is in (I12, T25), also over a leap day.
func TestMidnightI13(t *testing.T) {
	t.Parallel()
	for _, date := range []string{"2026-01-14", "2026-11-18", "2028-02-29", "2028-03-01"} {
		first, err := time.Parse(time.DateOnly, date)
		if err != nil {
			t.Fatal(err)
		}
		spans := []usage.Span{}
		for _, at := range []time.Time{first.Add(-1), first, first.Add(24*time.Hour - 1), first.Add(24 * time.Hour)} {
			spans = append(spans, usage.Span{Kind: usage.GitCommit, UserID: at.Format(time.RFC3339Nano), SessionID: "s", Client: "web", Start: at.UnixNano()})
		}
		for _, zone := range []int{0, 14, -11} {
			any := first.Add(20 * time.Hour).In(time.FixedZone("", zone*3600))
			d := usage.NewDay(any, pricing())
			for _, s := range spans {
				d.Add(s)
			}
			equal(t, "date", d.Date(), date)
			equal(t, "users of "+date, d.Users(), []string{date + "T00:00:00Z", date + "T23:59:59.999999999Z"})
		}
		equal(t, "date of the last nanosecond", spans[2].Date(), date)
	}
}

// TestOverMidnightI14: a session over midnight starts once, on the first day, and is
// active on both.
func TestOverMidnightI14(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]usage.Kind{"with a start span": usage.SessionStart, "without": usage.GitCommit} {
		spans := []usage.Span{
			{Kind: first, UserID: "u", SessionID: "s", Client: "web", Start: noon(-13 * time.Hour)},
			{Kind: usage.ToolCall, UserID: "u", SessionID: "s", Client: "web", Start: noon(-11 * time.Hour)},
		}
		facts := usage.Facts{Session: states(spans)}
		yesterday, today := dayOn(noon(-24*time.Hour), spans).Result(facts), dayOn(noon(0), spans).Result(facts)
		equal(t, name+": started", []json.Number{*yesterday.Activity.Sessions, *today.Activity.Sessions}, []json.Number{"1", "0"})
		equal(t, name+": started by", []json.Number{yesterday.Users[0].Sessions, today.Users[0].Sessions}, []json.Number{"1", "0"})
		equal(t, name+": active", *today.Tools.ToolCallsPerSessionAvg, "1")
	}
}

// TestDaysI15: a day is the same whether it is shown all spans or only its own, and
// sessions without any start span count on exactly one day (I14).
func TestDaysI15(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		spans := spansOf(t)
		facts := usage.Facts{Session: states(spans)}
		var started int64
		for _, date := range []int64{noon(-24 * time.Hour), noon(0)} {
			var own []usage.Span
			for _, s := range spans {
				if s.Date() == time.Unix(0, date).UTC().Format(time.DateOnly) {
					own = append(own, s)
				}
			}
			all := dayOn(date, spans).Result(facts)
			if got, want := wire(t, all), wire(t, dayOn(date, own).Result(facts)); got != want {
				t.Fatalf("all spans:\n%s\nits own:\n%s", got, want)
			}
			n, err := all.Activity.Sessions.Int64()
			if err != nil {
				t.Fatal(err)
			}
			started += n
		}
		if want := int64(len(expectedStarts(spans))); started != want {
			t.Fatalf("%d sessions started on both days, want %d", started, want)
		}
	})
}

// expectedStarts are the (day, session) pairs that count by the words of F32.
func expectedStarts(spans []usage.Span) map[[2]string]bool {
	state, starts := states(spans), map[[2]string]bool{}
	for _, s := range spans {
		switch {
		case s.Kind == usage.SessionStart && !s.Resumed:
			starts[[2]string{s.Date(), s.SessionID}] = true
		case !state(s.SessionID).HasStart:
			starts[[2]string{state(s.SessionID).FirstDay, s.SessionID}] = true
		}
	}
	return starts
}
