package usage

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/govctl/govctl/internal/api"
)

// tools is the row of /tools (F10-F26).
func (v *view) tools() api.ToolRow {
	calls, turns := v.sum.toolCalls, v.sum.userMessages
	active := int64(len(v.day.sessions.rows))
	autonomy := v.autonomy()
	return api.ToolRow{
		Date:                     v.day.date,
		ToolCalls:                count(calls),
		ByTool:                   ranked(&v.day.tools, toolCount),
		MCPUsersWithMCP:          some(count(v.mcpUsers())),
		MCPByServer:              ranked(&v.day.servers, serverCount),
		SkillsInvocations:        some(count(v.sum.skills)),
		SkillsByName:             ranked(&v.day.skills, nameCount),
		SlashCommandsInvocations: some(count(v.sum.commands)),
		SlashCommandsByName:      ranked(&v.day.commands, nameCount),
		HooksInvocations:         some(count(v.sum.hooks)),
		HooksByEvent:             v.hookCounts(),
		WebUsers:                 some(count(v.byClient[ClientWeb])),
		AutonomyRatioAvg:         some(ratio(mean(autonomy))),
		AutonomyRatioP50:         some(ratio(percentile(autonomy, 0.5))),
		AutonomyRatioP90:         some(ratio(percentile(autonomy, 0.9))),
		ToolCallsPerSessionAvg:   some(ratio(share(calls, active))),
		UserTurnsPerSessionAvg:   some(ratio(share(turns, active))),
		ToolAutonomyLevelRatio:   v.levelRatios(),
	}
}

func toolCount(name string, n json.Number) api.ToolCount {
	return api.ToolCount{Tool: name, Invocations: n}
}

func serverCount(name string, n json.Number) api.ServerCount {
	return api.ServerCount{Server: name, Invocations: n}
}

func nameCount(name string, n json.Number) api.NameCount {
	return api.NameCount{Name: name, Count: n}
}

// mcpUsers counts the users with an MCP call (F12).
func (v *view) mcpUsers() int64 {
	var n int64
	for i := range v.day.users.rows {
		if v.day.users.rows[i].mcpCalls > 0 {
			n++
		}
	}
	return n
}

// hookCounts orders by count descending, then event, matcher and command (F19).
func (v *view) hookCounts() []api.HookCount {
	hooks := make([]hook, 0, len(v.day.hooks))
	for h := range v.day.hooks {
		hooks = append(hooks, h)
	}
	slices.SortFunc(hooks, func(a, b hook) int {
		return cmp.Or(cmp.Compare(*v.day.hooks[b], *v.day.hooks[a]),
			cmp.Compare(a.event, b.event), cmp.Compare(a.matcher, b.matcher), cmp.Compare(a.command, b.command))
	})
	rows := make([]api.HookCount, len(hooks))
	for i, h := range hooks {
		rows[i] = api.HookCount{Event: h.event, Matcher: h.matcher, Command: h.command, Count: count(*v.day.hooks[h])}
	}
	return rows
}

// autonomy is the ratio of tool calls to user messages of every session that has a user
// message, ascending (F21-F23).
func (v *view) autonomy() []float64 {
	var ratios []float64
	for i := range v.day.sessions.rows {
		if ss := &v.day.sessions.rows[i]; ss.userMessages > 0 {
			ratios = append(ratios, share(ss.toolCalls, ss.userMessages))
		}
	}
	slices.Sort(ratios)
	return ratios
}

// levelRatios are the shares of the four levels that have a key; other tool calls are in
// neither part of the fraction (F26, U18).
func (v *view) levelRatios() map[string]json.Number {
	var all int64
	for i, l := range levels {
		if l.ratio != "" {
			all += v.sum.levels[i]
		}
	}
	ratios := map[string]json.Number{}
	for i, l := range levels {
		if l.ratio != "" {
			ratios[l.ratio] = ratio(share(v.sum.levels[i], all))
		}
	}
	return ratios
}

// toolsByName are the rows of group_by=tool_name (F27).
func (v *view) toolsByName() []api.ToolRow {
	rows := make([]api.ToolRow, 0, len(v.day.tools.names))
	for _, id := range v.day.tools.byName() {
		name := v.day.tools.names[id]
		rows = append(rows, api.ToolRow{Date: v.day.date, GroupKey: &name, ToolCalls: count(v.day.tools.rows[id])})
	}
	return rows
}
