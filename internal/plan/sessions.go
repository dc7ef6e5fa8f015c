package plan

import (
	"cmp"

	"github.com/govctl/govctl/internal/org"
)

// SessionChange is one PATCH of an idle session whose model is no longer allowed.
type SessionChange struct {
	ID     string
	Fields []Field
	Source org.Source
}

// Field is one field of a computer or session that changes.
type Field struct {
	Name   string `json:"name"`
	Before string `json:"before"` // "" when the service shows none
	After  string `json:"after"`
}

// addSessions plans resets of idle sessions on models that are not permitted, and
// reports the others. A running session is never touched.
func (p *Plan) addSessions(in Input) {
	m := in.Want.Models
	if m == nil || m.Sessions == "" {
		return
	}
	var reported, busy []NoteItem
	for _, s := range in.Have.Sessions {
		if s.Model == "" || m.Permits(s.Model) || s.Archived || !in.Selection.Includes("session", s.ID) {
			continue // a session without a model of its own follows the settings; an archived one does not run
		}
		item := NoteItem{Key: s.ID, Detail: s.Model, Source: at(m.Source)}
		switch {
		case m.Sessions == "report":
			reported = append(reported, item)
		case s.Status != "idle":
			item.Detail += ", " + cmp.Or(s.Status, "status unknown")
			busy = append(busy, item)
		default:
			p.Sessions = append(p.Sessions, SessionChange{
				ID: s.ID, Fields: []Field{{Name: "model", Before: s.Model, After: m.ResetTo}}, Source: m.Source,
			})
		}
	}
	p.Summary.Sessions.Update = len(p.Sessions)
	p.noteItems("session_model", "sessions on a model that is not allowed", reported)
	p.noteItems("session_busy", "sessions on a model that is not allowed, not idle: left alone until they are", busy)
}
