package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/scaffold"
)

// readOrganization asks the service and the ledger for everything that is to be declared.
func (a *app) readOrganization(ctx context.Context, m *imported) error {
	named, err := m.flags.wantedComputers(a.in)
	if err != nil {
		return err
	}
	given, err := givenLimits(m.flags.limitsFrom)
	if err != nil {
		return err
	}
	conn, err := a.connect(ctx, m.project)
	if err != nil {
		return err
	}
	c, err := a.client(ctx, conn, forReading)
	if err != nil {
		return err
	}
	bar := a.progress("reading")
	defer bar.finish()
	m.org.Target = org.Target{BaseURL: a.baseURL(m.project), Organization: firstOf(m.flags.organization, m.project.Service.Organization)}
	have, err := live.Read(ctx, c, live.Query{
		Members:      m.project.Limits == nil,
		Settings:     m.flags.settings != scaffold.NoSettings || len(m.flags.pointers) > 0,
		Organization: firstOf(m.org.Target.Organization, "?"), // to be told, whatever it is
		Now:          a.now(), OnProgress: bar.read,
	})
	if err != nil {
		return err
	}
	m.org.Gaps = have.Gaps
	if err := m.name(have.Organization); err != nil {
		return err
	}
	if m.fresh {
		m.org.Service = a.serviceOf(m.org.Target)
	}
	if err := m.readComputers(ctx, c, named, bar); err != nil {
		return err
	}
	if err := m.takeSettings(have); err != nil {
		return err
	}
	if have.MembersRead {
		if err := a.takeLimits(ctx, m, have, given); err != nil {
			return err
		}
	}
	if m.flags.readiness && m.project.Readiness == nil {
		return m.readReadiness(ctx, c)
	}
	return nil
}

// serviceOf is the service block of a new project.
func (a *app) serviceOf(t org.Target) *scaffold.Service {
	s := &scaffold.Service{BaseURL: t.BaseURL, AppURL: a.flags.appURL, Organization: t.Organization}
	if shared, err := newLedgerURL(a.flags.ledger); err == nil {
		s.Ledger = shared
	}
	return s
}

// name settles which organization this is.
func (m *imported) name(live string) error {
	t := &m.org.Target
	if live == "" {
		return nil
	}
	if t.Organization != "" && t.Organization != live {
		return &refusal{err: fmt.Errorf("this key belongs to organization %s, not %s; nothing was written", live, t.Organization)}
	}
	t.Organization, t.OrganizationVerified = live, true
	return nil
}

// readComputers looks up the computers that were named and those that sessions mention,
// but for those that the project declares.
func (m *imported) readComputers(ctx context.Context, c *client.Client, named []live.Wanted, bar *bar) error {
	if m.flags.sessions {
		seen, err := live.SessionsSeen(ctx, c, bar.read)
		if err != nil && endsAll(ctx, err) {
			return err
		}
		if err != nil {
			m.gap(live.FactSessions, "", err)
		}
		m.sessions = seen.Computers
	}
	found, err := live.LookUp(ctx, c, named, bar.read)
	if err != nil {
		return err
	}
	for _, f := range found {
		what := firstOf(f.ID, f.Name, f.Either)
		if f.Err != nil {
			m.gap(live.FactComputer, what, f.Err)
		} else if f.Computer == nil {
			return &hinted{fmt.Errorf("there is no computer %q, or it is not visible to this key; nothing was written", what), "name it by its id or its exact name"}
		}
	}
	var hinted []live.Wanted
	for _, id := range slices.Sorted(maps.Keys(m.sessions)) {
		known := slices.ContainsFunc(found, func(f live.Found) bool { return f.Computer != nil && f.Computer.ID == id })
		if id != "" && !known && !m.declares(org.Computer{ID: id}) {
			hinted = append(hinted, live.Wanted{ID: id})
		}
	}
	if m.found, err = live.LookUp(ctx, c, hinted, bar.read); err != nil {
		return err
	}
	for _, f := range m.found {
		if f.Err != nil {
			m.gap(live.FactComputer, f.ID, f.Err)
		}
	}
	m.takeComputers(slices.Concat(found, m.found))
	return nil
}

// takeComputers declares what was found, each machine once.
func (m *imported) takeComputers(found []live.Found) {
	taken := map[string]bool{}
	for _, f := range found {
		if f.Computer == nil || taken[f.Computer.ID] || m.declares(*f.Computer) {
			continue
		}
		taken[f.Computer.ID] = true
		m.org.Computers = append(m.org.Computers, *f.Computer)
	}
}

// declares reports whether the project has a block for a computer already.
func (m *imported) declares(c org.Computer) bool {
	return slices.ContainsFunc(m.project.Computers, func(d org.Computer) bool {
		return d.ID != "" && d.ID == c.ID || d.Name == c.Name
	})
}

func (m *imported) gap(fact, key string, err error) {
	m.org.Gaps = append(m.org.Gaps, org.Gap{Fact: fact, Key: key, Error: strings.Join(strings.Fields(err.Error()), " ")})
}

// takeSettings declares the newest revision as far as it is asked for.
func (m *imported) takeSettings(have org.Live) error {
	if have.Newest == nil {
		return nil
	}
	s := &scaffold.Settings{Revision: *have.Newest, Scope: m.flags.settings, Pointers: m.flags.pointers, NoModels: m.project.Models != nil}
	for _, e := range m.project.Expectations {
		s.Declared = append(s.Declared, e.Pointer)
		s.NoModels = s.NoModels || strings.HasPrefix(e.Pointer, "/modelPolicy")
	}
	if missing := s.Missing(); len(missing) > 0 {
		return fmt.Errorf("--setting %s leads nowhere in revision %d; nothing was written", strings.Join(missing, ", "), have.Newest.Number)
	}
	m.org.Settings = s
	return nil
}

// takeLimits declares what the ledger knows of the members' limits, and what was given.
func (a *app) takeLimits(ctx context.Context, m *imported, have org.Live, given map[org.Email]int64) error {
	at, err := a.ledgerAt(m.project)
	if err != nil {
		return err
	}
	log, err := at.Read(ctx)
	if err != nil {
		return err
	}
	known := log.Known(m.org.Target)
	l := &scaffold.Limits{Known: known.Limits, Stated: known.Stated, Given: given, GivenBy: filepath.Base(m.flags.limitsFrom)}
	for _, member := range have.Members {
		if member.Email != "" {
			l.Members = append(l.Members, member.Email)
		}
	}
	l.Members = slices.Compact(l.Members)
	if l.Fallback, err = optionalCredits(m.flags.fallback); err != nil {
		return err
	}
	m.org.Limits = l
	return nil
}

// givenLimits reads the limits that a person states.
func givenLimits(path string) (map[org.Email]int64, error) {
	if path == "" {
		return nil, nil
	}
	list, err := config.ReadLimits(path)
	if err != nil {
		return nil, err
	}
	out := make(map[org.Email]int64, len(list))
	for _, l := range list {
		out[l.Email] = l.Credits
	}
	return out, nil
}

// readReadiness takes the newest report of every repository.
func (m *imported) readReadiness(ctx context.Context, c *client.Client) error {
	newest := map[string]api.Report{}
	for r, err := range c.Reports(ctx) {
		if err != nil {
			if endsAll(ctx, err) {
				return err
			}
			m.gap("readiness", "", err)
			break
		}
		if old, seen := newest[r.RepoURL]; !seen || createdAt(r) > createdAt(old) {
			newest[r.RepoURL] = r
		}
	}
	for _, url := range slices.Sorted(maps.Keys(newest)) {
		r := newest[url]
		branch := ""
		if r.Branch != nil {
			branch = *r.Branch
		}
		if score, ok := meanScore(r); ok {
			m.org.Readiness = append(m.org.Readiness, scaffold.Repository{URL: org.RedactURL(url), Branch: branch, Score: score})
		}
	}
	return nil
}

func createdAt(r api.Report) float64 {
	f, _ := r.CreatedAt.Float64()
	return f
}

// meanScore is the mean share of the criteria that pass (T49), as rule RDY002 counts it.
func meanScore(r api.Report) (float64, bool) {
	sum := 0.0
	for _, id := range slices.Sorted(maps.Keys(r.Report)) {
		n, err1 := strconv.ParseFloat(string(r.Report[id].Numerator), 64)
		d, err2 := strconv.ParseFloat(string(r.Report[id].Denominator), 64)
		if cmp.Or(err1, err2) != nil || d <= 0 {
			return 0, false
		}
		sum += n / d
	}
	return sum / float64(len(r.Report)), len(r.Report) > 0
}
