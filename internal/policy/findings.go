package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/govctl/govctl/internal/org"
)

// findings turns what a rule returned into findings. What is not of the promised form
// becomes an error of the rule, never silence.
func (e *Engine) findings(r *rule, d Document, set ast.Set) []org.Finding {
	if set == nil || set.Len() == 0 {
		return nil
	}
	var out []org.Finding
	bad := ""
	set.Until(func(t *ast.Term) bool {
		if len(out) == e.limits.Findings {
			bad = fmt.Sprintf("more than %d findings", e.limits.Findings)
			return true
		}
		f := r.finding(org.Open)
		object, ok := t.Value.(ast.Object)
		if !ok {
			bad = "a finding is not an object with path and message"
			return true
		}
		for name, field := range map[string]*string{"path": &f.Path, "message": &f.Message, "subject": &f.Subject} {
			v := object.Get(ast.StringTerm(name))
			s, ok := textOf(v)
			switch {
			case v == nil && name == "subject":
				continue
			case !ok:
				bad = fmt.Sprintf("the %s of a finding is not a text", name)
				return true
			case len(s) > e.limits.Text:
				bad = fmt.Sprintf("the %s of a finding has more than %d bytes", name, e.limits.Text)
				return true
			}
			*field = s
		}
		f.Path = d.shown(f.Path)
		f.Subject = cmp.Or(f.Subject, d.Subject)
		out = append(out, f)
		return false
	})
	if bad != "" {
		out = append(out, e.errored(d.Subject, r.ID+": "+bad))
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
		return cmp.Or(
			cmp.Compare(statusRank(a.Status), statusRank(b.Status)),
			cmp.Compare(org.SeverityRank(a.Severity), org.SeverityRank(b.Severity)),
			cmp.Compare(a.Rule, b.Rule), comparePointers(a.Path, b.Path),
			cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Message, b.Message))
	})
}

// statusRank puts what could not be judged after what was found.
func statusRank(s string) int {
	return slices.Index([]string{org.Open, org.Errored, org.Waived, org.Indeterminate}, s)
}

// comparePointers orders pointers token by token, so that /a/2 comes before /a/10.
func comparePointers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(x, y string) int {
		if isIndex(x) && isIndex(y) {
			return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
		}
		return cmp.Compare(x, y)
	})
}

func isIndex(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
