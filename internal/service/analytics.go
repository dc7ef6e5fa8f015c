package service

import (
	"encoding/json"
	"errors"
	"net/url"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
	"github.com/govctl/govctl/internal/service/usage"
)

// The kinds of rows a built day has. They are stored: they never change.
const (
	kindTokens           = "tokens"
	kindTokensByModel    = "tokens/model"
	kindTools            = "tools"
	kindToolsByName      = "tools/tool_name"
	kindActivity         = "activity"
	kindActivityByClient = "activity/client"
	kindProductivity     = "productivity"
)

// analyticsPage is the answer of the analytics endpoints (C11, C12); rows are JSON already.
type analyticsPage struct {
	Data []json.RawMessage `json:"data"`
	Meta api.Meta          `json:"meta"`
}

// tokenDays answers GET analytics/tokens (C40-C48).
func (s *Service) tokenDays(c *call) (any, error) {
	if s.o.HideCredits {
		return s.daily(c, kindTokens, "model", eachRow(hideTokens))
	}
	return s.daily(c, kindTokens, "model", nil)
}

// toolDays answers GET analytics/tools (C49-C67).
func (s *Service) toolDays(c *call) (any, error) { return s.daily(c, kindTools, "tool_name", nil) }

// productivityDays answers GET analytics/productivity (C82-C89).
func (s *Service) productivityDays(c *call) (any, error) {
	return s.daily(c, kindProductivity, "", nil)
}

// activityDays answers GET analytics/activity (C70-C81). The users of the trailing windows
// change when other days do, so they are kept apart and put into the rows here.
func (s *Service) activityDays(c *call) (any, error) {
	q, err := s.readDaily(c, kindActivity, "client")
	if err != nil {
		return nil, err
	}
	if q.kind != kindActivity {
		return s.rowsOf(c, q, nil)
	}
	windows, err := s.store.Windows(c.ctx, q.first, q.last)
	if err != nil {
		return nil, err
	}
	return s.rowsOf(c, q, func(day store.Day, row json.RawMessage) (json.RawMessage, error) {
		return withWindow(row, windows[day])
	})
}

// rowChange rewrites a row of a day.
type rowChange func(store.Day, json.RawMessage) (json.RawMessage, error)

// daily answers an endpoint of days; change may be nil.
func (s *Service) daily(c *call, kind, group string, change rowChange) (any, error) {
	q, err := s.readDaily(c, kind, group)
	if err != nil {
		return nil, err
	}
	return s.rowsOf(c, q, change)
}

// dailyQuery is what a request for rows of days asks.
type dailyQuery struct {
	first, last store.Day
	kind        string // grouped rows are a kind of their own
	meta        api.Meta
}

// readDaily reads a request and makes sure that its days are there. group is the one value
// of group_by, "" where the endpoint has none.
func (s *Service) readDaily(c *call, kind, group string) (dailyQuery, error) {
	first, last, err := s.window(c.query)
	if err != nil {
		return dailyQuery{}, err
	}
	if group != "" {
		grouped, err := groupedBy(c.query, group)
		if err != nil {
			return dailyQuery{}, err
		}
		if grouped {
			kind += "/" + group
		}
	}
	org, err := s.organizationID(c)
	if err != nil {
		return dailyQuery{}, err
	}
	q := dailyQuery{store.DayOf(first), store.DayOf(last), kind, windowMeta(org, first, last)}
	return q, s.upToDate(c.ctx)
}

// rowsOf answers with one row for every day, zero for a day without activity (U7), or,
// grouped, with as many as there are (U1, U2).
func (s *Service) rowsOf(c *call, q dailyQuery, change rowChange) (any, error) {
	found := map[store.Day]string{}
	err := s.store.EachDay(c.ctx, q.kind, q.first, q.last, func(day store.Day, rows string) error {
		found[day] = rows
		return nil
	})
	if err != nil {
		return nil, err
	}
	page := analyticsPage{Data: []json.RawMessage{}, Meta: q.meta}
	for day := q.first; day <= q.last; day++ {
		text, ok := found[day]
		if !ok {
			if text, err = zeroRows(day, q.kind); err != nil {
				return nil, err
			}
		}
		var rows []json.RawMessage
		if err := json.Unmarshal([]byte(text), &rows); err != nil {
			return nil, err
		}
		for _, row := range rows {
			if change != nil {
				if row, err = change(day, row); err != nil {
					return nil, err
				}
			}
			page.Data = append(page.Data, row)
		}
	}
	return page, nil
}

// zeroRows are the rows of a day without spans: none where rows are grouped.
func zeroRows(day store.Day, kind string) (string, error) {
	return dayBody(kind, usage.NewDay(day.Time(), usage.DefaultPricing()).Result(usage.Facts{}))
}

func windowMeta(org string, first, last time.Time) api.Meta {
	return api.Meta{OrgID: org, StartDate: first.Format(api.DateLayout), EndDate: last.Format(api.DateLayout)}
}

// groupedBy reads group_by, which has one value (U1).
func groupedBy(q url.Values, value string) (bool, error) {
	group, given, err := once(q, "group_by")
	if err != nil {
		return false, err
	}
	if given && group != value {
		return false, invalid("group_by must be %s", value)
	}
	return given, nil
}

// organizationID is "" for a database without an organization.
func (s *Service) organizationID(c *call) (string, error) {
	o, err := s.store.Organization(c.ctx)
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	return o.ID, err
}

// window reads startDate and endDate of an analytics request: whole UTC days, the first
// not before the service began, the last not after yesterday (C15-C22, U3-U6).
func (s *Service) window(q url.Values) (first, last time.Time, err error) {
	if first, err = day(q, "startDate"); err != nil {
		return first, last, err
	}
	if last, err = day(q, "endDate"); err != nil {
		return first, last, err
	}
	today := s.now().Truncate(24 * time.Hour)
	days := int(last.Sub(first)/(24*time.Hour)) + 1
	switch {
	case first.After(last):
		err = invalid("startDate is after endDate")
	case first.Format(api.DateLayout) < api.EarliestDate:
		err = invalid("there is no data before %s", api.EarliestDate)
	case !last.Before(today):
		err = invalid("there is data through yesterday, %s (UTC)", today.AddDate(0, 0, -1).Format(api.DateLayout))
	case s.o.MaxSpanDays > 0 && days > s.o.MaxSpanDays:
		err = invalid("the window of %d days is longer than %d days", days, s.o.MaxSpanDays)
	}
	return first, last, err
}

func day(q url.Values, name string) (time.Time, error) {
	text, given, err := once(q, name)
	if err != nil {
		return time.Time{}, err
	}
	if !given {
		return time.Time{}, invalid("%s is missing", name)
	}
	d, err := time.Parse(api.DateLayout, text)
	if err != nil {
		return time.Time{}, invalid("%s is not a date of the form YYYY-MM-DD", name)
	}
	return d, nil
}
