package drift

import (
	"strings"
	"time"
)

// Comparison sets a report beside the previous one. A fingerprint includes the value, so
// another value in the same place is new.
type Comparison struct {
	PreviousAt time.Time `json:"previous_at"`
	New        []Ref     `json:"new"`
	Ongoing    []Ref     `json:"ongoing"`
	Resolved   []Ref     `json:"resolved"`
	Unknown    []Ref     `json:"unknown"` // seen before, and now nobody can tell
}

// Ref names a difference that is not accepted.
type Ref struct {
	Kind        string    `json:"kind"`
	Key         string    `json:"key"`
	Fingerprint string    `json:"fingerprint"`
	FirstSeen   time.Time `json:"first_seen"`
	Runs        int       `json:"runs"` // in a row that have seen it, this one included if it did
}

// compare says what came and went between two reports.
func compare(previous, now *Report) *Comparison {
	c := &Comparison{PreviousAt: previous.CreatedAt, New: []Ref{}, Ongoing: []Ref{}, Resolved: []Ref{}, Unknown: []Ref{}}
	before := previous.refs()
	known, here := index(before), map[string]bool{}
	for _, r := range now.refs() {
		here[r.Fingerprint] = true
		if old, ok := known[r.Fingerprint]; ok {
			r.FirstSeen, r.Runs = old.FirstSeen, old.Runs+1
			c.Ongoing = append(c.Ongoing, r)
		} else {
			c.New = append(c.New, r)
		}
	}
	for _, old := range before {
		switch {
		case here[old.Fingerprint]:
		case now.unseen(old):
			c.Unknown = append(c.Unknown, old)
		default:
			c.Resolved = append(c.Resolved, old)
		}
	}
	return c
}

// unseen reports whether nobody could look where old was.
func (r *Report) unseen(old Ref) bool {
	if old.Kind == kindComputer {
		return r.incomplete("computer", old.Key)
	}
	for _, g := range r.Coverage.Missing {
		if g.Fact == factSettings && (g.Key == "" || strings.HasPrefix(g.Key, "revision ")) {
			return true
		}
	}
	return false
}

// refs lists what is not accepted, with what a comparison with an earlier report knew of
// it. What could not be seen then is still waited for.
func (r *Report) refs() []Ref {
	var earlier []Ref
	if c := r.Comparison; c != nil {
		earlier = append(append(earlier, c.Ongoing...), c.Unknown...)
	}
	known := index(earlier)
	var out []Ref
	seen := map[string]bool{}
	for _, d := range r.differences() {
		if d.accepted || seen[d.fingerprint] {
			continue
		}
		seen[d.fingerprint] = true
		ref, ok := known[d.fingerprint]
		if !ok {
			ref = Ref{Kind: d.kind, Key: d.key, Fingerprint: d.fingerprint, FirstSeen: r.CreatedAt, Runs: 1}
		}
		out = append(out, ref)
	}
	if r.Comparison != nil {
		out = append(out, r.Comparison.Unknown...)
	}
	return out
}

func index(list []Ref) map[string]Ref {
	out := make(map[string]Ref, len(list))
	for _, r := range list {
		out[r.Fingerprint] = r
	}
	return out
}
