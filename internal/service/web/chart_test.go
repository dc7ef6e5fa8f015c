package web

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRoundUp(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]float64{
		0: 2, 0.4: 2, 2: 2, 3: 4, 7: 8, 9: 10, 11: 20, 41: 50, 55: 60, 99: 100, 101: 200, 1_870_000: 2_000_000, 4_100_000: 5_000_000,
	} {
		if got := roundUp(in); got != want {
			t.Errorf("%g: %g, want %g", in, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]string{0: "0", 1: "1", 950: "950", 1000: "1k", 1200: "1.2k", 2_500_000: "2.5M", 3e9: "3G"} {
		if got := short(in); got != want {
			t.Errorf("%g: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[float64]string{0: "0", 999: "999", 1000: "1\u202f000", 37506648: "37\u202f506\u202f648", -1234: "-1\u202f234"} {
		if got := grouped(in); got != want {
			t.Errorf("%g: %q, want %q", in, got, want)
		}
	}
}

// TestChartStaysInside: whatever the values are, nothing is drawn outside.
func TestChartStaysInside(t *testing.T) {
	t.Parallel()
	for _, values := range [][]float64{nil, {0}, {1}, {0, 0, 0}, {5, 0, 1e12}, {0.001, 3}, make([]float64, 400)} {
		var bars []bar
		for _, v := range values {
			bars = append(bars, bar{"", "x", v})
		}
		c := drawChart(bars, values, chartOptions{Height: 200, Axes: true})
		if len(c.Bars) != len(values) {
			t.Errorf("%v: %d bars", values, len(c.Bars))
		}
		for _, b := range c.Bars {
			if b.X < 0 || b.X+b.Width > 100.001 || b.Y < topRoom-0.001 || math.Abs(b.Y+b.Height-c.Floor) > 0.001 || math.IsNaN(b.Y) || b.Empty != (b.Height == 0) {
				t.Errorf("%v: %+v", values, b)
			}
		}
		for _, s := range c.Line {
			if s.X1 < 0 || s.X2 > 100 || s.X1 >= s.X2 || min(s.Y1, s.Y2) < topRoom-0.001 || max(s.Y1, s.Y2) > c.Floor {
				t.Errorf("%v: %+v", values, s)
			}
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
