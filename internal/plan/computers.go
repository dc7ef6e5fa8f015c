package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// Actions of a computer change.
const (
	ActionCreate       = "create"
	ActionUpdate       = "update"
	ActionRetryInstall = "retry_install"
	ActionBlocked      = "blocked"
)

// ComputerChange is one request to be sent for a computer, or a reason why none can be.
type ComputerChange struct {
	Action   string
	Name     string // the declared name, the key
	ID       string // "" for a create
	Provider string
	Fields   []Field       // what differs; for a create everything that is sent and can be read back
	OnCreate *org.OnCreate // only for a create
	Detail   string        // why it is blocked, or what to know before creating
	Source   org.Source
}

// addComputers decides for every declared computer what must be sent.
func (p *Plan) addComputers(in Input) {
	var health, fresh, accepted []NoteItem
	found := make([]location, len(in.Want.Computers))
	owners := map[string][]string{} // live id -> declared names
	for i, c := range in.Want.Computers {
		found[i] = locate(c, in)
		if live := found[i].live; live != nil {
			owners[live.ID] = append(owners[live.ID], c.Name)
		}
	}
	for i, c := range in.Want.Computers {
		live := found[i].live
		switch {
		case !in.Selection.Includes("computer", c.Name):
			continue
		case found[i].unreadable:
			p.gap("computer", c.Name, c.ID, in.Last.Computers[c.Name].ID)
			continue
		}
		change := decideComputer(c, found[i])
		if live != nil {
			if names := owners[live.ID]; len(names) > 1 {
				change = blocked(c, live.ID, sameMachine(c.Name, names, live.ID))
			}
			if live.Status == "error" || live.Status == "provisioning" {
				health = append(health, NoteItem{Key: c.Name, Detail: healthDetail(live), Source: at(c.Source)})
			}
		}
		switch item := (NoteItem{Key: c.Name, Source: at(c.Source)}); {
		case !in.Selection.OnlyDrift:
		case slices.Contains(in.Selection.Accepted, c.Name):
			accepted = append(accepted, item)
			continue
		case change.Action == ActionCreate && in.Last.Computers[c.Name].ID == "":
			fresh = append(fresh, item)
			continue
		}
		p.addComputer(c, change, live)
	}
	p.noteItems("computer_new", "declared computers that were never there: no drift, left to an apply of everything", fresh)
	p.noteItems("computer_accepted", "computers whose difference is accepted: left as they are", accepted)
	p.noteItems("computer_health", "computers that are not active; this is health, not a difference from the configuration", health)
	p.addUnmanaged(in, owners)
}

// sameMachine says with which other declarations one shares a machine (T23).
func sameMachine(name string, names []string, id string) string {
	var others []string
	for _, n := range names {
		if n != name {
			others = append(others, strconv.Quote(n))
		}
	}
	slices.Sort(others)
	return fmt.Sprintf("computer %s is the same machine (%s): two declarations cannot govern it", strings.Join(others, ", "), id)
}

// addComputer counts a decision and adds it together with a retry of a failed
// installation.
func (p *Plan) addComputer(c org.Computer, change ComputerChange, live *org.Computer) {
	s := &p.Summary.Computers
	retry := live != nil && c.RetryFailedInstall && live.Status == "error" && change.Action != ActionBlocked
	switch change.Action {
	case ActionCreate:
		s.Create++
	case ActionUpdate:
		s.Update++
	case ActionBlocked:
		s.Blocked++
	default:
		if !retry {
			s.Unchanged++
		}
	}
	if change.Action != "" {
		p.Computers = append(p.Computers, change)
	}
	if retry {
		s.RetryInstall++
		p.Computers = append(p.Computers, ComputerChange{
			Action: ActionRetryInstall, Name: c.Name, ID: live.ID, Provider: live.Provider,
			Detail: healthDetail(live), Source: c.Source,
		})
	}
}

// decideComputer compares a declaration with what was found. The zero change means
// that nothing is to be done.
func decideComputer(c org.Computer, l location) ComputerChange {
	switch {
	case l.gone:
		return blocked(c, c.ID, "id "+c.ID+" not found, or not visible to this key")
	case len(l.former) > 1:
		return blocked(c, "", "more than one former name exists: "+strings.Join(l.former, ", ")+"; name the one to keep by id")
	case l.taken != nil:
		return blocked(c, l.live.ID, fmt.Sprintf("the name %q belongs to another computer (%s)", c.Name, l.taken.ID))
	case l.live == nil:
		return create(c, l.unanswered)
	case l.live.Provider != c.Provider && c.Provider != "":
		return blocked(c, l.live.ID, fmt.Sprintf("provider is %s and cannot be changed through the API to %s", l.live.Provider, c.Provider))
	}
	fields := differences(c, l.live)
	if len(fields) == 0 {
		return ComputerChange{}
	}
	for _, f := range fields {
		if f.Name == "host_id" && f.Before != "" && !c.AllowHostChange {
			return blocked(c, l.live.ID, "host_id "+f.Before+" -> "+f.After+" binds the name to another machine; write allow_host_change = true to permit it")
		}
	}
	return ComputerChange{Action: ActionUpdate, Name: c.Name, ID: l.live.ID, Provider: l.live.Provider, Fields: fields, Source: c.Source}
}

// differences lists the managed fields that differ. An empty declared field is not
// managed, so govctl never has to clear one (T22, U48).
func differences(c org.Computer, live *org.Computer) []Field {
	var out []Field
	if live.Name != c.Name {
		out = append(out, Field{"name", live.Name, c.Name})
	}
	if c.HostID != "" && !org.SameHost(c.HostID, live.HostID) {
		out = append(out, Field{"host_id", live.HostID, c.HostID})
	}
	if c.RemoteUser != "" && c.RemoteUser != live.RemoteUser {
		out = append(out, Field{"remote_user", live.RemoteUser, c.RemoteUser})
	}
	return out
}

func create(c org.Computer, unanswered bool) ComputerChange {
	detail := "if it was renamed outside govctl, pin its id instead"
	if unanswered {
		detail = "an earlier request for it was never answered; it does not exist now"
	}
	out := ComputerChange{Action: ActionCreate, Name: c.Name, Provider: c.Provider, OnCreate: c.OnCreate, Detail: detail, Source: c.Source}
	if c.HostID != "" {
		out.Fields = append(out.Fields, Field{Name: "host_id", After: c.HostID})
	}
	if c.RemoteUser != "" {
		out.Fields = append(out.Fields, Field{Name: "remote_user", After: c.RemoteUser})
	}
	return out
}

func blocked(c org.Computer, id, why string) ComputerChange {
	return ComputerChange{Action: ActionBlocked, Name: c.Name, ID: id, Provider: c.Provider, Detail: why, Source: c.Source}
}

func healthDetail(c *org.Computer) string {
	for _, s := range c.Steps {
		if s.Error != "" {
			return c.Status + ": " + s.Name + ": " + s.Error
		}
	}
	return c.Status
}

// addUnmanaged names computers that govctl once wrote and nothing declares any more:
// the API cannot delete one. A machine declared under another name is declared.
func (p *Plan) addUnmanaged(in Input, owners map[string][]string) {
	declared := map[string]bool{}
	for _, c := range in.Want.Computers {
		declared[c.Name] = true
		for _, former := range c.Previously {
			declared[former] = true
		}
	}
	var items []NoteItem
	for name, k := range in.Last.Computers {
		if declared[name] || len(owners[k.ID]) > 0 || !in.Selection.Includes("computer", name) {
			continue
		}
		detail := k.ID
		if k.ID == "" {
			detail = "a request for it was never answered: it may exist"
		}
		items = append(items, NoteItem{Key: name, Detail: detail})
	}
	p.noteItems("computer_unmanaged", "no longer managed; still exists on the service", items)
}
