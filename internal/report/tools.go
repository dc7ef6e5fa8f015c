package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// Tools are the tools, MCP servers, skills, slash commands and hooks that were used.
type Tools struct {
	Calls         float64      `json:"tool_calls"`
	DaysReported  int          `json:"days_reported"`
	Days          []ToolDay    `json:"days"`
	List          []Count      `json:"tools"`          // those with a name that a tool can have
	Unrecognised  Unrecognised `json:"unrecognised"`   // the others (T43)
	Other         float64      `json:"without_a_tool"` // tool_calls less those by tool (T41)
	Servers       []Server     `json:"mcp_servers"`    // case variants merged (T42)
	MCPCalls      float64      `json:"mcp_calls"`
	MCPUsers      *Range       `json:"mcp_users"` // per day; people of several days are not added (T40)
	WebUsers      *Range       `json:"web_users"` // per day
	Skills        []Count      `json:"skills"`
	SkillCalls    float64      `json:"skill_calls"`
	SlashCommands []Count      `json:"slash_commands"`
	SlashCalls    float64      `json:"slash_command_calls"`
	Hooks         []Hook       `json:"hooks"`
	HookCalls     float64      `json:"hook_calls"`
}

// ToolDay is one day of the window.
type ToolDay struct {
	Date     string   `json:"date"`
	Reported bool     `json:"reported"`
	Calls    *float64 `json:"tool_calls"`
	MCPUsers *float64 `json:"mcp_users"`
}

// Unrecognised are calls under names that no tool can have.
type Unrecognised struct {
	Names int     `json:"names"`
	Calls float64 `json:"calls"`
}

// Server is an MCP server. Names that differ only in the case of ASCII letters are taken
// for one server, and Variants has them as they came.
type Server struct {
	Name     string  `json:"name"` // the spelling used most
	Calls    float64 `json:"calls"`
	Variants []Count `json:"variants"` // all spellings; one unless they differ
}

// Hook is how often a hook ran. Secrets in its command are hidden (T34).
type Hook struct {
	Event   string  `json:"event"`
	Matcher string  `json:"matcher,omitempty"`
	Command string  `json:"command"`
	Count   float64 `json:"count"`
}

// toolDay is a day of /tools without its lists.
type toolDay struct {
	calls                    float64
	mcpUsers, webUsers       *float64
	average, median, ninety  *float64
	levels                   map[string]float64
	callsPerSession, turnsPS *float64
}

// tools is what is counted over days.
type tools struct {
	byName, servers, skills, commands tally
	hooks                             map[Hook]float64
	skillCalls, slashCalls, hookCalls sum
}

func newTools() tools {
	return tools{byName: tally{}, servers: tally{}, skills: tally{}, commands: tally{}, hooks: map[Hook]float64{}}
}

// AddTools adds days of /tools without groups.
func (m *Maker) AddTools(rows []api.ToolRow) error {
	for i := range rows {
		if err := m.addToolDay(&rows[i]); err != nil {
			return fmt.Errorf("%s: %w", rows[i].Date, err)
		}
	}
	return nil
}

func (m *Maker) addToolDay(row *api.ToolRow) error {
	if _, twice := m.toolDays[row.Date]; twice {
		return fmt.Errorf("%s comes twice", row.Date)
	}
	var read numbers
	d := toolDay{
		calls: read.need(row.ToolCalls), mcpUsers: read.may(row.MCPUsersWithMCP), webUsers: read.may(row.WebUsers),
		average: read.may(row.AutonomyRatioAvg), median: read.may(row.AutonomyRatioP50), ninety: read.may(row.AutonomyRatioP90),
		callsPerSession: read.may(row.ToolCallsPerSessionAvg), turnsPS: read.may(row.UserTurnsPerSessionAvg),
	}
	if row.ToolAutonomyLevelRatio != nil {
		d.levels = map[string]float64{}
		for _, name := range sortedKeys(row.ToolAutonomyLevelRatio) {
			d.levels[name] = read.need(row.ToolAutonomyLevelRatio[name])
		}
	}
	for _, x := range row.ByTool {
		m.tools.byName[x.Tool] += read.need(x.Invocations)
	}
	for _, x := range row.MCPByServer {
		m.tools.servers[org.RedactURL(x.Server)] += read.need(x.Invocations)
	}
	for _, x := range row.SkillsByName {
		m.tools.skills[x.Name] += read.need(x.Count)
	}
	for _, x := range row.SlashCommandsByName {
		m.tools.commands[x.Name] += read.need(x.Count)
	}
	for _, x := range row.HooksByEvent {
		m.tools.hooks[Hook{Event: x.Event, Matcher: x.Matcher, Command: org.RedactCommand(x.Command)}] += read.need(x.Count)
	}
	for _, x := range []struct {
		to *sum
		n  *float64
	}{
		{&m.tools.skillCalls, read.may(row.SkillsInvocations)},
		{&m.tools.slashCalls, read.may(row.SlashCommandsInvocations)},
		{&m.tools.hookCalls, read.may(row.HooksInvocations)},
	} {
		if x.n != nil {
			x.to.add(x.n)
		}
	}
	m.toolDays[row.Date] = d
	return read.err
}

func (m *Maker) makeTools() *Tools {
	out := &Tools{
		Days: []ToolDay{}, List: []Count{}, Servers: mergeServers(m.tools.servers), MCPCalls: m.tools.servers.total(),
		Skills: m.tools.skills.list(), SlashCommands: m.tools.commands.list(), Hooks: []Hook{},
		SkillCalls: rounded(m.tools.skillCalls.n), SlashCalls: rounded(m.tools.slashCalls.n), HookCalls: rounded(m.tools.hookCalls.n),
	}
	for _, day := range m.days() {
		d, reported := m.toolDays[day]
		shown := ToolDay{Date: day, Reported: reported}
		if reported {
			out.DaysReported++
			out.Calls += d.calls
			shown.Calls, shown.MCPUsers = &d.calls, d.mcpUsers
			out.MCPUsers, out.WebUsers = out.MCPUsers.see(day, d.mcpUsers), out.WebUsers.see(day, d.webUsers)
		}
		out.Days = append(out.Days, shown)
	}
	out.Calls = rounded(out.Calls)
	for _, c := range m.tools.byName.list() {
		if org.IsToolName(c.Name) {
			out.List = append(out.List, c)
		} else {
			out.Unrecognised.Names++
			out.Unrecognised.Calls += c.Count
		}
	}
	for h, n := range m.tools.hooks {
		h.Count = rounded(n)
		out.Hooks = append(out.Hooks, h)
	}
	slices.SortFunc(out.Hooks, func(a, b Hook) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Event, b.Event), cmp.Compare(a.Matcher, b.Matcher), cmp.Compare(a.Command, b.Command))
	})
	m.unreported(SectionTools, out.DaysReported)
	out.Other = rounded(out.Calls - m.tools.byName.total())
	if out.Other < 0 {
		m.warn(SectionTools, "tools add up to %s calls more than the days do", plainNumber(-out.Other))
	}
	return out
}

// mergeServers takes names that differ only by case for one server (C68, T42).
func mergeServers(all tally) []Server {
	byFold := map[string]*Server{}
	for _, c := range all.list() { // most first: that spelling names the server
		key := lower(c.Name)
		s := byFold[key]
		if s == nil {
			s = &Server{Name: c.Name}
			byFold[key] = s
		}
		s.Calls = rounded(s.Calls + c.Count)
		s.Variants = append(s.Variants, c)
	}
	out := make([]Server, 0, len(byFold))
	for _, s := range byFold {
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b Server) int { return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Name, b.Name)) })
	return out
}

// lower folds ASCII letters only: Unicode folding would merge different names (m10).
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
