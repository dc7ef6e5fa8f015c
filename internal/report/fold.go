package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// Input is what a report is about, besides the rows that are added to it.
type Input struct {
	Name     string
	Now      time.Time
	Target   org.Target
	Window   Window
	Sections []string // which of Sections are wanted; nil is all

	// Key makes the key of an address, as the limits have it.
	Key func(string) org.Email
	// Limits are the declared limits by address. Nil: nobody declares any.
	Limits map[org.Email]org.Limit
	// LimitsUnknown: they are declared, and nobody could work them out.
	LimitsUnknown bool
	Models        *org.Models // declared; nil when they are not
}

// Maker folds rows into a report. Rows may come in any order, and those of a section that
// failed may be incomplete: tell Failed, and the section is left out.
type Maker struct {
	in     Input
	gaps   []org.Gap
	notes  []Note
	failed map[string]bool

	tokens       map[string]api.TokenRow // the nested lists are folded and dropped
	models       map[string]*Model
	people       map[string]*Person
	delegation   tally
	toolDays     map[string]toolDay
	tools        tools
	activity     map[string]ActivityDay
	productivity map[string]WorkDay
	languages    tally
	reports      []api.Report
	reportsRead  bool
	wants        func(url string) RepositoryWant
	declared     []string // repositories
	settings     *Settings
	newest       *org.Revision
	drift        *Line
	policy       *Line
}

// New begins a report.
func New(in Input) *Maker {
	return &Maker{
		in: in, failed: map[string]bool{}, tokens: map[string]api.TokenRow{}, models: map[string]*Model{},
		people: map[string]*Person{}, delegation: tally{}, toolDays: map[string]toolDay{}, tools: newTools(),
		activity: map[string]ActivityDay{}, productivity: map[string]WorkDay{}, languages: tally{},
	}
}

// Wants reports whether a section was asked for.
func (m *Maker) Wants(section string) bool {
	return m.in.Sections == nil || slices.Contains(m.in.Sections, section)
}

// Failed notes that a fact could not be read. What was added of it is not shown: a part of
// the truth would look like all of it.
func (m *Maker) Failed(section string, err error) {
	m.failed[section] = true
	m.gaps = append(m.gaps, org.Gap{Fact: section, Error: strings.Join(strings.Fields(err.Error()), " ")})
}

// Gap notes that something was not read which leaves no section out.
func (m *Maker) Gap(g org.Gap) { m.gaps = append(m.gaps, g) }

// note tells readers something about a section.
func (m *Maker) note(section, format string, args ...any) {
	m.notes = append(m.notes, Note{Section: section, Text: fmt.Sprintf(format, args...)})
}

func (m *Maker) warn(section, format string, args ...any) {
	m.notes = append(m.notes, Note{Section: section, Warning: true, Text: fmt.Sprintf(format, args...)})
}

// has reports whether a section is to be shown.
func (m *Maker) has(section string) bool { return m.Wants(section) && !m.failed[section] }

// SetNewest gives the newest settings, nil when they are unknown.
func (m *Maker) SetNewest(r *org.Revision) { m.newest = r }

// SetDrift says what drift says.
func (m *Maker) SetDrift(l Line) { m.drift = &l }

// SetPolicy says what policies say.
func (m *Maker) SetPolicy(l Line) { m.policy = &l }

// Report makes the report of what was added. It may be asked once.
func (m *Maker) Report() *Report {
	r := &Report{
		FormatVersion: FormatVersion, Kind: Kind, CreatedAt: m.in.Now.UTC().Truncate(time.Second),
		Name: m.in.Name, Target: m.in.Target, Window: m.in.Window,
	}
	if m.has(SectionCredits) {
		r.Credits, r.Models = m.makeCredits(), m.makeModels()
	}
	if m.has(SectionPeople) {
		r.People = m.makePeople(r.Credits)
	}
	if m.has(SectionTools) {
		r.Tools = m.makeTools()
	}
	if m.has(SectionActivity) {
		r.Activity = m.makeActivity()
	}
	if m.has(SectionTools) || m.has(SectionPeople) {
		r.Autonomy = m.makeAutonomy(r)
	}
	if m.has(SectionProductivity) {
		r.Productivity = m.makeProductivity()
	}
	if m.has(SectionReadiness) {
		r.Readiness = m.makeReadiness()
	}
	if m.has(SectionSettings) {
		r.Settings = m.settings
	}
	if m.has(SectionDrift) {
		r.Drift = m.drift
	}
	if m.has(SectionPolicy) {
		r.Policy = m.policy
	}
	slices.SortStableFunc(m.gaps, func(a, b org.Gap) int {
		return cmp.Or(cmp.Compare(slices.Index(Sections(), a.Fact), slices.Index(Sections(), b.Fact)), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Error, b.Error))
	})
	r.Missing, r.Notes = append([]org.Gap{}, m.gaps...), append([]Note{}, m.notes...)
	r.Complete = len(r.Missing) == 0
	return r
}

// days lists the days of the window.
func (m *Maker) days() []string {
	first, err1 := time.Parse(api.DateLayout, m.in.Window.From)
	last, err2 := time.Parse(api.DateLayout, m.in.Window.To)
	if err1 != nil || err2 != nil {
		return nil
	}
	var out []string
	for ; !first.After(last); first = first.AddDate(0, 0, 1) {
		out = append(out, first.Format(api.DateLayout))
	}
	return out
}

// unreported says that days are missing, once for a section (U7).
func (m *Maker) unreported(section string, reported int) {
	if n := len(m.days()); reported < n {
		m.note(section, "%d of %d days were not reported; they are not zero", n-reported, n)
	}
}
