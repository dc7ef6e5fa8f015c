package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// Note is something a reviewer should know that is not a change. One note gathers
// every object it is true of, so that 10,000 members make one line.
type Note struct {
	Code    string     `json:"code"`    // stable, for scripts
	Message string     `json:"message"` // one line, without the objects
	Refuses bool       `json:"refuses"` // apply refuses while this note stands
	Items   []NoteItem `json:"items"`   // sorted by key; empty when the note is about the plan as a whole
}

// NoteItem is one object a note is about.
type NoteItem struct {
	Key    string      `json:"key"`
	Detail string      `json:"detail,omitempty"`
	Source *org.Source `json:"source,omitempty"`
}

// note adds n, sorted.
func (p *Plan) note(n Note) {
	slices.SortStableFunc(n.Items, func(a, b NoteItem) int {
		return cmp.Or(strings.Compare(a.Key, b.Key), strings.Compare(a.Detail, b.Detail))
	})
	if n.Items == nil {
		n.Items = []NoteItem{}
	}
	p.Notes = append(p.Notes, n)
}

// noteItems adds a note if it is about anything.
func (p *Plan) noteItems(code, message string, items []NoteItem) {
	if len(items) > 0 {
		p.note(Note{Code: code, Message: message, Items: items})
	}
}

// at gives a pointer to a source for JSON, nil for none.
func at(s org.Source) *org.Source {
	if s.IsZero() {
		return nil
	}
	return &s
}
