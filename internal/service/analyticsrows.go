package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
	"github.com/govctl/govctl/internal/service/usage"
)

// These rows are those of package api with the lists always there, also when they are
// empty, and the null of a user without an address (C91, U19).
type (
	tokenRow struct {
		api.TokenRow
		ByModel []api.ModelUsage `json:"by_model"`
		ByUser  []api.UserUsage  `json:"by_user"`
	}
	toolRow struct {
		api.ToolRow
		ByTool              []api.ToolCount   `json:"by_tool"`
		MCPByServer         []api.ServerCount `json:"mcp_by_server"`
		SkillsByName        []api.NameCount   `json:"skills_by_name"`
		SlashCommandsByName []api.NameCount   `json:"slash_commands_by_name"`
		HooksByEvent        []api.HookCount   `json:"hooks_by_event"`
	}
	productivityRow struct {
		api.ProductivityRow
		ByExtension []api.ExtensionCount `json:"by_extension"`
		ByLanguage  []api.LanguageCount  `json:"by_language"`
	}
	userRow struct {
		api.UserRow
		UserEmail *string `json:"user_email"`
	}
)

// dayKinds are all kinds.
func dayKinds() []string {
	return []string{kindTokens, kindTokensByModel, kindTools, kindToolsByName, kindActivity, kindActivityByClient, kindProductivity}
}

// dayBody is the rows of one kind as they are stored: a JSON array.
func dayBody(kind string, r usage.Result) (string, error) {
	switch kind {
	case kindTokens:
		return oneLine([]tokenRow{{r.Tokens, r.Tokens.ByModel, r.Tokens.ByUser}})
	case kindTokensByModel:
		return oneLine(r.TokensByModel)
	case kindTools:
		return oneLine([]toolRow{{r.Tools, r.Tools.ByTool, r.Tools.MCPByServer, r.Tools.SkillsByName, r.Tools.SlashCommandsByName, r.Tools.HooksByEvent}})
	case kindToolsByName:
		return oneLine(r.ToolsByName)
	case kindActivity:
		return oneLine([]api.ActivityRow{r.Activity})
	case kindActivityByClient:
		return oneLine(r.ActivityByClient)
	case kindProductivity:
		return oneLine([]productivityRow{{r.Productivity, r.Productivity.ByExtension, r.Productivity.ByLanguage}})
	}
	return "", fmt.Errorf("no such kind of rows: %s", kind)
}

// userBodies are the rows of the users of a day as they are stored.
func userBodies(rows []api.UserRow) ([]store.UserRow, error) {
	users := make([]store.UserRow, len(rows))
	for i, r := range rows {
		text, err := oneLine(userRow{r, r.UserEmail})
		if err != nil {
			return nil, err
		}
		users[i] = store.UserRow{UserID: r.UserID, Body: text}
	}
	return users, nil
}

// oneLine is JSON in one line, with <, > and & as they are.
func oneLine(v any) (string, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return string(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), err
}

// withWindow puts the users of the trailing windows into a row of /activity (F29, F30).
func withWindow(row json.RawMessage, w store.Window) (json.RawMessage, error) {
	return changed(row, func(r *api.ActivityRow) {
		weekly, monthly := number(w.Weekly), number(w.Monthly)
		r.WeeklyActiveUsers, r.MonthlyActiveUsers = &weekly, &monthly
	})
}

func number(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

// hideTokens drops what an organization that hides credits does not show (U15).
func hideTokens(r *tokenRow) {
	r.BillableTokens = nil
	hideModels(r.ByModel)
	for i := range r.ByUser {
		r.ByUser[i].BillableTokens = nil
		hideModels(r.ByUser[i].ByModel)
	}
}

func hideModels(models []api.ModelUsage) {
	for i := range models {
		models[i].BillableTokens = nil
	}
}

func hideUser(r *userRow) { r.BillableTokens = nil }

// eachRow makes a change of rows of one type a change of any row of a day.
func eachRow[T any](change func(*T)) rowChange {
	return func(_ store.Day, row json.RawMessage) (json.RawMessage, error) { return changed(row, change) }
}

// changed decodes a row, changes it and encodes it again.
func changed[T any](row json.RawMessage, change func(*T)) (json.RawMessage, error) {
	var r T
	if err := json.Unmarshal(row, &r); err != nil {
		return nil, err
	}
	change(&r)
	text, err := oneLine(r)
	return json.RawMessage(text), err
}
