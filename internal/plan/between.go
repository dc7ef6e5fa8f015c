package plan

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Difference is what two plans do not have in common.
type Difference struct {
	FormatVersion string      `json:"format_version"`
	Was           string      `json:"was"` // digest of the older plan
	Is            string      `json:"is"`
	Moved         []Move      `json:"moved"` // what the plans relied on
	Added         []Entry     `json:"added"`
	Removed       []Entry     `json:"removed"`
	Changed       []EntryPair `json:"changed"` // the same object, changed in another way
}

// Entry is one change of a plan. Where it is declared and when a value was confirmed is
// left out: neither makes another change of it.
type Entry struct {
	Kind   string          `json:"kind"`
	Key    string          `json:"key"`
	Action string          `json:"action"`
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
	Fields []Field         `json:"fields,omitempty"`
	Detail string          `json:"detail,omitempty"`

	rest []byte // what else makes it the change it is
}

// EntryPair is one object's change in both plans.
type EntryPair struct {
	Was Entry `json:"was"`
	Is  Entry `json:"is"`
}

// Empty reports whether the plans rely on the same and do the same.
func (d Difference) Empty() bool {
	return len(d.Moved)+len(d.Added)+len(d.Removed)+len(d.Changed) == 0
}

// Between compares two plans. Lists are sorted by kind and key and never nil.
func Between(was, is *Plan) Difference {
	d := Difference{
		FormatVersion: FormatVersion, Was: was.Digest, Is: is.Digest, Moved: orEmpty(Stale(was, is)),
		Added: []Entry{}, Removed: []Entry{}, Changed: []EntryPair{},
	}
	a, b := was.entries(), is.entries()
	for len(a) > 0 || len(b) > 0 {
		switch order := compareEntries(a, b); {
		case order < 0:
			d.Removed, a = append(d.Removed, a[0]), a[1:]
		case order > 0:
			d.Added, b = append(d.Added, b[0]), b[1:]
		default:
			if !a[0].equal(b[0]) {
				d.Changed = append(d.Changed, EntryPair{a[0], b[0]})
			}
			a, b = a[1:], b[1:]
		}
	}
	return d
}

// compareEntries orders the heads of two lists; an empty one comes last.
func compareEntries(a, b []Entry) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	return strings.Compare(a[0].order(), b[0].order())
}

// order sorts entries. A computer can be updated and have its installation repeated.
func (e Entry) order() string {
	s := e.Kind + "\x00" + e.Key
	if e.Action == ActionRetryInstall {
		s += "\x00" + e.Action
	}
	return s
}

func (e Entry) equal(o Entry) bool {
	return e.Action == o.Action && e.Detail == o.Detail && bytes.Equal(e.Before, o.Before) &&
		bytes.Equal(e.After, o.After) && slices.Equal(e.Fields, o.Fields) && bytes.Equal(e.rest, o.rest)
}

// entries lists every change, sorted.
func (p *Plan) entries() []Entry {
	out := make([]Entry, 0, len(p.Limits)+len(p.Computers)+len(p.Sessions)+len(p.Settings))
	for _, c := range p.Computers {
		e := Entry{Kind: "computer", Key: c.Name, Action: c.Action, Fields: c.Fields, Detail: c.Detail}
		e.rest = entryJSON([]any{c.ID, c.Provider, (*wireOnCreate)(c.OnCreate)})
		out = append(out, e)
	}
	for _, c := range p.Limits {
		before := struct {
			Grade string `json:"grade"`
			Value int64  `json:"value"`
		}{string(c.Before.Grade), c.Before.Value}
		out = append(out, Entry{
			Kind: "limit", Key: string(c.Email), Action: c.Action, Before: entryJSON(before), After: entryJSON(c.After),
			rest: entryJSON([]string{c.SendAs, c.UserID}),
		})
	}
	for _, c := range p.Sessions {
		out = append(out, Entry{Kind: "session", Key: c.ID, Action: ActionUpdate, Fields: c.Fields})
	}
	for _, c := range p.Settings {
		e := Entry{Kind: "setting", Key: c.Pointer, Action: actionManual}
		if c.Found {
			e.Before = entryJSON(c.Before)
		}
		if !c.Absent {
			e.After = entryJSON(c.After)
		}
		out = append(out, e)
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return strings.Compare(a.order(), b.order()) })
	return out
}

// entryJSON is v as JSON, nil for what is none, which no decoded plan has.
func entryJSON(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return data
}
