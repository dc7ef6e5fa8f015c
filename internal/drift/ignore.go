package drift

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// Ignores are the rules of a project that leave things out of the count. Of all that
// match, the last one decides.
type Ignores interface {
	// Rules are the rules in their order.
	Rules() []org.IgnoreRule
	// Matches reports whether rule i matches an object, or a part of one at a JSON pointer
	// ("" for the object).
	Matches(i int, kind, key, pointer string) bool
}

// Kinds of objects that an ignore rule can name. The key of a setting is its JSON
// pointer, of a member the address, of a model its id, of a computer its name, or its id
// where nobody declares it.
const (
	KindSetting  = kindSetting
	KindComputer = kindComputer
	KindMember   = "member"
	KindModel    = "model"
)

// Ignored is why something does not count though nobody accepted it.
type Ignored struct {
	Rule    string      `json:"rule"` // the pattern
	Reason  string      `json:"reason,omitempty"`
	Owner   string      `json:"owner,omitempty"`
	Expires string      `json:"expires,omitempty"` // YYYY-MM-DD, inclusive, UTC
	Source  *org.Source `json:"source,omitempty"`
}

// IgnoredField is a field of a computer that differs and does not count.
type IgnoredField struct {
	plan.Field
	Ignored Ignored `json:"ignored"`
}

// Ignore is an ignore rule and what became of it.
type Ignore struct {
	org.IgnoreRule
	State string `json:"state"`
	Count int    `json:"count"` // things it leaves out; of a computer that differs, fields
}

// States of an ignore rule.
const (
	StateInForce  = "in_force"
	StateExpired  = "expired"  // its date has passed: what it matches counts again
	StateUnused   = "unused"   // it matches nothing
	StateNegation = "negation" // it makes what it matches count
)

// ignoring is the rules at work.
type ignoring struct {
	rules   Ignores
	list    []Ignore
	matched []bool
}

// ignore marks what the rules leave out. A rule that leaves a part of a computer out
// takes the fields away, so that the fingerprint does not go by them.
func (r *Report) ignore(rules Ignores, now time.Time) {
	r.Ignores = []Ignore{}
	if rules == nil {
		return
	}
	w := &ignoring{rules: rules}
	for _, rule := range rules.Rules() {
		state := StateInForce
		switch {
		case rule.Expires != "" && now.UTC().Format(time.DateOnly) > rule.Expires:
			state = StateExpired
		case rule.Negates:
			state = StateNegation
		}
		w.list = append(w.list, Ignore{IgnoreRule: rule, State: state})
	}
	w.matched = make([]bool, len(w.list))
	for i := range r.Settings.Changes {
		c := &r.Settings.Changes[i]
		c.Ignored = w.why(KindSetting, c.Path, "")
	}
	for i := range r.Computers {
		if c := &r.Computers[i]; c.differs() {
			w.computer(c)
		}
	}
	for i := range r.Unmanaged.Members {
		m := &r.Unmanaged.Members[i]
		m.Ignored = w.why(KindMember, m.Email, "")
	}
	for i := range r.Unmanaged.Computers {
		c := &r.Unmanaged.Computers[i]
		c.Ignored = w.why(KindComputer, c.Name, "")
	}
	for i := range r.Unmanaged.Models {
		m := &r.Unmanaged.Models[i]
		m.Ignored = w.why(KindModel, m.Name, "")
	}
	r.Ignores = append(r.Ignores, w.states()...)
	r.addIgnoreFindings()
}

// why is the rule that leaves something out, nil if it counts.
func (w *ignoring) why(kind, key, pointer string) *Ignored {
	decided := false
	var out *Ignored
	for i := len(w.list) - 1; i >= 0; i-- { // all of them: each wants to know whether it matches
		rule := &w.list[i]
		if !w.rules.Matches(i, kind, key, pointer) {
			continue
		}
		w.matched[i] = true
		if decided || rule.State == StateExpired {
			continue
		}
		decided = true
		if rule.Negates {
			continue
		}
		rule.Count++
		out = &Ignored{Rule: rule.Pattern, Reason: rule.Reason, Owner: rule.Owner, Expires: rule.Expires}
		if !rule.Source.IsZero() {
			out.Source = &rule.Source
		}
	}
	return out
}

// computer leaves out a computer, or of one whose fields differ some fields. With none
// left that counts, all of it is left out.
func (w *ignoring) computer(c *Computer) {
	if c.Verdict != Drifted {
		c.Ignored = w.why(KindComputer, c.Name, "")
		return
	}
	kept := []plan.Field{}
	for _, f := range c.Fields {
		if why := w.why(KindComputer, c.Name, org.Pointer("", f.Name)); why != nil {
			c.IgnoredFields = append(c.IgnoredFields, IgnoredField{f, *why})
			continue
		}
		kept = append(kept, f)
	}
	if c.Fields = kept; len(kept) == 0 && len(c.IgnoredFields) > 0 {
		c.Ignored = &c.IgnoredFields[0].Ignored
	}
}

// states says what became of the rules.
func (w *ignoring) states() []Ignore {
	for i := range w.list {
		if rule := &w.list[i]; !w.matched[i] && rule.State != StateExpired {
			rule.State = StateUnused
		}
	}
	return w.list
}

// RuleIgnore is the rule of findings about ignore rules.
const RuleIgnore = "DRF008"

// addIgnoreFindings says which rules are over or leave nothing out.
func (r *Report) addIgnoreFindings() {
	rule := org.Rule{
		ID: RuleIgnore, Severity: "low", Default: true, Enabled: true,
		Title: "An ignore rule is in force and needed", Remediation: "Take it out, or give it another date.",
	}
	found := false
	for _, i := range r.Ignores {
		message := ""
		switch i.State {
		case StateExpired:
			message = fmt.Sprintf("%s is no longer ignored: the rule expired on %s", i.Pattern, i.Expires)
		case StateUnused:
			message = fmt.Sprintf("%s matches nothing that differs", i.Pattern)
		default:
			continue
		}
		found = true
		f := org.Finding{
			Rule: rule.ID, Severity: rule.Severity, Status: org.Open, Title: rule.Title, Message: message,
			Subject: "ignore", Path: i.Pattern, Remediation: rule.Remediation,
		}
		if !i.Source.IsZero() {
			f.Source = &i.Source
		}
		r.Findings = append(r.Findings, f)
	}
	if found {
		r.Rules = append(r.Rules, rule)
		slices.SortFunc(r.Rules, func(a, b org.Rule) int { return strings.Compare(a.ID, b.ID) })
	}
}
