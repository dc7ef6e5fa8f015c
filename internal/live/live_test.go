package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// service is a Reader in memory that breaks where it is told to.
type service struct {
	walks     [][]api.User // one after the other, the last repeats
	computers []api.Computer
	history   []api.Change // newest first
	sessions  []api.Session
	fail      map[string]error // by what is asked: users, id X, name X, history, sessions, session X, organization
	failAfter map[string]int   // items before the failure of a list

	mu    sync.Mutex
	asked []string
}

func (s *service) ask(what string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, what)
	return s.fail[what]
}

// sequence yields items until the list fails.
func sequence[T any](s *service, what string, items []T, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for i, item := range items {
			if err != nil && i == s.failAfter[what] {
				break
			}
			if !yield(item, nil) {
				return
			}
		}
		if err != nil {
			var zero T
			yield(zero, err)
		}
	}
}

func (s *service) Users(context.Context) iter.Seq2[api.User, error] {
	err := s.ask("users")
	walk := min(s.count("users"), len(s.walks)) - 1
	if walk < 0 {
		return sequence[api.User](s, "users", nil, err)
	}
	return sequence(s, "users", s.walks[walk], err)
}

func (s *service) count(what string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.asked {
		if a == what {
			n++
		}
	}
	return n
}

func (s *service) find(what string, is func(api.Computer) bool) (api.Computer, error) {
	if err := s.ask(what); err != nil {
		return api.Computer{}, err
	}
	for _, c := range s.computers {
		if is(c) {
			return c, nil
		}
	}
	return api.Computer{}, failure(404)
}

func (s *service) Computer(_ context.Context, id string) (api.Computer, error) {
	return s.find("id "+id, func(c api.Computer) bool { return c.ID == id })
}

func (s *service) ComputerByName(_ context.Context, name string) (api.Computer, error) {
	return s.find("name "+name, func(c api.Computer) bool { return c.Name == name })
}

func (s *service) History(_ context.Context, size int) iter.Seq2[api.Change, error] {
	what := fmt.Sprintf("history %d", size)
	return sequence(s, what, s.history, s.ask(what))
}

func (s *service) Sessions(context.Context) iter.Seq2[api.Session, error] {
	var items []api.Session
	for _, i := range s.sessions {
		i.Status = nil
		items = append(items, i)
	}
	return sequence(s, "sessions", items, s.ask("sessions"))
}

func (s *service) Session(_ context.Context, id string) (api.Session, error) {
	if err := s.ask("session " + id); err != nil {
		return api.Session{}, err
	}
	for _, i := range s.sessions {
		if i.SessionID == id {
			return i, nil
		}
	}
	return api.Session{}, failure(404)
}

func (s *service) OrganizationID(context.Context, time.Time) (string, error) {
	return "org_1", s.ask("organization")
}

func failure(status int) error {
	return &api.Error{Method: "GET", Path: "/x", Status: status, Detail: "d"}
}

func ptr(s string) *string { return &s }

func read(t *testing.T, s Reader, q Query) org.Live {
	t.Helper()
	l, err := Read(context.Background(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestNothingIsAskedForNothing(t *testing.T) {
	t.Parallel()
	s := &service{}
	l := read(t, s, Query{Models: &org.Models{}})
	if len(s.asked) != 0 || l.MembersRead || l.Newest != nil || len(l.Gaps) != 0 {
		t.Errorf("asked %q, got %+v", s.asked, l)
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	s := &service{walks: [][]api.User{{
		{ID: "u3", Email: ptr("Ada@Example.com"), FirstName: ptr("Ada"), Metadata: api.Object{
			"team": json.RawMessage(`"ml"`), "level": json.RawMessage(`9007199254740993`), "q": json.RawMessage(`"a\"b"`), "o": json.RawMessage(`{"n":[1.50,null]}`), "e": json.RawMessage(`""`), "t": json.RawMessage("true"), "f": json.RawMessage("false"), "z": json.RawMessage("null"), "m": json.RawMessage("-1.5e3"),
		}},
		{ID: "u1", Email: ptr("jose\u0301@example.com")}, // decomposed
		{ID: "u2"},
		{ID: "u4", Email: ptr("ADA@example.com")}, // T6: ambiguous, both stay
		{ID: "u1", Email: ptr("jose\u0301@example.com")},
	}}}
	var seen []string
	l := read(t, s, Query{Members: true, Profiles: true, Declared: []org.Email{"ada@example.com"}, OnProgress: func(f string, n int) { seen = append(seen, fmt.Sprint(f, n)) }})
	want := []org.Member{
		{ID: "u2"},
		{ID: "u3", Email: "ada@example.com", Spelling: "Ada@Example.com", FirstName: "Ada", Metadata: map[string]any{
			"team": "ml", "level": json.Number("9007199254740993"), "q": `a"b`, "o": map[string]any{"n": []any{json.Number("1.50"), nil}}, "e": "", "t": true, "f": false, "z": nil, "m": json.Number("-1.5e3"),
		}},
		{ID: "u4", Email: "ada@example.com", Spelling: "ADA@example.com"},
		{ID: "u1", Email: "jos\u00e9@example.com", Spelling: "jose\u0301@example.com"},
	}
	if diff := cmp.Diff(want, l.Members); diff != "" || !l.MembersRead {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"users"}, s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"members4"}, seen); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
}

func TestMembersSecondWalk(t *testing.T) {
	t.Parallel()
	ada, bob := api.User{ID: "1", Email: ptr("ada@x.io")}, api.User{ID: "2", Email: ptr("bob@x.io")}
	for _, c := range []struct {
		name    string
		s       *service
		members string
		gaps    int
	}{
		{"found in the second", &service{walks: [][]api.User{{ada}, {bob}}}, "ada@x.io bob@x.io", 0},
		{"found in none", &service{walks: [][]api.User{{ada}}}, "ada@x.io", 0},
		{"list broken", &service{walks: [][]api.User{{ada, bob}}, fail: map[string]error{"users": failure(500)}, failAfter: map[string]int{"users": 1}}, "", 1},
		{"bad metadata", &service{walks: [][]api.User{{{ID: "3", Metadata: api.Object{"a": json.RawMessage(`{`)}}}}}, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := read(t, c.s, Query{Members: true, Profiles: true, Declared: []org.Email{"ada@x.io", "bob@x.io"}})
			var got []string
			for _, m := range l.Members {
				got = append(got, string(m.Email))
			}
			if strings.Join(got, " ") != c.members || len(l.Gaps) != c.gaps || l.MembersRead != (c.gaps == 0) {
				t.Errorf("got %q, read %v, gaps %v", got, l.MembersRead, l.Gaps)
			}
			if n := c.s.count("users"); c.gaps == 0 && n != 2 {
				t.Errorf("%d walks", n)
			}
		})
	}
}

func TestComputers(t *testing.T) {
	t.Parallel()
	live := []api.Computer{
		{ID: "c1", Name: "build-01", ProviderType: "byom", HostID: ptr("h"), Status: ptr("active"), ProvisioningSteps: []api.Step{{Name: ptr("install"), Error: ptr("e")}}},
		{ID: "c2", Name: "renamed"}, {ID: "c3", Name: "old"},
	}
	c1 := &org.Computer{ID: "c1", Name: "build-01", Provider: "byom", HostID: "h", Status: "active", Steps: []org.Step{{Name: "install", Error: "e"}}}
	c2, c3 := &org.Computer{ID: "c2", Name: "renamed"}, &org.Computer{ID: "c3", Name: "old"}
	type answers = map[string]*org.Computer
	for _, c := range []struct {
		name     string
		declared org.Computer
		known    string
		fail     map[string]error
		byID     answers
		byName   answers
		asked    string
		gap      string
	}{
		{"by name", org.Computer{Name: "build-01"}, "", nil, answers{}, answers{"build-01": c1}, "name build-01", ""},
		{"not found", org.Computer{Name: "new"}, "", nil, answers{}, answers{"new": nil}, "name new", ""},
		{"by pinned id", org.Computer{Name: "build-01", ID: "c1"}, "c9", nil, answers{"c1": c1}, answers{}, "id c1", ""},
		{"by remembered id", org.Computer{Name: "build-01"}, "c1", nil, answers{"c1": c1}, answers{}, "id c1", ""},
		{"id gone", org.Computer{Name: "build-01"}, "c9", nil, answers{"c9": nil}, answers{"build-01": c1}, "id c9,name build-01", ""},
		{"renamed outside", org.Computer{Name: "build-02"}, "c2", nil, answers{"c2": c2}, answers{"build-02": nil}, "id c2,name build-02", ""},
		{"name taken", org.Computer{Name: "build-01"}, "c2", nil, answers{"c2": c2}, answers{"build-01": c1}, "id c2,name build-01", ""},
		{"former name", org.Computer{Name: "new", Previously: []string{"older", "old", "oldest"}}, "", nil, answers{}, answers{"new": nil, "older": nil, "old": c3, "oldest": nil}, "name new,name older,name old,name oldest", ""},
		{"former name not needed", org.Computer{Name: "build-01", Previously: []string{"old"}}, "", nil, answers{}, answers{"build-01": c1}, "name build-01", ""},
		{"unreadable id", org.Computer{Name: "build-01", ID: "c1"}, "", map[string]error{"id c1": failure(500)}, answers{}, answers{}, "id c1", "build-01"},
		{"unreadable name", org.Computer{Name: "build-01"}, "", map[string]error{"name build-01": errors.New("a\nb")}, answers{}, answers{}, "name build-01", "build-01"},
		{"forbidden", org.Computer{Name: "build-01"}, "", map[string]error{"name build-01": failure(403)}, answers{}, answers{}, "name build-01", "build-01"},
		{"unreadable target of a rename", org.Computer{Name: "build-01"}, "c2", map[string]error{"name build-01": failure(502)}, answers{"c2": c2}, answers{}, "id c2,name build-01", "build-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &service{computers: live, fail: c.fail}
			q := Query{Computers: []org.Computer{c.declared}, Known: map[string]org.KnownComputer{c.declared.Name: {ID: c.known}}}
			l := read(t, s, q)
			if diff := cmp.Diff([]answers{c.byID, c.byName}, []answers{l.ByID, l.ByName}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := strings.Join(s.asked, ","); got != c.asked {
				t.Errorf("asked %q, want %q", got, c.asked)
			}
			if c.gap == "" && len(l.Gaps) != 0 || c.gap != "" && (len(l.Gaps) != 1 || l.Gaps[0].Key != c.gap || strings.Contains(l.Gaps[0].Error, "\n")) {
				t.Errorf("gaps %+v", l.Gaps)
			}
		})
	}
}

func TestComputersAskOnce(t *testing.T) {
	t.Parallel()
	s := &service{computers: []api.Computer{{ID: "c1", Name: "a"}}}
	var declared []org.Computer
	for i := range 50 {
		declared = append(declared, org.Computer{Name: fmt.Sprintf("n%d", i), Previously: []string{"gone", "a"}})
	}
	l := read(t, s, Query{Computers: declared})
	if s.count("name gone") != 1 || s.count("name a") != 1 || len(s.asked) != 52 || len(l.ByName) != 52 {
		t.Errorf("%d questions, %d answers", len(s.asked), len(l.ByName))
	}
}

func change(n int64, settings string) api.Change {
	return api.Change{Revision: n, Settings: json.RawMessage(settings), UpdatedAt: fmt.Sprintf("t%d", n), User: &api.Actor{ID: ptr(fmt.Sprintf("u%d", n))}}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	on := []org.Expectation{{Pointer: "/sandbox/enabled", Value: true}}
	const yes, no = `{"sandbox":{"enabled":true}}`, `{"sandbox":{"enabled":false}}`
	for _, c := range []struct {
		name    string
		history []api.Change
		expect  []org.Expectation
		fail    map[string]error
		after   int
		newest  int64
		blame   map[string]string // pointer -> "revision" or "revision~" for at or before
		asked   string
		gap     string
	}{
		{name: "no expectation", history: []api.Change{change(3, no)}, newest: 3, asked: "history 1"},
		{name: "met", history: []api.Change{change(3, yes)}, expect: on, newest: 3, asked: "history 1"},
		{name: "empty history", asked: "history 1"},
		{name: "empty history and expectations", expect: on, asked: "history 1", gap: "the history is empty"},
		{name: "unreadable", expect: on, fail: map[string]error{"history 1": failure(500)}, asked: "history 1", gap: "status 500"},
		{name: "not an object", history: []api.Change{change(3, `[]`)}, expect: on, asked: "history 1", gap: "revision 3: not a JSON object"},
		{name: "changed in the newest", history: []api.Change{change(3, no), change(2, yes)}, expect: on, newest: 3, blame: map[string]string{"/sandbox/enabled": "3"}, asked: "history 1,history 100"},
		{name: "changed long ago", history: []api.Change{change(5, no), change(4, no), change(3, no), change(2, yes), change(1, no)}, expect: on, newest: 5, blame: map[string]string{"/sandbox/enabled": "3"}, asked: "history 1,history 100"},
		{name: "was absent before", history: []api.Change{change(3, no), change(2, `{}`)}, expect: on, newest: 3, blame: map[string]string{"/sandbox/enabled": "3"}, asked: "history 1,history 100"},
		{name: "since the first", history: []api.Change{change(2, no), change(1, no)}, expect: on, newest: 2, blame: map[string]string{"/sandbox/enabled": "1"}, asked: "history 1,history 100"},
		{name: "history begins late", history: []api.Change{change(9, no), change(8, no)}, expect: on, newest: 9, blame: map[string]string{"/sandbox/enabled": "8~"}, asked: "history 1,history 100"},
		{name: "gap of revisions", history: []api.Change{change(9, no), change(7, no), change(4, yes)}, expect: on, newest: 9, blame: map[string]string{"/sandbox/enabled": "7~"}, asked: "history 1,history 100"},
		{name: "page breaks", history: []api.Change{change(5, no), change(4, no), change(3, no), change(2, yes)}, expect: on, fail: map[string]error{"history 100": failure(502)}, after: 2, newest: 5, blame: map[string]string{"/sandbox/enabled": "4~"}, asked: "history 1,history 100"},
		{name: "old revision is nonsense", history: []api.Change{change(5, no), change(4, no), change(3, `7`), change(2, yes)}, expect: on, newest: 5, blame: map[string]string{"/sandbox/enabled": "4~"}, asked: "history 1,history 100"},
		{name: "two suspects", history: []api.Change{change(4, `{"a":1,"b":2}`), change(3, `{"a":1,"b":1}`), change(2, `{"a":0,"b":1}`), change(1, `{}`)},
			expect: []org.Expectation{{Pointer: "/a", Value: json.Number("5")}, {Pointer: "/b", Absent: true}, {Pointer: "/c", Absent: true}},
			newest: 4, blame: map[string]string{"/a": "3", "/b": "4"}, asked: "history 1,history 100"},
		{name: "secrets differ", history: []api.Change{change(3, `{"apiKey":"new"}`), change(2, `{"apiKey":"new"}`), change(1, `{"apiKey":"old"}`)},
			expect: []org.Expectation{{Pointer: "/apiKey", Absent: true}}, newest: 3, blame: map[string]string{"/apiKey": "2"}, asked: "history 1,history 100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := &service{history: c.history, fail: c.fail, failAfter: map[string]int{"history 100": c.after}}
			l := read(t, s, Query{Settings: true, Expectations: c.expect})
			if (l.Newest == nil) != (c.newest == 0) || l.Newest != nil && l.Newest.Number != c.newest {
				t.Errorf("newest %+v, want %d", l.Newest, c.newest)
			}
			got := map[string]string{}
			for p, b := range l.Blame {
				got[p] = fmt.Sprint(b.Revision)
				if b.AtOrBefore {
					got[p] += "~"
				}
				if b.Actor.ID != fmt.Sprintf("u%d", b.Revision) || b.UpdatedAt != fmt.Sprintf("t%d", b.Revision) {
					t.Errorf("blame of %s: %+v", p, b)
				}
			}
			if len(got)+len(c.blame) > 0 {
				if diff := cmp.Diff(c.blame, got); diff != "" {
					t.Errorf("blame (-want +got):\n%s", diff)
				}
			}
			if asked := strings.Join(s.asked, ","); asked != c.asked {
				t.Errorf("asked %q, want %q", asked, c.asked)
			}
			if c.gap == "" && len(l.Gaps) > 0 || c.gap != "" && (len(l.Gaps) != 1 || !strings.Contains(l.Gaps[0].Error, c.gap)) {
				t.Errorf("gaps %+v, want %q", l.Gaps, c.gap)
			}
			if text := fmt.Sprintf("%+v", l); strings.Contains(text, "new]") || l.Newest != nil && fmt.Sprint(l.Newest.Settings["apiKey"]) == "new" {
				t.Errorf("a secret left: %s", text)
			}
		})
	}
}

// A revision made between the two walks must not be blamed.
func TestSettingsMoveUnderTheWalk(t *testing.T) {
	t.Parallel()
	s := &moving{service: service{history: []api.Change{change(2, `{"a":1}`), change(1, `{}`)}}}
	l, err := Read(context.Background(), s, Query{Expectations: []org.Expectation{{Pointer: "/a", Absent: true}}})
	if err != nil || l.Newest.Number != 2 || l.Blame["/a"].Revision != 2 || l.Blame["/a"].AtOrBefore {
		t.Errorf("got %+v, %v", l, err)
	}
}

// moving gets a new revision after its first page was read.
type moving struct{ service }

func (m *moving) History(ctx context.Context, size int) iter.Seq2[api.Change, error] {
	seq := m.service.History(ctx, size)
	m.history = append([]api.Change{change(3, `{"a":2}`)}, m.history...)
	return seq
}

func TestSessions(t *testing.T) {
	t.Parallel()
	on := func(id, model, archived, status string) api.Session {
		s := api.Session{SessionID: id, Status: &status, ComputerID: ptr("c"), SessionSettings: &api.SessionSettings{Model: &model}}
		if archived != "" {
			s.SessionSettings.ArchivedAt = &archived
		}
		return s
	}
	s := &service{
		sessions: []api.Session{on("s9", "bad", "", "idle"), on("s1", "bad", "", "running"), on("s2", "good", "", "idle"), on("s3", "bad", "2026", "idle"),
			on("s4", "", "", "idle"), {SessionID: "s5"}, on("s6", "bad", "", "idle"), on("s7", "bad", "", "idle")},
		fail: map[string]error{"session s6": failure(500), "session s7": failure(404)},
	}
	l := read(t, s, Query{Models: &org.Models{Allowed: []string{"good"}, Sessions: "report"}})
	want := []org.Session{{ID: "s1", Status: "running", ComputerID: "c", Model: "bad"}, {ID: "s9", Status: "idle", ComputerID: "c", Model: "bad"}}
	if diff := cmp.Diff(want, l.Sessions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(l.Gaps) != 1 || l.Gaps[0].Fact != "sessions" || l.Gaps[0].Key != "s6" {
		t.Errorf("gaps %+v", l.Gaps)
	}
	if len(s.asked) != 5 {
		t.Errorf("asked %q", s.asked)
	}
	s = &service{fail: map[string]error{"sessions": failure(500)}}
	if l := read(t, s, Query{Models: &org.Models{Sessions: "reset"}}); len(l.Gaps) != 1 || l.Gaps[0].Key != "" {
		t.Errorf("gaps %+v", l.Gaps)
	}
}

func TestOrganization(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want string
		gaps int
	}{{nil, "org_1", 0}, {failure(403), "", 0}, {failure(404), "", 0}, {failure(500), "", 1}, {errors.New("lost"), "", 1}} {
		l := read(t, &service{fail: map[string]error{"organization": c.err}}, Query{Organization: "org_1"})
		if l.Organization != c.want || len(l.Gaps) != c.gaps {
			t.Errorf("%v: got %q, gaps %+v", c.err, l.Organization, l.Gaps)
		}
	}
}

// everything asks for all facts.
func everything() Query {
	return Query{
		Members: true, Declared: []org.Email{"ada@x.io"}, Computers: []org.Computer{{Name: "b"}, {Name: "a"}}, Settings: true,
		Expectations: []org.Expectation{{Pointer: "/x", Value: true}}, Models: &org.Models{Allowed: []string{"m"}, Sessions: "report"}, Organization: "o",
	}
}

func TestRefusedKeyEndsEverything(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"users", "name a", "history 1", "history 100", "sessions", "session s1", "organization"} {
		s := &service{
			walks: [][]api.User{{{ID: "1"}}}, history: []api.Change{change(2, `{}`), change(1, `{}`)},
			sessions: []api.Session{{SessionID: "s1", SessionSettings: &api.SessionSettings{Model: ptr("x")}}},
			fail:     map[string]error{what: failure(http.StatusUnauthorized)},
		}
		if _, err := Read(context.Background(), s, everything()); status(err) != http.StatusUnauthorized {
			t.Errorf("401 for %s: got %v", what, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	broken := map[string]error{}
	for _, what := range []string{"users", "name a", "name b", "history 1", "sessions", "organization"} {
		broken[what] = context.Canceled
	}
	if _, err := Read(ctx, &service{fail: broken}, everything()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestEveryGapIsSortedAndDeterministic(t *testing.T) {
	t.Parallel()
	broken := map[string]error{}
	for _, what := range []string{"users", "name a", "name b", "history 1", "sessions", "organization"} {
		broken[what] = failure(500)
	}
	var first []org.Gap
	for range 20 {
		gaps := read(t, &service{fail: broken}, everything()).Gaps
		if first == nil {
			first = gaps
		}
		if diff := cmp.Diff(first, gaps); diff != "" {
			t.Fatalf("(-first +now):\n%s", diff)
		}
	}
	var names []string
	for _, g := range first {
		names = append(names, g.Fact+g.Key)
	}
	if got := strings.Join(names, " "); got != "computera computerb members organization sessions settings" {
		t.Errorf("gaps %s", got)
	}
}

// An answer about another machine, or about none, is a gap and never a fact.
func TestComputersOfOtherNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		m    api.Computer
		gap  bool
	}{
		{"itself", api.Computer{ID: "c1", Name: "build-01"}, false},
		{"other capitals", api.Computer{ID: "c1", Name: "Build-01"}, true},
		{"another", api.Computer{ID: "c1", Name: "x"}, true},
		{"no id", api.Computer{Name: "build-01"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := read(t, generous{&service{}, c.m}, Query{Computers: []org.Computer{{Name: "build-01"}}})
			if c.gap != (len(l.Gaps) == 1) || c.gap == (len(l.ByName) == 1) {
				t.Errorf("gaps %+v, found %+v", l.Gaps, l.ByName)
			}
		})
	}
	composed, decomposed := "jos\u00e9", "jose\u0301"
	if l := read(t, generous{&service{}, api.Computer{ID: "c1", Name: decomposed}}, Query{Computers: []org.Computer{{Name: composed}}}); len(l.Gaps) > 0 {
		t.Errorf("a name in another normal form: %+v", l.Gaps)
	}
}

// generous answers every name with the same computer.
type generous struct {
	*service
	m api.Computer
}

func (g generous) ComputerByName(context.Context, string) (api.Computer, error) { return g.m, nil }

// NFC may join letters and marks, but it must not turn other characters into ASCII: that
// would be another address (T2).
func TestAddressesStayApart(t *testing.T) {
	t.Parallel()
	for spelling, want := range map[string]org.Email{
		"Jose\u0301@X.io": "jos\u00e9@x.io", "\u212aate@x.io": "\u212aate@x.io", "a\u212ab\u0301\u037e@x.io": "a\u212ab\u0301\u037e@x.io",
		"e\u0301\u212ae\u0301@x.io": "\u00e9\u212a\u00e9@x.io", "\u212bsa@x.io": "\u00c5sa@x.io", "plain@x.io": "plain@x.io",
	} {
		m, err := member(api.User{ID: "u", Email: &spelling}, false)
		if err != nil || m.Email != want || m.Spelling != spelling {
			t.Errorf("%+q: got %+q, %v; want %+q", spelling, m.Email, err, want)
		}
	}
}
