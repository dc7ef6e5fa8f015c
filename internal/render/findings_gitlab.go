package render

import (
	"io"

	"github.com/govctl/govctl/internal/org"
)

// gitlabIssue is one entry of a Code Quality report.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"` // info | minor | major | critical | blocker
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// findingsGitLab writes a Code Quality report: an array, empty when there is nothing to
// say. GitLab knows neither accepted findings nor undecided ones; they are there as info,
// because what is missing would be shown as solved.
func findingsGitLab(w io.Writer, r *org.FindingsReport, o Options) error {
	list := []gitlabIssue{}
	for _, p := range placeFindings(r, o) {
		text, severity := remark(p.Finding), gitlabSeverity(p.Severity)
		if p.Status == org.Waived {
			text += ", " + accepted(p.Finding)
		}
		if !p.counts() {
			severity = "info"
		}
		if p.Title != "" {
			text = Clean(p.Title) + ": " + text
		}
		list = append(list, gitlabIssue{
			Description: breakCommands(text), CheckName: ruleName(p.Rule), Fingerprint: p.fingerprint, Severity: severity,
			Location: gitlabAt(p.place),
		})
	}
	seen := map[string]bool{}
	for _, g := range r.Gaps {
		// Equal fingerprints replace each other, and a gap said twice is one gap.
		id := fingerprint(o.project(), incomplete, g.Fact, g.Key, g.Error)
		if !seen[id] {
			seen[id] = true
			list = append(list, gitlabIssue{Description: gapText(g), CheckName: incomplete, Fingerprint: id, Severity: "info", Location: gitlabAt(o.place(nil))})
		}
	}
	return WriteJSON(w, list)
}

// incomplete names what could not be read where findings have a rule.
const incomplete = "incomplete"

func gitlabAt(s org.Source) gitlabLocation {
	return gitlabLocation{Path: fileText(s.File), Lines: gitlabLines{Begin: s.Line}}
}

// gitlabSeverity is the severity in GitLab's words. One that is unknown counts as the
// worst, as everywhere.
func gitlabSeverity(severity string) string {
	return []string{"blocker", "critical", "major", "minor", "info"}[org.SeverityRank(severity)]
}

// fileText is the name of a file in a text. It is cut later than values are, since a
// name that is cut names another file.
func fileText(name string) string { return clean(name, maxFile) }
