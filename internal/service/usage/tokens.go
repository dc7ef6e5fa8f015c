package usage

import (
	"cmp"
	"slices"

	"github.com/govctl/govctl/internal/api"
)

// tokens is the row of /tokens (F1-F8).
func (v *view) tokens() api.TokenRow {
	sum := sumOf(v.overall)
	return api.TokenRow{
		Date:             v.day.date,
		BillableTokens:   some(sum.credits.number()),
		InputTokens:      count(sum.input),
		OutputTokens:     count(sum.output),
		CacheReadTokens:  some(count(sum.cacheRead)),
		CacheWriteTokens: some(count(sum.cacheWrite)),
		ByModel:          modelRows(v.overall),
		ByUser:           v.spenders(),
	}
}

func sumOf(uses []modelUse) use {
	var sum use
	for _, u := range uses {
		sum.add(u.use)
	}
	return sum
}

func modelRows(uses []modelUse) []api.ModelUsage {
	rows := make([]api.ModelUsage, len(uses))
	for i, u := range uses {
		rows[i] = api.ModelUsage{
			ModelID: u.model, ModelTier: u.tier,
			BillableTokens: some(u.credits.number()), InputTokens: count(u.input), OutputTokens: count(u.output),
		}
	}
	return rows
}

// spenders are the users with a model request: credits descending, then id (F8). Without
// an address theirs is "", because this field is a plain string (U19).
func (v *view) spenders() []api.UserUsage {
	var ids []uint32
	sums := map[uint32]use{}
	for _, id := range v.order {
		if len(v.spent[id]) > 0 {
			ids = append(ids, id)
			sums[id] = sumOf(v.spent[id])
		}
	}
	slices.SortStableFunc(ids, func(a, b uint32) int { return sums[b].credits.compare(sums[a].credits) })
	rows := make([]api.UserUsage, len(ids))
	for i, id := range ids {
		email := v.emails[id]
		rows[i] = api.UserUsage{
			UserID: v.day.users.names[id], UserEmail: &email,
			BillableTokens: some(sums[id].credits.number()), ByModel: modelRows(v.spent[id]),
		}
	}
	return rows
}

// tokensByModel are the rows of group_by=model, tiers added together (F9).
func (v *view) tokensByModel() []api.TokenRow {
	models := byModel(v.overall)
	rows := make([]api.TokenRow, len(models))
	for i, m := range models {
		rows[i] = api.TokenRow{
			Date: v.day.date, GroupKey: &m.model,
			BillableTokens: some(m.credits.number()), InputTokens: count(m.input), OutputTokens: count(m.output),
		}
	}
	return rows
}

// byModel adds the tiers of each model, model ascending; the tier is that of most
// requests, standard if both have as many (F48).
func byModel(uses []modelUse) []modelUse {
	uses = slices.SortedFunc(slices.Values(uses), func(a, b modelUse) int {
		return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(b.requests, a.requests), cmp.Compare(a.tier, b.tier))
	})
	var models []modelUse
	for _, u := range uses {
		if n := len(models); n > 0 && models[n-1].model == u.model {
			models[n-1].add(u.use)
		} else {
			models = append(models, u)
		}
	}
	return models
}
