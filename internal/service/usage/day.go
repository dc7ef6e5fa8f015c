package usage

import (
	"strings"
	"time"

	"github.com/govctl/govctl/internal/api"
)

// Day counts the spans of one UTC day. Its memory follows the number of users, sessions
// and names, not of spans: 5,000 users with 40,000 sessions take 30 MB. It is not safe for
// concurrent use.
type Day struct {
	date     string
	from, to int64 // nanoseconds, to excluded
	pricing  Pricing

	users    table[user]
	sessions table[session]
	models   table[struct{}]
	clients  table[struct{}]

	tools, servers, skills, commands, extensions, languages table[int64]

	hooks   map[hook]*int64
	uses    map[useKey]*use
	files   map[pair]int64    // user, language
	on      map[pair]struct{} // user, client
	started map[pair]struct{} // user, session: of session starts that resumed nothing
}

// session counts what happened in one session, whoever did it.
type session struct {
	toolCalls, userMessages int64
	firstAt                 int64 // start of its first span
	first                   uint32
	seen                    bool // first and firstAt are set
	startSpan               bool // it has a start span, also one that resumes
}

type hook struct{ event, matcher, command string }

type pair struct{ user, other uint32 }

type useKey struct {
	user, model uint32
	thinking    bool
}

// use is the cost of some model requests.
type use struct {
	credits                                        credits
	requests, input, output, cacheRead, cacheWrite int64
}

func (u *use) add(o use) {
	u.credits.add(o.credits)
	u.requests += o.requests
	u.input += o.input
	u.output += o.output
	u.cacheRead += o.cacheRead
	u.cacheWrite += o.cacheWrite
}

// NewDay returns the empty count of the UTC day that holds t. Its Result is the row of a
// day without activity (U7).
func NewDay(t time.Time, p Pricing) *Day {
	first := t.UTC().Truncate(24 * time.Hour)
	return &Day{
		date: first.Format(api.DateLayout), from: first.UnixNano(), to: first.AddDate(0, 0, 1).UnixNano(), pricing: p,
		hooks: map[hook]*int64{}, uses: map[useKey]*use{}, files: map[pair]int64{}, on: map[pair]struct{}{}, started: map[pair]struct{}{},
	}
}

// Date returns the day, YYYY-MM-DD.
func (d *Day) Date() string { return d.date }

// Users returns the ids of the users of the day, ascending: the rows of user_day (5.6).
func (d *Day) Users() []string {
	ids := make([]string, len(d.users.names))
	for i, id := range d.users.byName() {
		ids[i] = d.users.names[id]
	}
	return ids
}

// Sessions returns the ids of the sessions of the day that have no start span in it,
// ascending: those that Facts.Session is asked about.
func (d *Day) Sessions() []string {
	var ids []string
	for _, id := range d.sessions.byName() {
		if !d.sessions.rows[id].startSpan {
			ids = append(ids, d.sessions.names[id])
		}
	}
	return ids
}

// Add counts a span. A span that starts on another day is none of this one and changes
// nothing. The order of spans never shows in a Result; the same span twice counts twice.
func (d *Day) Add(s Span) {
	if s.Start < d.from || s.Start >= d.to {
		return
	}
	uid, sid := d.users.id(s.UserID), d.sessions.id(s.SessionID)
	u, ss := &d.users.rows[uid], &d.sessions.rows[sid]
	if s.UserEmail != "" {
		u.setEmail(s.UserEmail, s.Start)
	}
	d.on[pair{uid, d.clients.id(s.Client)}] = struct{}{}
	d.begun(ss, s.Start, uid)
	switch s.Kind {
	case SessionStart:
		ss.startSpan = true
		if !s.Resumed {
			d.started[pair{uid, sid}] = struct{}{}
		}
		u.setLevel(s.Delegation, s.Start)
	case Message:
		switch s.Name {
		case RoleUser:
			u.userMessages++
			ss.userMessages++
		case RoleAssistant:
			u.assistantMessages++
		}
	case ModelRequest:
		d.addRequest(uid, &s)
	case ToolCall:
		ss.toolCalls++
		d.addToolCall(u, &s)
	case FileChange:
		d.addFile(uid, u, &s)
	default:
		d.addOther(u, &s)
	}
}

// begun keeps the earliest span of a session; of two at once that of the lesser user id.
func (d *Day) begun(ss *session, at int64, user uint32) {
	earlier := !ss.seen || at < ss.firstAt ||
		at == ss.firstAt && d.users.names[user] < d.users.names[ss.first]
	if earlier {
		ss.seen, ss.firstAt, ss.first = true, at, user
	}
}

func (d *Day) addRequest(uid uint32, s *Span) {
	key := useKey{uid, d.models.id(s.Name), s.Detail == TierThinking}
	u := d.uses[key]
	if u == nil {
		u = &use{}
		d.uses[key] = u
	}
	u.add(use{creditsOf(Micros(*s, d.pricing)), 1, s.Input, s.Output, s.CacheRead, s.CacheWrite})
}

func (d *Day) addToolCall(u *user, s *Span) {
	u.toolCalls++
	*d.tools.row(s.Name)++
	if s.Detail != "" {
		u.mcpCalls++
		*d.servers.row(s.Detail)++
	}
	if l, ok := levelOf(s.Delegation); ok {
		u.levels[l]++
	}
}

func (d *Day) addFile(uid uint32, u *user, s *Span) {
	if s.Created {
		u.created++
	} else {
		u.edited++
	}
	*d.extensions.row(s.Name)++
	name := s.Detail
	if name == "" {
		name = languageOf(s.Name)
	}
	id := d.languages.id(name)
	d.languages.rows[id]++
	d.files[pair{uid, id}]++
}

func (d *Day) addOther(u *user, s *Span) {
	switch s.Kind {
	case SkillActivation:
		u.skills++
		*d.skills.row(s.Name)++
	case SlashCommand:
		u.commands++
		*d.commands.row(s.Name)++
	case HookRun:
		u.hooks++
		*d.hookCount(hook{s.Name, s.Detail, s.Command})++
	case GitCommit:
		u.commits++
	case PullRequest:
		u.pullRequests++
	}
}

func (d *Day) hookCount(h hook) *int64 {
	n := d.hooks[h]
	if n == nil {
		n = new(int64)
		d.hooks[hook{strings.Clone(h.event), strings.Clone(h.matcher), strings.Clone(h.command)}] = n
	}
	return n
}
