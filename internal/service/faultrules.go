package service

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// FaultRules are faults written by people, one rule per line of thought:
//
//	METHOD PATH EFFECT... [WHEN...]
//
// METHOD is a method or *; PATH is a glob of the escaped path, in which * stays within
// one segment and ** crosses them. Effects are status=503 (with retry-after=5s),
// delay=200ms, drop=before, drop=after, reset=before, reset=after (also reset alone),
// truncate=0.5, slow=1KB/s, pages=cycle, pages=short, pages=missing-cursor and, once for
// each member, refuse=user@example.com:"reason". When is nth=3, every=3 or p=0.2 with
// seed=7; without it a rule strikes always. Every rule counts the requests it fits, from
// 1, and decides by that number alone: the same requests meet the same faults again.
type FaultRules struct{ rules []*faultRule }

type faultRule struct {
	method, glob string
	effect       Fault
	when
}

// ParseFaultRules reads rules, or says what is wrong with all of them.
func ParseFaultRules(lines []string) (*FaultRules, error) {
	parsed := &FaultRules{}
	var errs []error
	for _, line := range lines {
		r, problems := parseFaultRule(line)
		for _, p := range problems {
			errs = append(errs, fmt.Errorf("fault %q: %w", line, p))
		}
		parsed.rules = append(parsed.rules, r)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return parsed, nil
}

// Fault decides what happens to a request, for Options. If several rules strike, their
// effects add up; of two that differ the first wins.
func (f *FaultRules) Fault(r *http.Request) Fault {
	var sum Fault
	for _, rule := range f.rules {
		if rule.fits(r.Method, r.URL.EscapedPath()) && rule.count() {
			sum = sum.and(rule.effect)
		}
	}
	return sum
}

func (r *faultRule) fits(method, path string) bool {
	if r.method != "*" && r.method != method {
		return false
	}
	ok, err := doublestar.Match(r.glob, path)
	return err == nil && ok
}

// and adds the effects of g to those of f.
func (f Fault) and(g Fault) Fault {
	f.Name = strings.TrimPrefix(f.Name+"; "+g.Name, "; ")
	f.Delay += g.Delay
	if f.Status == 0 {
		f.Status, f.RetryAfter = g.Status, g.RetryAfter
	}
	if !f.DropBefore && !f.DropAfter {
		f.DropBefore, f.DropAfter, f.Reset = g.DropBefore, g.DropAfter, g.Reset
	}
	if f.Truncate == 0 {
		f.Truncate = g.Truncate
	}
	if f.Slow == 0 {
		f.Slow = g.Slow
	}
	if f.Pages == "" {
		f.Pages = g.Pages
	}
	f.Refuse = append(f.Refuse[:len(f.Refuse):len(f.Refuse)], g.Refuse...)
	return f
}
