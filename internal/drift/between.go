package drift

import "github.com/govctl/govctl/internal/org"

// RevisionDiff is how one revision of the settings differs from an earlier one.
type RevisionDiff struct {
	FormatVersion string       `json:"format_version"`
	From          Moment       `json:"from"`
	To            Moment       `json:"to"`
	Changes       []Difference `json:"changes"` // sorted by path
	Secrets       []string     `json:"secrets"` // pointers below which a secret was replaced by one that looks the same
}

// Between compares two revisions. Secrets are marks as History.Add takes them.
func Between(from, to org.Revision, secretsFrom, secretsTo map[string]uint64) RevisionDiff {
	d := RevisionDiff{
		FormatVersion: FormatVersion, From: momentOf(from), To: momentOf(to),
		Changes: append([]Difference{}, Diff(from.Settings, to.Settings)...), Secrets: []string{},
	}
	for _, property := range ReplacedSecrets(from, to, secretsFrom, secretsTo) {
		d.Secrets = append(d.Secrets, org.Pointer("", property))
	}
	return d
}

// ReplacedSecrets names the top-level properties that look the same in two revisions and
// hide another secret, sorted.
func ReplacedSecrets(from, to org.Revision, secretsFrom, secretsTo map[string]uint64) []string {
	return changedSecrets(&step{from, secretsFrom}, &step{to, secretsTo})
}

func momentOf(r org.Revision) Moment { return Moment{r.Number, r.Actor, r.UpdatedAt} }
