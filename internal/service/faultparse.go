package service

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/govctl/govctl/internal/api"
)

// parseFaultRule reads one rule and collects what is wrong with it.
func parseFaultRule(line string) (*faultRule, []error) {
	words, err := splitRule(line)
	if err != nil {
		return nil, []error{err}
	}
	if len(words) < 3 {
		return nil, []error{errors.New(`write METHOD PATH EFFECT..., as in "PUT /api/v0/organization/usage/limits/users status=503 nth=1"`)}
	}
	r := &faultRule{method: words[0], glob: words[1], effect: Fault{Name: line}}
	var errs []error
	seen := map[string]bool{}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		if seen[name] && name != "refuse" {
			errs = append(errs, fmt.Errorf("%s is given twice", name))
		}
		seen[name] = true
		if err := r.set(name, value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", word, err))
		}
	}
	return r, append(errs, r.check(seen)...)
}

// splitRule cuts a rule at spaces outside double quotes.
func splitRule(line string) ([]string, error) {
	quoted := false
	words := strings.FieldsFunc(line, func(c rune) bool {
		if c == '"' {
			quoted = !quoted
		}
		return !quoted && unicode.IsSpace(c)
	})
	if quoted {
		return nil, errors.New("a quote is not closed")
	}
	return words, nil
}

// set reads one effect or condition.
func (r *faultRule) set(name, value string) error {
	e := &r.effect
	var err error
	switch name {
	case "status":
		e.Status, err = boundedInt(value, http.StatusMultipleChoices, 599)
	case "retry-after":
		e.RetryAfter, err = positiveTime(value)
	case "delay":
		e.Delay, err = positiveTime(value)
	case "drop":
		err = e.setDrop(value)
	case "reset":
		if value == "" {
			value = "after"
		}
		e.Reset, err = true, e.setDrop(value)
	case "truncate":
		e.Truncate, err = properShare(value)
	case "slow":
		e.Slow, err = bytesPerSecond(value)
	case "pages":
		e.Pages = Paging(value)
		if e.Pages != PagesCycle && e.Pages != PagesShort && e.Pages != PagesMissingCursor {
			err = errors.New("must be cycle, short or missing-cursor")
		}
	case "refuse":
		err = e.setRefuse(value)
	case "nth", "every", "seed", "p":
		err = r.setWhen(name, value)
	default:
		err = errors.New("no such effect; there are status, retry-after, delay, drop, reset, truncate, slow, pages, refuse, and nth, every, p, seed")
	}
	return err
}

func (f *Fault) setDrop(value string) error {
	f.DropBefore, f.DropAfter = value == "before", value == "after"
	if !f.DropBefore && !f.DropAfter {
		return errors.New("must be before or after, which is before or after the request is carried out")
	}
	return nil
}

func (f *Fault) setRefuse(value string) error {
	email, reason, ok := strings.Cut(value, ":")
	reason = strings.Trim(reason, `"`)
	if !ok || !isEmail(email) || reason == "" {
		return errors.New(`must be an address and a reason, as in refuse=ada@acme.example:"no seat"`)
	}
	f.Refuse = append(f.Refuse, RefusedUser{email, reason})
	return nil
}

// check looks for what makes no sense together, or never happens.
func (r *faultRule) check(seen map[string]bool) []error {
	errs := checkWhen(seen)
	effects := 0
	for name := range seen {
		if !isWhen(name) {
			effects++
		}
	}
	if seen["retry-after"] && !seen["status"] {
		errs = append(errs, errors.New("retry-after needs status"))
	}
	if seen["drop"] && seen["reset"] {
		errs = append(errs, errors.New("drop and reset exclude each other"))
	}
	if effects == 0 {
		errs = append(errs, errors.New("it has no effect; write for example status=503"))
	}
	if !doublestar.ValidatePattern(r.glob) {
		return append(errs, fmt.Errorf("%s is no path pattern", r.glob))
	}
	return append(errs, r.checkReach(seen)...)
}

// checkReach finds rules that can never strike: mostly a * where ** is meant.
func (r *faultRule) checkReach(seen map[string]bool) []error {
	var any, limits, lists bool
	for _, to := range append(routes(), route{method: http.MethodGet, path: "/healthz"}, route{method: http.MethodGet, path: "/readyz"}, route{method: http.MethodGet, path: "/openapi.json"}) {
		if !r.fits(to.method, r.sample(to.path)) && (to.method != http.MethodGet || !r.fits(http.MethodHead, r.sample(to.path))) {
			continue
		}
		any = true
		limits = limits || to.path == api.PathLimits
		switch to.path {
		case api.PathUsers, api.PathHistory, api.PathSessions, api.PathMessages, api.PathReadiness, api.PathAnalyticsUsers:
			lists = true
		}
	}
	var errs []error
	switch {
	case !any:
		errs = append(errs, fmt.Errorf("no endpoint is %s %s; note that * stays within one segment of a path, ** does not", r.method, r.glob))
	case seen["refuse"] && !limits:
		errs = append(errs, fmt.Errorf("refuse works on PUT %s only", api.PathLimits))
	case seen["pages"] && !lists:
		errs = append(errs, errors.New("pages works on lists only"))
	}
	return errs
}

// sample is a path of an endpoint that the glob fits if it can: parameters are taken
// from the glob where it names them.
func (r *faultRule) sample(path string) string {
	want := strings.Split(r.glob, "/")
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if !strings.HasPrefix(p, "{") {
			continue
		}
		parts[i] = "x"
		if i < len(want) && !strings.ContainsAny(want[i], `*?[{\`) {
			parts[i] = want[i]
		}
	}
	return strings.Join(parts, "/")
}
