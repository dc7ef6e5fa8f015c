package org

// Session is one live session, as far as governing needs it.
type Session struct {
	ID            string
	Status        string // idle | pending | running, "" when the list does not say (C138)
	ComputerID    string // "" when not connected
	Model         string // sessionSettings.model, "" when unset
	SpecModeModel string
	Archived      bool
}

// Models is the declared model policy as far as sessions need it; its settings
// part is expressed as Expectations.
type Models struct {
	Allowed  []string
	Blocked  []string
	Sessions string // "" (sessions are not read) | report | reset
	ResetTo  string
	Source   Source
}

// Permits reports whether sessions may run on model. An empty Allowed permits
// whatever is not blocked.
func (m Models) Permits(model string) bool {
	for _, b := range m.Blocked {
		if b == model {
			return false
		}
	}
	for _, a := range m.Allowed {
		if a == model {
			return true
		}
	}
	return len(m.Allowed) == 0
}
