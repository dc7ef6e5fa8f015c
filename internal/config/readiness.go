package config

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// Readiness says how ready the repositories must be.
type Readiness struct {
	Default      ReadinessRule   // for every repository; URL is ""
	Repositories []ReadinessRule // sorted by URL
	Source       org.Source
}

// ReadinessRule is what one repository's newest report must meet. A zero field was
// not written.
type ReadinessRule struct {
	URL      string             // exactly as declared
	MinScore *float64           // 0..1, nil when not written
	MaxAge   time.Duration      // 0 when not written
	Branch   string             // reports of other branches are not comparable
	Criteria map[string]float64 // lowest score by criterion, each 0..1; nil when not written
	Source   org.Source         // zero when there is no such block
}

func (l *loader) readiness(blocks []*hcl.Block) *Readiness {
	if len(blocks) == 0 {
		return nil
	}
	s := l.section("readiness", with(with(names(), "default"), "repository", "url"), blocks...)
	out := &Readiness{Source: l.place(s.where)}
	if inner := s.blocks["default"]; len(inner) > 0 {
		out.Default = l.readinessRule("default of readiness", inner...)
	}
	first := map[string]hcl.Range{}
	for _, b := range s.blocks["repository"] {
		url := word{b.Labels[0], b.LabelRanges[0]}
		if at, twice := first[url.text]; twice {
			l.twice(url.at, at, "keep one of them", "repository %q is declared twice", org.RedactURL(url.text))
			continue
		}
		first[url.text] = url.at
		l.absolute(url, "the name of a repository")
		rule := l.readinessRule(fmt.Sprintf("repository %q", org.RedactURL(url.text)), b)
		rule.URL = url.text
		out.Repositories = append(out.Repositories, rule)
	}
	slices.SortFunc(out.Repositories, func(a, b ReadinessRule) int { return cmp.Compare(a.URL, b.URL) })
	return out
}

func (l *loader) readinessRule(name string, blocks ...*hcl.Block) ReadinessRule {
	s := l.section(name, names("min_score", "max_age", "branch", "criteria"), blocks...)
	out := ReadinessRule{Source: l.place(s.where)}
	if a := l.one(s, "min_score"); a != nil {
		if v, ok := l.present(a); ok {
			if f, ok := l.fraction("min_score", a.Expr.Range(), v); ok {
				out.MinScore = &f
			}
		}
	}
	out.MaxAge = l.duration(l.one(s, "max_age"))
	if w, ok := l.string(l.one(s, "branch")); ok {
		out.Branch = w.text
	}
	for _, e := range l.entries(s.attrs["criteria"]) {
		if f, ok := l.fraction("criterion "+e.key.text, e.at, e.value); ok {
			if out.Criteria == nil {
				out.Criteria = map[string]float64{}
			}
			out.Criteria[e.key.text] = f
		}
	}
	return out
}
