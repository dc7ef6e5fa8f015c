package org

// Hook is a command that the agent runs on its own machine when an event fires.
type Hook struct {
	Event   string `json:"event"`
	Matcher string `json:"matcher,omitempty"` // of PostToolUse (C212); "" runs after every tool
	Command string `json:"command"`
	Source  Source `json:"source,omitzero"` // where it is declared
}

// HookEvents lists the documented events, in the order of the contract (C212). The service
// knows no others, but files may hold some of an agent that is newer.
func HookEvents() []string {
	return []string{"Notification", "Stop", "SubagentStop", "SessionEnd", "PostToolUse"}
}
