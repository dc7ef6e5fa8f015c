package exchange

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// extra is one optional field of a message. No values: any string; flag: a boolean.
type extra struct {
	name   string
	values []string
	null   bool // null is a value
	flag   bool
}

// extras are the optional fields of a message in the order of the contract (C152-C161).
func extras() []extra {
	return []extra{
		{name: "parentId"},
		{name: "userMessageSource", values: []string{
			"web", "desktop", "cli_tui", "cli_exec", "cli_acp", "messaging_app", "tracker_app", "sessions_api", "api",
			"automation", "readiness-remediation", "readiness-evaluation", "wiki-generation", "wiki-ci-setup",
		}},
		{name: "visibility", values: []string{"both", "llm_only", "user_only"}},
		{name: "vendorAMessageId"},
		{name: "vendorAPhase", values: []string{"commentary", "final_answer"}, null: true},
		{name: "vendorAEncryptedContent"},
		{name: "vendorAReasoningId"},
		{name: "vendorAReasoningSummary"},
		{name: "vendorBThoughtSignature"},
		{name: "chatCompletionReasoningField", values: []string{"reasoning", "reasoning_content"}},
		{name: "chatCompletionReasoningContent"},
		{name: "isUserVisible", flag: true},
		{name: "isError", flag: true},
	}
}

// check says what is wrong with a value of the field, "" for nothing.
func (e extra) check(raw json.RawMessage) string {
	var text *string
	var flag *bool
	switch {
	case e.flag:
		if json.Unmarshal(raw, &flag) != nil || flag == nil {
			return "is not a boolean"
		}
	case json.Unmarshal(raw, &text) != nil:
		return "is not a string"
	case text == nil && !e.null:
		return "is null"
	case text != nil && e.values != nil && !slices.Contains(e.values, *text):
		return "is not one of " + strings.Join(e.values, ", ")
	}
	return ""
}

// message reads one message in the shape of the API. Fields the contract does not have
// are left out.
func (p *problems) message(raw json.RawMessage) store.Message {
	var in struct {
		ID        string        `json:"id"`
		Role      string        `json:"role"`
		Content   []api.Content `json:"content"`
		CreatedAt *json.Number  `json:"createdAt"`
		UpdatedAt *json.Number  `json:"updatedAt"`
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &in); err != nil {
		p.add("%w", err)
		return store.Message{}
	}
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		p.add("not a JSON object")
		return store.Message{}
	}
	if in.ID == "" {
		p.add("id is missing")
	}
	if !slices.Contains([]string{"user", "assistant", "tool", "system"}, in.Role) {
		p.add("role %.60q is not user, assistant, tool or system", in.Role)
	}
	if in.Content == nil {
		p.add("content is missing")
	}
	m := store.Message{ID: in.ID, Role: in.Role, CreatedAt: p.when("createdAt", in.CreatedAt), UpdatedAt: p.when("updatedAt", in.UpdatedAt)}
	var err error
	if m.Content, err = compact(in.Content); err != nil {
		p.add("content: %w", err)
	}
	var parts []string
	for _, e := range extras() {
		value, ok := fields[e.name]
		if !ok {
			continue
		}
		if wrong := e.check(value); wrong != "" {
			p.add("%s %s", e.name, wrong)
			continue
		}
		text, err := compact(value)
		if err != nil {
			p.add("%s: %w", e.name, err)
		}
		parts = append(parts, strconv.Quote(e.name)+":"+text)
	}
	m.Extra = "{" + strings.Join(parts, ",") + "}"
	return m
}

// ShowMessage is a stored message as the API shows it (C147-C161).
func ShowMessage(m store.Message) json.RawMessage {
	required := struct {
		ID        string          `json:"id"`
		Role      string          `json:"role"`
		Content   json.RawMessage `json:"content"`
		CreatedAt json.Number     `json:"createdAt"`
		UpdatedAt json.Number     `json:"updatedAt"`
	}{m.ID, m.Role, json.RawMessage(m.Content), number(m.CreatedAt), number(m.UpdatedAt)}
	text, err := compact(required)
	if err != nil {
		panic(err) // the database accepts valid JSON only
	}
	if m.Extra == "" || m.Extra == "{}" {
		return json.RawMessage(text)
	}
	return json.RawMessage(strings.TrimSuffix(text, "}") + "," + strings.TrimPrefix(m.Extra, "{"))
}
