package render

import (
	"github.com/govctl/govctl/internal/drift"
)

// DriftVerdict sums a report up in one harmless line.
func DriftVerdict(r *drift.Report) string { return driftSummary(r) }

// DriftItem is one difference in harmless words, for messages that have room for a few.
type DriftItem struct {
	Kind        string `json:"kind"` // setting | computer
	Key         string `json:"key"`
	What        string `json:"what"`
	Who         string `json:"who,omitempty"` // "" where nobody can know
	Fingerprint string `json:"fingerprint"`
	New         bool   `json:"new"`
}

// DriftItems lists what counts as drift, what is new first. New are the fingerprints in
// fresh.
func DriftItems(r *drift.Report, fresh map[string]bool) []DriftItem {
	first, rest := []DriftItem{}, []DriftItem{}
	add := func(i DriftItem) {
		if i.New = fresh[i.Fingerprint]; i.New {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	for _, c := range r.Settings.Changes {
		if c.Accepted == nil && c.Ignored == nil && !c.Transient {
			add(DriftItem{Kind: "setting", Key: Clean(c.Path), What: changeLine(c), Who: whoLine(c), Fingerprint: c.Fingerprint})
		}
	}
	for _, m := range r.Computers {
		if m.Accepted != nil || m.Ignored != nil || m.Verdict == drift.InSync || m.Verdict == drift.Unreadable {
			continue
		}
		what := verb(m.Verdict)
		for _, f := range m.Fields {
			what += "; " + driftField(f.Name, f.Before, f.After)
		}
		add(DriftItem{Kind: "computer", Key: Clean(m.Name), What: reason(what), Fingerprint: m.Fingerprint})
	}
	return append(first, rest...)
}
