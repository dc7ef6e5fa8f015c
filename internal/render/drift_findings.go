package render

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// The rules that stand for what drift looks at, where readers want findings of rules.
// What counts as drift is at driftFailOn or above.
const (
	ruleDeclared  = "DRF001"
	ruleChanged   = "DRF002"
	ruleTransient = "DRF003"
	ruleComputer  = "DRF004"
	ruleUnmanaged = "DRF005"
	ruleAccepted  = "DRF006"
	ruleLimits    = "DRF007"

	driftFailOn    = "medium"
	driftComputers = "computers"
	driftLimits    = "limits"
	driftOther     = "organization"
)

func driftRules() []org.Rule {
	return []org.Rule{
		{ID: ruleDeclared, Kind: policy.Settings, Severity: "high", Title: "A setting is what the configuration declares", Remediation: "Change it in the web application, or declare what it is now."},
		{ID: ruleChanged, Kind: policy.Settings, Severity: "medium", Title: "A setting is as in the accepted revision", Remediation: "Review it with who changed it, then accept the revision (govctl drift accept --revision N) or change it back in the web application."},
		{ID: ruleTransient, Kind: policy.Settings, Severity: "low", Title: "No setting was changed and changed back", Remediation: "Ask who changed it what was done meanwhile."},
		{ID: ruleComputer, Kind: driftComputers, Severity: "high", Title: "A declared computer exists as declared", Remediation: "govctl plan says what would settle it."},
		{ID: ruleUnmanaged, Kind: driftOther, Severity: "info", Title: "Everything in use is declared", Remediation: "Declare it, or decide that it needs no declaration."},
		{ID: ruleAccepted, Kind: driftOther, Severity: "low", Title: "What is accepted is in force and needed", Remediation: "Accept it again with another date, or take it out of " + drift.BaselineFile + "."},
		{ID: ruleLimits, Kind: driftLimits, Severity: "info", Title: "Credit limits are as declared", Remediation: "govctl plan sends again what is not confirmed."},
	}
}

// driftFindings writes a report in the formats of findings.
func driftFindings(w io.Writer, format string, r *drift.Report, o Options) error {
	f := findingsOf(r)
	switch format {
	case SARIF:
		return findingsSARIF(w, f, o)
	case GitLab:
		return findingsGitLab(w, f, o)
	case GitHub:
		if r.Verdict == drift.InSync && len(f.Findings) == 0 {
			return nil
		}
		return annotate(w, f, annotation{"govctl drift", driftSummary(r), nil}, o)
	}
	// A list of what was tested must not be silent about limits: they were not.
	if line := limitsLine(r.Limits); line != "" {
		f.Judged = append(f.Judged, org.Judged{Kind: driftLimits, Subject: driftLimits})
		f.Findings = append(f.Findings, org.Finding{Rule: ruleLimits, Severity: "info", Status: org.Indeterminate, Subject: driftLimits, Message: line})
	}
	return findingsJUnit(w, f, o)
}

// findingsOf replays a report as findings. A setting, a computer and each reason for which
// things are unmanaged is one finding; of limits nothing is said.
func findingsOf(r *drift.Report) *org.FindingsReport {
	out := &org.FindingsReport{Verdict: r.Verdict, FailOn: driftFailOn, Gaps: r.Coverage.Missing, Rules: driftRules()}
	for i := range out.Rules {
		out.Rules[i].Enabled, out.Rules[i].Default, out.Rules[i].Tags = true, true, []string{"drift"}
	}
	out.Rules = append(out.Rules, r.Rules...)
	settings := fmt.Sprintf("settings@r%d", r.Settings.ToRevision)
	if r.Settings.ToRevision > 0 {
		out.Judged = append(out.Judged, org.Judged{Kind: policy.Settings, Subject: settings, Rules: 3})
	}
	for _, c := range r.Settings.Changes {
		out.Findings = append(out.Findings, settingFinding(c, settings))
	}
	for _, m := range r.Computers {
		if m.Verdict == drift.Unreadable {
			continue // it is among the gaps
		}
		out.Judged = append(out.Judged, org.Judged{Kind: driftComputers, Subject: m.Name, Rules: 1})
		if m.Verdict != drift.InSync {
			out.Findings = append(out.Findings, computerFinding(m))
		}
	}
	out.Judged = append(out.Judged, org.Judged{Kind: driftOther, Subject: driftOther, Rules: 2})
	for _, g := range unmanaged(r.Unmanaged) {
		message := fmt.Sprintf("%s (%s): %s", g.what, comma(g.total), strings.Join(g.names, ", "))
		if more := g.total - len(g.names); more > 0 {
			message += ", … and " + comma(more) + " more"
		}
		out.Findings = append(out.Findings, org.Finding{Rule: ruleUnmanaged, Status: org.Open, Subject: driftOther, Path: g.code, Message: message})
	}
	for _, list := range []struct {
		what string
		all  []drift.Acceptance
	}{{"its date has passed", r.Expired}, {"it covers nothing any more", r.Unused}} {
		for _, a := range list.all {
			out.Findings = append(out.Findings, org.Finding{
				Rule: ruleAccepted, Status: org.Open, Subject: a.Kind, Path: a.Key, Source: &org.Source{File: drift.BaselineFile, Line: 1, Column: 1},
				Message: fmt.Sprintf("an acceptance of %s: %s (%s)", a.Kind+" "+a.Key, list.what, a.Reason),
			})
		}
	}
	rules := map[string]org.Rule{}
	for _, rule := range out.Rules {
		rules[rule.ID] = rule
	}
	for i := range out.Findings {
		f := &out.Findings[i]
		rule := rules[f.Rule]
		f.Severity, f.Title, f.Remediation = rule.Severity, rule.Title, rule.Remediation
	}
	out.Findings = append(out.Findings, r.Findings...)
	out.Summary = org.CountFindings(out.Findings, out.FailOn)
	return out
}

func settingFinding(c drift.Change, subject string) org.Finding {
	f := org.Finding{Rule: ruleChanged, Status: org.Open, Subject: subject, Path: c.Path, Source: c.Source, Message: c.Path + ": " + changeLine(c)}
	switch {
	case c.Transient:
		f.Rule = ruleTransient
		f.Message += "; " + whoLine(c)
	case c.Declared():
		f.Rule = ruleDeclared
	}
	if c.Revision > 0 {
		f.Blame = &org.Blame{Revision: c.Revision, Actor: c.Actor, UpdatedAt: c.UpdatedAt, AtOrBefore: c.AtOrBefore}
	}
	return aside(f, c.Accepted, c.Ignored)
}

func computerFinding(m drift.Computer) org.Finding {
	lines := []string{verb(m.Verdict)}
	for _, f := range m.Fields {
		lines = append(lines, driftField(f.Name, f.Before, f.After))
	}
	for _, f := range m.IgnoredFields {
		lines = append(lines, driftField(f.Name, f.Before, f.After)+"; "+ignoredLine(&f.Ignored))
	}
	f := org.Finding{Rule: ruleComputer, Status: org.Open, Subject: m.Name, Source: m.Source, Message: strings.Join(filled(append(lines, m.Detail)), "; ")}
	return aside(f, m.Accepted, m.Ignored)
}

// aside turns a finding into one that does not count.
func aside(f org.Finding, why *drift.Accepted, rule *drift.Ignored) org.Finding {
	switch {
	case why != nil:
		f.Waiver = &org.Waiver{Rule: f.Rule, Target: f.Path, Reason: why.Reason, Expires: why.Until}
	case rule != nil:
		f.Waiver = &org.Waiver{Rule: f.Rule, Target: rule.Rule, Reason: cmp.Or(rule.Reason, "ignored by "+rule.Rule), Owner: rule.Owner, Expires: rule.Expires}
		if rule.Source != nil {
			f.Waiver.Source = *rule.Source
		}
	default:
		return f
	}
	f.Status = org.Waived
	return f
}
