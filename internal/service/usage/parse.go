package usage

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/govctl/govctl/internal/api"
)

// The largest numbers of one span. They are far above anything real and make it provable
// that no sum of a day overflows.
const (
	MaxTokens  = 1_000_000_000 // each of the four token counts
	MaxCredits = 1_000_000_000 // agent.credits
)

// Attributes finds an attribute of a span, or of its resource, by key; the zero Value if
// there is none.
type Attributes func(key string) Value

// Refusal is why a span is not accepted. Both texts are from a small fixed set, never what
// the sender wrote, so refusals can be counted as map keys and shown.
type Refusal struct {
	What string // an attribute key, "span name" or "start"
	Why  string // "is missing", "is negative", …
}

// Error returns for example "user.id is missing".
func (r Refusal) Error() string { return r.What + " " + r.Why }

// Parse reads one span of the scope agent.usage (5.2). Start is startTimeUnixNano. The
// error is a Refusal (5.1) and names the first problem in the order of the tables of 5.2,
// whatever the order of the attributes:
//   - the name is unknown, the start is before 2026-01-14 or beyond the year 2262,
//   - user.id, session.id or agent.client is missing or empty,
//   - an attribute we read is no UTF-8, has a NUL or another type (an integral double is an int),
//   - a number is negative, not finite, or over MaxTokens or MaxCredits,
//   - agent.message.role, agent.model.tier or agent.file.operation is none of its values.
//
// Any other attribute may be missing: texts are "" then, tokens 0, the tier is standard.
// What needs a clock, a key or stored spans (too far ahead, sealed day, wrong
// organization, duplicate) is left to the caller.
func Parse(name string, start uint64, attributes Attributes) (Span, error) {
	kind, ok := KindOf(name)
	if !ok {
		return Span{}, Refusal{"span name", "is unknown"}
	}
	if start > math.MaxInt64 {
		return Span{}, Refusal{"start", "is too late"}
	}
	s := Span{Kind: kind, Start: int64(start)}
	if s.Date() < api.EarliestDate {
		return Span{}, Refusal{"start", "is before " + api.EarliestDate}
	}
	r := reader{attributes: attributes}
	s.UserID = r.required("user.id")
	s.SessionID = r.required("session.id")
	s.Client = r.required("agent.client")
	s.UserEmail = r.text("user.email")
	r.details(&s)
	if r.err != nil {
		return Span{}, r.err
	}
	return s, nil
}

// reader reads attributes and keeps the first problem.
type reader struct {
	attributes Attributes
	err        error
}

// details reads what is particular to the kind of s.
func (r *reader) details(s *Span) {
	switch s.Kind {
	case SessionStart:
		s.Resumed = r.flag("agent.session.resumed")
		s.Delegation = r.text("agent.delegation")
	case Message:
		s.Name = r.oneOf("agent.message.role", "", RoleUser, RoleAssistant, RoleTool, RoleSystem)
	case ModelRequest:
		r.modelRequest(s)
	case ToolCall:
		s.Name = r.text("gen_ai.tool.name")
		s.Delegation = r.text("agent.delegation")
		s.Detail = r.text("mcp.server.name")
	case FileChange:
		s.Created = r.oneOf("agent.file.operation", "", FileCreated, FileEdited) == FileCreated
		s.Name = r.text("agent.file.extension")
		s.Detail = r.text("agent.file.language")
	case SkillActivation:
		s.Name = r.text("agent.skill.name")
	case SlashCommand:
		s.Name = r.text("agent.slash_command.name")
	case HookRun:
		s.Name = r.text("agent.hook.event")
		s.Detail = r.text("agent.hook.matcher")
		s.Command = r.text("agent.hook.command")
		r.exitCode("agent.hook.exit_code")
	}
}

func (r *reader) modelRequest(s *Span) {
	asked := r.text("gen_ai.request.model")
	if s.Name = r.text("gen_ai.response.model"); s.Name == "" {
		s.Name = asked
	}
	s.Detail = r.oneOf("agent.model.tier", TierStandard, TierStandard, TierThinking)
	s.Input = r.tokens("gen_ai.usage.input_tokens")
	s.Output = r.tokens("gen_ai.usage.output_tokens")
	s.CacheRead = r.tokens("gen_ai.usage.cache_read.input_tokens")
	s.CacheWrite = r.tokens("gen_ai.usage.cache_creation.input_tokens")
	s.Credits, s.Priced = r.credits("agent.credits")
}

func (r *reader) refuse(key, why string) {
	if r.err == nil {
		r.err = Refusal{key, why}
	}
}

func (r *reader) text(key string) string {
	v := r.attributes(key)
	switch {
	case v.kind == absent:
	case v.kind != text:
		r.refuse(key, "has the wrong type")
	case !utf8.ValidString(v.text):
		r.refuse(key, "is not UTF-8")
	case strings.ContainsRune(v.text, 0):
		r.refuse(key, "has a NUL character") // PostgreSQL cannot store it
	}
	return v.text
}

func (r *reader) required(key string) string {
	s := r.text(key)
	if s == "" {
		r.refuse(key, "is missing")
	}
	return s
}

// oneOf reads a text of a closed set; without a fallback it is required.
func (r *reader) oneOf(key, fallback string, values ...string) string {
	s := r.text(key)
	switch {
	case s == "" && fallback != "":
		return fallback
	case s == "":
		r.refuse(key, "is missing")
	case !slices.Contains(values, s):
		r.refuse(key, "is none of its values")
	}
	return s
}

func (r *reader) flag(key string) bool {
	v := r.attributes(key)
	if v.kind != absent && v.kind != boolean {
		r.refuse(key, "has the wrong type")
	}
	return v.bits == 1
}

// tokens reads a whole number. Every float64 up to MaxTokens holds integers exactly.
func (r *reader) tokens(key string) int64 {
	f, given := r.amount(key, MaxTokens)
	if !given {
		return 0
	}
	if f != math.Trunc(f) {
		r.refuse(key, "is not a whole number")
	}
	return int64(f)
}

// credits reads credits as micro-credits; given is false if there are none.
func (r *reader) credits(key string) (micros int64, given bool) {
	f, given := r.amount(key, MaxCredits)
	if !given {
		return 0, false
	}
	return millionths(f), true
}

// amount reads a number of 0 to limit.
func (r *reader) amount(key string, limit float64) (f float64, given bool) {
	v := r.attributes(key)
	if v.kind == absent {
		return 0, false
	}
	f, ok := v.number()
	switch {
	case !ok:
		r.refuse(key, "has the wrong type")
	case math.IsNaN(f) || math.IsInf(f, 0):
		r.refuse(key, "is not finite")
	case f < 0:
		r.refuse(key, "is negative")
	case f > limit:
		r.refuse(key, "is too large")
	default:
		return f, true
	}
	return 0, false
}

// exitCode checks a number that is not counted: hooks count whatever their exit code
// (F18), and a killed process may report a negative one.
func (r *reader) exitCode(key string) {
	v := r.attributes(key)
	f, ok := v.number()
	switch {
	case v.kind == absent:
	case !ok:
		r.refuse(key, "has the wrong type")
	case math.IsNaN(f) || math.IsInf(f, 0):
		r.refuse(key, "is not finite")
	}
}
