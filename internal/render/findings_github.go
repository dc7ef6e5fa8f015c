package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

const (
	// annotationsPerLevel is how many annotations of a level the runner keeps of a step,
	// the first ones.
	annotationsPerLevel = 10
	// maxAnnotation is a message in characters. The runner cuts at 4,096 UTF-16 units, and
	// a character can be two.
	maxAnnotation = 2000
)

// annotation is a workflow command that the runner shows beside a line.
type annotation struct {
	title string
	text  string
	place *org.Source // nil for none
}

// findingsGitHub writes findings as workflow commands. What is accepted or could not be
// judged is counted by the last one: annotations stand in every review, and there is
// nothing to be done about those. Without anything to say, nothing is written.
func findingsGitHub(w io.Writer, r *org.FindingsReport, o Options) error {
	if len(r.Findings) == 0 && len(r.Gaps) == 0 {
		return nil
	}
	return annotate(w, r, annotation{"govctl policy", findingsSummary(r), nil}, o)
}

// annotate writes what counts and, last, a summary.
func annotate(w io.Writer, r *org.FindingsReport, summary annotation, o Options) error {
	var lists [notice + 1][]annotation
	for _, p := range placeFindings(r, o) {
		if !p.counts() {
			continue
		}
		text := remark(p.Finding)
		if s := strings.Join(strings.Fields(p.Remediation), " "); s != "" {
			text += ". Fix: " + reason(s)
		}
		place := p.place
		title := fmt.Sprintf("%s %s", ruleName(p.Rule), Clean(p.Title))
		if p.Severity != "" {
			title = fmt.Sprintf("%s (%s)", title, Clean(p.Severity))
		}
		lists[p.level] = append(lists[p.level], annotation{title, text, &place})
	}
	for _, g := range r.Gaps {
		lists[warning] = append(lists[warning], annotation{"incomplete", gapText(g), nil})
	}
	var b strings.Builder
	for level, command := range []string{"error", "warning", "notice"} {
		list, room := lists[level], annotationsPerLevel
		if level == int(notice) {
			room-- // for the summary
		}
		if more := len(list) - room; more > 0 {
			list = append(list[:room-1:room-1], annotation{summary.title, fmt.Sprintf("%s more of this level, not shown here", comma(more+1)), nil})
		}
		if level == int(notice) {
			list = append(list, summary)
		}
		for _, a := range list {
			b.WriteString(a.command(command))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// command is the line that makes the runner show an annotation. The runner drops columns
// of a region whose end it is not told.
func (a annotation) command(name string) string {
	where := ""
	if p := a.place; p != nil {
		where = fmt.Sprintf("file=%s,line=%d,endLine=%d,col=%d,", inProperty(fileText(p.File)), p.Line, p.Line, p.Column)
	}
	return fmt.Sprintf("::%s %stitle=%s::%s\n", name, where, inProperty(strings.Join(strings.Fields(a.title), " ")), inData(cut(a.text, maxAnnotation)))
}

// inData escapes what the runner would take for the end of a command's text.
func inData(s string) string { return escapeData.Replace(breakCommands(s)) }

// inProperty escapes what would end a property, too.
func inProperty(s string) string { return escapeProperty.Replace(breakCommands(s)) }

// The percent sign is escaped too, as it is what the others are written with. A Replacer
// reads its input once, so what one pair writes no other pair changes.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
