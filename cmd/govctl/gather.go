package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/govctl/govctl/internal/collector"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/policy"
	"github.com/govctl/govctl/internal/render"
)

// request says which plan to make.
type request struct {
	dir       string
	vars      map[string]string
	selection plan.Selection
	refresh   bool // false: ask the service nothing, the plan is INCOMPLETE
	unjudged  bool // do not ask the policies about the plan
	settings  bool // read the newest settings even if nothing is expected of them
	asleep    bool // leave sessions alone: nobody is going to reset them
	hide      org.Redactor
}

// gathered is a plan with what it was made from.
type gathered struct {
	plan    *plan.Plan
	project *config.Project
	service *connection // nil when nothing was asked
	want    org.Wanted
	have    org.Live
	last    org.Known

	rules func() (*policy.Engine, error) // the plan rules; nil for a plan that is not judged
}

// loadProject reads the configuration and says its warnings on stderr.
func (a *app) loadProject(dir string, vars map[string]string) (*config.Project, error) {
	project, err := config.Load(dir, config.Options{Vars: vars, Env: environmentVariables(os.Environ()), Now: a.now()})
	if err != nil {
		return nil, err
	}
	if len(project.Warnings) > 0 {
		fmt.Fprintln(a.err, render.Message(strings.TrimRight(project.Warnings.Error(), "\n")))
	}
	return project, nil
}

// gather reads the three versions and plans: want from files, last from the ledger,
// have from the service. It only reads.
func (a *app) gather(ctx context.Context, r request) (*gathered, error) {
	project, err := a.loadProject(r.dir, r.vars)
	if err != nil {
		return nil, err
	}
	at, err := a.ledgerAt(project)
	if err != nil {
		return nil, err
	}
	log, err := at.Read(ctx) // without its lock
	if err != nil {
		return nil, err
	}
	return a.gatherProject(ctx, r, project, log)
}

// gatherProject is gather for a project and a ledger that are loaded already.
func (a *app) gatherProject(ctx context.Context, r request, project *config.Project, log *ledger.Log) (*gathered, error) {
	g := &gathered{project: project}
	collector.Keep() // limits, members, the ledger
	if !r.unjudged {
		g.rules = a.planRules(project)
	}
	declared := org.Target{BaseURL: a.baseURL(project), Organization: project.Service.Organization}
	last := log.Known(declared)
	target, have, err := a.readLive(ctx, g, r, declared, last)
	if err != nil {
		return nil, err
	}
	if target.Organization != declared.Organization {
		last = log.Known(target) // the service named its organization: that is what the ledger goes by
	}
	want, err := project.Resolve(have.Members, a.now())
	if err != nil {
		return nil, err
	}
	g.plan, err = a.makePlan(r.dir, plan.Input{
		Want: want, Have: have, Last: last, Target: target,
		Project: filepath.ToSlash(r.dir), Variables: project.Vars,
		Config: project.Digest, Policies: project.PolicyDigest,
		Selection: r.selection, Now: a.now(),
	})
	g.want, g.have, g.last = want, have, last
	if err != nil || r.unjudged {
		return g, err
	}
	return g, g.judge(ctx)
}

// readLive asks the service for what the project mentions, and returns target with the
// organization the service named, if it did.
func (a *app) readLive(ctx context.Context, g *gathered, r request, target org.Target, last org.Known) (org.Target, org.Live, error) {
	project := g.project
	if !r.refresh {
		return target, notRefreshed(project), nil
	}
	conn, err := a.connect(ctx, project)
	if err != nil {
		return target, org.Live{}, err
	}
	g.service = conn
	reader, err := a.client(ctx, conn, forReading)
	if err != nil {
		return target, org.Live{}, err
	}
	bar := a.progress("reading")
	defer bar.finish()
	models := project.Models
	if r.asleep {
		models = nil
	}
	have, err := live.Read(ctx, reader, live.Query{
		Members:      project.NeedsMembers() && !r.selection.OnlyDrift,
		Profiles:     project.NeedsProfiles(),
		Declared:     project.Declared(),
		Computers:    project.Computers,
		Known:        last.Computers,
		Settings:     r.settings,
		Expectations: project.Expectations,
		Hide:         r.hide,
		Models:       models,
		Organization: project.Service.Organization,
		Now:          a.now(),
		OnProgress:   bar.read,
	})
	if err != nil {
		return target, have, err
	}
	if have.Organization != "" {
		if declared := target.Organization; declared != "" && declared != have.Organization {
			return target, have, &refusal{err: fmt.Errorf(
				"this key belongs to organization %s, but the configuration declares %s (%s)",
				render.Clean(have.Organization), declared, project.Service.OrganizationSource)}
		}
		target.Organization, target.OrganizationVerified = have.Organization, true
	}
	return target, have, nil
}

// notRefreshed is what --refresh=false knows of the service: nothing.
func notRefreshed(p *config.Project) org.Live {
	gap := func(fact string) org.Gap { return org.Gap{Fact: fact, Error: "not read (--refresh=false)"} }
	var out org.Live
	if p.NeedsMembers() {
		out.Gaps = append(out.Gaps, gap("members"))
	}
	if len(p.Computers) > 0 {
		out.Gaps = append(out.Gaps, gap("computer"))
	}
	if len(p.Expectations) > 0 {
		out.Gaps = append(out.Gaps, gap("settings"))
	}
	if p.Models != nil && p.Models.Sessions != "" {
		out.Gaps = append(out.Gaps, gap("sessions"))
	}
	return out
}
