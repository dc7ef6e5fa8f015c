package render

import (
	"fmt"
	"slices"

	"github.com/govctl/govctl/internal/drift"
)

const (
	htmlOpen  = 40  // rows of a section that are shown without being asked for
	htmlChunk = 200 // rows below one fold
)

// htmlSection is a list of what drift found, folded into groups when it is long.
type htmlSection struct {
	ID, Title, Total, Hint string
	Groups                 []htmlGroup
}

// htmlGroup is rows below one fold; without a title they are not folded.
type htmlGroup struct {
	Title, Count string
	Open         bool
	Rows         []htmlRow
}

type htmlRow struct {
	ID    string
	Name  string
	Tags  []htmlTag
	Lines []htmlLine
	By    []string // who first
	Print string   // the fingerprint, "" when it needs no accepting
	group string
}

type htmlTag struct{ Text, Class string }

// htmlLine is a value with its name. Its class is old, new, wrong, plain or words.
type htmlLine struct{ Name, Text, Class string }

func driftSections(r *drift.Report) []htmlSection {
	fresh := map[string]bool{}
	if r.Comparison != nil {
		for _, ref := range r.Comparison.New {
			fresh[ref.Fingerprint] = ref.Fingerprint != ""
		}
	}
	var differ, went, accepted, ignored, machines []htmlRow
	same := 0
	for _, c := range r.Settings.Changes {
		row := settingRow(c, r.Settings.FromRevision, fresh[c.Fingerprint])
		switch {
		case c.Accepted != nil:
			accepted = append(accepted, row)
		case c.Ignored != nil:
			ignored = append(ignored, row)
		case c.Transient:
			went = append(went, row)
		default:
			differ = append(differ, row)
		}
	}
	for _, m := range r.Computers {
		row := computerRow(m, fresh[m.Fingerprint])
		if m.Verdict == drift.InSync {
			same++
		}
		switch {
		case m.Accepted != nil:
			accepted = append(accepted, row)
		case m.Ignored != nil:
			ignored = append(ignored, row)
		case m.Verdict == drift.InSync && m.Health == "":
		default:
			machines = append(machines, row)
		}
	}
	out := []htmlSection{
		section("settings", "Settings that differ", "", differ),
		section("manual", "To be done by hand", "An administrator, in the web application. The JSON report has the patch for all of them.", manualRows(r.Manual)),
		section("transient", "Came and went", "Changed and changed back between the two revisions.", went),
		section("computers", "Computers", computersHint(len(r.Computers), same), machines),
		section("accepted", "Accepted", "They differ, somebody accepted that, and they do not count.", append(accepted, acceptanceRows(r)...)),
		section("ignored", "Ignored", "They differ, a rule of the project leaves them out, and they do not count.", ignored),
		section("findings", "What policies say", "Of the newest settings, and of the rules that ignore.", findingRows(r.Findings)),
	}
	return slices.DeleteFunc(out, func(s htmlSection) bool { return len(s.Groups) == 0 })
}

func computersHint(all, same int) string {
	return fmt.Sprintf("%s, %s in sync. Undeclared computers cannot be seen.", count(all, "declared computer"), comma(same))
}

// section folds rows: a few are open, more of them stand in groups of one property, and
// these are cut into pieces that a person can scroll through.
func section(id, title, hint string, rows []htmlRow) htmlSection {
	s := htmlSection{ID: id, Title: title, Hint: hint, Total: comma(len(rows))}
	if len(rows) <= htmlOpen {
		if len(rows) > 0 {
			s.Groups = []htmlGroup{{Rows: rows}}
		}
		return s
	}
	var order []string
	groups := map[string][]htmlRow{}
	for _, row := range rows {
		if groups[row.group] == nil {
			order = append(order, row.group)
		}
		groups[row.group] = append(groups[row.group], row)
	}
	shown := 0
	for _, name := range order {
		all := groups[name]
		for from := 0; from < len(all); from += htmlChunk {
			to := min(from+htmlChunk, len(all))
			g := htmlGroup{Title: name, Count: comma(to - from), Rows: all[from:to]}
			if len(all) > htmlChunk {
				g.Count = fmt.Sprintf("%s to %s of %s", comma(from+1), comma(to), comma(len(all)))
			}
			if shown += to - from; shown <= htmlOpen {
				g.Open = true
			}
			s.Groups = append(s.Groups, g)
		}
	}
	return s
}
