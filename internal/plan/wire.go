package plan

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// wirePlan is the plan as JSON (design section 5): stored, so kept apart from Plan.
type wirePlan struct {
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
	Changes       []wireChange      `json:"changes"`
	Findings      []org.Finding     `json:"findings"`
	Notes         []Note            `json:"notes"`
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
	w, err := p.wire()
	if err != nil {
		return nil, err
	}
	return json.Marshal(w)
}

// wire lays the plan out as it is stored. Lists are never null.
func (p *Plan) wire() (*wirePlan, error) {
	w := &wirePlan{
		FormatVersion: FormatVersion, CreatedAt: &p.CreatedAt, Digest: p.Digest,
		Complete: p.Complete(), Incomplete: orEmpty(p.Incomplete),
		Project: p.Project, Variables: p.Variables, Target: p.Target, Basis: p.Basis, Summary: p.Summary,
		Changes:  make([]wireChange, 0, len(p.Limits)+len(p.Computers)+len(p.Sessions)+len(p.Settings)),
		Findings: orEmpty(p.Findings), Notes: orEmpty(p.Notes),
	}
	if !p.Selection.IsZero() {
		w.Selection = &p.Selection
	}
	for _, c := range p.Computers {
		w.Changes = append(w.Changes, wireChange{
			Kind: "computer", Action: c.Action, Key: c.Name, ID: c.ID, Provider: c.Provider,
			Fields: c.Fields, OnCreate: (*wireOnCreate)(c.OnCreate), Detail: c.Detail, Source: at(c.Source),
		})
	}
	for _, c := range p.Limits {
		w.Changes = append(w.Changes, limitWire(c))
	}
	for _, c := range p.Sessions {
		w.Changes = append(w.Changes, wireChange{Kind: "session", Action: ActionUpdate, Key: c.ID, Fields: c.Fields, Source: at(c.Source)})
	}
	for _, c := range p.Settings {
		s, err := settingWire(c)
		if err != nil {
			return nil, err
		}
		w.Changes = append(w.Changes, s)
	}
	return w, nil
}

func limitWire(c LimitChange) wireChange {
	b := wireBefore{Grade: c.Before.Grade}
	if c.Before.Grade == org.Confirmed || c.Before.Grade == org.Expired {
		b.Value, b.At = &c.Before.Value, &c.Before.At
	}
	before, _ := json.Marshal(b)
	w := wireChange{
		Kind: "limit", Action: c.Action, Key: string(c.Email), UserID: c.UserID,
		Before: before, After: fmt.Append(nil, c.After), Why: c.Why, Reason: c.Reason, Source: at(c.Source),
	}
	if c.SendAs != string(c.Email) {
		w.SendAs = c.SendAs
	}
	return w
}

func settingWire(c SettingChange) (wireChange, error) {
	w := wireChange{Kind: "setting", Action: actionManual, Key: c.Pointer, Revision: c.Revision, Blame: c.Blame, Source: at(c.Source)}
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
