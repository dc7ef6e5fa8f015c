package servicetest

import (
	"testing"
	"time"
)

func (s *suite) testActivity(t *testing.T) {
	const path, layout = "/api/v1/analytics/activity?", "2006-01-02"
	today := s.Now().UTC().Truncate(24 * time.Hour)
	date := func(days int) string { return today.AddDate(0, 0, days).Format(layout) }
	window := func(first, last string) ask { return ask{Path: path + "startDate=" + first + "&endDate=" + last} }
	more := func(query string) ask { return ask{Path: window(date(-3), date(-1)).Path + query} }
	s.rows(t, []row{
		{"C15 no startDate", ask{Path: path + "endDate=" + date(-1)}, 400},
		{"C16 no endDate", ask{Path: path + "startDate=" + date(-1)}, 400},
		{"C17 C21 empty date", window("", date(-1)), 400},
		{"C21 short date", window("2026-1-14", date(-1)), 400},
		{"C21 no such day", window("2026-02-30", date(-1)), 400},
		{"C21 time", window(date(-2)+"T00:00:00Z", date(-1)), 400},
		{"C21 space", window("%20"+date(-2), date(-1)), 400},
		{"C21 words", window("yesterday", date(-1)), 400},
		{"C21 full-width digits", window("２０２６-02-01", date(-1)), 400},
		{"C20 U6 today", window(date(0), date(0)), 400},
		{"C20 through today", window(date(-1), date(0)), 400},
		{"U6 future", window(date(3), date(4)), 400},
		{"U4 wrong order", window(date(-1), date(-2)), 400},
		{"C22 U5 too early", window("2026-01-13", date(-1)), 400},
		{"C22 U3 whole history", window("2026-01-14", date(-1)), 200},
		{"C19 yesterday", window(date(-1), date(-1)), 200},
		{"U12 date twice", more("&startDate=" + date(-3)), 400},
		{"U1 unknown group", more("&group_by=model"), 400},
		{"U1 empty group", more("&group_by="), 400},
		{"U1 other case of the group", more("&group_by=Client"), 400},
		{"C27 group_by=client", more("&group_by=client"), 200},
		{"U13 limit is not a parameter here", more("&limit=0"), 200},
	})
	t.Run("C11 C12 C18 C23 U7 a row for every day", func(t *testing.T) {
		body := s.send(t, window("2026-01-14", date(-1)), 200).object(t)
		rows := parse[[]object](t, body["data"])
		day := time.Date(2026, 1, 14, 0, 0, 0, 0, time.UTC)
		for _, r := range rows {
			want(t, r, "date", quote(day.Format(layout)))
			checkActivity(t, r)
			day = day.AddDate(0, 0, 1)
		}
		if !day.Equal(today) {
			t.Errorf("the last row is of %s", day.AddDate(0, 0, -1).Format(layout))
		}
		meta := parse[object](t, body["meta"])
		want(t, meta, "start_date", `"2026-01-14"`)
		want(t, meta, "end_date", quote(date(-1)))
		if id := text(t, meta, "org_id"); s.OrganizationID != "" && id != s.OrganizationID {
			t.Errorf("U82 org_id %q, want %q", id, s.OrganizationID)
		}
	})
	t.Run("C24 C79 C80 U7 grouped rows", func(t *testing.T) {
		body := s.send(t, more("&group_by=client"), 200).object(t)
		for _, r := range parse[[]object](t, body["data"]) {
			text(t, r, "date")
			text(t, r, "group_key")
			if n := parse[int](t, r["daily_active_users"]); n < 1 || len(r) != 3 {
				t.Errorf("row %s", raw(r))
			}
		}
	})
}

// checkActivity holds C71 to C78 and U14 for one row.
func checkActivity(t *testing.T, r object) {
	t.Helper()
	number := map[string]int64{}
	for _, name := range []string{"daily_active_users", "weekly_active_users", "monthly_active_users", "sessions", "messages", "user_messages"} {
		number[name] = parse[int64](t, r[name])
	}
	if number["daily_active_users"] > number["weekly_active_users"] || number["weekly_active_users"] > number["monthly_active_users"] {
		t.Errorf("C71 C72 C73: %s", raw(r))
	}
	if number["user_messages"] > number["messages"] {
		t.Errorf("C76 C77: %s", raw(r))
	}
	clients := parse[map[string]int64](t, r["daily_active_users_by_client"])
	for _, name := range []string{"terminal-ui", "web", "non-interactive-cli"} {
		if _, ok := clients[name]; !ok {
			t.Errorf("C74 C78: %s is missing in %s", name, raw(r))
		}
	}
}
