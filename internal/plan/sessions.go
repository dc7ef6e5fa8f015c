package plan

import (
	"cmp"
	"slices"
	"strings"

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

// Fields of a session that name models.
const (
	FieldModel         = "model"
	FieldSpecModeModel = "spec_mode_model"
)

// Codes of the notes about sessions.
const (
	noteModel = "session_model"
	noteBusy  = "session_busy"
)

// addSessions plans resets of idle sessions on models that are not permitted, and
// reports the others. A session that is not idle is never touched.
func (p *Plan) addSessions(in Input) {
	m := in.Want.Models
	if m == nil || m.Sessions == "" {
		return
	}
	var reported, busy []NoteItem
	for _, s := range in.Have.Sessions {
		fields := forbidden(s, m)
		if len(fields) == 0 || s.Archived || !in.Selection.Includes("session", s.ID) {
			continue // an archived session does not run
		}
		item := NoteItem{Key: s.ID, Detail: modelsOf(fields), Source: at(m.Source)}
		switch {
		case m.Sessions == "report":
			reported = append(reported, item)
		case s.Status != "idle":
			item.Detail += ", " + cmp.Or(s.Status, "status unknown")
			busy = append(busy, item)
		default:
			p.Sessions = append(p.Sessions, SessionChange{ID: s.ID, Fields: fields, Source: m.Source})
		}
	}
	p.Summary.Sessions.Update = len(p.Sessions)
	p.noteItems(noteModel, "sessions on a model that is not allowed", reported)
	p.noteItems(noteBusy, "sessions on a model that is not allowed, not idle: left alone until they are", busy)
}

// forbidden are the models of a session that are not permitted, with what they become. A
// session without a model of its own follows the settings.
func forbidden(s org.Session, m *org.Models) []Field {
	var out []Field
	for _, f := range []Field{{FieldModel, s.Model, m.ResetTo}, {FieldSpecModeModel, s.SpecModeModel, m.ResetTo}} {
		if f.Before != "" && !m.Permits(f.Before) {
			out = append(out, f)
		}
	}
	return out
}

// modelsOf names the models of fields, each once.
func modelsOf(fields []Field) string {
	var names []string
	for _, f := range fields {
		names = append(names, f.Before)
	}
	return strings.Join(slices.Compact(names), ", ")
}
