package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/govctl/govctl/internal/org"
)

// answer is what a rule says of a document, whatever the document is called.
type answer struct {
	said []said
	bad  string // why there is more that cannot be used, "" if there is not
}

// said is one finding in the words of the rule.
type said struct{ path, message, subject string }

// read takes over what a rule returned. What is not of the promised form is noted, never
// passed over.
func (e *Engine) read(set ast.Set) answer {
	var out answer
	if set == nil {
		return out
	}
	set.Until(func(t *ast.Term) bool {
		var s said
		if len(out.said) == e.limits.Findings {
			out.bad = fmt.Sprintf("more than %d findings", e.limits.Findings)
		} else if object, ok := t.Value.(ast.Object); !ok {
			out.bad = "a finding is not an object with path and message"
		} else {
			out.bad = cmp.Or(
				e.text(object, pathName, true, &s.path),
				e.text(object, messageName, true, &s.message),
				e.text(object, subjectName, false, &s.subject))
		}
		if out.bad == "" {
			out.said = append(out.said, s)
		}
		return out.bad != ""
	})
	return out
}

var pathName, messageName, subjectName = ast.InternedTerm("path"), ast.InternedTerm("message"), ast.InternedTerm("subject")

// text reads one text of a finding, or says what is wrong with it.
func (e *Engine) text(object ast.Object, name *ast.Term, wanted bool, into *string) (bad string) {
	v := object.Get(name)
	if v == nil && !wanted {
		return ""
	}
	s, ok := textOf(v)
	switch what, _ := textOf(name); {
	case !ok:
		return fmt.Sprintf("the %s of a finding is not a text", what)
	case len(s) > e.limits.Text:
		return fmt.Sprintf("the %s of a finding has more than %d bytes", what, e.limits.Text)
	}
	*into = s
	return ""
}

// findings adds what a rule said of d. An answer that is not of the promised form becomes
// an error of the rule, never silence.
func (e *Engine) findings(out []org.Finding, r *rule, d Document, a answer) []org.Finding {
	for _, s := range a.said {
		f := r.finding(org.Open)
		f.Path, f.Message, f.Subject = d.shown(s.path), s.message, cmp.Or(s.subject, d.Subject)
		out = append(out, f)
	}
	if a.bad != "" {
		out = append(out, e.errored(d.Subject, r.ID+": "+a.bad))
	}
	return out
}

func textOf(t *ast.Term) (string, bool) {
	if t == nil {
		return "", false
	}
	s, ok := t.Value.(ast.String)
	return string(s), ok
}

// shown is a path of the body as it is named to people.
func (d Document) shown(pointer string) string {
	if rest, ok := strings.CutPrefix(pointer, d.Base); ok && d.Base != "" && (rest == "" || rest[0] == '/') {
		return rest
	}
	return pointer
}

// finding is a finding of r without what differs from one to the next.
func (r *rule) finding(status string) org.Finding {
	return org.Finding{Rule: r.ID, Severity: r.Severity, Status: status, Title: r.Title, Remediation: r.Remediation}
}

// errored is a finding of the engine: nothing is known of what a rule would have found.
func (e *Engine) errored(subject, message string) org.Finding {
	return e.ofEngine(RuleErrored, org.Errored, subject, message)
}

func (e *Engine) ofEngine(id, status, subject, message string) org.Finding {
	f := org.Finding{Rule: id, Status: status, Subject: subject, Message: message}
	for _, r := range EngineRules() {
		if r.ID == id {
			f.Title, f.Remediation = r.Title, r.Remediation
			f.Severity = cmp.Or(e.options.Severity[id], r.Severity)
		}
	}
	return f
}

// oneLine is the text of an error without its line breaks.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// sortFindings puts the findings of one document in order: the worst first.
func sortFindings(list []org.Finding) {
	slices.SortStableFunc(list, func(a, b org.Finding) int {
		if c := cmp.Compare(statusRank(a.Status), statusRank(b.Status)); c != 0 {
			return c
		}
		if a.Rule != b.Rule { // those of a rule are as severe as each other
			return cmp.Or(
				cmp.Compare(org.SeverityRank(a.Severity), org.SeverityRank(b.Severity)),
				cmp.Compare(a.Rule, b.Rule))
		}
		if c := comparePointers(a.Path, b.Path); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Message, b.Message))
	})
}

// statusRank puts what could not be judged after what was found.
func statusRank(s string) int {
	switch s {
	case org.Open:
		return 0
	case org.Errored:
		return 1
	case org.Waived:
		return 2
	}
	return 3
}

// comparePointers orders pointers token by token, so that /a/2 comes before /a/10.
func comparePointers(a, b string) int {
	for a != b {
		x, restA, moreA := strings.Cut(a, "/")
		y, restB, moreB := strings.Cut(b, "/")
		if x != y {
			if isIndex(x) && isIndex(y) {
				return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
			}
			return cmp.Compare(x, y)
		}
		if !moreA || !moreB {
			return cmp.Compare(len(a), len(b)) // one begins with the other
		}
		a, b = restA, restB
	}
	return 0
}

func isIndex(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
