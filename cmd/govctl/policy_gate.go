package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/policy"
)

// denial is an apply that a policy forbids.
type denial struct{ err error }

func (d *denial) Error() string { return d.err.Error() }
func (d *denial) Unwrap() error { return d.err }

// planRules begins to compile the plan rules of a project and returns what waits for
// them: the service is read meanwhile.
func (a *app) planRules(project *config.Project) func() (*policy.Engine, error) {
	load := sync.OnceValues(func() (*policy.Engine, error) {
		o, err := a.policyOptions(project, policy.PlanKind)
		if err != nil {
			return nil, err
		}
		return policy.Load(o)
	})
	go func() { _, _ = load() }() // who waits gets both
	return load
}

// judge lets the plan rules judge the plan and adds what they say to it. The plan's digest
// covers that, so that what was approved is what was judged.
func (g *gathered) judge(ctx context.Context) error {
	findings, err := g.findings(ctx, g.plan)
	if err != nil {
		return err
	}
	if len(findings) > 0 {
		g.plan.AddFindings(findings)
	}
	return nil
}

// findings is what the plan rules say of a plan.
func (g *gathered) findings(ctx context.Context, p *plan.Plan) ([]org.Finding, error) {
	e, err := g.rules()
	if err != nil {
		return nil, err
	}
	d, err := planDocument(p, g.have, e)
	if err != nil {
		return nil, err
	}
	report, err := e.Check(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("judge the plan: %w", err)
	}
	for i := range report.Findings {
		if f := &report.Findings[i]; f.Source == nil {
			f.Source = changeSource(p, f.Path)
		}
	}
	return report.Findings, nil
}

// permitted says why policies forbid to apply, nil if they do not. A saved plan is judged
// once more as it is: rules may ask how old it is.
func (g *gathered) permitted(ctx context.Context, saved *plan.Plan) error {
	if err := denied(g.project.Policy.FailOn, g.plan.Findings); err != nil || saved == nil {
		return err
	}
	findings, err := g.findings(ctx, saved)
	if err != nil {
		return err
	}
	return denied(g.project.Policy.FailOn, findings)
}

// denied names the findings that forbid something, nil if none does; failOn is the lowest
// severity that does.
func denied(failOn string, findings []org.Finding) error {
	var why []string
	for _, f := range findings {
		if f.Denies(failOn) {
			why = append(why, strings.TrimSpace(f.Rule+" "+f.Subject)+": "+f.Message)
		}
	}
	if len(why) == 0 {
		return nil
	}
	const named = 3
	text := strings.Join(why[:min(len(why), named)], "; ")
	if more := len(why) - named; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return &denial{fmt.Errorf("policy denies: %s", text)}
}
