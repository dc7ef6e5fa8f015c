package live

import (
	"context"
	"fmt"
	"net/http"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// settings reads the newest revision and, for every expectation it does not meet, finds
// the revision in which the value became what it is.
func (w *reading) settings(ctx context.Context, r SettingsReader) error {
	newest, err := first(ctx, r)
	if err == nil && newest == nil {
		if len(w.q.Expectations) == 0 {
			return nil
		}
		err = ErrEmptyHistory
	}
	if err != nil {
		return w.gap(ctx, FactSettings, "", err)
	}
	shown, err := Revision(*newest, w.q.Hide)
	if err != nil {
		return w.gap(ctx, FactSettings, "", err)
	}
	w.live.Newest = &shown
	w.progress(FactSettings, 1)
	var open []*trace
	for _, e := range w.q.Expectations {
		if e.Meets(shown.Settings) {
			continue
		}
		t, err := newTrace(e.Pointer, *newest)
		if err != nil {
			return w.gap(ctx, FactSettings, "", err)
		}
		open = append(open, t)
	}
	if len(open) == 0 {
		return nil
	}
	if err := w.blame(ctx, r, newest.Revision, open); err != nil {
		return err
	}
	for _, t := range open {
		w.live.Blame[t.pointer] = t.blame()
	}
	return nil
}

// revision is one decoded revision with its secrets; it does not leave this package.
type revision struct {
	number    int64
	settings  map[string]any
	actor     org.Actor
	updatedAt string
}

// first reads the newest revision, nil if there is none.
func first(ctx context.Context, r SettingsReader) (*api.Change, error) {
	for change, err := range r.History(ctx, 1) {
		if err != nil {
			return nil, err
		}
		return &change, nil
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
		return nil, errNoObject(c)
	}
	return &revision{number: c.Revision, settings: settings, actor: actor(c), updatedAt: c.UpdatedAt}, nil
}

// blame walks back through the history until the origin of all values is found. Values
// are compared with their secrets, or a changed secret would look the same. Where the
// walk ends early the origin may be older.
func (w *reading) blame(ctx context.Context, r SettingsReader, newest int64, open []*trace) error {
	waiting := len(open)
	for change, err := range r.History(ctx, api.MaxPage) {
		if err == nil && change.Revision >= newest {
			continue // the newest itself, or newer than it
		}
		for _, t := range open {
			if err == nil && !t.settled {
				err = t.look(change)
				if t.settled {
					waiting--
				}
			}
		}
		if status(err) == http.StatusUnauthorized {
			return err
		}
		if err != nil || waiting == 0 {
			break
		}
	}
	for _, t := range open {
		t.end()
	}
	return ctx.Err()
}
