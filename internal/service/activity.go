package service

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// activity answers GET analytics/activity (F28-F35): one row per day, zero for a day
// without telemetry (U7), or one per client type and day that had users.
func (s *Service) activity(c *call) (any, error) {
	first, last, err := s.window(c.query)
	if err != nil {
		return nil, err
	}
	group, grouped, err := once(c.query, "group_by")
	if err != nil {
		return nil, err
	}
	if grouped && group != "client" {
		return nil, invalid("group_by must be client")
	}
	org, err := s.organizationID(c)
	if err != nil {
		return nil, err
	}
	days, err := s.store.Activity(c.ctx, first, last)
	if err != nil {
		return nil, err
	}
	rows := []api.ActivityRow{}
	for _, d := range days {
		if grouped {
			rows = append(rows, clientRows(d)...)
		} else {
			rows = append(rows, dayRow(d))
		}
	}
	meta := api.Meta{OrgID: org, StartDate: first.Format(api.DateLayout), EndDate: last.Format(api.DateLayout)}
	return api.ActivityPage{Data: rows, Meta: meta}, nil
}

func dayRow(d store.Activity) api.ActivityRow {
	byClient := map[string]json.Number{"terminal-ui": "0", "web": "0", "non-interactive-cli": "0"}
	for name, n := range d.ByClient {
		byClient[name] = number(n)
	}
	return api.ActivityRow{
		Date: d.Day, DailyActiveUsers: number(d.Daily), WeeklyActiveUsers: some(d.Weekly), MonthlyActiveUsers: some(d.Monthly),
		DailyActiveUsersByClient: byClient, Sessions: some(d.Sessions), Messages: some(d.Messages), UserMessages: some(d.UserMessages),
	}
}

func clientRows(d store.Activity) []api.ActivityRow {
	var rows []api.ActivityRow
	for _, name := range slices.Sorted(maps.Keys(d.ByClient)) {
		rows = append(rows, api.ActivityRow{Date: d.Day, GroupKey: &name, DailyActiveUsers: number(d.ByClient[name])})
	}
	return rows
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

func some(n int64) *json.Number {
	v := number(n)
	return &v
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
