package render

import (
	"encoding/json"
	"io"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// planGitHub writes what reviewers should see beside the code as workflow commands: what
// policies say, what could not be read, and what makes an apply refuse. Without any of it
// nothing is written.
func planGitHub(w io.Writer, p *plan.Plan, o Options) error {
	r := &org.FindingsReport{Findings: p.Findings, Gaps: p.Incomplete}
	for _, n := range p.Notes {
		if n.Refuses {
			r.Findings = append(r.Findings[:len(r.Findings):len(r.Findings)], refusalFinding(n))
		}
	}
	if len(r.Findings) == 0 && len(r.Gaps) == 0 {
		return nil
	}
	return annotate(w, r, annotation{"govctl plan", planSummary(p), nil}, o)
}

// refusalFinding is a note that makes an apply refuse, where findings are shown.
func refusalFinding(n plan.Note) org.Finding {
	f := org.Finding{Rule: "apply will refuse", Severity: "high", Status: org.Open, Subject: "plan", Message: noteLine(n)}
	for _, item := range n.Items {
		if item.Source != nil {
			f.Source = item.Source
			break
		}
	}
	return f
}

// planGitLabTerraform writes the numbers that GitLab's Terraform report shows on a merge
// request; it refuses a report without all three. Nothing is ever deleted: the API cannot.
func planGitLabTerraform(w io.Writer, p *plan.Plan) error {
	s := p.Summary
	return json.NewEncoder(w).Encode(struct {
		Create int `json:"create"`
		Update int `json:"update"`
		Delete int `json:"delete"`
	}{s.Computers.Create, Updates(p), 0})
}

// Updates counts the changes of a plan to what exists already: limits, computers and
// sessions.
func Updates(p *plan.Plan) int {
	s := p.Summary
	return len(p.Limits) + s.Computers.Update + s.Computers.RetryInstall + s.Sessions.Update
}
