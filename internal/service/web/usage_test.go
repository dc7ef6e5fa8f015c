package web

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestGrouped(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]string{0: "0", 999: "999", 1000: "1\u202f000", 37506648: "37\u202f506\u202f648", -1234: "-1\u202f234"} {
		if got := grouped(in); got != want {
			t.Errorf("%g: %q, want %q", in, got, want)
		}
	}
}

// TestUsageCompares with the period before only when telemetry was there already.
func TestUsageCompares(t *testing.T) {
	t.Parallel()
	last := time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC)
	month := func(credits float64) []Day {
		days := make([]Day, 30)
		for i := range days {
			days[i] = Day{Date: last.AddDate(0, 0, i-29), Credits: credits, ActiveUsers: 3, Sessions: 1}
		}
		return days
	}
	late := month(100)
	for i := range 25 {
		late[i] = Day{Date: late[i].Date}
	}
	w := &Web{}
	trends := func(earlier []Day) []string {
		var out []string
		for _, one := range w.usageOf(earlier, month(150), 30, last).Totals {
			out = append(out, one.Name+" "+one.Value+" "+one.Trend)
		}
		return out
	}
	want := []string{"Standard credits 4\u202f500 +50 %", "Active users on 19 Nov 3 ", "Sessions 30 +0 %", "Messages 0 "}
	if diff := cmp.Diff(want, trends(month(100))); diff != "" {
		t.Error(diff)
	}
	want = []string{"Standard credits 4\u202f500 ", "Active users on 19 Nov 3 ", "Sessions 30 ", "Messages 0 "}
	if diff := cmp.Diff(want, trends(late)); diff != "" {
		t.Error(diff)
	}
	if !w.usageOf(nil, make([]Day, 30), 30, last).Empty {
		t.Error("nothing is not empty")
	}
}
