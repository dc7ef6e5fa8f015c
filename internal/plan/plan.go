// Package plan compares what is wanted with what is live and what is last known.
//
// A Plan is a value: everything a person reviews, a policy judges, apply carries out
// and a renderer prints is a field of it. Make is pure, so the same facts always give
// the same bytes apart from CreatedAt. "Local, live, last known" are three versions;
// limits have no live version at all, because the API cannot be asked for them.
package plan

import (
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// FormatVersion is the version of the plan's JSON. A renamed or removed field changes
// its major part; new fields do not.
const FormatVersion = "1.0"

// MaxBatch is how many limits one request carries (C200).
const MaxBatch = 100

// Plan is what an apply would do and what it would rely on. Every slice is sorted by
// key. The zero Plan changes nothing.
type Plan struct {
	CreatedAt  time.Time // UTC; not part of the digest
	Digest     string    // sha256:… over the rest
	Project    string    // directory of the configuration as the user named it; not part of the digest
	Variables  map[string]string
	Selection  Selection
	Target     org.Target
	Basis      Basis
	Incomplete []org.Gap // facts that could not be read; apply refuses when there are any
	Summary    Summary
	Limits     []LimitChange
	Computers  []ComputerChange
	Sessions   []SessionChange
	Settings   []SettingChange // manual items: nothing a plan can send
	Findings   []org.Finding
	Notes      []Note
}

// Basis names the facts a plan relied on, so that apply can tell which one moved.
type Basis struct {
	Config           string       `json:"config"`            // sha256:… of every file and variable read
	Ledger           org.Position `json:"ledger"`            //
	SettingsRevision int64        `json:"settings_revision"` // 0 when settings were not read
	Members          string       `json:"members"`           // sha256:… of ids and spellings, "" when not read
	Policies         string       `json:"policies"`          // sha256:… of the policies in force
}

// Summary counts a plan.
type Summary struct {
	Limits    LimitSummary    `json:"limits"`
	Computers ComputerSummary `json:"computers"`
	Sessions  SessionSummary  `json:"sessions"`
	Manual    int             `json:"manual"`   // settings a person must change in the web application
	Requests  int             `json:"requests"` // requests apply will send when nothing goes wrong
}

// LimitSummary counts limits by action.
type LimitSummary struct {
	Set       int `json:"set"`
	Raise     int `json:"raise"`
	Lower     int `json:"lower"`
	Reassert  int `json:"reassert"`
	Unchanged int `json:"unchanged"` // since the last confirmation
}

// ComputerSummary counts computers by action.
type ComputerSummary struct {
	Create       int `json:"create"`
	Update       int `json:"update"`
	RetryInstall int `json:"retry_install"`
	Blocked      int `json:"blocked"`
	Unchanged    int `json:"unchanged"`
}

// SessionSummary counts sessions by action.
type SessionSummary struct {
	Update int `json:"update"`
}

// Input is everything Make looks at.
type Input struct {
	Want      org.Wanted
	Have      org.Live
	Last      org.Known
	Target    org.Target
	Project   string
	Variables map[string]string
	Config    string // digest of the configuration
	Policies  string // digest of the policies
	Selection Selection
	Now       time.Time
}

// Make compares the three versions. It never fails: what cannot be decided becomes a
// blocked change, a note or a gap.
func Make(in Input) *Plan {
	p := &Plan{
		CreatedAt:  in.Now.UTC(),
		Project:    in.Project,
		Variables:  in.Variables,
		Selection:  in.Selection,
		Target:     in.Target,
		Incomplete: slices.Clone(in.Have.Gaps),
		Basis: Basis{
			Config:   in.Config,
			Ledger:   in.Last.Position,
			Members:  membersDigest(in.Have),
			Policies: in.Policies,
		},
	}
	if in.Have.Newest != nil {
		p.Basis.SettingsRevision = in.Have.Newest.Number
	}
	if !in.Selection.OnlyDrift {
		p.addLimits(in)
	}
	p.addComputers(in)
	p.addSessions(in)
	p.addSettings(in)
	p.addTarget(in)
	p.sort()
	p.Summary.Requests = p.requests()
	p.seal()
	return p
}

// gap notes that a fact is missing, unless whoever read the facts said so already,
// about one of keys or about all of the kind.
func (p *Plan) gap(fact string, keys ...string) {
	for _, g := range p.Incomplete {
		if g.Fact == fact && (g.Key == "" || slices.Contains(keys, g.Key)) {
			return
		}
	}
	g := org.Gap{Fact: fact, Error: "not read"}
	if len(keys) > 0 {
		g.Key = keys[0]
	}
	p.Incomplete = append(p.Incomplete, g)
}

// Complete reports whether every fact the plan needed could be read.
func (p *Plan) Complete() bool { return len(p.Incomplete) == 0 }

// Empty reports whether apply would have nothing to send. Manual items and blocked
// computers are not sent: see Blocked.
func (p *Plan) Empty() bool {
	return len(p.Limits) == 0 && len(p.Sessions) == 0 && p.sendable() == 0
}

// Blocked reports whether something declared can neither be sent nor be done by hand
// in the web application.
func (p *Plan) Blocked() bool { return p.Summary.Computers.Blocked > 0 }

// Changes counts what apply would carry out.
func (p *Plan) Changes() int { return len(p.Limits) + p.sendable() + len(p.Sessions) }

func (p *Plan) sendable() int { return len(p.Computers) - p.Summary.Computers.Blocked }

// requests counts what apply sends: a create is looked up, sent and read back, a session
// looked at and sent; everything else is judged by its own answer.
func (p *Plan) requests() int {
	n := (len(p.Limits) + MaxBatch - 1) / MaxBatch
	s := p.Summary.Computers
	return n + 3*s.Create + s.Update + s.RetryInstall + 2*len(p.Sessions)
}

// sort puts every list in the order of its key.
func (p *Plan) sort() {
	slices.SortFunc(p.Limits, func(a, b LimitChange) int { return strings.Compare(string(a.Email), string(b.Email)) })
	slices.SortStableFunc(p.Computers, func(a, b ComputerChange) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(p.Sessions, func(a, b SessionChange) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(p.Settings, func(a, b SettingChange) int { return strings.Compare(a.Pointer, b.Pointer) })
	slices.SortFunc(p.Incomplete, func(a, b org.Gap) int {
		return strings.Compare(a.Fact+"\x00"+a.Key, b.Fact+"\x00"+b.Key)
	})
	slices.SortStableFunc(p.Notes, func(a, b Note) int { return strings.Compare(a.Code, b.Code) })
}

// addTarget says what is not known about where the plan goes.
func (p *Plan) addTarget(in Input) {
	if t := in.Target; t.Organization != "" && !t.OrganizationVerified {
		p.note(Note{Code: "organization_unverified", Message: "organization not verified: the service does not name it to this key"})
	}
}
