package org

import "sort"

// RevisionChange is a revision with the top-level properties it changed.
type RevisionChange struct {
	Revision  int64    `json:"revision"`
	UpdatedAt string   `json:"updated_at"`
	Actor     Actor    `json:"actor"`
	Changed   []string `json:"changed"`           // sorted; nil when the revision before it is not known
	Unknown   bool     `json:"unknown,omitempty"` // the revision before it is not among those read
}

// Changed compares each of revisions, newest first, with the next one. Revision 1 is
// compared with nothing; any other revision whose predecessor was not read is Unknown,
// because nobody can tell what it changed (T37).
func Changed(revisions []Revision) []RevisionChange {
	out := make([]RevisionChange, len(revisions))
	for i, r := range revisions {
		c := RevisionChange{Revision: r.Number, UpdatedAt: r.UpdatedAt, Actor: r.Actor}
		var before map[string]any
		switch {
		case i+1 < len(revisions) && revisions[i+1].Number == r.Number-1:
			before = revisions[i+1].Settings
		case r.Number > 1:
			c.Unknown = true
		}
		if !c.Unknown {
			c.Changed = changedKeys(before, r.Settings)
		}
		out[i] = c
	}
	return out
}

// changedKeys lists the top-level properties that were added, removed or changed.
func changedKeys(before, after map[string]any) []string {
	keys := []string{}
	for k, v := range after {
		if w, ok := before[k]; !ok || !EqualJSON(v, w) {
			keys = append(keys, k)
		}
	}
	for k := range before {
		if _, ok := after[k]; !ok {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	return keys
}
