package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/report"
)

const (
	// tokenDaysAtOnce is how many days of /tokens are asked for at once. Each has everybody
	// in it: thirty days of 10,000 people would be more than an answer may have.
	tokenDaysAtOnce = 10
	// revisionsShown is how many of the newest revisions of the settings a report has.
	revisionsShown = 100
)

// failed notes that a section could not be read, or returns the error that ends the report.
func (f *reportFacts) failed(ctx context.Context, section string, err error) error {
	var refused *refusal
	if err == nil || endsAll(ctx, err) || errors.As(err, &refused) {
		return err
	}
	if why := hint(roleHint(err)); why != "" {
		err = fmt.Errorf("%w; %s", err, why)
	}
	f.maker.Failed(section, err)
	return nil
}

// reportUsage reads analytics. A section that fails does not keep others from being read.
func (a *app) reportUsage(ctx context.Context, f *reportFacts) error {
	bar := a.progress("reading")
	defer bar.finish()
	for _, part := range []struct {
		section string
		read    func() error
	}{
		{report.SectionCredits, func() error { return readDays(ctx, f, tokenDaysAtOnce, tokenDays, f.maker.AddTokens) }},
		{report.SectionTools, func() error { return readDays(ctx, f, client.MaxUsageDays, toolDays, f.maker.AddTools) }},
		{report.SectionActivity, func() error { return readDays(ctx, f, client.MaxUsageDays, activityDays, f.maker.AddActivity) }},
		{report.SectionProductivity, func() error { return readDays(ctx, f, client.MaxUsageDays, productivityDays, f.maker.AddProductivity) }},
		{report.SectionPeople, func() error { return readPeople(ctx, f, bar) }},
	} {
		if !f.maker.Wants(part.section) {
			continue
		}
		if err := f.failed(ctx, part.section, part.read()); err != nil {
			return err
		}
	}
	return nil
}

// readDays adds the rows of an endpoint of days, most days at once.
func readDays[T any](ctx context.Context, f *reportFacts, most int, read dayReader[T], add func([]T) error) error {
	for _, days := range f.walk.days.Cut(most) {
		page, err := read(ctx, f.reader, client.UsageQuery{Days: days})
		var short error
		if err == nil {
			short, err = f.walk.meta(page.meta, days)
		}
		if err = errors.Join(err, short); err != nil {
			return err
		}
		if err := add(page.data); err != nil {
			return err
		}
	}
	return nil
}

// readPeople adds the days of users, a page at a time.
func readPeople(ctx context.Context, f *reportFacts, bar *bar) error {
	n := 0
	for _, days := range f.walk.days.Cut(client.MaxUsageDays) {
		for page, err := range f.reader.UsageUsers(ctx, days) {
			var short error
			if err == nil {
				short, err = f.walk.meta(page.Meta, days)
			}
			if err = errors.Join(err, short); err != nil {
				return err
			}
			if err := f.maker.AddUsers(page.Data); err != nil {
				return err
			}
			n += len(page.Data)
			bar.read("usage", n)
		}
	}
	return nil
}

// reportReadiness reads all reports that are visible. What they say of why is not kept.
func (a *app) reportReadiness(ctx context.Context, f *reportFacts) error {
	if !f.maker.Wants(report.SectionReadiness) {
		return nil
	}
	var reports []api.Report
	for r, err := range f.reader.Reports(ctx) {
		if err != nil {
			return f.failed(ctx, report.SectionReadiness, err)
		}
		for id, c := range r.Report {
			c.Rationale = ""
			r.Report[id] = c
		}
		r.Apps = nil
		reports = append(reports, r)
	}
	declared, wants := readinessWants(f.project.Readiness)
	f.maker.SetReadiness(reports, declared, wants)
	return nil
}

// readinessWants is what is asked of repositories: their own block before the default.
func readinessWants(r *config.Readiness) (declared []string, wants func(url string) report.RepositoryWant) {
	if r == nil {
		return nil, nil
	}
	rules := map[string]config.ReadinessRule{}
	for _, own := range r.Repositories {
		rules[own.URL] = own
		declared = append(declared, own.URL)
	}
	return declared, func(url string) report.RepositoryWant {
		own := rules[url]
		want := report.RepositoryWant{MinScore: own.MinScore, MaxAge: own.MaxAge, Branch: firstOf(own.Branch, r.Default.Branch)}
		if want.MinScore == nil {
			want.MinScore = r.Default.MinScore
		}
		if want.MaxAge == 0 {
			want.MaxAge = r.Default.MaxAge
		}
		return want
	}
}

// reportSettings reads who changed the settings, and what they are now.
func (a *app) reportSettings(ctx context.Context, f *reportFacts) error {
	if f.maker.Wants(report.SectionSettings) {
		list, more, err := listHistory(ctx, f.reader, revisionsShown)
		if err == nil {
			f.maker.SetHistory(list, more)
		}
		if err := f.failed(ctx, report.SectionSettings, err); err != nil {
			return err
		}
	}
	if !f.maker.Wants(report.SectionCredits) {
		return nil
	}
	newest := f.have.Newest
	if newest == nil {
		have, err := live.Read(ctx, f.reader, live.Query{Settings: true})
		if err != nil {
			return err
		}
		if newest = have.Newest; len(have.Gaps) > 0 {
			f.maker.Gap(org.Gap{Fact: report.SectionCredits, Key: "allowed models of the settings", Error: have.Gaps[0].Error})
		}
	}
	f.maker.SetNewest(newest)
	return nil
}

// reportPolicy says in a line what policies say of all that is not a plan.
func (a *app) reportPolicy(ctx context.Context, f *reportFacts) error {
	if !f.maker.Wants(report.SectionPolicy) {
		return nil
	}
	e, err := a.engine(&policyFlags{planFlags: f.flags.planFlags}, f.project)
	if err != nil {
		return err
	}
	kinds := slices.DeleteFunc(e.EnabledKinds(), func(k string) bool { return k == policy.PlanKind })
	facts, err := a.factsOf(ctx, f.gathered, kinds, e)
	if err != nil {
		return f.failed(ctx, report.SectionPolicy, err)
	}
	r, err := e.Check(ctx, facts.documents...)
	if err != nil {
		return err
	}
	f.maker.SetPolicy(report.Line{Verdict: r.Verdict, Summary: render.FindingsSummary(r), Command: "govctl policy check"})
	for _, g := range append(r.Gaps, facts.gaps...) {
		f.maker.Gap(org.Gap{Fact: report.SectionPolicy, Key: strings.TrimSpace(g.Fact + " " + g.Key), Error: g.Error})
	}
	return nil
}
