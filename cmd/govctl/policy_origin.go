package main

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/policy"
)

// explainFindings adds who made the values that findings are about what they are, and
// where the configuration speaks of them.
func (f *policyFacts) explainFindings(ctx context.Context, r *org.FindingsReport) error {
	kinds := map[string]string{}
	for _, rule := range r.Rules {
		kinds[rule.ID] = rule.Kind
	}
	blame, err := f.blame(ctx, r.Findings, kinds)
	if err != nil {
		return err
	}
	for i := range r.Findings {
		find := &r.Findings[i]
		switch kinds[find.Rule] {
		case policy.Settings:
			if b, ok := blame[find.Path]; ok {
				find.Blame = &b
			}
		case policy.History:
			if n := f.newest; n != nil {
				find.Blame = &org.Blame{Revision: n.Number, Actor: n.Actor, UpdatedAt: n.UpdatedAt}
			}
		}
		if find.Source == nil {
			find.Source = f.source(kinds[find.Rule], *find)
		}
	}
	return nil
}

// blame asks in which revision the values at the findings' paths became what they are.
// An expectation of the opposite is the question live knows.
func (f *policyFacts) blame(ctx context.Context, findings []org.Finding, kinds map[string]string) (map[string]org.Blame, error) {
	if f.newest == nil || f.reader == nil {
		return nil, nil
	}
	asked := map[string]org.Expectation{}
	for _, find := range findings {
		if kinds[find.Rule] == policy.Settings && strings.HasPrefix(find.Path, "/") {
			_, found := org.Lookup(f.newest.Settings, find.Path)
			asked[find.Path] = org.Expectation{Pointer: find.Path, Absent: found}
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	var list []org.Expectation
	for _, pointer := range slices.Sorted(maps.Keys(asked)) {
		list = append(list, asked[pointer])
	}
	have, err := live.Read(ctx, f.reader, live.Query{Settings: true, Expectations: list})
	if err != nil {
		return nil, err
	}
	f.gaps = append(f.gaps, have.Gaps...)
	return have.Blame, nil
}

// source is the declaration a finding concerns, nil if there is none.
func (f *policyFacts) source(kind string, find org.Finding) *org.Source {
	if f.project == nil {
		return nil
	}
	switch kind {
	case policy.Settings, policy.History:
		return expectationSource(f.project.Expectations, find.Path)
	case policy.Readiness:
		return readinessSource(f.project.Readiness, find.Subject)
	case policy.PlanKind:
		return changeSource(f.plan, find.Path)
	case policy.Computers:
		for _, c := range f.project.Computers {
			if c.Name == find.Subject {
				return place(c.Source)
			}
		}
	}
	return nil
}

// expectationSource is the expectation at, above or below a pointer.
func expectationSource(list []org.Expectation, pointer string) *org.Source {
	for _, e := range list {
		if pointer != "" && (e.Pointer == pointer || strings.HasPrefix(pointer, e.Pointer+"/") || strings.HasPrefix(e.Pointer, pointer+"/")) {
			return place(e.Source)
		}
	}
	return nil
}

func readinessSource(want *config.Readiness, url string) *org.Source {
	if want == nil {
		return nil
	}
	for _, r := range want.Repositories {
		if org.RedactURL(r.URL) == url {
			return place(r.Source)
		}
	}
	return place(want.Default.Source)
}

// changePath is the part of a finding's path that names one change of a plan.
var changePath = regexp.MustCompile(`^/changes/([0-9]+)`)

// changeSource is the declaration of the change a finding is about.
func changeSource(p *plan.Plan, path string) *org.Source {
	change := changePath.FindStringSubmatch(path)
	if change == nil || p == nil {
		return nil
	}
	at, err := strconv.Atoi(change[1])
	if err != nil {
		return nil
	}
	return place(p.Source(at))
}

func place(s org.Source) *org.Source {
	if s.IsZero() {
		return nil
	}
	return &s
}
