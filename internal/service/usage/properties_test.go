package usage_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/usage"
)

// spansOf draws spans from few users, sessions and names, so that ties are common, in the
// hours around the midnight that begins today.
func spansOf(t *rapid.T) []usage.Span {
	midnight := noon(-12 * time.Hour)
	one := func(label string, values ...string) string { return rapid.SampledFrom(values).Draw(t, label) }
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) usage.Span {
		s := usage.Span{
			Kind:   rapid.SampledFrom([]usage.Kind{1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 7, 8, 9, 10}).Draw(t, "kind"),
			Start:  midnight + rapid.Int64Range(-2, 6).Draw(t, "start"),
			UserID: one("user", "a", "b", "c"), UserEmail: one("email", "", "x@x", "y@y"), SessionID: one("session", "1", "2", "3", "4"),
			Client: one("client", "web", "terminal-ui", "ide"), Delegation: one("delegation", "", "auto-high", "auto-low", "spec", "manual", "own"),
			Name: one("name", "", "p", "q", "r", "Q"), Detail: one("detail", "", "s", "S"),
			Resumed: rapid.Bool().Draw(t, "resumed"), Created: rapid.Bool().Draw(t, "created"),
		}
		switch s.Kind {
		case usage.Message:
			s.Name = one("role", usage.RoleUser, usage.RoleUser, usage.RoleAssistant, usage.RoleTool)
		case usage.ModelRequest:
			tokens := rapid.Int64Range(0, 40)
			s.Detail = one("tier", usage.TierStandard, usage.TierThinking)
			s.Input, s.Output, s.CacheRead, s.CacheWrite = tokens.Draw(t, "in"), tokens.Draw(t, "out"), tokens.Draw(t, "read"), tokens.Draw(t, "write")
			if s.Priced = rapid.Bool().Draw(t, "priced"); s.Priced {
				s.Credits = rapid.Int64Range(0, 3_000_000).Draw(t, "credits")
			}
		}
		return s
	}), 0, 60).Draw(t, "spans")
}

// pricing has rates that no float64 is exactly.
func pricing() usage.Pricing {
	return usage.Pricing{Rates: map[string]float64{"p": 0.3, "q": 1.7}, Discount: 0.1}
}

func dayOn(date int64, spans []usage.Span) *usage.Day {
	d := usage.NewDay(time.Unix(0, date), pricing())
	for _, s := range spans {
		d.Add(s)
	}
	return d
}

// wire is a result as bytes: every difference shows.
func wire(t rapid.TB, r usage.Result) string {
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestAnyOrder: the order of spans does not change a byte (I11).
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		spans := spansOf(t)
		want := wire(t, dayOn(noon(0), spans).Result(usage.Facts{}))
		mixed := rapid.Permutation(spans).Draw(t, "order")
		if got := wire(t, dayOn(noon(0), mixed).Result(usage.Facts{})); got != want {
			t.Fatalf("another order:\n%s\n%s", got, want)
		}
		other := dayOn(noon(0), spans)
		for _, s := range spansOf(t) {
			s.Start += int64(30 * 24 * time.Hour) // days that are not this one
			other.Add(s)
		}
		if got := wire(t, other.Result(usage.Facts{})); got != want {
			t.Fatalf("spans of another day count:\n%s\n%s", got, want)
		}
	})
}

// sum adds a number of each item exactly.
func sum[T any](items []T, of func(T) json.Number) *big.Rat {
	all := new(big.Rat)
	for _, item := range items {
		n, _ := new(big.Rat).SetString(string(of(item)))
		all.Add(all, n)
	}
	return all
}

func rat(n json.Number) *big.Rat {
	return sum([]json.Number{n}, func(n json.Number) json.Number { return n })
}

func same(t *rapid.T, what string, numbers ...*big.Rat) {
	for _, n := range numbers {
		if n.Cmp(numbers[0]) != 0 {
			t.Errorf("%s: %v", what, numbers)
		}
	}
}

func ascending(t *rapid.T, what string, numbers ...json.Number) {
	if !slices.IsSortedFunc(numbers, func(a, b json.Number) int { return rat(a).Cmp(rat(b)) }) {
		t.Errorf("%s: %v", what, numbers)
	}
}

// TestSums holds I1, I2, I6, I7 and I8: a day says the same in all its tables.
func TestSums(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := dayOn(noon(0), spansOf(t)).Result(usage.Facts{})
		k, o, p, u := r.Tokens, r.Tools, r.Productivity, r.Users
		modelCredits := func(m api.ModelUsage) json.Number { return *m.BillableTokens }
		same(t, "I1 credits", rat(*k.BillableTokens), sum(k.ByModel, modelCredits),
			sum(k.ByUser, func(u api.UserUsage) json.Number { return *u.BillableTokens }),
			sum(r.TokensByModel, func(g api.TokenRow) json.Number { return *g.BillableTokens }),
			sum(u, func(u api.UserRow) json.Number { return *u.BillableTokens }))
		for _, spender := range k.ByUser {
			same(t, "I1 of a user", rat(*spender.BillableTokens), sum(spender.ByModel, modelCredits))
		}
		same(t, "input", rat(k.InputTokens), sum(k.ByModel, func(m api.ModelUsage) json.Number { return m.InputTokens }),
			sum(r.TokensByModel, func(g api.TokenRow) json.Number { return g.InputTokens }))
		same(t, "I2 tool calls", rat(o.ToolCalls), sum(o.ByTool, func(c api.ToolCount) json.Number { return c.Invocations }),
			sum(r.ToolsByName, func(g api.ToolRow) json.Number { return g.ToolCalls }), sum(u, func(u api.UserRow) json.Number { return u.ToolCalls }))
		same(t, "mcp calls", sum(o.MCPByServer, func(c api.ServerCount) json.Number { return c.Invocations }), sum(u, func(u api.UserRow) json.Number { return u.MCPCalls }))
		same(t, "skills", rat(*o.SkillsInvocations), sum(o.SkillsByName, func(c api.NameCount) json.Number { return c.Count }), sum(u, func(u api.UserRow) json.Number { return u.SkillCalls }))
		same(t, "hooks", rat(*o.HooksInvocations), sum(o.HooksByEvent, func(c api.HookCount) json.Number { return c.Count }), sum(u, func(u api.UserRow) json.Number { return u.Hooks }))
		same(t, "I6 messages", rat(*r.Activity.Messages), sum(u, func(u api.UserRow) json.Number { return u.Messages }),
			new(big.Rat).Add(rat(*r.Activity.UserMessages), sum(u, func(u api.UserRow) json.Number { return u.AssistantMessages })))
		same(t, "I7 rows", rat(r.Activity.DailyActiveUsers), new(big.Rat).SetInt64(int64(len(u))))
		same(t, "I8 files", sum(p.ByExtension, func(c api.ExtensionCount) json.Number { return c.Count }),
			sum(p.ByLanguage, func(c api.LanguageCount) json.Number { return c.Count }), new(big.Rat).Add(rat(p.FilesCreated), rat(p.FilesEdited)))
		for _, row := range u {
			ascending(t, "I3 of a user", "0", row.MCPCalls, row.ToolCalls)
			same(t, "I6 of a user", rat(row.Messages), new(big.Rat).Add(rat(row.UserMessages), rat(row.AssistantMessages)))
		}
	})
}

// TestBounds holds I3, I4, I5, I9 and I10, and the order of U2.
func TestBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		weeks := rapid.Int64Range(0, 5)
		r := dayOn(noon(0), spansOf(t)).Result(usage.Facts{Weekly: weeks.Draw(t, "weekly"), Monthly: weeks.Draw(t, "monthly")})
		a, o := r.Activity, r.Tools
		for _, c := range r.ActivityByClient {
			ascending(t, "I4 a client", "1", c.DailyActiveUsers, a.DailyActiveUsers)
			same(t, "I4 both forms", rat(c.DailyActiveUsers), rat(a.DailyActiveUsersByClient[*c.GroupKey]))
		}
		clients := sum(r.ActivityByClient, func(c api.ActivityRow) json.Number { return c.DailyActiveUsers })
		ascending(t, "I4 all clients", a.DailyActiveUsers, json.Number(clients.FloatString(0)))
		ascending(t, "I5 windows", a.DailyActiveUsers, *a.WeeklyActiveUsers, *a.MonthlyActiveUsers)
		ascending(t, "I3 mcp users", "0", *o.MCPUsersWithMCP, a.DailyActiveUsers)
		ascending(t, "I10 percentiles", "0", *o.AutonomyRatioP50, *o.AutonomyRatioP90)
		ascending(t, "web users", *o.WebUsers, a.DailyActiveUsers)
		ascending(t, "sessions F32 F55", *a.Sessions, json.Number(sum(r.Users, func(u api.UserRow) json.Number { return u.Sessions }).FloatString(0)))
		shares, _ := sum(slices.Collect(maps.Values(o.ToolAutonomyLevelRatio)), func(n json.Number) json.Number { return n }).Float64()
		if shares != 0 && math.Abs(shares-1) > 1e-12 {
			t.Errorf("I9: %v", o.ToolAutonomyLevelRatio)
		}
		if !slices.IsSortedFunc(r.Users, func(a, b api.UserRow) int { return cmp.Compare(a.UserID, b.UserID) }) {
			t.Errorf("U2 users: %v", r.Users)
		}
		if !slices.IsSortedFunc(r.ToolsByName, func(a, b api.ToolRow) int { return cmp.Compare(*a.GroupKey, *b.GroupKey) }) {
			t.Errorf("U2 tools: %v", r.ToolsByName)
		}
		if !slices.IsSortedFunc(o.ByTool, func(a, b api.ToolCount) int {
			return cmp.Or(rat(b.Invocations).Cmp(rat(a.Invocations)), cmp.Compare(a.Tool, b.Tool))
		}) {
			t.Errorf("U2 by_tool: %v", o.ByTool)
		}
	})
}
