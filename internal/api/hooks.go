package api

// Hook events of the agent (C212).
const (
	EventNotification = "Notification"
	EventStop         = "Stop"
	EventSubagentStop = "SubagentStop"
	EventSessionEnd   = "SessionEnd"
	EventPostToolUse  = "PostToolUse"
)

// HookInput is the JSON object a hook command reads from standard input (C213).
type HookInput struct {
	HookEventName string  `json:"hook_event_name"`
	SessionID     *string `json:"session_id,omitempty"`
	Cwd           *string `json:"cwd,omitempty"`
	Message       *string `json:"message,omitempty"`
	Reason        *string `json:"reason,omitempty"`
}
