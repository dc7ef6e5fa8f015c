package client

import (
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/govctl/govctl/internal/api"
)

// MaxUsageDays is the longest window asked for at once: the API does not say how long one
// may be (U3).
const MaxUsageDays = 90

// Days is a run of UTC days, both ends included, as YYYY-MM-DD (C17, C18).
type Days struct{ From, To string }

// ClosedDays are the n days before the day of now: today is not served yet (C20). They
// never begin before the first day there is (C22). It is zero if no day is left.
func ClosedDays(now time.Time, n int) Days {
	to := now.UTC().AddDate(0, 0, -1).Format(api.DateLayout)
	from := max(now.UTC().AddDate(0, 0, -n).Format(api.DateLayout), api.EarliestDate)
	if n < 1 || from > to {
		return Days{}
	}
	return Days{From: from, To: to}
}

func (d Days) query() url.Values {
	return url.Values{"startDate": {d.From}, "endDate": {d.To}}
}

// UsageQuery asks analytics for days. GroupBy is "" for one row a day, or the one value
// its endpoint has (C24-C28).
type UsageQuery struct {
	Days
	GroupBy string
}

// Cut divides d into runs of at most most days, in order. It is empty if d is, or if its
// ends are no dates.
func (d Days) Cut(most int) []Days {
	first, err1 := time.Parse(api.DateLayout, d.From)
	last, err2 := time.Parse(api.DateLayout, d.To)
	if err1 != nil || err2 != nil {
		return nil
	}
	var out []Days
	for ; !first.After(last); first = first.AddDate(0, 0, most) {
		end := first.AddDate(0, 0, most-1)
		if end.After(last) {
			end = last
		}
		out = append(out, Days{From: first.Format(api.DateLayout), To: end.Format(api.DateLayout)})
	}
	return out
}

// Tokens reads /tokens; GroupBy may be model. A day or group that comes twice, and a day
// that was not asked for, are errors. Days may be missing (U7).
func (c *Client) Tokens(ctx context.Context, q UsageQuery) (p api.TokensPage, err error) {
	err = usageOf(ctx, c, api.PathTokens, q, &p, func() *api.Meta { return &p.Meta })
	if err == nil {
		err = checkDays(c, api.PathTokens, q, p.Data, func(r *api.TokenRow) (string, *string) { return r.Date, r.GroupKey })
	}
	return p, err
}

// Tools reads /tools; GroupBy may be tool_name. It checks what Tokens checks.
func (c *Client) Tools(ctx context.Context, q UsageQuery) (p api.ToolsPage, err error) {
	err = usageOf(ctx, c, api.PathTools, q, &p, func() *api.Meta { return &p.Meta })
	if err == nil {
		err = checkDays(c, api.PathTools, q, p.Data, func(r *api.ToolRow) (string, *string) { return r.Date, r.GroupKey })
	}
	return p, err
}

// Activity reads /activity; GroupBy may be client. It checks what Tokens checks.
func (c *Client) Activity(ctx context.Context, q UsageQuery) (p api.ActivityPage, err error) {
	err = usageOf(ctx, c, api.PathActivity, q, &p, func() *api.Meta { return &p.Meta })
	if err == nil {
		err = checkDays(c, api.PathActivity, q, p.Data, func(r *api.ActivityRow) (string, *string) { return r.Date, r.GroupKey })
	}
	return p, err
}

// Productivity reads /productivity, which has no groups. It checks what Tokens checks.
func (c *Client) Productivity(ctx context.Context, q UsageQuery) (p api.ProductivityPage, err error) {
	err = usageOf(ctx, c, api.PathProductivity, q, &p, func() *api.Meta { return &p.Meta })
	if err == nil {
		err = checkDays(c, api.PathProductivity, q, p.Data, func(r *api.ProductivityRow) (string, *string) { return r.Date, nil })
	}
	return p, err
}

// usageOf sends one analytics request.
func usageOf(ctx context.Context, c *Client, path string, q UsageQuery, page any, meta func() *api.Meta) error {
	query := q.query()
	if q.GroupBy != "" {
		query.Set("group_by", q.GroupBy)
	}
	if err := c.do(ctx, http.MethodGet, path, query, nil, page); err != nil {
		return err
	}
	return c.checkMeta(path, meta())
}

// checkMeta refuses an answer that does not say which days it is about.
func (c *Client) checkMeta(path string, m *api.Meta) error {
	for _, day := range []string{m.StartDate, m.EndDate} {
		if !isDay(day) {
			return c.rowError(path, "the answer is about days from %q to %q", m.StartDate, m.EndDate)
		}
	}
	return nil
}

// isDay reports whether s is a date of the one form there is (C17).
func isDay(s string) bool {
	_, err := time.Parse(api.DateLayout, s)
	return err == nil
}

// checkDays refuses rows of other days and rows that come twice.
func checkDays[T any](c *Client, path string, q UsageQuery, rows []T, key func(*T) (date string, group *string)) error {
	type place struct{ date, group string }
	seen := make(map[place]bool, len(rows))
	for i := range rows {
		date, group := key(&rows[i])
		if err := c.checkDay(path, q.Days, date); err != nil {
			return err
		}
		at := place{date: date}
		if q.GroupBy != "" {
			if group == nil {
				return c.rowError(path, "a row of %s has no group_key", date)
			}
			at.group = *group
		}
		if seen[at] {
			return c.rowError(path, "%s %s comes twice", date, at.group)
		}
		seen[at] = true
	}
	return nil
}

func (c *Client) checkDay(path string, d Days, date string) error {
	if !isDay(date) || date < d.From || date > d.To {
		return c.rowError(path, "a row of %q, which was not asked for", date)
	}
	return nil
}

// rowError is the error of an answer whose rows cannot be right.
func (c *Client) rowError(path, format string, args ...any) error {
	return (&call{c: c, method: http.MethodGet, path: path}).fail(fmt.Errorf(format, args...))
}

// UsageUsers walks the pages of analytics /users, each with the rows that the page before
// it did not have. Nothing is assumed about whether a page is cut by users or by rows
// (U8), or about the cursor (U9). The walk remembers a few bytes for each page, however
// many rows there are; a cursor or a page that comes again ends it with an error.
func (c *Client) UsageUsers(ctx context.Context, d Days) iter.Seq2[api.UserRowsPage, error] {
	return func(yield func(api.UserRowsPage, error) bool) {
		query := d.query()
		query.Set("limit", strconv.Itoa(api.MaxPage))
		g := usageGuard{seed: maphash.MakeSeed(), cursors: map[uint64]struct{}{}, pages: map[uint64]struct{}{}}
		for n := 1; ; n++ {
			var p api.UserRowsPage
			err := c.do(ctx, http.MethodGet, api.PathAnalyticsUsers, query, nil, &p)
			if err == nil {
				err = c.checkUserRows(d, &p, &g)
			}
			if err != nil {
				yield(api.UserRowsPage{}, err)
				return
			}
			more := *p.Meta.HasMore
			if !yield(p, nil) || !more {
				return
			}
			problem := g.next(p.Meta.NextCursor)
			if problem == "" && n == maxPages {
				problem = "there is no end"
			}
			if problem != "" {
				yield(api.UserRowsPage{}, c.pageError(api.PathAnalyticsUsers, "page %d: %s", n, problem))
				return
			}
			query.Set("cursor", *p.Meta.NextCursor)
		}
	}
}

// checkUserRows checks a page and takes out of it what the page before had.
func (c *Client) checkUserRows(d Days, p *api.UserRowsPage, g *usageGuard) error {
	if err := c.checkMeta(api.PathAnalyticsUsers, &p.Meta); err != nil {
		return err
	}
	if p.Meta.HasMore == nil {
		return c.rowError(api.PathAnalyticsUsers, "$.meta.has_more: the key is missing")
	}
	for i := range p.Data {
		if p.Data[i].UserID == "" {
			return c.rowError(api.PathAnalyticsUsers, "a row has no user_id")
		}
		if err := c.checkDay(api.PathAnalyticsUsers, d, p.Data[i].Date); err != nil {
			return err
		}
	}
	p.Data = g.page(p.Data)
	return nil
}

// usageGuard remembers pages by their hashes, because there may be ten thousand with a
// million rows, and of the last page its rows.
type usageGuard struct {
	seed           maphash.Seed
	cursors, pages map[uint64]struct{}
	last           map[uint64]struct{}
	again          bool // the newest page was there before
}

// page returns the rows that the page before did not have, each once.
func (g *usageGuard) page(rows []api.UserRow) []api.UserRow {
	var sum uint64
	now := make(map[uint64]struct{}, len(rows))
	kept := rows[:0]
	for i := range rows {
		h := maphash.String(g.seed, rows[i].UserID+"\x00"+rows[i].Date)
		sum += h
		_, before := g.last[h]
		_, twice := now[h]
		now[h] = struct{}{}
		if !before && !twice {
			kept = append(kept, rows[i])
		}
	}
	_, g.again = g.pages[sum]
	g.again = g.again || len(kept) == 0
	g.pages[sum] = struct{}{}
	g.last = now
	return kept
}

// next says why a cursor leads nowhere, "" if it may lead on.
func (g *usageGuard) next(cursor *string) string {
	if cursor == nil || *cursor == "" {
		return "more are promised without a cursor"
	}
	h := maphash.String(g.seed, *cursor)
	if _, seen := g.cursors[h]; seen {
		return "a cursor comes again"
	}
	if g.again {
		return "a page brings nothing new"
	}
	g.cursors[h] = struct{}{}
	return ""
}
