package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/govctl/govctl/internal/org"
)

// UnmarshalJSON reads the stored form; Decode also checks version and digest.
func (p *Plan) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber() // numbers of on_create.source keep their text
	var w wirePlan
	if err := d.Decode(&w); err != nil {
		return fmt.Errorf("read plan: %w", err)
	}
	*p = Plan{
		Digest: w.Digest, Project: w.Project, Variables: w.Variables, Target: w.Target, Basis: w.Basis,
		Incomplete: w.Incomplete, Summary: w.Summary, Findings: w.Findings, Notes: w.Notes,
	}
	if w.CreatedAt != nil {
		p.CreatedAt = *w.CreatedAt
	}
	if w.Selection != nil {
		p.Selection = *w.Selection
	}
	for i, c := range w.Changes {
		if err := p.addWire(c); err != nil {
			return fmt.Errorf("read plan: change %d (%s %s): %w", i+1, c.Kind, c.Key, err)
		}
	}
	return nil
}

// actions are the actions of each kind of change.
var actions = map[string][]string{
	"limit":    {ActionSet, ActionRaise, ActionLower, ActionReassert},
	"computer": {ActionCreate, ActionUpdate, ActionRetryInstall, ActionBlocked},
	"session":  {ActionUpdate},
	"setting":  {actionManual},
}

func (p *Plan) addWire(c wireChange) error {
	if !slices.Contains(actions[c.Kind], c.Action) {
		return fmt.Errorf("unknown kind or action %q", c.Action)
	}
	var source org.Source
	if c.Source != nil {
		source = *c.Source
	}
	switch c.Kind {
	case "computer":
		p.Computers = append(p.Computers, ComputerChange{
			Action: c.Action, Name: c.Key, ID: c.ID, Provider: c.Provider, Fields: c.Fields,
			OnCreate: (*org.OnCreate)(c.OnCreate), Detail: c.Detail, Source: source,
		})
	case "session":
		p.Sessions = append(p.Sessions, SessionChange{ID: c.Key, Fields: c.Fields, Source: source})
	case "limit":
		return p.addLimitWire(c, source)
	case "setting":
		s := SettingChange{Pointer: c.Key, Revision: c.Revision, Blame: c.Blame, Patch: c.Patch, Source: source, Found: c.Before != nil, Absent: c.After == nil}
		var err error
		if s.Found {
			if s.Before, err = org.DecodeJSON(c.Before); err != nil {
				return err
			}
		}
		if !s.Absent {
			if s.After, err = org.DecodeJSON(c.After); err != nil {
				return err
			}
		}
		p.Settings = append(p.Settings, s)
	}
	return nil
}

func (p *Plan) addLimitWire(c wireChange, source org.Source) error {
	l := LimitChange{
		Action: c.Action, Email: org.Email(c.Key), SendAs: c.SendAs, UserID: c.UserID,
		Why: c.Why, Reason: c.Reason, Source: source,
	}
	if l.SendAs == "" {
		l.SendAs = c.Key
	}
	var b wireBefore
	if err := json.Unmarshal(c.Before, &b); err != nil {
		return fmt.Errorf("before: %w", err)
	}
	l.Before.Grade = b.Grade
	if b.Value != nil {
		l.Before.Value = *b.Value
	}
	if b.At != nil {
		l.Before.At = *b.At
	}
	if err := json.Unmarshal(c.After, &l.After); err != nil {
		return fmt.Errorf("after: %w", err)
	}
	p.Limits = append(p.Limits, l)
	return nil
}
