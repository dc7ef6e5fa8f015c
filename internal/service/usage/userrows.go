package usage

import (
	"cmp"
	"slices"

	"github.com/govctl/govctl/internal/api"
)

// userRows are the rows of /users of this day, user_id ascending (F42-F61).
func (v *view) userRows() []api.UserRow {
	spoken := v.spoken()
	rows := make([]api.UserRow, 0, len(v.order))
	for _, id := range v.order {
		rows = append(rows, v.userRow(id, spoken[id]))
	}
	return rows
}

func (v *view) userRow(id uint32, languages []string) api.UserRow {
	u := &v.day.users.rows[id]
	model, tier := primaryModel(v.spent[id])
	row := api.UserRow{
		UserID:            v.day.users.names[id],
		Date:              v.day.date,
		ToolCalls:         count(u.toolCalls),
		BillableTokens:    some(sumOf(v.spent[id]).credits.number()),
		PrimaryModel:      model,
		PrimaryModelTier:  tier,
		FilesCreated:      count(u.created),
		FilesEdited:       count(u.edited),
		GitCommits:        count(u.commits),
		GitPRs:            count(u.pullRequests),
		MCPCalls:          count(u.mcpCalls),
		SkillCalls:        count(u.skills),
		SlashCommands:     count(u.commands),
		Hooks:             count(u.hooks),
		Sessions:          count(v.begins[id]),
		Messages:          count(u.userMessages + u.assistantMessages),
		UserMessages:      count(u.userMessages),
		AssistantMessages: count(u.assistantMessages),
		AutonomyRatio:     ratio(share(u.toolCalls, u.userMessages)),
		DelegationLevel:   u.delegation(),
		Languages:         languages,
	}
	if email := v.emails[id]; email != "" {
		row.UserEmail = &email
	}
	return row
}

// primaryModel is the model of most requests, then of more credits, then the lesser name
// (F47), with its tier (F48, U20).
func primaryModel(uses []modelUse) (model, tier string) {
	models := byModel(uses)
	if len(models) == 0 {
		return "", TierStandard
	}
	first := slices.MinFunc(models, func(a, b modelUse) int {
		return cmp.Or(cmp.Compare(b.requests, a.requests), b.credits.compare(a.credits), cmp.Compare(a.model, b.model))
	})
	return first.model, first.tier
}

// spoken lists the languages of each user: files descending, then name (F61).
func (v *view) spoken() [][]string {
	ids := make([][]uint32, len(v.day.users.rows))
	for p := range v.day.files {
		ids[p.user] = append(ids[p.user], p.other)
	}
	names := make([][]string, len(ids))
	for user, list := range ids {
		slices.SortFunc(list, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(v.day.files[pair{uint32(user), b}], v.day.files[pair{uint32(user), a}]),
				cmp.Compare(v.day.languages.names[a], v.day.languages.names[b]))
		})
		names[user] = make([]string, len(list))
		for i, id := range list {
			names[user][i] = v.day.languages.names[id]
		}
	}
	return names
}
