package drift

import (
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// Comparison sets a report beside the previous one. A fingerprint includes the value, so
// another value in the same place is new.
type Comparison struct {
	PreviousAt time.Time `json:"previous_at"`
	New        []Ref     `json:"new"`
	Ongoing    []Ref     `json:"ongoing"`
	Resolved   []Ref     `json:"resolved"`
	Unknown    []Ref     `json:"unknown"`          // seen before, and now nobody can tell
	Untold     []string  `json:"untold,omitempty"` // of Ongoing: nobody could be told until now, by fingerprint
}

// Ref names a difference that is neither accepted nor ignored.
type Ref struct {
	Kind        string    `json:"kind"`
	Key         string    `json:"key"`
	Fingerprint string    `json:"fingerprint"`
	FirstSeen   time.Time `json:"first_seen"`
	Consecutive int       `json:"consecutive"`       // reports in a row that have it, this one included if it does
	Pending     bool      `json:"pending,omitempty"` // too few of them to alert
	Manual      bool      `json:"manual,omitempty"`  // only a person can settle it

	How    string  `json:"how,omitempty"`    // of one that is resolved
	Closed *Moment `json:"closed,omitempty"` // of a setting that is resolved: the revision that did it; nil: not known
}

// How a difference was resolved.
const (
	HowChanged    = "changed"    // the service is as it should be
	HowAccepted   = "accepted"   // somebody accepted it
	HowIgnored    = "ignored"    // a rule leaves it out now
	HowUndeclared = "undeclared" // the configuration no longer declares it so
)

// compare says what came and went between two reports.
func compare(in Input, now *Report) *Comparison {
	previous := in.Previous
	c := &Comparison{PreviousAt: previous.CreatedAt, New: []Ref{}, Ongoing: []Ref{}, Resolved: []Ref{}, Unknown: []Ref{}}
	before := previous.refs()
	known, here := index(before), map[string]bool{}
	for _, r := range now.refs() {
		here[r.Fingerprint] = true
		old, ongoing := known[r.Fingerprint]
		if ongoing {
			r.FirstSeen, r.Consecutive = old.FirstSeen, old.Consecutive+1
		}
		if r.Pending = r.Consecutive < now.MinConsecutive; ongoing {
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
			c.Resolved = append(c.Resolved, now.resolved(in, old))
		}
	}
	c.Untold = among(c.Ongoing, previous.Untold)
	return c
}

// among are the fingerprints that one of the differences has, in the order of those; nil
// for none.
func among(list []Ref, fingerprints []string) []string {
	var out []string
	for _, r := range list {
		if slices.Contains(fingerprints, r.Fingerprint) {
			out = append(out, r.Fingerprint)
		}
	}
	return out
}

// resolved says how a difference went away.
func (r *Report) resolved(in Input, old Ref) Ref {
	old.Pending, old.How = false, HowChanged
	for _, d := range r.differences() {
		switch {
		case d.kind != old.Kind || d.key != old.Key:
		case d.accepted && d.fingerprint == old.Fingerprint:
			old.How = HowAccepted
			return old
		case d.ignored: // its fingerprint may go by other fields now
			old.How = HowIgnored
			return old
		}
	}
	if old.undeclared(in) {
		old.How = HowUndeclared
		return old
	}
	if old.Kind != kindSetting {
		return old
	}
	if b, ok := in.Closed[old.Key]; ok {
		old.Closed = &Moment{b.Revision, b.Actor, b.UpdatedAt}
	} else if b := in.blame(old.Key); b != nil && !b.AtOrBefore {
		old.Closed = &Moment{b.Revision, b.Actor, b.UpdatedAt}
	}
	return old
}

// undeclared reports whether nobody wants any more what old differed from.
func (r Ref) undeclared(in Input) bool {
	if r.Kind == kindComputer {
		return !slices.ContainsFunc(in.Want.Computers, func(c org.Computer) bool { return c.Name == r.Key })
	}
	return r.Manual && !slices.ContainsFunc(in.Want.Expectations, func(e org.Expectation) bool { return e.Pointer == r.Key })
}

// Unexplained names the pointers of settings that went back to what they should be, and
// of which the fold of the history does not know when: Input.Closed may say.
func (c *Comparison) Unexplained() []string {
	if c == nil {
		return nil
	}
	var out []string
	for _, r := range c.Resolved {
		if r.Kind == kindSetting && r.How == HowChanged && r.Closed == nil && strings.HasPrefix(r.Key, "/") {
			out = append(out, r.Key)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Find is what is known of a difference that counts; false without a comparison.
func (c *Comparison) Find(fingerprint string) (Ref, bool) {
	if c == nil {
		return Ref{}, false
	}
	for _, r := range slices.Concat(c.New, c.Ongoing) {
		if r.Fingerprint == fingerprint {
			return r, true
		}
	}
	return Ref{}, false
}

func (c *Comparison) untold() []string {
	if c == nil {
		return nil
	}
	return c.Untold
}

// Fresh lists the differences that begin to alert with this report: new ones, or those
// that are there for the MinConsecutive-th time in a row, and those that alerted before
// and nobody could be told of. What came and went is not among them. Without a previous
// report every difference is new.
func (r *Report) Fresh() []Ref {
	need := max(1, r.MinConsecutive)
	out := []Ref{}
	for _, d := range r.differences() {
		if !d.counts() || d.transient {
			continue
		}
		ref, ok := r.Comparison.Find(d.fingerprint)
		if !ok {
			ref = Ref{Kind: d.kind, Key: d.key, Fingerprint: d.fingerprint, FirstSeen: r.CreatedAt, Consecutive: 1}
		}
		if ref.Consecutive == need || ref.Consecutive > need && slices.Contains(r.Comparison.untold(), d.fingerprint) {
			out = append(out, ref)
		}
	}
	return out
}

// pending reports whether a difference does not alert yet.
func (r *Report) pending(fingerprint string) bool {
	ref, ok := r.Comparison.Find(fingerprint)
	if !ok {
		ref.Consecutive = 1
	}
	return ref.Consecutive < r.MinConsecutive
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
		earlier = slices.Concat(c.New, c.Ongoing, c.Unknown)
	}
	known := index(earlier)
	var out []Ref
	manual, seen := map[string]bool{}, map[string]bool{}
	for _, m := range r.Manual {
		manual[m.Fingerprint] = true
	}
	for _, d := range r.differences() {
		if !d.counts() || seen[d.fingerprint] {
			continue
		}
		seen[d.fingerprint] = true
		ref, ok := known[d.fingerprint]
		if !ok {
			ref = Ref{Kind: d.kind, Key: d.key, Fingerprint: d.fingerprint, FirstSeen: r.CreatedAt, Consecutive: 1}
		}
		ref.Manual = manual[d.fingerprint]
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
