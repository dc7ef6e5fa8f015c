package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/govctl/govctl/internal/plot"
)

// usageBody is what the page of daily usage shows.
type usageBody struct {
	Days    []Day // oldest first
	Span    int
	Spans   []int
	First   time.Time
	Last    time.Time
	Totals  []total
	Credits plot.Chart
	Active  plot.Chart
	Empty   bool
	Hidden  bool // credits are not shown
}

// total is one number above the charts, compared with as many days before.
type total struct {
	Name  string
	Value string
	Trend string // "" when there is nothing to compare with
	Up    bool
}

const (
	defaultSpan = 30
	day         = 24 * time.Hour
	week        = 7 // days
)

func spans() []int { return []int{7, 30, 90} }

// showUsage shows whole UTC days through yesterday, to managers as the API does.
func (w *Web) showUsage(v *visit) error {
	if err := managersOnly(v); err != nil {
		return err
	}
	span := defaultSpan
	if s := v.r.URL.Query().Get("days"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || !slices.Contains(spans(), n) {
			return &trouble{http.StatusBadRequest, "The address of this page is wrong."}
		}
		span = n
	}
	last := w.o.Now().UTC().Truncate(day).Add(-day)
	first := last.AddDate(0, 0, 1-2*span)
	days, err := w.o.Usage(v.r.Context(), first, last)
	if err != nil {
		return err
	}
	earlier, days := splitDays(days, last.AddDate(0, 0, 1-span))
	w.show(v.w, v.r, v, http.StatusOK, "usage", page{Title: "Daily usage", Section: "usage", Body: w.usageOf(earlier, days, span, last)})
	return nil
}

func splitDays(days []Day, from time.Time) (earlier, shown []Day) {
	i := slices.IndexFunc(days, func(d Day) bool { return !d.Date.Before(from) })
	if i < 0 {
		i = len(days)
	}
	return days[:i], days[i:]
}

func (w *Web) usageOf(earlier, days []Day, span int, last time.Time) usageBody {
	b := usageBody{Days: days, Span: span, Spans: spans(), First: last.AddDate(0, 0, 1-span), Last: last}
	then, now := sum(earlier), sum(days)
	if sum(earlier[:min(week, len(earlier))]) == (Day{}) {
		then = Day{} // telemetry began later: a comparison would be nonsense
	}
	b.Empty = now == Day{}
	b.Hidden = w.o.HideCredits
	if !b.Hidden {
		b.Totals = append(b.Totals, compare("Standard credits", now.Credits, then.Credits, grouped))
	}
	b.Totals = append(b.Totals,
		activeOn(days, last),
		compare("Sessions", float64(now.Sessions), float64(then.Sessions), grouped),
		compare("Messages", float64(now.Messages), float64(then.Messages), grouped),
	)
	var credits, active []plot.Value
	var weekly []float64
	for _, d := range days {
		date, axis := d.Date.Format("Mon 2006-01-02"), d.Date.Format("2 Jan")
		credits = append(credits, plot.Value{Label: fmt.Sprintf("%s: %s credits", date, grouped(d.Credits)), Axis: axis, Value: d.Credits})
		active = append(active, plot.Value{Label: fmt.Sprintf("%s: %d active, %d in seven days", date, d.ActiveUsers, d.WeeklyUsers), Axis: axis, Value: float64(d.ActiveUsers)})
		weekly = append(weekly, float64(d.WeeklyUsers))
	}
	b.Credits = plot.Draw(credits, nil, plot.Options{Height: 220, Axes: true, Summary: "Standard credits per day"})
	b.Active = plot.Draw(active, [][]float64{weekly}, plot.Options{Height: 220, Axes: true, Summary: "Active users per day and in seven days"})
	return b
}

// activeOn is the last day's number of active users: people counted per day can be neither
// added nor averaged over days (T40), so it has no trend.
func activeOn(days []Day, last time.Time) total {
	t := total{Name: "Active users on " + last.Format("2 Jan"), Value: "0"}
	if n := len(days); n > 0 && days[n-1].Date.Equal(last) {
		t.Value = grouped(float64(days[n-1].ActiveUsers))
	}
	return t
}

func sum(days []Day) (all Day) {
	for _, d := range days {
		all.Credits += d.Credits
		all.ActiveUsers += d.ActiveUsers // people and days
		all.Sessions += d.Sessions
		all.Messages += d.Messages
	}
	return all
}

func compare(name string, now, then float64, write func(float64) string) total {
	t := total{Name: name, Value: write(now)}
	if then > 0 {
		change := (now - then) / then
		t.Trend, t.Up = fmt.Sprintf("%+.0f %%", change*100), change >= 0
	}
	return t
}
