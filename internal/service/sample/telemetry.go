package sample

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// The telemetry of the sample organization is of the 31 days up to 2026-11-19, with about
// 60 active people on working days. It has what clients must live with: automation
// without an address (svc-ci, svc-nightly), an MCP server in two cases, one tool name
// with a parsing artefact, people on model-legacy, and a session over midnight.
const (
	telemetryFirst = "2026-10-20T00:00:00.000Z"
	telemetryDays  = 31
)

// ToolArtefact is the tool name that is none.
const ToolArtefact = `edit_file</tool>{"path`

// Spans are the telemetry of the sample organization.
func Spans() []store.Span {
	g := &telemetry{random: rand.New(rand.NewPCG(20261020, 31)), spans: make([]store.Span, 0, 18_000)}
	first := at(telemetryFirst)
	for day := range telemetryDays {
		midnight := first.AddDate(0, 0, day)
		weekend := midnight.Weekday() == time.Saturday || midnight.Weekday() == time.Sunday
		for member := range Members {
			if g.active(member, weekend) {
				g.person(midnight, member)
			}
		}
		g.automation(midnight, "svc-ci", 3)
		g.automation(midnight, "svc-nightly", 1)
	}
	g.special()
	return g.spans
}

// telemetry makes spans; the fields up to client are of the session it is at.
type telemetry struct {
	random  *rand.Rand
	spans   []store.Span
	session int

	user, email, id, client, delegation, model string
	now                                        time.Time
}

// active picks who works on a day: some people nearly always, most now and then.
func (g *telemetry) active(member int, weekend bool) bool {
	chance := 17
	if member < 40 {
		chance = 70
	}
	if weekend {
		chance /= 8
	}
	return g.random.IntN(100) < chance
}

func (g *telemetry) person(midnight time.Time, member int) {
	clients := [...]string{"terminal-ui", "terminal-ui", "terminal-ui", "web", "non-interactive-cli"}
	delegations := [...]string{"auto-low", "auto-medium", "auto-medium", "auto-high", "manual", "spec"}
	models := [...]string{"model-a", "model-a", "model-b", "model-c"}
	g.user, g.email = fmt.Sprintf("usr_%03d", member+1), ""
	g.model = models[member%len(models)]
	if member%25 == 11 {
		g.model = "model-legacy"
	}
	g.delegation = delegations[(member+g.random.IntN(2))%len(delegations)]
	g.client = clients[(member+g.random.IntN(2))%len(clients)]
	g.begin(midnight.Add(time.Duration(7*60+g.random.IntN(10*60)) * time.Minute))
	for range 1 + g.random.IntN(2) {
		g.turn()
	}
	g.ends()
}

// automation is a service account: no address, no person, no manual confirmation.
func (g *telemetry) automation(midnight time.Time, user string, sessions int) {
	g.user, g.email, g.client, g.delegation, g.model = user, "", "non-interactive-cli", "auto-high", "model-b"
	for range sessions {
		g.begin(midnight.Add(time.Duration(g.random.IntN(24*60-10)) * time.Minute))
		g.turn()
	}
}

func (g *telemetry) begin(at time.Time) {
	g.session++
	g.id, g.now = fmt.Sprintf("tel_%05d", g.session), at
	g.add(store.Span{Kind: store.SpanSessionStart, Delegation: g.delegation})
}

// add puts a span some seconds after the last one.
func (g *telemetry) add(sp store.Span) {
	sp.Start = g.now.UnixNano()
	sp.UserID, sp.UserEmail, sp.SessionID, sp.Client = g.user, g.email, g.id, g.client
	g.spans = append(g.spans, sp)
	g.now = g.now.Add(time.Duration(1+g.random.IntN(20_000)) * time.Millisecond)
}

// turn is one message of a person and what the agent does about it.
func (g *telemetry) turn() {
	tools := [...]string{"read_file", "edit_file", "run_command", "search", "list_directory", "write_file"}
	g.add(store.Span{Kind: store.SpanMessage, Name: "user"})
	for range 1 + g.random.IntN(2) {
		g.request()
		g.add(store.Span{Kind: store.SpanToolCall, Name: tools[g.random.IntN(len(tools))], Delegation: g.delegation})
	}
	if g.random.IntN(4) == 0 {
		servers := [...]string{"issue-tracker", "issue-tracker", "Issue-Tracker", "docs"}
		g.add(store.Span{Kind: store.SpanToolCall, Name: "mcp_query", Detail: servers[g.random.IntN(len(servers))], Delegation: g.delegation})
	}
	if g.random.IntN(2) == 0 {
		extensions := [...]string{".go", ".go", ".ts", ".py", ".md", ".tf", ""}
		g.add(store.Span{Kind: store.SpanFileChange, Name: extensions[g.random.IntN(len(extensions))], Created: g.random.IntN(4) == 0})
	}
	g.add(store.Span{Kind: store.SpanMessage, Name: "assistant"})
}

func (g *telemetry) request() {
	sp := store.Span{Kind: store.SpanModelRequest, Name: g.model, Detail: "standard"}
	if g.model == "model-c" {
		sp.Detail = "thinking"
	}
	sp.Input = 2_000 + g.random.Int64N(30_000)
	sp.CacheRead = sp.Input * g.random.Int64N(90) / 100
	sp.CacheWrite = (sp.Input - sp.CacheRead) / 2
	sp.Output = 50 + g.random.Int64N(2_000)
	g.add(sp)
}

// ends are the rarer things at the end of a session.
func (g *telemetry) ends() {
	rarely := func(sp store.Span, times int) {
		if g.random.IntN(times) == 0 {
			g.add(sp)
		}
	}
	rarely(store.Span{Kind: store.SpanSkill, Name: "release-notes"}, 12)
	rarely(store.Span{Kind: store.SpanSkill, Name: "review"}, 8)
	rarely(store.Span{Kind: store.SpanSlashCommand, Name: "/compact"}, 6)
	rarely(store.Span{Kind: store.SpanHook, Name: "PostToolUse", Detail: "edit_file", Command: "gofmt -l ."}, 5)
	rarely(store.Span{Kind: store.SpanHook, Name: "Stop", Command: "govctl hooks deliver"}, 5)
	rarely(store.Span{Kind: store.SpanCommit}, 3)
	rarely(store.Span{Kind: store.SpanPullRequest}, 7)
}

// special are single facts: the artefact, credits the sender stated, somebody who is no
// member but has an address, and a session that goes on after midnight.
func (g *telemetry) special() {
	g.user, g.email, g.client, g.delegation, g.model = "usr_001", "", "terminal-ui", "auto-low", "model-a"
	g.begin(at("2026-11-12T23:59:58.000Z"))
	g.add(store.Span{Kind: store.SpanMessage, Name: "user"})
	g.now = at("2026-11-13T00:00:00.000Z")
	g.add(store.Span{Kind: store.SpanToolCall, Name: ToolArtefact, Delegation: "auto-low"})
	g.add(store.Span{Kind: store.SpanModelRequest, Name: "model-a", Detail: "standard", Input: 1000, Output: 10, Priced: true, Credits: 250_000})
	g.user, g.email, g.client = "usr_former", "former@acme.example", "web"
	g.begin(at("2026-10-21T10:00:00.000Z"))
	g.turn()
}
