package policy

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gobwas/glob"

	"github.com/govctl/govctl/internal/org"
)

// maxDaysParameter is how many days ahead a waiver may end, if the parameters say.
const maxDaysParameter = "waiver_max_days"

// waive marks the findings somebody accepted, and adds what is wrong with waivers of the
// kinds that were judged: of others nobody knows whether they are needed.
func (e *Engine) waive(findings []org.Finding, kinds map[string]bool) []org.Finding {
	judged := map[string]bool{RuleErrored: true}
	for kind := range kinds {
		for _, r := range e.enabled(kind) {
			judged[r.ID] = true
		}
	}
	var rot []org.Finding
	for _, w := range e.options.Waivers {
		if !judged[w.Rule] {
			continue
		}
		rot = append(rot, e.rot(w, e.expired(w), e.accept(w, findings))...)
	}
	sortFindings(rot)
	return append(findings, rot...)
}

// Accept marks the findings that a waiver accepts today, whenever the document was made.
func (e *Engine) Accept(findings []org.Finding) {
	for _, w := range e.options.Waivers {
		e.accept(w, findings)
	}
}

// accept marks what one waiver is about, unless it has expired, and reports whether there
// was anything.
func (e *Engine) accept(w org.Waiver, findings []org.Finding) (used bool) {
	expired := e.expired(w)
	for i := range findings {
		f := &findings[i]
		if f.Rule != w.Rule {
			continue
		}
		if f.Status == org.Indeterminate {
			used = true // nobody knows
			continue
		}
		if !covers(w.Target, *f) {
			continue
		}
		used = true
		if !expired && f.Waiver == nil {
			accepted := w
			f.Status, f.Waiver = org.Waived, &accepted
		}
	}
	return used
}

// rot says what is wrong with a waiver.
func (e *Engine) rot(w org.Waiver, expired, used bool) []org.Finding {
	subject := strings.TrimSpace("waiver " + w.Rule + " " + w.Target)
	var out []org.Finding
	add := func(id, message string) {
		for _, off := range e.options.Disable {
			if off == id {
				return
			}
		}
		f := e.ofEngine(id, org.Open, subject, message)
		if !w.Source.IsZero() {
			source := w.Source
			f.Source = &source
		}
		out = append(out, f)
	}
	switch limit, ok := e.maxDays(); {
	case expired:
		add(RuleWaiverRot, fmt.Sprintf("the waiver of %s expired on %s", w.Rule, w.Expires))
	case ok && e.expires(w).After(e.options.Now.AddDate(0, 0, limit)):
		add(RuleWaiverRot, fmt.Sprintf("the waiver of %s runs until %s, longer than %d days", w.Rule, w.Expires, limit))
	case w.Owner == "":
		add(RuleWaiverRot, fmt.Sprintf("the waiver of %s has no owner", w.Rule))
	}
	if !used && w.Rule != RuleErrored { // what fails in one run need not in another
		add(RuleWaiverIdle, fmt.Sprintf("no finding of %s needs this waiver", w.Rule))
	}
	return out
}

// expires is the day after the last one of a waiver; the zero time if it names none.
func (e *Engine) expires(w org.Waiver) time.Time {
	day, err := time.Parse(time.DateOnly, w.Expires)
	if err != nil {
		return time.Time{}
	}
	return day.AddDate(0, 0, 1)
}

// expired reports whether a waiver is over, or never says when it is.
func (e *Engine) expired(w org.Waiver) bool { return !e.options.Now.UTC().Before(e.expires(w)) }

func (e *Engine) maxDays() (int, bool) {
	switch v := e.params[maxDaysParameter].(type) {
	case json.Number:
		n, err := strconv.Atoi(string(v))
		return n, err == nil
	case int:
		return v, true
	}
	return 0, false
}

// covers reports whether a waiver's target is about a finding. A target is a pattern in
// which * stands for any text, matched against the finding's path and subject; a pointer
// covers what is below it, and no target covers everything.
func covers(target string, f org.Finding) bool {
	return target == "" || matches(target, f.Path) || matches(target, f.Subject) ||
		strings.HasPrefix(target, "/") && matches(strings.TrimSuffix(target, "/")+"/*", f.Path)
}

// matches compares s with a pattern in which only * is special. A pattern without a
// meaning would cover nothing, but there is none: everything else is quoted.
func matches(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	for i := range parts {
		parts[i] = glob.QuoteMeta(parts[i])
	}
	g, err := glob.Compile(strings.Join(parts, "*"))
	return err == nil && g.Match(s)
}
