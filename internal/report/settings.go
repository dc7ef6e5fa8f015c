package report

import (
	"cmp"
	"slices"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// Settings are the newest revisions of the enterprise settings, by who made them.
type Settings struct {
	Revisions []org.RevisionChange `json:"revisions"` // newest first
	More      bool                 `json:"more"`      // older ones exist
	InWindow  int                  `json:"in_window"` // of Revisions, those of the days of the report
	Actors    []Actor              `json:"actors"`    // of Revisions, most first
}

// Actor is who changed settings, and how often.
type Actor struct {
	org.Actor
	Revisions int `json:"revisions"`
}

// SetHistory says what each of the newest revisions changed, newest first; more says that
// older ones exist.
func (m *Maker) SetHistory(list []org.RevisionChange, more bool) {
	s := &Settings{Revisions: append([]org.RevisionChange{}, list...), More: more, Actors: []Actor{}}
	count := map[org.Actor]int{}
	for _, r := range list {
		count[r.Actor]++
		if at, err := time.Parse(time.RFC3339, r.UpdatedAt); err == nil {
			if day := at.UTC().Format(time.DateOnly); day >= m.in.Window.From && day <= m.in.Window.To {
				s.InWindow++
			}
		}
	}
	for a, n := range count {
		s.Actors = append(s.Actors, Actor{a, n})
	}
	slices.SortFunc(s.Actors, func(a, b Actor) int {
		return cmp.Or(cmp.Compare(b.Revisions, a.Revisions), cmp.Compare(a.Email, b.Email), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
	})
	m.settings = s
}
