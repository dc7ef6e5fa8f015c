package main

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/grid"
	"github.com/govctl/govctl/internal/render"
)

// usageWalk reads windows of days and notes what is to be said of them together.
type usageWalk struct {
	a        *app
	declared string // organization of the configuration, "" if it names none
	days     client.Days
	grouped  bool

	organization string
	reported     int // days with a row
	hidden       int // rows without credits
	odd, names   int // tool names that are none, and all
}

// meta checks what an answer says of itself. Days that it leaves out on its own are told
// at the end: what there is comes first (U5).
func (w *usageWalk) meta(m api.Meta, asked client.Days) (short error, err error) {
	switch {
	case w.declared != "" && m.OrgID != w.declared:
		return nil, &refusal{fmt.Errorf("this key belongs to organization %s, but the configuration declares %s", render.Clean(m.OrgID), w.declared)}
	case w.organization != "" && m.OrgID != w.organization:
		return nil, fmt.Errorf("one answer is of organization %q, another of %q", w.organization, m.OrgID)
	}
	w.organization = m.OrgID
	if m.StartDate != asked.From || m.EndDate != asked.To {
		short = fmt.Errorf("the service covered %s to %s of %s to %s", m.StartDate, m.EndDate, asked.From, asked.To)
	}
	return short, nil
}

// span is what JSON says of the rows. How many days were reported is not known if a limit
// ended the reading, and means nothing where rows are groups or users.
func (w *usageWalk) span(r grid.Result) *render.UsageSpan {
	s := &render.UsageSpan{
		From: w.days.From, To: w.days.To, AsOf: w.a.now().UTC().Format(time.RFC3339),
		DaysRequested: dayCount(w.days), Organization: w.organization,
	}
	if !w.grouped && (!r.More || r.Gap != nil) {
		s.DaysReported = &w.reported
	}
	return s
}

// say says on stderr what the rows do not.
func (w *usageWalk) say(r grid.Result) {
	s := w.span(r)
	line := fmt.Sprintf("usage %s through %s (UTC), as of %s", s.From, s.To, s.AsOf)
	if s.DaysReported != nil {
		line += fmt.Sprintf("; %d of %d days reported", *s.DaysReported, s.DaysRequested)
	}
	w.a.note("%s", line)
	if w.hidden > 0 {
		w.a.note("%d rows without credits: the organization hides them", w.hidden)
	}
	if w.odd > 0 {
		w.a.note("%d of %d tool names (%.3f %%) are none that a tool can have; their rows have recognized = false", w.odd, w.names, 100*float64(w.odd)/float64(w.names))
	}
}

func dayCount(d client.Days) int {
	from, _ := time.Parse(api.DateLayout, d.From) // both were formatted here
	to, _ := time.Parse(api.DateLayout, d.To)
	return int(to.Sub(from)/(24*time.Hour)) + 1
}

// newUsageWalk reads the days that the flags ask for.
func newUsageWalk(a *app, flags *usageFlags) (*usageWalk, error) {
	days, err := flags.days(a.now(), a.note)
	return &usageWalk{a: a, days: days, grouped: flags.groupBy != ""}, err
}

// runUsage shows the rows of an endpoint of days.
func runUsage[T any](ctx context.Context, a *app, flags *usageFlags, of grid.Of[T], read dayReader[T]) error {
	w, err := newUsageWalk(a, flags)
	if err != nil {
		return err
	}
	if short := w.shortLook(of.Columns()); short != "" {
		a.note("%s", short)
	}
	return a.showRows(ctx, &flags.getFlags, of.Columns(), func(s *source) (iter.Seq2[grid.Row, error], epilogue) {
		w.declared = s.project.Service.Organization
		return func(yield func(grid.Row, error) bool) {
			for _, days := range w.days.Cut(flags.window) {
				page, err := read(ctx, s.client, client.UsageQuery{Days: days, GroupBy: flags.groupBy})
				var short error
				if err == nil {
					short, err = w.meta(page.meta, days)
				}
				if err != nil {
					yield(nil, err)
					return
				}
				if !w.window(days, of.Columns(), rowsIn(of, page.data), yield) {
					return
				}
				if short != nil {
					yield(nil, short)
					return
				}
			}
		}, epilogue{w.span, w.say}
	})
}

func rowsIn[T any](of grid.Of[T], data []T) []grid.Row {
	out := make([]grid.Row, len(data))
	for i := range data {
		out[i] = of.Row(&data[i])
	}
	return out
}

// window passes on the rows of one window, sorted by day and group (U2). A day that has no
// row gets one without values, unless rows are groups (U7).
func (w *usageWalk) window(days client.Days, columns []grid.Column, rows []grid.Row, yield func(grid.Row, error) bool) bool {
	slices.SortStableFunc(rows, func(a, b grid.Row) int {
		return cmp.Or(cmp.Compare(word(a[0]), word(b[0])), cmp.Compare(word(a[1]), word(b[1])))
	})
	at := 0
	for _, day := range days.Cut(1) {
		found := false
		for ; at < len(rows) && word(rows[at][0]) == day.From; at++ {
			found = true
			w.look(columns, rows[at])
			if !yield(rows[at], nil) {
				return false
			}
		}
		if found {
			w.reported++
			continue
		}
		if !w.grouped {
			missing := make(grid.Row, len(columns))
			missing[0] = day.From
			if !yield(missing, nil) {
				return false
			}
		}
	}
	return true
}

// word is a text of a row, "" for any other value.
func word(v any) string {
	s, _ := v.(string)
	return s
}

// look counts what is to be said of rows.
func (w *usageWalk) look(columns []grid.Column, r grid.Row) {
	for i, c := range columns {
		switch {
		case c.Name == "billable_tokens" && r[i] == nil:
			w.hidden++
		case c.Name == "recognized":
			w.names++
			if r[i] == false {
				w.odd++
			}
		}
	}
}

// shortLook says that the first days look back on fewer days than their columns say (T26).
func (w *usageWalk) shortLook(columns []grid.Column) string {
	if !slices.ContainsFunc(columns, func(c grid.Column) bool { return c.Name == "monthly_active_users" }) {
		return ""
	}
	first, _ := time.Parse(api.DateLayout, api.EarliestDate)
	if full := first.AddDate(0, 0, 29).Format(api.DateLayout); w.days.From < full {
		return fmt.Sprintf("usage begins on %s: before %s monthly counts look back on fewer than 30 days, before %s weekly ones on fewer than 7",
			api.EarliestDate, full, first.AddDate(0, 0, 6).Format(api.DateLayout))
	}
	return ""
}

// runUsageUsers shows the days of users as pages come, in the order of the service within
// a window.
func runUsageUsers(ctx context.Context, a *app, flags *usageFlags) error {
	w, err := newUsageWalk(a, flags)
	if err != nil {
		return err
	}
	w.grouped = true // a user without a row was not active
	of := grid.UserDays()
	columns := of.Columns()
	return a.showRows(ctx, &flags.getFlags, columns, func(s *source) (iter.Seq2[grid.Row, error], epilogue) {
		w.declared = s.project.Service.Organization
		return func(yield func(grid.Row, error) bool) {
			for _, days := range w.days.Cut(flags.window) {
				var short error
				for page, err := range s.client.UsageUsers(ctx, days) {
					if err == nil {
						short, err = w.meta(page.Meta, days)
					}
					if err != nil {
						yield(nil, err)
						return
					}
					for i := range page.Data {
						r := of.Row(&page.Data[i])
						w.look(columns, r)
						if !yield(r, nil) {
							return
						}
					}
				}
				if short != nil {
					yield(nil, short)
					return
				}
			}
		}, epilogue{w.span, w.say}
	})
}
