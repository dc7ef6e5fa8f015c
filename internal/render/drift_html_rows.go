package render

import (
	"fmt"
	"strings"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
)

func settingRow(c drift.Change, from int64, fresh bool) htmlRow {
	row := htmlRow{Name: Clean(c.Path), group: topProperty(c.Path), ID: anchor(c.Fingerprint)}
	tag := func(text, class string) { row.Tags = append(row.Tags, htmlTag{text, class}) }
	if fresh {
		tag("new", "bad")
	}
	switch {
	case c.Declared():
		tag("not as declared", "bad")
	case c.Transient:
		tag("transient", "warn")
	default:
		tag("not declared", "")
	}
	if c.Secret {
		tag("secret", "warn")
	}
	row.Lines = settingLines(c, from)
	row.By = changedBy(c)
	finish(&row, c.Source, c.Fingerprint, c.Accepted, c.Ignored)
	return row
}

// settingLines say what a setting is, was and should be.
func settingLines(c drift.Change, from int64) []htmlLine {
	var out []htmlLine
	items := itemLines(c.Items)
	switch {
	case c.Secret:
		out = append(out, htmlLine{"changed", "a secret below it was replaced; its value is shown nowhere", "words"})
	case c.ExpectedAbsent:
		out = append(out, htmlLine{"is", driftValue(c.After), "wrong"}, htmlLine{"declared", "nothing may be there", "words"})
	case c.Expected.Found:
		out = append(out, htmlLine{"declared", driftValue(c.Expected), "new"}, htmlLine{"is", driftValue(c.After), "wrong"})
	default:
		out = append(out, htmlLine{"before", driftValue(c.Before), "old"}, htmlLine{"after", driftValue(c.After), "new"})
	}
	if wasLine(c, from) != "" {
		out = append(out, htmlLine{"was", fmt.Sprintf("%s in revision %d", driftValue(c.Before), from), "plain"})
	}
	for _, line := range items {
		sign, text, _ := strings.Cut(line, " ")
		switch sign {
		case "+":
			out = append(out, htmlLine{"added", text, "new"})
		case "-":
			out = append(out, htmlLine{"removed", text, "old"})
		case "~":
			out = append(out, htmlLine{"changed", text, "plain"})
		default:
			out = append(out, htmlLine{"order", line, "words"})
		}
	}
	if c.RenamedTo != "" {
		out = append(out, htmlLine{"perhaps", "renamed to " + Clean(c.RenamedTo), "words"})
	}
	return out
}

// changedBy says who, in which revision and when, the newest last.
func changedBy(c drift.Change) []string {
	if c.Revision == 0 {
		return []string{"nobody knows who", "nobody can tell since which revision"}
	}
	revision := fmt.Sprintf("revision %d", c.Revision)
	if c.AtOrBefore {
		revision = "at or before " + revision
	}
	if c.Began == nil {
		return []string{actorName(c.Actor), revision, moment(c.UpdatedAt)}
	}
	out := []string{
		"by " + actorName(c.Began.Actor), fmt.Sprintf("revision %d", c.Began.Revision), moment(c.Began.UpdatedAt),
		"undone by " + actorName(c.Actor), revision, moment(c.UpdatedAt),
	}
	if d := c.Duration(); d > 0 {
		out = append(out, "it lasted "+duration(d))
	}
	return out
}

func computerRow(m drift.Computer, fresh bool) htmlRow {
	row := htmlRow{Name: Clean(m.Name), group: verb(m.Verdict), ID: anchor(m.Fingerprint)}
	if fresh {
		row.Tags = append(row.Tags, htmlTag{"new", "bad"})
	}
	class := "bad"
	switch m.Verdict {
	case drift.InSync:
		class = "good"
	case drift.Unreadable:
		class = "warn"
	}
	row.Tags = append(row.Tags, htmlTag{verb(m.Verdict), class})
	for _, f := range m.Fields {
		live := "is not set"
		if f.Before != "" {
			live = fmt.Sprintf("is %q", Clean(f.Before))
		}
		row.Lines = append(row.Lines, htmlLine{Clean(f.Name), fmt.Sprintf("%s, declared %q", live, Clean(f.After)), "wrong"})
	}
	if m.Detail != "" {
		row.Lines = append(row.Lines, htmlLine{"why", reason(m.Detail), "words"})
	}
	if m.Health != "" {
		row.Lines = append(row.Lines, htmlLine{"health", reason(m.Health), "words"})
	}
	if m.ID != "" {
		row.By = append(row.By, Clean(m.ID))
	}
	for _, f := range m.IgnoredFields {
		row.Lines = append(row.Lines, htmlLine{Clean(f.Name), fmt.Sprintf("is %q, declared %q; %s", Clean(f.Before), Clean(f.After), ignoredLine(&f.Ignored)), "words"})
	}
	finish(&row, m.Source, m.Fingerprint, m.Accepted, m.Ignored)
	return row
}

// finish adds where something is declared and how to accept it, or why it does not count.
func finish(row *htmlRow, source *org.Source, fingerprint string, why *drift.Accepted, rule *drift.Ignored) {
	if s := place(source); s != "" {
		row.Lines = append(row.Lines, htmlLine{"where", Clean(s), "plain"})
	}
	if why != nil {
		row.Lines = append(row.Lines, htmlLine{"accepted", strings.TrimPrefix(acceptedLine(why), "accepted: "), "words"})
		row.Tags = append(row.Tags, htmlTag{"accepted", "good"})
		return
	}
	if rule != nil {
		row.Lines = append(row.Lines, htmlLine{"ignored", strings.TrimPrefix(ignoredLine(rule), "ignored "), "words"})
		row.Tags = append(row.Tags, htmlTag{"ignored", ""})
		return
	}
	if fingerprint != "" {
		row.Print = Clean(fingerprint)
	}
}

// acceptanceRows are acceptances that no longer do what they were written for.
func acceptanceRows(r *drift.Report) []htmlRow {
	var out []htmlRow
	for _, list := range []struct {
		what string
		all  []drift.Acceptance
	}{{"its date has passed", r.Expired}, {"covers nothing any more", r.Unused}} {
		for _, a := range list.all {
			row := htmlRow{Name: Clean(a.Key), group: list.what, Tags: []htmlTag{{list.what, "warn"}}, Lines: []htmlLine{{"accepted", reason(a.Reason), "words"}}}
			if a.Until != "" {
				row.Lines = append(row.Lines, htmlLine{"until", Clean(a.Until), "plain"})
			}
			out = append(out, row)
		}
	}
	return out
}

// manualRows are what a person has to do.
func manualRows(list []drift.Manual) []htmlRow {
	var out []htmlRow
	for _, m := range list {
		row := htmlRow{Name: Clean(m.Path), group: topProperty(m.Path), Lines: []htmlLine{{"do", reason(m.Words), "words"}}}
		for _, op := range m.Patch {
			text := Clean(op.Op + " " + op.Path)
			if len(op.Value) > 0 {
				text += " " + reason(string(op.Value))
			}
			row.Lines = append(row.Lines, htmlLine{"patch", text, "plain"})
		}
		finish(&row, m.Source, "", nil, nil)
		out = append(out, row)
	}
	return out
}

func findingRows(list []org.Finding) []htmlRow {
	var out []htmlRow
	for _, f := range list {
		class := map[bool]string{true: "bad", false: "warn"}[org.SeverityRank(f.Severity) <= org.SeverityRank("high")]
		row := htmlRow{Name: ruleName(f.Rule) + " " + Clean(f.Title), group: ruleName(f.Rule), Tags: []htmlTag{{Clean(f.Severity), class}, {Clean(f.Status), ""}}}
		row.Lines = append(row.Lines, htmlLine{"says", saying(f), "words"}, htmlLine{"about", subjectText(f), "plain"})
		if line := findingOrigin(f); line != "" {
			row.Lines = append(row.Lines, htmlLine{"since", line, "words"})
		}
		out = append(out, row)
	}
	return out
}

// topProperty is the first step of a JSON pointer, which names a group of settings.
func topProperty(pointer string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	return "/" + Clean(name)
}

// anchor is the id of an element, "" for none. Only letters and digits are kept.
func anchor(fingerprint string) string {
	id := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, fingerprint)
	if id == "" {
		return ""
	}
	return "d" + id
}
