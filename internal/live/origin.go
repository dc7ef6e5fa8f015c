package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-faster/jx"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// Origin is where a value of the newest settings comes from.
type Origin struct {
	Pointer string
	Found   bool // the newest settings have the value
	Value   any  // redacted
	org.Blame
	Known  bool // a revision before it was seen, with another value
	Had    bool // it had a value there
	Before any  // redacted
}

// ErrEmptyHistory means that there is no revision: the settings are unknown.
var ErrEmptyHistory = errors.New("settings unknown: the history is empty")

// OriginOf finds the revision in which the value at pointer became what it is, and reads
// no page more than that takes. Values are compared with their secrets and shown as hide
// does.
func OriginOf(ctx context.Context, r SettingsReader, pointer string, hide org.Redactor) (Origin, error) {
	var t *trace
	var changed *api.Change
	for change, err := range r.History(ctx, api.MaxPage) {
		if err != nil {
			return Origin{}, err
		}
		if t == nil {
			if t, err = newTrace(pointer, change); err != nil {
				return Origin{}, err
			}
			continue
		}
		if err := t.look(change); err != nil {
			return Origin{}, err
		}
		if t.settled {
			changed = &change
			break
		}
	}
	if err := ctx.Err(); err != nil {
		return Origin{}, err
	}
	if t == nil {
		return Origin{}, ErrEmptyHistory
	}
	t.end()
	return t.origin(changed, hide)
}

// trace looks for the origin of one value.
type trace struct {
	pointer string
	token   string // of the top-level property that the pointer begins with
	whole   bool   // the pointer is the whole document
	raw     []byte // that property in the oldest revision that has the value; nil for absent
	value   any
	found   bool
	newest  api.Change
	since   api.Change // the oldest revision seen that has the value
	settled bool
	unsure  bool // what was before since could not be seen
}

func newTrace(pointer string, newest api.Change) (*trace, error) {
	t := &trace{pointer: pointer, whole: pointer == "", newest: newest, since: newest}
	if !t.whole && pointer[0] == '/' {
		token, _, _ := strings.Cut(pointer[1:], "/")
		t.token = org.Unescape(token)
	}
	var err error
	if t.raw, err = t.part(newest); err != nil {
		return nil, err
	}
	t.value, t.found, err = t.at(t.raw, newest)
	return t, err
}

// part is the text of the property in a revision, nil if there is none.
func (t *trace) part(c api.Change) (raw []byte, err error) {
	d := jx.GetDecoder()
	defer jx.PutDecoder(d)
	d.ResetBytes(c.Settings)
	if d.Next() != jx.Object {
		return nil, errNoObject(c)
	}
	if t.whole {
		return c.Settings, nil
	}
	err = d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		if string(key) != t.token {
			return d.Skip()
		}
		raw, err = d.Raw()
		raw = bytes.TrimSpace(raw)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("settings of revision %d: %w", c.Revision, err)
	}
	return raw, nil
}

// at is the value at the pointer inside of the property.
func (t *trace) at(raw []byte, c api.Change) (value any, found bool, err error) {
	if raw == nil {
		return nil, false, nil
	}
	v, err := org.DecodeJSON(raw)
	if err != nil {
		return nil, false, fmt.Errorf("settings of revision %d: %w", c.Revision, err)
	}
	if !t.whole {
		v = map[string]any{t.token: v}
	}
	value, found = org.Lookup(v, t.pointer)
	return value, found, nil
}

// look judges the next older revision.
func (t *trace) look(older api.Change) error {
	raw, err := t.part(older)
	if err != nil {
		return err
	}
	if (raw == nil) == (t.raw == nil) && bytes.Equal(raw, t.raw) {
		t.since = older
		return nil
	}
	value, found, err := t.at(raw, older)
	if err != nil {
		return err
	}
	if found == t.found && (!found || org.EqualJSON(value, t.value)) {
		t.since, t.raw = older, raw
		return nil
	}
	t.settled, t.unsure = true, t.since.Revision != older.Revision+1
	return nil
}

// end says that no older revision can be seen.
func (t *trace) end() {
	if !t.settled {
		t.unsure = t.since.Revision != 1
	}
}

func (t *trace) blame() org.Blame {
	return org.Blame{Revision: t.since.Revision, Actor: actor(t.since), UpdatedAt: t.since.UpdatedAt, AtOrBefore: t.unsure}
}

// origin is what was found, changed being the revision before it.
func (t *trace) origin(changed *api.Change, hide org.Redactor) (Origin, error) {
	now, err := Revision(t.newest, hide)
	if err != nil {
		return Origin{}, err
	}
	o := Origin{Pointer: t.pointer, Found: t.found, Blame: t.blame()}
	if t.found {
		o.Value = shownAt(now, t.pointer)
	}
	if changed == nil {
		return o, nil
	}
	o.Known = true
	raw, err := t.part(*changed)
	if err != nil {
		return Origin{}, err
	}
	if _, o.Had, err = t.at(raw, *changed); err != nil {
		return Origin{}, err
	}
	before, err := Revision(*changed, hide)
	if err == nil && o.Had {
		o.Before = shownAt(before, t.pointer)
	}
	return o, err
}

// shownAt is the redacted value at a pointer that leads somewhere.
func shownAt(r org.Revision, pointer string) any {
	if v, found := org.Lookup(r.Settings, pointer); found {
		return v
	}
	return map[string]any{"redacted": true, "kind": "literal"} // a name above it hides something
}
