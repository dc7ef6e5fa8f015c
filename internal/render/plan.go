package render

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// PlanFormats lists the formats of a plan.
func PlanFormats() []string { return []string{Text, JSON, Markdown, GitHub, GitLabTerraform} }

// Plan writes p. An unknown format is an error that names the known ones.
func Plan(w io.Writer, format string, p *plan.Plan, o Options) error {
	switch format {
	case Text:
		return planText(w, p, o)
	case JSON:
		return WriteJSON(w, p)
	case Markdown:
		return planMarkdown(w, p, o)
	case GitHub:
		return planGitHub(w, p, o)
	case GitLabTerraform:
		return planGitLabTerraform(w, p)
	default:
		return CheckFormat(format, PlanFormats())
	}
}

// projectName is the project as the user named it.
func projectName(p *plan.Plan) string { return cmp.Or(p.Project, ".") }

// organization is the target's organization and how well it is known.
func organization(t org.Target) string {
	switch {
	case t.Organization == "":
		return "organization unknown"
	case !t.OrganizationVerified:
		return t.Organization + " (not verified)"
	}
	return t.Organization
}

func basisLine(p *plan.Plan) string {
	parts := []string{"an empty ledger"}
	if p.Basis.Ledger.Lineage != "" {
		parts[0] = "ledger record " + humanize.Comma(p.Basis.Ledger.Serial)
	}
	if p.Basis.SettingsRevision != 0 {
		parts = append(parts, fmt.Sprintf("settings as of revision %d", p.Basis.SettingsRevision))
	}
	return strings.Join(parts, ", ")
}

// selectionLine says what a narrowed plan is about, "" for everything.
func selectionLine(p *plan.Plan) string {
	var parts []string
	if s := p.Selection.Target; len(s) > 0 {
		parts = append(parts, "only "+strings.Join(s, ", "))
	}
	if s := p.Selection.Exclude; len(s) > 0 {
		parts = append(parts, "without "+strings.Join(s, ", "))
	}
	return Clean(strings.Join(parts, "; "))
}

// planSummary is the last line of a plan and the headline of its Markdown.
func planSummary(p *plan.Plan) string {
	s := p.Summary
	var sends []string
	for _, kind := range []struct {
		what string
		todo []todo
	}{
		{"limits", []todo{{s.Limits.Set, "set"}, {s.Limits.Raise, "raise"}, {s.Limits.Lower, "lower"}, {s.Limits.Reassert, "re-assert"}}},
		{"computers", []todo{{s.Computers.Create, "create"}, {s.Computers.Update, "update"}, {s.Computers.RetryInstall, "retry"}}},
		{"sessions", []todo{{s.Sessions.Update, "update"}}},
	} {
		var verbs []string
		for _, t := range kind.todo {
			if t.n > 0 {
				verbs = append(verbs, comma(t.n)+" to "+t.verb)
			}
		}
		if len(verbs) > 0 {
			sends = append(sends, kind.what+" "+strings.Join(verbs, ", "))
		}
	}
	line := "Nothing to do."
	if len(sends) > 0 {
		line = "Plan: " + strings.Join(sends, "; ") + "; " + count(s.Requests, "request") + "."
	}
	if s.Computers.Blocked > 0 {
		line += " " + count(s.Computers.Blocked, "computer") + " blocked."
	}
	if s.Manual > 0 {
		line += " " + count(s.Manual, "setting") + " to change by hand."
	}
	if !p.Complete() {
		line += " INCOMPLETE: some facts are missing, apply will refuse."
	} else if slices.ContainsFunc(p.Notes, func(n plan.Note) bool { return n.Refuses }) {
		line += " Apply will refuse."
	}
	return line
}

// todo is a number of objects and what happens to them.
type todo struct {
	n    int
	verb string
}

// unchangedLine says what the plan leaves as it is, "" for nothing. A limit is never
// said to be in sync: nobody can read it.
func unchangedLine(p *plan.Plan) string {
	var parts []string
	if n := p.Summary.Limits.Unchanged; n > 0 {
		parts = append(parts, count(n, "limit")+" unchanged since the last confirmation")
	}
	if n := p.Summary.Computers.Unchanged; n > 0 {
		parts = append(parts, count(n, "computer")+" as declared")
	}
	return strings.Join(parts, ", ")
}

// sign is the one-character summary of an action.
func sign(action string) string {
	switch action {
	case plan.ActionLower, plan.ActionBlocked:
		return "!"
	case plan.ActionSet, plan.ActionCreate:
		return "+"
	case plan.ActionReassert, plan.ActionRetryInstall:
		return "="
	default:
		return "~"
	}
}

// verb is an action or result in words.
func verb(action string) string { return Clean(strings.ReplaceAll(action, "_", " ")) }
