package usage_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/usage"
)

// TestActivityF28ToF34 counts users once, and once in each client (C70-C81, T45).
func TestActivityF28ToF34(t *testing.T) {
	t.Parallel()
	say := func(user, session, client, role string) usage.Span {
		return usage.Span{Kind: usage.Message, UserID: user, SessionID: session, Client: client, Name: role}
	}
	d := dayOf(
		say("a", "1", usage.ClientTerminal, usage.RoleUser), say("a", "2", usage.ClientWeb, usage.RoleAssistant), say("a", "2", usage.ClientWeb, usage.RoleAssistant),
		say("b", "3", "ide", usage.RoleSystem), say("c", "4", usage.ClientTerminal, usage.RoleTool),
	)
	got := d.Result(usage.Facts{Weekly: 7, Monthly: 30}).Activity
	equal(t, "row", got, api.ActivityRow{
		Date: today, DailyActiveUsers: "3", WeeklyActiveUsers: number("7"), MonthlyActiveUsers: number("30"), // F28-F30
		DailyActiveUsersByClient: map[string]json.Number{"terminal-ui": "2", "web": "1", "non-interactive-cli": "0", "ide": "1"}, // F31
		Sessions:                 number("4"), Messages: number("3"), UserMessages: number("1"),                                  // F32-F34
	})
	equal(t, "user_day", d.Users(), []string{"a", "b", "c"})
}

// TestWindowsI5: neither window is ever smaller than what it holds (F29, F30).
func TestWindowsI5(t *testing.T) {
	t.Parallel()
	spans := []usage.Span{{Kind: usage.GitCommit, UserID: "a"}, {Kind: usage.GitCommit, UserID: "b"}}
	for facts, want := range map[[2]int64][2]json.Number{
		{0, 0}: {"2", "2"}, {1, 9}: {"2", "9"}, {5, 3}: {"5", "5"}, {5, 8}: {"5", "8"},
	} {
		got := dayOf(spans...).Result(usage.Facts{Weekly: facts[0], Monthly: facts[1]}).Activity
		equal(t, "weekly, monthly", [2]json.Number{*got.WeeklyActiveUsers, *got.MonthlyActiveUsers}, want)
	}
}

// TestByClientF35 has rows only for clients with users, key ascending (C79, C80).
func TestByClientF35(t *testing.T) {
	t.Parallel()
	got := resultOf(usage.Span{Kind: usage.GitCommit, Client: "web"}, usage.Span{Kind: usage.GitCommit, Client: "Ide"}, usage.Span{Kind: usage.GitCommit, Client: "web"}).ActivityByClient
	ide, web := "Ide", "web"
	equal(t, "rows", got, []api.ActivityRow{{Date: today, GroupKey: &ide, DailyActiveUsers: "1"}, {Date: today, GroupKey: &web, DailyActiveUsers: "1"}})
}

// TestSessionsF32F55 holds when a session counts as started, in all and for each user.
func TestSessionsF32F55(t *testing.T) {
	t.Parallel()
	start := func(user string, resumed bool) usage.Span {
		return usage.Span{Kind: usage.SessionStart, UserID: user, Resumed: resumed}
	}
	other := func(user string, at int64) usage.Span {
		return usage.Span{Kind: usage.GitCommit, UserID: user, Start: noon(time.Duration(at))}
	}
	for name, c := range map[string]struct {
		spans []usage.Span
		state usage.SessionState
		all   json.Number
		users []json.Number // a, b
	}{
		"started":                             {[]usage.Span{start("a", false)}, usage.SessionState{}, "1", []json.Number{"1"}},
		"started twice":                       {[]usage.Span{start("a", false), start("a", false)}, usage.SessionState{}, "1", []json.Number{"1"}},
		"started, then resumed":               {[]usage.Span{start("a", true), start("a", false)}, usage.SessionState{}, "1", []json.Number{"1"}},
		"resumed":                             {[]usage.Span{start("a", true), other("a", 1)}, usage.SessionState{}, "0", []json.Number{"0"}},
		"started here, seen before":           {[]usage.Span{start("a", false)}, usage.SessionState{FirstDay: "2026-11-17", HasStart: true}, "1", []json.Number{"1"}},
		"no start, nothing known":             {[]usage.Span{other("a", 1)}, usage.SessionState{}, "1", []json.Number{"1"}},
		"no start, first day":                 {[]usage.Span{other("a", 1)}, usage.SessionState{FirstDay: today}, "1", []json.Number{"1"}},
		"no start, seen before":               {[]usage.Span{other("a", 1)}, usage.SessionState{FirstDay: "2026-11-17"}, "0", []json.Number{"0"}},
		"started on another day I14":          {[]usage.Span{other("a", 1)}, usage.SessionState{FirstDay: "2026-11-17", HasStart: true}, "0", []json.Number{"0"}},
		"start arrives a day later":           {[]usage.Span{other("a", 1)}, usage.SessionState{FirstDay: today, HasStart: true}, "0", []json.Number{"0"}},
		"two users, the first one's":          {[]usage.Span{other("a", 2), other("b", 1)}, usage.SessionState{}, "1", []json.Number{"0", "1"}},
		"two users at once, the lesser id":    {[]usage.Span{other("b", 1), other("a", 1)}, usage.SessionState{}, "1", []json.Number{"1", "0"}},
		"two users, the starter's":            {[]usage.Span{other("a", -1), start("b", false)}, usage.SessionState{}, "1", []json.Number{"0", "1"}},
		"two users, both started the session": {[]usage.Span{start("a", false), start("b", false)}, usage.SessionState{}, "1", []json.Number{"1", "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := dayOf(c.spans...).Result(usage.Facts{Session: func(string) usage.SessionState { return c.state }})
			equal(t, "F32", *r.Activity.Sessions, c.all)
			var users []json.Number
			for _, u := range r.Users {
				users = append(users, u.Sessions)
			}
			equal(t, "F55", users, c.users)
		})
	}
}

// TestSessionsAsked: only sessions without a start span are looked up, and Sessions lists
// them beforehand.
func TestSessionsAsked(t *testing.T) {
	t.Parallel()
	d := dayOf(usage.Span{Kind: usage.SessionStart, SessionID: "1"}, usage.Span{Kind: usage.SessionStart, SessionID: "2", Resumed: true},
		usage.Span{Kind: usage.GitCommit, SessionID: "4"}, usage.Span{Kind: usage.GitCommit, SessionID: "3"})
	asked := map[string]int{}
	d.Result(usage.Facts{Session: func(id string) usage.SessionState { asked[id]++; return usage.SessionState{} }})
	equal(t, "asked", asked, map[string]int{"3": 1, "4": 1})
	equal(t, "listed", d.Sessions(), []string{"3", "4"})
}
