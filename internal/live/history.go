package live

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"strings"

	"github.com/go-faster/jx"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// Snapshot is one revision of a walk through the history, secrets redacted.
type Snapshot struct {
	org.Revision
	// Secrets has a mark for every top-level property that hides something. It differs
	// when the secrets do, and means nothing outside of the walk.
	Secrets map[string]uint64
}

// Snapshots walks the settings history, newest first, in pages of pageSize, with secrets
// hidden by hide. Revisions
// share the values of top-level properties that are written alike in neighbours, so that
// comparing neighbours is cheap; nobody may change them. An error is the last thing it
// yields.
func Snapshots(ctx context.Context, r SettingsReader, pageSize int, hide org.Redactor) iter.Seq2[Snapshot, error] {
	return func(yield func(Snapshot, error) bool) {
		u := unpacker{seed: maphash.MakeSeed(), hide: hide}
		for change, err := range r.History(ctx, pageSize) {
			var s Snapshot
			if err == nil {
				s, err = u.snapshot(change)
			}
			if !yield(s, err) || err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Snapshot{}, err)
		}
	}
}

// unpacker decodes revisions one after the other.
type unpacker struct {
	hide org.Redactor
	seed maphash.Seed
	last map[string]part
}

// part is one top-level property of the revision before.
type part struct {
	raw    []byte
	value  any
	hidden bool
	mark   uint64
}

func (u *unpacker) snapshot(c api.Change) (Snapshot, error) {
	fields, err := properties(c)
	if err != nil {
		return Snapshot{}, err
	}
	out := Snapshot{Revision: org.Revision{Number: c.Revision, Settings: make(map[string]any, len(fields)), Actor: actor(c), UpdatedAt: c.UpdatedAt}}
	if entangled(fields) {
		return u.whole(c, out)
	}
	now := make(map[string]part, len(fields))
	for name, raw := range fields {
		p, known := u.last[name]
		if !known || !bytes.Equal(p.raw, raw) {
			v, err := org.DecodeJSON(raw)
			if err != nil {
				return Snapshot{}, fmt.Errorf("settings of revision %d: %w", c.Revision, err)
			}
			shown, _ := u.hide.Redact(map[string]any{name: v}).(map[string]any)
			p = part{value: shown[name]}
			p.mark, p.hidden = u.mark(v, p.value)
		}
		p.raw = raw // of this page, so that those before need not be kept
		now[name] = p
		out.Settings[name] = p.value
		if p.hidden {
			out.mark(name, p.mark)
		}
	}
	u.last = now
	return out, nil
}

func (s *Snapshot) mark(name string, mark uint64) {
	if s.Secrets == nil {
		s.Secrets = map[string]uint64{}
	}
	s.Secrets[name] = mark
}

// entangled reports whether properties must be redacted together: a "value" is judged by
// the name beside it, and a name that is a URL is itself redacted.
func entangled(fields map[string][]byte) bool {
	for name := range fields {
		if name == "value" || strings.Contains(name, "//") {
			return true
		}
	}
	return false
}

// whole decodes a revision without sharing.
func (u *unpacker) whole(c api.Change, out Snapshot) (Snapshot, error) {
	u.last = nil
	r, err := decode(c)
	if err != nil {
		return Snapshot{}, err
	}
	out.Settings, _ = u.hide.Redact(r.settings).(map[string]any)
	for name, v := range r.settings {
		shown := org.RedactURL(name) // a name may be a secret itself
		mark, hidden := u.hash(name)+u.hash(v), true
		if shown == name {
			mark, hidden = u.mark(v, out.Settings[name])
		}
		if hidden {
			out.mark(shown, mark+out.Secrets[shown])
		}
	}
	return out, nil
}

// mark sums what a redacted value hides. The order of what is hidden does not count.
func (u *unpacker) mark(v, shown any) (sum uint64, hidden bool) {
	switch x := v.(type) {
	case map[string]any:
		y, ok := shown.(map[string]any)
		if !ok {
			break
		}
		for k, w := range x {
			if s, found := y[k]; found {
				m, h := u.mark(w, s)
				sum, hidden = sum+m, hidden || h
				continue
			}
			sum, hidden = sum+u.hash(k)+u.hash(w), true // its name is redacted
		}
		return sum, hidden
	case []any:
		y, ok := shown.([]any)
		if !ok || len(x) != len(y) {
			break
		}
		for i := range x {
			m, h := u.mark(x[i], y[i])
			sum, hidden = sum+m, hidden || h
		}
		return sum, hidden
	default:
		if org.EqualJSON(v, shown) {
			return 0, false
		}
	}
	return u.hash(v), true
}

func (u *unpacker) hash(v any) uint64 {
	return maphash.String(u.seed, fmt.Sprint(v)) // fmt sorts the keys of maps
}

// properties splits settings into their top-level properties, not decoded.
func properties(c api.Change) (map[string][]byte, error) {
	out := make(map[string][]byte, 32)
	d := jx.GetDecoder()
	defer jx.PutDecoder(d)
	d.ResetBytes(c.Settings)
	if d.Next() != jx.Object {
		return nil, errNoObject(c)
	}
	err := d.ObjBytes(func(d *jx.Decoder, key []byte) error {
		raw, err := d.Raw()
		out[string(key)] = bytes.TrimSpace(raw)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("settings of revision %d: %w", c.Revision, err)
	}
	return out, nil
}

func errNoObject(c api.Change) error {
	return fmt.Errorf("settings of revision %d: not a JSON object", c.Revision)
}

// actor takes over who made a change.
func actor(c api.Change) org.Actor {
	if c.User == nil {
		return org.Actor{}
	}
	return org.Actor{ID: text(c.User.ID), Email: text(c.User.Email), Name: text(c.User.Name)}
}
