package report

import (
	"fmt"
	"time"

	"github.com/govctl/govctl/internal/api"
)

// Activity is how many people were active. People of several days are never added: the
// same person may be among them (T40).
type Activity struct {
	Days         []ActivityDay `json:"days"`
	DaysReported int           `json:"days_reported"`
	Daily        *Range        `json:"daily_active_users"`
	Weekly       *Range        `json:"weekly_active_users"`  // in the 7 days that end with a day
	Monthly      *Range        `json:"monthly_active_users"` // in the 30 days that end with a day
	Clients      []Count       `json:"clients"`              // active users of the last reported day; one person may be in several (T45)
	ClientsDay   string        `json:"clients_day"`
	Sessions     *float64      `json:"sessions"`      // started in the window; nil when a day does not say
	Messages     *float64      `json:"messages"`      // of users and the agent
	UserMessages *float64      `json:"user_messages"` // of users
}

// ActivityDay is one day of the window.
type ActivityDay struct {
	Date         string   `json:"date"`
	Reported     bool     `json:"reported"`
	Daily        *float64 `json:"daily_active_users"`
	Weekly       *float64 `json:"weekly_active_users"`
	Monthly      *float64 `json:"monthly_active_users"`
	Sessions     *float64 `json:"sessions"`
	Messages     *float64 `json:"messages"`
	UserMessages *float64 `json:"user_messages"`

	clients tally
}

// AddActivity adds days of /activity without groups.
func (m *Maker) AddActivity(rows []api.ActivityRow) error {
	for _, row := range rows {
		if _, twice := m.activity[row.Date]; twice {
			return fmt.Errorf("%s comes twice", row.Date)
		}
		var read numbers
		daily := read.need(row.DailyActiveUsers)
		d := ActivityDay{
			Date: row.Date, Reported: true, Daily: &daily, Weekly: read.may(row.WeeklyActiveUsers), Monthly: read.may(row.MonthlyActiveUsers),
			Sessions: read.may(row.Sessions), Messages: read.may(row.Messages), UserMessages: read.may(row.UserMessages), clients: tally{},
		}
		for _, name := range sortedKeys(row.DailyActiveUsersByClient) {
			d.clients[name] = read.need(row.DailyActiveUsersByClient[name])
		}
		if read.err != nil {
			return fmt.Errorf("%s: %w", row.Date, read.err)
		}
		m.activity[row.Date] = d
	}
	return nil
}

func (m *Maker) makeActivity() *Activity {
	out := &Activity{Days: []ActivityDay{}, Clients: []Count{}}
	var sessions, messages, turns sum
	for _, day := range m.days() {
		d, reported := m.activity[day]
		d.Date = day
		out.Days = append(out.Days, d)
		if !reported {
			continue
		}
		out.DaysReported++
		out.Daily, out.Weekly, out.Monthly = out.Daily.see(day, d.Daily), out.Weekly.see(day, d.Weekly), out.Monthly.see(day, d.Monthly)
		sessions.add(d.Sessions)
		messages.add(d.Messages)
		turns.add(d.UserMessages)
		if len(d.clients) > 0 {
			out.Clients, out.ClientsDay = d.clients.list(), day
		}
	}
	if out.DaysReported > 0 {
		out.Sessions, out.Messages, out.UserMessages = sessions.value(), messages.value(), turns.value()
	}
	m.unreported(SectionActivity, out.DaysReported)
	if first, err := time.Parse(api.DateLayout, api.EarliestDate); err == nil {
		if full := first.AddDate(0, 0, 29).Format(api.DateLayout); m.in.Window.From < full {
			m.note(SectionActivity, "usage begins on %s: before %s the counts of 30 days look back on fewer", api.EarliestDate, full)
		}
	}
	return out
}
