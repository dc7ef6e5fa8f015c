package usage_test

import (
	"errors"
	"maps"
	"math"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service/usage"
)

type attributes map[string]usage.Value

func (a attributes) find(key string) usage.Value { return a[key] }

// with returns the attributes every span has, and more.
func with(more attributes) attributes {
	all := attributes{
		"user.id": usage.String("u"), "session.id": usage.String("s"), "agent.client": usage.String("web"),
	}
	maps.Copy(all, more)
	return all
}

// TestParse reads one span of every name of 5.2.
func TestParse(t *testing.T) {
	t.Parallel()
	str, num := usage.String, usage.Int
	for name, c := range map[string]struct {
		kind string
		more attributes
		want usage.Span
	}{
		"session start": {"agent.session.start", attributes{"agent.session.resumed": usage.Bool(true), "agent.delegation": str("spec")},
			usage.Span{Kind: usage.SessionStart, Resumed: true, Delegation: "spec"}},
		"session start, bare": {"agent.session.start", nil, usage.Span{Kind: usage.SessionStart}},
		"e-mail":              {"agent.git.commit", attributes{"user.email": str("Ada@X")}, usage.Span{Kind: usage.GitCommit, UserEmail: "Ada@X"}},
		"message":             {"agent.message", attributes{"agent.message.role": str("tool")}, usage.Span{Kind: usage.Message, Name: "tool"}},
		"model request": {"agent.model.request", attributes{
			"gen_ai.response.model": str("m-2"), "gen_ai.request.model": str("m"), "agent.model.tier": str("thinking"),
			"gen_ai.usage.input_tokens": num(100), "gen_ai.usage.output_tokens": num(20),
			"gen_ai.usage.cache_read.input_tokens": num(60), "gen_ai.usage.cache_creation.input_tokens": num(5),
			"agent.credits": usage.Double(1.0000015)},
			usage.Span{Kind: usage.ModelRequest, Name: "m-2", Detail: "thinking", Input: 100, Output: 20, CacheRead: 60, CacheWrite: 5, Priced: true, Credits: 1_000_002}},
		"model request, bare": {"agent.model.request", nil, usage.Span{Kind: usage.ModelRequest, Detail: "standard"}},
		"model asked for":     {"agent.model.request", attributes{"gen_ai.request.model": str("m")}, usage.Span{Kind: usage.ModelRequest, Name: "m", Detail: "standard"}},
		"largest": {"agent.model.request", attributes{"gen_ai.usage.output_tokens": num(usage.MaxTokens), "agent.credits": num(usage.MaxCredits)},
			usage.Span{Kind: usage.ModelRequest, Detail: "standard", Output: 1e9, Priced: true, Credits: 1e15}},
		"integral double":   {"agent.model.request", attributes{"gen_ai.usage.input_tokens": usage.Double(7)}, usage.Span{Kind: usage.ModelRequest, Detail: "standard", Input: 7}},
		"credits as an int": {"agent.model.request", attributes{"agent.credits": num(0)}, usage.Span{Kind: usage.ModelRequest, Detail: "standard", Priced: true}},
		"tool call C68 C69": {"agent.tool.call", attributes{"gen_ai.tool.name": str("Re{ad"), "agent.delegation": str("own"), "mcp.server.name": str("GitHub")},
			usage.Span{Kind: usage.ToolCall, Name: "Re{ad", Delegation: "own", Detail: "GitHub"}},
		"file change": {"agent.file.change", attributes{"agent.file.operation": str("created"), "agent.file.extension": str(".ts"), "agent.file.language": str("TS")},
			usage.Span{Kind: usage.FileChange, Created: true, Name: ".ts", Detail: "TS"}},
		"file edit":     {"agent.file.change", attributes{"agent.file.operation": str("edited")}, usage.Span{Kind: usage.FileChange}},
		"skill":         {"agent.skill.activate", attributes{"agent.skill.name": str("k")}, usage.Span{Kind: usage.SkillActivation, Name: "k"}},
		"slash command": {"agent.slash_command.run", attributes{"agent.slash_command.name": str("/x")}, usage.Span{Kind: usage.SlashCommand, Name: "/x"}},
		"hook": {"agent.hook.run", attributes{"agent.hook.event": str("Stop"), "agent.hook.matcher": str(""), "agent.hook.command": str("x"), "agent.hook.exit_code": num(-9)},
			usage.Span{Kind: usage.HookRun, Name: "Stop", Command: "x"}},
		"pull request": {"agent.git.pull_request.create", attributes{"vcs.change.id": usage.Unsupported()}, usage.Span{Kind: usage.PullRequest}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := usage.Parse(c.kind, uint64(noon(0)), with(c.more).find)
			if err != nil {
				t.Fatal(err)
			}
			c.want.UserID, c.want.SessionID, c.want.Client, c.want.Start = "u", "s", "web", noon(0)
			equal(t, "span", got, c.want)
			equal(t, "name", got.Kind.String(), c.kind)
		})
	}
}

// TestKinds: names and kinds are one to one, and numbers beyond them have no name.
func TestKinds(t *testing.T) {
	t.Parallel()
	for k := range usage.PullRequest + 3 {
		got, ok := usage.KindOf(k.String())
		known := k >= usage.SessionStart && k <= usage.PullRequest
		if ok != known || known && got != k || !known && k.String() != "" {
			t.Errorf("kind %d is %q, which is kind %d, %v", k, k.String(), got, ok)
		}
	}
}

// TestParseRefuses holds the refusals of 5.1 with their texts, which senders see.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	const request, input = "agent.model.request", "gen_ai.usage.input_tokens"
	start := uint64(noon(0))
	first := uint64(time.Date(2026, 1, 14, 0, 0, 0, 0, time.UTC).UnixNano())
	for want, c := range map[string]struct {
		kind  string
		start uint64
		more  attributes
	}{
		"":                                         {"agent.git.commit", first, nil},
		"span name is unknown":                     {"agent.git.push", start, nil},
		"start is before 2026-01-14":               {"agent.git.commit", first - 1, nil},
		"start is too late":                        {"agent.git.commit", math.MaxUint64, nil},
		"user.id is missing":                       {"agent.git.commit", start, attributes{"user.id": usage.Value{}, "session.id": usage.Value{}}},
		"session.id is missing":                    {"agent.git.commit", start, attributes{"session.id": usage.String("")}},
		"user.email has a NUL character":           {"agent.git.commit", start, attributes{"user.email": usage.String("a\x00b")}},
		"agent.client is missing":                  {"agent.git.commit", start, attributes{"agent.client": usage.Value{}}},
		"user.id has the wrong type":               {"agent.git.commit", start, attributes{"user.id": usage.Int(1)}},
		"user.email is not UTF-8":                  {"agent.git.commit", start, attributes{"user.email": usage.String("\xff")}},
		"user.email has the wrong type":            {"agent.git.commit", start, attributes{"user.email": usage.Unsupported()}},
		input + " is negative":                     {request, start, attributes{input: usage.Int(-1)}},
		input + " is not finite":                   {request, start, attributes{input: usage.Double(math.NaN())}},
		input + " is not a whole number":           {request, start, attributes{input: usage.Double(0.5)}},
		input + " is too large":                    {request, start, attributes{input: usage.Int(usage.MaxTokens + 1)}},
		input + " has the wrong type":              {request, start, attributes{input: usage.String("1")}},
		"agent.credits is negative":                {request, start, attributes{"agent.credits": usage.Double(-0.1)}},
		"agent.credits is not finite":              {request, start, attributes{"agent.credits": usage.Double(math.Inf(1))}},
		"agent.credits is too large":               {request, start, attributes{"agent.credits": usage.Double(1e300)}},
		"agent.credits has the wrong type":         {request, start, attributes{"agent.credits": usage.Bool(true)}},
		"agent.model.tier is none of its values":   {request, start, attributes{"agent.model.tier": usage.String("fast")}},
		"agent.message.role is missing":            {"agent.message", start, nil},
		"agent.message.role is none of its values": {"agent.message", start, attributes{"agent.message.role": usage.String("User")}},
		"agent.file.operation is missing":          {"agent.file.change", start, nil},
		"agent.session.resumed has the wrong type": {"agent.session.start", start, attributes{"agent.session.resumed": usage.String("true")}},
		"agent.hook.exit_code has the wrong type":  {"agent.hook.run", start, attributes{"agent.hook.exit_code": usage.String("0")}},
		"agent.hook.exit_code is not finite":       {"agent.hook.run", start, attributes{"agent.hook.exit_code": usage.Double(math.Inf(-1))}},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			got, err := usage.Parse(c.kind, c.start, with(c.more).find)
			if want == "" {
				equal(t, "error", err, nil)
				return
			}
			equal(t, "span", got, usage.Span{})
			var refusal usage.Refusal
			if !errors.As(err, &refusal) || refusal.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

// TestCreditsAreDecimal: stated credits round half up by their decimal text, for every
// half micro-credit a sender could write (5.3).
func TestCreditsAreDecimal(t *testing.T) {
	t.Parallel()
	for n := range int64(200_000) {
		tie := (float64(n) + 0.5) / 1e6 // the float64 nearest to the decimal
		below := math.Nextafter(tie, 0)
		for f, want := range map[float64]int64{tie: n + 1, below: n} {
			s, err := usage.Parse("agent.model.request", uint64(noon(0)), with(attributes{"agent.credits": usage.Double(f)}).find)
			if err != nil || s.Credits != want {
				t.Fatalf("%v: got %d, %v, want %d", f, s.Credits, err, want)
			}
		}
	}
}

// FuzzParse: no input panics, a refusal is a Refusal, and what is accepted keeps to the
// bounds.
func FuzzParse(f *testing.F) {
	f.Add("agent.model.request", uint64(noon(0)), "u", "standard", int64(5), 0.5, byte(0))
	f.Add("agent.file.change", uint64(noon(0)), "", "created", int64(-1), math.NaN(), byte(255))
	f.Add("agent.message", uint64(0), "\xff", "user", int64(math.MaxInt64), 1e300, byte(7))
	f.Fuzz(func(t *testing.T, name string, start uint64, a, b string, n int64, x float64, turn byte) {
		values := []usage.Value{usage.String(a), usage.String(b), usage.Int(n), usage.Double(x), usage.Bool(n > 0), usage.Unsupported(), {}}
		s, err := usage.Parse(name, start, func(key string) usage.Value {
			if turn < 128 && (key == "user.id" || key == "session.id" || key == "agent.client") {
				return usage.String("x")
			}
			return values[(int(key[len(key)-1])+int(turn))%len(values)]
		})
		if err != nil {
			if _, ok := errors.AsType[usage.Refusal](err); !ok || s != (usage.Span{}) {
				t.Fatalf("%+v, %v", s, err)
			}
			return
		}
		if s.UserID == "" || s.SessionID == "" || s.Client == "" || s.Kind.String() != name || s.Date() < "2026-01-14" {
			t.Errorf("%+v", s)
		}
		for _, tokens := range []int64{s.Input, s.Output, s.CacheRead, s.CacheWrite} {
			if tokens < 0 || tokens > usage.MaxTokens {
				t.Errorf("%+v", s)
			}
		}
		if m := usage.Micros(s, usage.DefaultPricing()); m < 0 || m > 2*usage.MaxTokens*1_000_000 {
			t.Errorf("%+v costs %d", s, m)
		}
	})
}
