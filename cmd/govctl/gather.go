package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// request says which plan to make.
type request struct {
	dir       string
	vars      map[string]string
	selection plan.Selection
	refresh   bool // false: ask the service nothing, the plan is INCOMPLETE
}

// gathered is a plan with what it was made from.
type gathered struct {
	plan    *plan.Plan
	project *config.Project
	service *connection // nil when nothing was asked
}

// loadProject reads the configuration and says its warnings on stderr.
func (a *app) loadProject(dir string, vars map[string]string) (*config.Project, error) {
	project, err := config.Load(dir, config.Options{Vars: vars, Env: environmentVariables(os.Environ()), Now: a.now()})
	if err != nil {
		return nil, err
	}
	if len(project.Warnings) > 0 {
		fmt.Fprintln(a.err, strings.TrimRight(project.Warnings.Error(), "\n"))
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
	path, err := a.ledgerPath(project)
	if err != nil {
		return nil, err
	}
	log, err := ledger.Read(path) // without its lock
	if err != nil {
		return nil, err
	}
	return a.gatherProject(ctx, r, project, log)
}

// gatherProject is gather for a project and a ledger that are loaded already.
func (a *app) gatherProject(ctx context.Context, r request, project *config.Project, log *ledger.Log) (*gathered, error) {
	g := &gathered{project: project}
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
	g.plan = plan.Make(plan.Input{
		Want: want, Have: have, Last: last, Target: target,
		Project: filepath.ToSlash(r.dir), Variables: project.Vars,
		Config: project.Digest, Policies: project.PolicyDigest,
		Selection: r.selection, Now: a.now(),
	})
	return g, nil
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
	reader, err := a.client(conn, forReading)
	if err != nil {
		return target, org.Live{}, err
	}
	bar := a.progress("reading")
	defer bar.finish()
	have, err := live.Read(ctx, reader, live.Query{
		Members:      project.NeedsMembers(),
		Declared:     project.Declared(),
		Computers:    project.Computers,
		Known:        last.Computers,
		Settings:     len(project.Expectations) > 0,
		Expectations: project.Expectations,
		Models:       project.Models,
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
				have.Organization, declared, project.Service.OrganizationSource)}
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

// ledgerPath finds the ledger file: flag, environment, configuration. Only the
// configuration's path is relative to the project.
func (a *app) ledgerPath(p *config.Project) (string, error) {
	url, base := firstOf(a.flags.ledger, os.Getenv("GOVCTL_LEDGER")), ""
	if url == "" {
		url, base = p.Ledger.URL, p.Dir
	}
	scheme, rest, found := strings.Cut(url, ":")
	switch {
	case !found || len(scheme) == 1: // a path, perhaps with a drive letter
		rest = url
	case scheme == "file":
		rest = strings.TrimPrefix(rest, "//")
	default:
		return "", &hinted{fmt.Errorf("ledger %q: only file: ledgers are known to this version", scheme+":…"),
			"write a path such as file:.govctl/ledger.jsonl"}
	}
	if rest == "" {
		return "", errors.New("the ledger URL names no file")
	}
	path := filepath.FromSlash(rest)
	if filepath.IsAbs(path) {
		return path, nil
	}
	return filepath.Join(base, path), nil
}
