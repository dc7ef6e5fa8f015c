package live

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

var errEmptyHistory = errors.New("settings unknown: the history is empty")

// settings reads the newest revision and, for every expectation it does not meet, finds
// the revision in which the value became what it is.
func (w *reading) settings(ctx context.Context, r SettingsReader) error {
	newest, err := first(ctx, r)
	if err == nil && newest == nil {
		if len(w.q.Expectations) == 0 {
			return nil
		}
		err = errEmptyHistory
	}
	if err != nil {
		return w.gap(ctx, FactSettings, "", err)
	}
	shown, _ := org.Redact(newest.settings).(map[string]any)
	w.live.Newest = &org.Revision{Number: newest.number, Settings: shown, Actor: newest.actor, UpdatedAt: newest.updatedAt}
	w.progress(FactSettings, 1)
	var open []*suspect
	for _, e := range w.q.Expectations {
		if !e.Meets(shown) {
			open = append(open, newSuspect(e.Pointer, newest))
		}
	}
	if len(open) == 0 {
		return nil
	}
	if err := w.blame(ctx, r, newest, open); err != nil {
		return err
	}
	for _, s := range open {
		w.live.Blame[s.pointer] = s.blame()
	}
	return nil
}

// revision is one decoded revision with its secrets; it does not leave this file.
type revision struct {
	number    int64
	settings  map[string]any
	actor     org.Actor
	updatedAt string
}

// first reads the newest revision, nil if there is none.
func first(ctx context.Context, r SettingsReader) (*revision, error) {
	for change, err := range r.History(ctx, 1) {
		if err != nil {
			return nil, err
		}
		return decode(change)
	}
	return nil, ctx.Err()
}

func decode(c api.Change) (*revision, error) {
	v, err := org.DecodeJSON(c.Settings)
	if err != nil {
		return nil, fmt.Errorf("settings of revision %d: %w", c.Revision, err)
	}
	settings, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("settings of revision %d: not a JSON object", c.Revision)
	}
	r := &revision{number: c.Revision, settings: settings, updatedAt: c.UpdatedAt}
	if c.User != nil {
		r.actor = org.Actor{ID: text(c.User.ID), Email: text(c.User.Email), Name: text(c.User.Name)}
	}
	return r, nil
}

// suspect is an unmet expectation whose origin is looked for.
type suspect struct {
	pointer string
	value   any
	found   bool
	since   *revision // oldest revision seen that has the value
	settled bool
	unsure  bool // what was before since could not be seen
}

func newSuspect(pointer string, r *revision) *suspect {
	s := &suspect{pointer: pointer, since: r}
	s.value, s.found = org.Lookup(r.settings, pointer)
	return s
}

func (s *suspect) blame() org.Blame {
	return org.Blame{Revision: s.since.number, Actor: s.since.actor, UpdatedAt: s.since.updatedAt, AtOrBefore: s.unsure}
}

// look judges the revision seen after s.since.
func (s *suspect) look(older *revision, last int64) {
	v, found := org.Lookup(older.settings, s.pointer)
	if found == s.found && (!found || org.EqualJSON(v, s.value)) {
		s.since = older
		return
	}
	s.settled, s.unsure = true, last != older.number+1
}

// blame walks back through the history until all suspects are settled. Values are
// compared with their secrets, or a changed secret would look the same. Where the walk
// ends early the origin may be older.
func (w *reading) blame(ctx context.Context, r SettingsReader, newest *revision, open []*suspect) error {
	last := newest.number
	for change, err := range r.History(ctx, api.MaxPage) {
		if err == nil && change.Revision >= newest.number {
			continue // the newest itself, or newer than it
		}
		var older *revision
		if err == nil {
			older, err = decode(change)
		}
		if err != nil {
			if status(err) == http.StatusUnauthorized {
				return err
			}
			break
		}
		all := true
		for _, s := range open {
			if !s.settled {
				s.look(older, last)
				all = all && s.settled
			}
		}
		if last = older.number; all {
			break
		}
	}
	for _, s := range open {
		if !s.settled {
			s.unsure = s.since.number != 1
		}
	}
	return ctx.Err()
}
