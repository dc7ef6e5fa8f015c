package render

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// junitKey is a test case: a rule and a document by its number; see judgedKind.
type junitKey struct {
	rule     string
	document int
}

// wholeKind stands for the document of a finding that is about none in particular.
const wholeKind = -1

// judgedKind is the documents of one kind.
type judgedKind struct {
	names []string // each once, in the order in which they were judged
	index map[string]int
	sure  []bool // every rule was evaluated on it, so that silence is a pass
}

func (k *judgedKind) add(subject string, sure bool) int {
	i, have := k.index[subject]
	if !have {
		i = len(k.names)
		k.index[subject] = i
		k.names, k.sure = append(k.names, subject), append(k.sure, true)
	}
	k.sure[i] = k.sure[i] && sure
	return i
}

// junitTally sorts findings into test cases.
type junitTally struct {
	rules  map[string]org.Rule
	kinds  map[string]*judgedKind
	found  map[junitKey][]placed
	order  []junitKey      // of found, the worst first
	spread map[string]bool // rules with findings about no document in particular
}

func newJUnitTally(r *org.FindingsReport, o Options) *junitTally {
	t := &junitTally{rules: map[string]org.Rule{}, kinds: map[string]*judgedKind{}, found: map[junitKey][]placed{}, spread: map[string]bool{}}
	evaluated := map[string]int{} // how many rules, by kind
	for _, rule := range r.Rules {
		if _, twice := t.rules[rule.ID]; twice {
			continue
		}
		t.rules[rule.ID] = rule
		t.kind(rule.Kind)
		if rule.Enabled {
			evaluated[rule.Kind]++
		}
	}
	failed := map[string]bool{} // subjects
	for _, f := range r.Findings {
		if f.Status == org.Errored {
			failed[f.Subject] = true
		}
	}
	for _, j := range r.Judged {
		t.kind(j.Kind).add(j.Subject, j.Rules >= evaluated[j.Kind] && !failed[j.Subject])
	}
	for _, p := range placeFindings(r, o) {
		t.add(p)
	}
	return t
}

func (t *junitTally) kind(name string) *judgedKind {
	k := t.kinds[name]
	if k == nil {
		k = &judgedKind{index: map[string]int{}}
		t.kinds[name] = k
	}
	return k
}

// add puts a finding into its case. Those of the engine have no kind: their documents are
// what they are about.
func (t *junitTally) add(p placed) {
	rule, have := t.rules[p.Rule]
	if !have {
		rule = org.Rule{ID: p.Rule, Title: p.Title}
		t.rules[p.Rule] = rule
	}
	k, key := t.kind(rule.Kind), junitKey{p.Rule, wholeKind}
	i, have := k.index[p.Subject]
	switch {
	case rule.Kind == "":
		key.document = k.add(p.Subject, true)
	case have:
		key.document = i
	case len(k.names) == 1:
		key.document = 0
	default:
		t.spread[p.Rule] = true
	}
	if _, have := t.found[key]; !have {
		t.order = append(t.order, key)
	}
	t.found[key] = append(t.found[key], p)
}

// silent lists the cases of a kind without findings. Where nobody knows to which document
// a rule's findings belong, none of its documents is said to pass.
func (t *junitTally) silent(kind string) []junitKey {
	var out []junitKey
	for _, id := range sortedNames(t.rules) {
		rule := t.rules[id]
		if rule.Kind != kind || !rule.Enabled || t.spread[id] {
			continue
		}
		if kind == "" {
			if !slices.ContainsFunc(t.order, func(k junitKey) bool { return k.rule == id }) {
				out = append(out, junitKey{id, wholeKind})
			}
			continue
		}
		for i := range t.kinds[kind].names {
			if key := (junitKey{id, i}); len(t.found[key]) == 0 {
				out = append(out, key)
			}
		}
	}
	return out
}

// judge decides what a case is: the worst of its findings, in most bytes as XML.
func (c *junitCase) judge(findings []placed, sure bool, most int) {
	var open, errored []placed
	for _, p := range findings {
		switch {
		case p.Status == org.Errored:
			errored = append(errored, p)
		case p.counts():
			open = append(open, p)
		}
	}
	switch {
	case len(open) > 0:
		c.Failure = &junitProblem{Message: headline(open), Type: firstText(token(open[0].Severity), org.Open), Text: junitText(open, most)}
	case len(errored) > 0:
		c.Error = &junitProblem{Message: headline(errored), Type: org.Errored, Text: junitText(errored, most)}
	case len(findings) > 0:
		c.Skipped = &junitSkipped{headline(findings)}
	case !sure:
		c.Skipped = &junitSkipped{"not known: not every rule could be evaluated here; " + policy.RuleErrored + " says why"}
	}
}

// headline is the first of a case's findings, and how many more there are.
func headline(list []placed) string {
	p := list[0]
	text := Clean(saying(p.Finding))
	if p.Status == org.Waived {
		text = Clean(accepted(p.Finding))
	}
	if more := len(list) - 1; more > 0 {
		text += fmt.Sprintf(" (and %s more)", comma(more))
	}
	return breakCommands(text)
}

// junitText is the findings of a case with what is to be done about them.
func junitText(list []placed, most int) string {
	const reserve = 100 // for the line that says how many are left out
	var b strings.Builder
	size := 0
	for i, p := range list {
		entry := saying(p.Finding) + "\n"
		for _, s := range []string{subjectText(p.Finding), findingOrigin(p.Finding)} {
			if s != "" {
				entry += "  " + s + "\n"
			}
		}
		if s := oneLine(p.Remediation); s != "" && i == 0 {
			entry += "  fix: " + reason(s) + "\n"
		}
		entry = guard(entry)
		if size += xmlSize(entry); size > most-reserve {
			fmt.Fprintf(&b, "… %s not shown here; all of them with -o json\n", count(len(list)-i, "finding"))
			break
		}
		b.WriteString(entry)
	}
	return b.String()
}

// xmlSize is how many bytes a text takes when it is escaped.
func xmlSize(s string) int {
	var n byteCount
	_ = xml.EscapeText(&n, []byte(s)) // counting cannot fail
	return int(n)
}

type byteCount int

func (n *byteCount) Write(p []byte) (int, error) {
	*n += byteCount(len(p))
	return len(p), nil
}

// token is a harmless text without superfluous space: schemas read names like that.
func token(s string) string { return oneLine(Clean(s)) }
