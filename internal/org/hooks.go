package org

// Hook is a command that the agent runs on its own machine when an event fires.
type Hook struct {
	Event   string `json:"event"`
	Matcher string `json:"matcher,omitempty"` // of PostToolUse (C212); "" runs after every tool
	Command string `json:"command"`
	Source  Source `json:"source,omitzero"` // where it is declared
}
