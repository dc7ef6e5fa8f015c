package usage

import (
	"encoding/json"

	"github.com/govctl/govctl/internal/api"
)

// activity is the row of /activity (F28-F34).
func (v *view) activity(f Facts) api.ActivityRow {
	daily := int64(len(v.day.users.rows))
	weekly := max(daily, f.Weekly)
	byClient := map[string]json.Number{ClientTerminal: "0", ClientWeb: "0", ClientHeadless: "0"}
	for name, n := range v.byClient {
		byClient[name] = count(n)
	}
	return api.ActivityRow{
		Date:                     v.day.date,
		DailyActiveUsers:         count(daily),
		WeeklyActiveUsers:        some(count(weekly)),
		MonthlyActiveUsers:       some(count(max(weekly, f.Monthly))),
		DailyActiveUsersByClient: byClient,
		Sessions:                 some(count(v.sessions)),
		Messages:                 some(count(v.sum.userMessages + v.sum.assistantMessages)),
		UserMessages:             some(count(v.sum.userMessages)),
	}
}

// activityByClient are the rows of group_by=client: only clients with users (F35).
func (v *view) activityByClient() []api.ActivityRow {
	rows := make([]api.ActivityRow, 0, len(v.byClient))
	for _, name := range v.clientNames() {
		rows = append(rows, api.ActivityRow{Date: v.day.date, GroupKey: &name, DailyActiveUsers: count(v.byClient[name])})
	}
	return rows
}
