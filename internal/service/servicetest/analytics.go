package servicetest

import (
	"strings"
	"testing"
	"time"
)

const analyticsPath = "/api/v1/analytics/"

// endpoint is one of the five analytics endpoints.
type endpoint struct {
	name  string
	group string // the one value of group_by, "" if there is none
	check func(*testing.T, object)
	row   string // names of the fields of a row, those of a grouped row after a bar
}

func endpoints() []endpoint {
	return []endpoint{
		{"tokens", "model", checkTokens, "date billable_tokens input_tokens output_tokens cache_read_tokens cache_write_tokens by_model by_user|" +
			"date group_key billable_tokens input_tokens output_tokens"},
		{"tools", "tool_name", checkTools, "date tool_calls by_tool mcp_users_with_mcp mcp_by_server skills_invocations skills_by_name " +
			"slash_commands_invocations slash_commands_by_name hooks_invocations hooks_by_event web_users autonomy_ratio_avg autonomy_ratio_p50 " +
			"autonomy_ratio_p90 tool_calls_per_session_avg user_turns_per_session_avg tool_autonomy_level_ratio|date group_key tool_calls"},
		{"activity", "client", checkActivity, "date daily_active_users weekly_active_users monthly_active_users daily_active_users_by_client " +
			"sessions messages user_messages|date group_key daily_active_users"},
		{"productivity", "", checkProductivity, "date files_created files_edited by_extension by_language git_commits git_prs_created"},
		{"users", "", checkUser, "user_id user_email date tool_calls billable_tokens primary_model primary_model_tier files_created files_edited " +
			"git_commits git_prs_created mcp_calls skill_calls slash_commands hooks sessions messages user_messages assistant_messages " +
			"autonomy_ratio delegation_level languages"},
	}
}

// date is a day relative to today of the service.
func (s *suite) date(days int) string {
	return s.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, days).Format("2006-01-02")
}

func window(endpoint, first, last string) ask {
	return ask{Path: analyticsPath + endpoint + "?startDate=" + first + "&endDate=" + last}
}

func (s *suite) testAnalytics(t *testing.T) {
	for _, e := range endpoints() {
		t.Run(e.name, func(t *testing.T) {
			s.testDates(t, e.name)
			s.testGroup(t, e)
			if e.name != "users" {
				s.testDays(t, e)
			}
			s.rows(t, []row{
				{"C34 no key", ask{Path: window(e.name, s.date(-1), s.date(-1)).Path, Key: "none"}, 401},
				{"C34 revoked key", ask{Path: window(e.name, s.date(-1), s.date(-1)).Path, Key: "revoked"}, 401},
				{"C35 owner", ask{Path: window(e.name, s.date(-1), s.date(-1)).Path, Key: "owner"}, 200},
				{"C36 member", ask{Path: window(e.name, s.date(-1), s.date(-1)).Path, Key: "member"}, 403},
				{"C37 guest", ask{Path: window(e.name, s.date(-1), s.date(-1)).Path, Key: "guest"}, 403},
				{"U71 403 before 400", ask{Path: analyticsPath + e.name, Key: "member"}, 403},
				{"C14 POST", ask{Method: "POST", Path: analyticsPath + e.name, Body: "{}"}, 405},
			})
		})
	}
	t.Run("users pages", s.testUserPages)
}

func (s *suite) testDates(t *testing.T, endpoint string) {
	path := analyticsPath + endpoint + "?"
	of := func(first, last string) ask { return window(endpoint, first, last) }
	s.rows(t, []row{
		{"C15 no startDate", ask{Path: path + "endDate=" + s.date(-1)}, 400},
		{"C16 no endDate", ask{Path: path + "startDate=" + s.date(-1)}, 400},
		{"C17 C21 empty date", of("", s.date(-1)), 400},
		{"C21 short date", of("2026-1-14", s.date(-1)), 400},
		{"C21 no such day", of("2026-02-30", s.date(-1)), 400},
		{"C21 time", of(s.date(-2)+"T00:00:00Z", s.date(-1)), 400},
		{"C21 space", of("%20"+s.date(-2), s.date(-1)), 400},
		{"C21 words", of("yesterday", s.date(-1)), 400},
		{"C21 full-width digits", of("２０２６-02-01", s.date(-1)), 400},
		{"C20 U6 today", of(s.date(0), s.date(0)), 400},
		{"C20 through today", of(s.date(-1), s.date(0)), 400},
		{"U6 future", of(s.date(3), s.date(4)), 400},
		{"U4 wrong order", of(s.date(-1), s.date(-2)), 400},
		{"C22 U5 too early", of("2026-01-13", s.date(-1)), 400},
		{"C22 U3 whole history", of("2026-01-14", s.date(-1)), 200},
		{"C19 yesterday", of(s.date(-1), s.date(-1)), 200},
		{"U12 date twice", ask{Path: of(s.date(-3), s.date(-1)).Path + "&startDate=" + s.date(-3)}, 400},
		{"U13 unknown parameter", ask{Path: of(s.date(-3), s.date(-1)).Path + "&shade=0"}, 200},
	})
}

// testGroup holds C24 to C28 and U1.
func (s *suite) testGroup(t *testing.T, e endpoint) {
	base := window(e.name, s.date(-3), s.date(-1)).Path
	for _, value := range []string{"model", "tool_name", "client", "user", ""} {
		status := 400
		if value == e.group && value != "" || e.group == "" {
			status = 200 // U1: ignored where there is no group_by
		}
		s.rows(t, []row{{"U1 C25 C26 C27 C28 group_by=" + value, ask{Path: base + "&group_by=" + value}, status}})
	}
	if e.group != "" {
		s.rows(t, []row{
			{"U1 other case", ask{Path: base + "&group_by=" + strings.ToUpper(e.group)}, 400},
			{"U12 twice", ask{Path: base + "&group_by=" + e.group + "&group_by=" + e.group}, 400},
		})
	}
}

// testDays holds the rows of one endpoint over the whole history.
func (s *suite) testDays(t *testing.T, e endpoint) {
	plain, grouped, _ := strings.Cut(e.row, "|")
	t.Run("C11 C12 C18 C23 U7 a row for every day", func(t *testing.T) {
		body := s.send(t, window(e.name, "2026-01-14", s.date(-1)), 200).object(t)
		day := time.Date(2026, 1, 14, 0, 0, 0, 0, time.UTC)
		for _, r := range parse[[]object](t, body["data"]) {
			want(t, r, "date", quote(day.Format("2006-01-02")))
			checkNames(t, r, plain)
			e.check(t, r)
			day = day.AddDate(0, 0, 1)
		}
		if got := day.Format("2006-01-02"); got != s.date(0) {
			t.Errorf("the rows end before %s", got)
		}
		s.checkMeta(t, body, "2026-01-14", s.date(-1), 3)
	})
	if e.group == "" {
		return
	}
	t.Run("C24 U2 U7 grouped rows", func(t *testing.T) {
		ask := window(e.name, "2026-01-14", s.date(-1))
		ask.Path += "&group_by=" + e.group
		last := ""
		for _, r := range parse[[]object](t, s.send(t, ask, 200).object(t)["data"]) {
			checkNames(t, r, grouped)
			key := text(t, r, "date") + "\x00" + text(t, r, "group_key")
			if key <= last {
				t.Errorf("U2: %q comes after %q", key, last)
			}
			last = key
		}
	})
}

// checkNames wants exactly these fields. Credits may be hidden (U15).
func checkNames(t *testing.T, r object, names string) {
	t.Helper()
	seen := 0
	for name := range strings.FieldsSeq(names) {
		if _, ok := r[name]; ok {
			seen++
		} else if name != "billable_tokens" {
			t.Errorf("%s is missing in %s", name, raw(r))
		}
	}
	if seen != len(r) {
		t.Errorf("unknown fields in %s", raw(r))
	}
}

// checkMeta holds C12, U82 and F62.
func (s *suite) checkMeta(t *testing.T, body object, first, last string, fields int) {
	t.Helper()
	meta := parse[object](t, body["meta"])
	want(t, meta, "start_date", quote(first))
	want(t, meta, "end_date", quote(last))
	if id := text(t, meta, "org_id"); s.OrganizationID != "" && id != s.OrganizationID {
		t.Errorf("U82 org_id %q, want %q", id, s.OrganizationID)
	}
	if len(meta) != fields || len(body) != 2 {
		t.Errorf("C12 C13: %s", raw(meta))
	}
}

// testUserPages holds C29 to C33, U8 to U10, U12 and I16.
func (s *suite) testUserPages(t *testing.T) {
	base := window("users", s.date(-31), s.date(-1)).Path
	for _, limit := range []string{"", "0", "-1", "101", "1.5", "abc", "+5", "%2B5", "1e1", "5&limit=6"} {
		s.rows(t, []row{{"C30 U12 limit " + limit, ask{Path: base + "&limit=" + limit}, 400}})
	}
	s.rows(t, []row{
		{"U9 a cursor of nobody is a place", ask{Path: base + "&cursor=nobody"}, 200},
		{"U9 a cursor of any text", ask{Path: base + "&cursor=%00%ff%F0%9F%98%80"}, 200},
		{"U12 two cursors", ask{Path: base + "&cursor=a&cursor=b"}, 400},
	})
	whole := s.walkUsers(t, base+"&limit=100")
	for _, limit := range []int{1, 3, 20, 99} {
		if got := s.walkUsers(t, base+"&limit="+itoa(limit)); raw(got) != raw(whole) {
			t.Errorf("I16: limit %d gives %d rows, limit 100 gives %d", limit, len(got), len(whole))
		}
	}
	if got := s.walkUsers(t, base); raw(got) != raw(whole) {
		t.Error("C29: the default limit gives another list")
	}
	t.Run("C32 an empty cursor is the first page", func(t *testing.T) {
		if a, b := s.send(t, ask{Path: base + "&cursor="}, 200), s.send(t, ask{Path: base}, 200); string(a.Body) != string(b.Body) {
			t.Error("another page")
		}
	})
}

// walkUsers follows next_cursor and checks each row and page.
func (s *suite) walkUsers(t *testing.T, path string) (all []object) {
	t.Helper()
	cursor, last := "", ""
	for {
		body := s.send(t, ask{Path: path + "&cursor=" + cursor}, 200).object(t)
		meta := parse[object](t, body["meta"])
		for _, r := range parse[[]object](t, body["data"]) {
			key := text(t, r, "user_id") + "\x00" + text(t, r, "date")
			if key <= last {
				t.Errorf("U2: %q comes after %q", key, last)
			}
			last, all = key, append(all, r)
		}
		if !parse[bool](t, meta["has_more"]) {
			s.checkMeta(t, body, s.date(-31), s.date(-1), 4) // U10: no next_cursor
			return all
		}
		s.checkMeta(t, body, s.date(-31), s.date(-1), 5)
		if cursor = text(t, meta, "next_cursor"); !strings.HasPrefix(last, cursor+"\x00") {
			t.Fatalf("C31 U8: next_cursor %q after row %q", cursor, last)
		}
	}
}
