package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// settingsRules are the rules that judge settings, as the project has them.
func (a *app) settingsRules(project *config.Project, failOn string) (*policy.Engine, error) {
	o, err := a.policyOptions(project, policy.Settings)
	if err != nil {
		return nil, err
	}
	o.FailOn = firstOf(failOn, o.FailOn)
	return policy.Load(o)
}

// judgeSettings asks rules about a revision of the settings, the newest or any other; nil
// is unknown settings. What the rules need besides is read; what of it cannot be read is
// among the gaps of the report and never ends drift.
func (a *app) judgeSettings(ctx context.Context, in *driftFacts, e *policy.Engine, r *org.Revision) (*org.FindingsReport, error) {
	if r == nil {
		return e.Check(ctx)
	}
	f := &policyFacts{project: in.project, reader: in.reader}
	members, err := f.readMembers(ctx, in.gathered, e)
	if err != nil {
		return nil, err
	}
	shown := *r
	shown.Settings, _ = org.Redact(r.Settings).(map[string]any) // rules see no fingerprints
	report, err := e.Check(ctx, settingsDocument(shown, members))
	if err != nil {
		return nil, err
	}
	for i := range report.Findings {
		if find := &report.Findings[i]; find.Source == nil {
			find.Source = f.source(policy.Settings, *find)
		}
	}
	report.Gaps = append(report.Gaps, f.gaps...)
	return report, nil
}

// judgeNewest asks the rules about the newest settings. Where nothing declared needs them,
// a failure to read them is a gap of the rules and not of drift.
func (a *app) judgeNewest(ctx context.Context, in *driftFacts, failOn string) (*org.FindingsReport, error) {
	e, err := a.settingsRules(in.project, failOn)
	if err != nil {
		return nil, err
	}
	newest := in.have.Newest
	var gaps []org.Gap
	asked := slices.ContainsFunc(in.have.Gaps, func(g org.Gap) bool { return g.Fact == live.FactSettings })
	if newest == nil && !asked {
		have, err := live.Read(ctx, in.reader, live.Query{Settings: true})
		if err != nil {
			return nil, err
		}
		newest, gaps = have.Newest, have.Gaps
	}
	report, err := a.judgeSettings(ctx, in, e, newest)
	if err != nil {
		return nil, err
	}
	report.Gaps = append(report.Gaps, gaps...)
	return report, nil
}

// modelUsage reads which models used tokens on the last days that are closed, nil where
// nobody declares models or asks. What cannot be read, or answers for fewer days than
// asked for, is missing coverage.
func (a *app) modelUsage(ctx context.Context, c *client.Client, models *org.Models, days int) (*drift.Usage, error) {
	window := client.ClosedDays(a.now(), days)
	if models == nil || window == (client.Days{}) {
		return nil, nil
	}
	u := &drift.Usage{Window: drift.Window(window)}
	page, err := c.Tokens(ctx, client.UsageQuery{Days: window, GroupBy: "model"})
	if err != nil && endsAll(ctx, err) {
		return nil, err
	}
	if err == nil && (page.Meta.StartDate != window.From || page.Meta.EndDate != window.To) {
		err = fmt.Errorf("tokens by model: asked for %s to %s, answered for %s to %s", window.From, window.To, page.Meta.StartDate, page.Meta.EndDate)
	}
	sums, wrong := live.TokensByModel(page.Data)
	u.Models = make(map[string]drift.Tokens, len(sums))
	for name, t := range sums {
		u.Models[name] = drift.Tokens(t)
	}
	u.Err = errors.Join(err, wrong)
	return u, nil
}

// ignores are the ignore rules of a project: the lines of a file, then those of its
// configuration. A file that was named has to be there.
func ignores(project *config.Project, dir, file string) (drift.Ignores, error) {
	lines, err := config.ReadIgnores(firstOf(file, filepath.Join(dir, config.IgnoreFile)))
	if err != nil && (file != "" || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	return config.NewIgnores(lines, project.Ignores), nil
}

// closedBy asks when settings that went back to what they should be did so.
func closedBy(ctx context.Context, c live.Reader, newest *org.Revision, pointers []string) (map[string]org.Blame, error) {
	if newest == nil || len(pointers) == 0 {
		return nil, nil
	}
	list := make([]org.Expectation, len(pointers))
	for i, p := range pointers {
		_, found := org.Lookup(newest.Settings, p)
		list[i] = org.Expectation{Pointer: p, Absent: found} // of the opposite: that is what live explains
	}
	have, err := live.Read(ctx, c, live.Query{Settings: true, Expectations: list})
	return have.Blame, err
}

// projectName is what a project is called where its directory says too little.
func projectName(name, dir string) string {
	if name != "" {
		return name
	}
	whole, err := filepath.Abs(dir)
	if err != nil {
		return filepath.ToSlash(dir)
	}
	return filepath.Base(whole)
}
