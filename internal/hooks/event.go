package hooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// MaxInput is how much of an event is read (T47).
const MaxInput = 1 << 20

// ParseEvent reads what the agent writes to a hook: exactly one JSON object with at least
// the name of its event (C211, C213). Fields nobody knows are no error.
func ParseEvent(data []byte) (api.HookInput, error) {
	if len(data) > MaxInput {
		return api.HookInput{}, fmt.Errorf("the event is larger than %d bytes", MaxInput)
	}
	v, err := org.DecodeJSON(data)
	if err != nil {
		return api.HookInput{}, fmt.Errorf("the event is not JSON: %w", err)
	}
	fields, ok := v.(map[string]any)
	if !ok {
		return api.HookInput{}, errors.New("the event is not a JSON object")
	}
	text := func(name string) *string {
		if s, ok := fields[name].(string); ok {
			return &s
		}
		return nil
	}
	name := text("hook_event_name")
	if name == nil || strings.TrimSpace(*name) == "" {
		return api.HookInput{}, errors.New("the event has no hook_event_name")
	}
	return api.HookInput{
		HookEventName: *name, SessionID: text("session_id"), Cwd: text("cwd"),
		Message: text("message"), Reason: text("reason"),
	}, nil
}

// Encode is an event as a hook reads it.
func Encode(e api.HookInput) []byte {
	b, err := json.Marshal(e)
	if err != nil {
		panic(err) // texts can be encoded
	}
	return b
}
