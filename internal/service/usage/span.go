// Package usage turns the accepted spans of a day into the rows of the analytics API.
//
// A Day holds counters per user, session and name, never spans, so its memory follows the
// number of people and not of events. Every counter is a sum, a set, a minimum or a
// maximum with a stated tie-break: the order of spans cannot show in an answer. Credits
// are integers of a millionth, because sums of floating point numbers depend on their order and billable tokens must
// be the same sum by model, by user and by day. Counting in SQL was rejected: the session
// percentiles and the ties would be as much code there, and nothing could test them alone.
//
// The package has no clock and reads nothing. What spans of other days say (who was
// active this week, where a session began) comes from the caller as Facts.
package usage

import (
	"time"

	"github.com/govctl/govctl/internal/api"
)

// Kind is the kind of a span, one per span name of 5.2. The numbers are stored: they
// never change their meaning.
type Kind uint8

// The kinds of span.
const (
	SessionStart Kind = 1 + iota
	Message
	ModelRequest
	ToolCall
	FileChange
	SkillActivation
	SlashCommand
	HookRun
	GitCommit
	PullRequest
)

var kindNames = [...]string{
	SessionStart:    "agent.session.start",
	Message:         "agent.message",
	ModelRequest:    "agent.model.request",
	ToolCall:        "agent.tool.call",
	FileChange:      "agent.file.change",
	SkillActivation: "agent.skill.activate",
	SlashCommand:    "agent.slash_command.run",
	HookRun:         "agent.hook.run",
	GitCommit:       "agent.git.commit",
	PullRequest:     "agent.git.pull_request.create",
}

// KindOf returns the kind of a span name; ok is false for a name 5.2 does not have.
func KindOf(name string) (kind Kind, ok bool) {
	for k := SessionStart; int(k) < len(kindNames); k++ {
		if kindNames[k] == name {
			return k, true
		}
	}
	return 0, false
}

// String returns the span name, "" for a number that is no kind.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return ""
}

// The closed sets of values of 5.2. Client types and delegations are open sets.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
	RoleSystem    = "system"

	TierStandard = "standard"
	TierThinking = "thinking"

	FileCreated = "created"
	FileEdited  = "edited"
)

// The documented client types (C78).
const (
	ClientTerminal = "terminal-ui"
	ClientWeb      = "web"
	ClientHeadless = "non-interactive-cli"
)

// Span is what is kept of one accepted span: Name, Detail and Command mean something else
// for each kind, so that it stays small and is easily stored. Spans are comparable with
// ==. Texts are taken as they came, without folding or cleaning (C68, C69).
//
//	kind             Name           Detail      Command
//	Message          role
//	ModelRequest     model id       tier
//	ToolCall         tool           MCP server
//	FileChange       extension      language
//	SkillActivation  skill
//	SlashCommand     slash command
//	HookRun          event          matcher     command
type Span struct {
	Kind      Kind
	Start     int64 // Unix time in nanoseconds
	UserID    string
	UserEmail string // "" if the span has none
	SessionID string
	Client    string

	Name       string
	Detail     string
	Command    string
	Delegation string // of a session start or a tool call; "" if not stated
	Resumed    bool   // of a session start: the session had begun before
	Created    bool   // of a file change: the file is new

	Priced     bool  // of a model request: the sender stated its credits
	Credits    int64 // micro-credits of a priced span
	Input      int64 // tokens, cached ones included
	Output     int64
	CacheRead  int64
	CacheWrite int64
}

// Date returns the UTC day of the span, YYYY-MM-DD: that of its start, never of its end or
// arrival.
func (s Span) Date() string {
	return time.Unix(0, s.Start).UTC().Format(api.DateLayout)
}
