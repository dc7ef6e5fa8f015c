package plan

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// wirePlan is the plan as JSON (design section 5): stored, so kept apart from Plan.
type wirePlan struct {
	wireHead
	Changes []wireChange `json:"changes"`
	wireTail
}

type wireHead struct {
	FormatVersion string            `json:"format_version"`
	CreatedAt     *time.Time        `json:"created_at,omitempty"`
	Digest        string            `json:"digest,omitempty"`
	Complete      bool              `json:"complete"`
	Incomplete    []org.Gap         `json:"incomplete"`
	Project       string            `json:"project"`
	Variables     map[string]string `json:"variables,omitempty"`
	Selection     *Selection        `json:"selection,omitempty"`
	Target        org.Target        `json:"target"`
	Basis         Basis             `json:"basis"`
	Summary       Summary           `json:"summary"`
}

type wireTail struct {
	Findings []org.Finding `json:"findings"`
	Notes    []Note        `json:"notes"`
}

// wireChange is one entry of changes; which fields it has depends on kind.
type wireChange struct {
	Kind     string          `json:"kind"`
	Action   string          `json:"action"`
	Key      string          `json:"key"`
	ID       string          `json:"id,omitempty"`
	SendAs   string          `json:"send_as,omitempty"`
	UserID   string          `json:"user_id,omitempty"`
	Provider string          `json:"provider,omitempty"`
	Before   json.RawMessage `json:"before,omitempty"` // absent: nothing is there
	After    json.RawMessage `json:"after,omitempty"`  // absent: must not be there
	Fields   []Field         `json:"fields,omitempty"`
	OnCreate *wireOnCreate   `json:"on_create,omitempty"`
	Why      string          `json:"why,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	Detail   string          `json:"detail,omitempty"`
	Revision int64           `json:"as_of_revision,omitempty"`
	Blame    *org.Blame      `json:"blame,omitempty"`
	Patch    []PatchOp       `json:"patch,omitempty"`
	Source   *org.Source     `json:"source,omitempty"`
}

type wireBefore struct {
	Grade org.Grade  `json:"grade"`
	Value *int64     `json:"value,omitempty"`
	At    *time.Time `json:"at,omitempty"`
}

type wireOnCreate struct {
	Repos            []string       `json:"repos,omitempty"`
	AutoInstallDeps  *bool          `json:"auto_install_deps,omitempty"`
	ServiceAccountID string         `json:"service_account_id,omitempty"`
	Source           map[string]any `json:"source,omitempty"`
}

// MarshalJSON writes the plan in its stored form.
func (p *Plan) MarshalJSON() ([]byte, error) {
	out := make([]byte, 0, 1024+256*len(p.Limits))
	h := p.head()
	h.CreatedAt, h.Digest, h.Project = &p.CreatedAt, p.Digest, p.Project
	err := p.write(h, func(piece []byte) { out = append(out, piece...) })
	return out, err
}

// head is what stands before the changes, apart from CreatedAt, Digest and Project.
// Lists are never null.
func (p *Plan) head() wireHead {
	h := wireHead{
		FormatVersion: FormatVersion, Complete: p.Complete(), Incomplete: orEmpty(p.Incomplete),
		Variables: p.Variables, Target: p.Target, Basis: p.Basis, Summary: p.Summary,
	}
	if !p.Selection.IsZero() {
		h.Selection = &p.Selection
	}
	return h
}

// pieceSize is about how large the pieces are that a plan is written in: a plan of a
// million limits is never whole in memory only to be hashed.
const pieceSize = 32 << 10

// write hands out the stored form in pieces that end between tokens. A piece is only
// good until the next one.
func (p *Plan) write(h wireHead, emit func(piece []byte)) error {
	head, err := json.Marshal(h)
	if err != nil {
		return err
	}
	tail, err := json.Marshal(wireTail{orEmpty(p.Findings), orEmpty(p.Notes)})
	if err != nil {
		return err
	}
	b := append(head[:len(head)-1], `,"changes":[`...)
	first := true
	add := func(c wireChange) error {
		data, err := json.Marshal(c)
		b, first = append(comma(b, first), data...), false
		return err
	}
	for _, c := range p.Computers {
		if err := add(computerWire(c)); err != nil {
			return err
		}
	}
	for i := range p.Limits {
		if b, err = appendLimit(comma(b, first), &p.Limits[i]); err != nil {
			return err
		}
		if first = false; len(b) > pieceSize {
			emit(b)
			b = b[:0]
		}
	}
	for _, c := range p.Sessions {
		if err := add(wireChange{Kind: "session", Action: ActionUpdate, Key: c.ID, Fields: c.Fields, Source: at(c.Source)}); err != nil {
			return err
		}
	}
	for _, c := range p.Settings {
		w, err := settingWire(c)
		if err == nil {
			err = add(w)
		}
		if err != nil {
			return err
		}
	}
	b = append(b, "],"...)
	emit(append(b, tail[1:]...))
	return nil
}

func comma(b []byte, first bool) []byte {
	if first {
		return b
	}
	return append(b, ',')
}

func computerWire(c ComputerChange) wireChange {
	return wireChange{
		Kind: "computer", Action: c.Action, Key: c.Name, ID: c.ID, Provider: c.Provider,
		Fields: c.Fields, OnCreate: (*wireOnCreate)(c.OnCreate), Detail: c.Detail, Source: at(c.Source),
	}
}

// Source is the declaration of the change at a place of "changes" in the plan's JSON,
// zero if there is none.
func (p *Plan) Source(change int) org.Source {
	i := change
	if 0 <= i && i < len(p.Computers) {
		return p.Computers[i].Source
	}
	if i -= len(p.Computers); 0 <= i && i < len(p.Limits) {
		return p.Limits[i].Source
	}
	if i -= len(p.Limits); 0 <= i && i < len(p.Sessions) {
		return p.Sessions[i].Source
	}
	if i -= len(p.Sessions); 0 <= i && i < len(p.Settings) {
		return p.Settings[i].Source
	}
	return org.Source{}
}

func settingWire(c SettingChange) (wireChange, error) {
	w := wireChange{Kind: "setting", Action: actionManual, Key: c.Pointer, Revision: c.Revision, Blame: c.Blame, Patch: c.Patch, Source: at(c.Source)}
	var err error
	if c.Found {
		if w.Before, err = json.Marshal(c.Before); err != nil {
			return w, fmt.Errorf("encode setting %s: %w", c.Pointer, err)
		}
	}
	if !c.Absent {
		if w.After, err = json.Marshal(c.After); err != nil {
			return w, fmt.Errorf("encode setting %s: %w", c.Pointer, err)
		}
	}
	return w, nil
}

// orEmpty gives a list that encodes as [] instead of null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
