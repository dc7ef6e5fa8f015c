package drift

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/org"
)

const factSettings = "settings"

// Settings is what differs in the settings.
type Settings struct {
	FromRevision int64    `json:"from_revision"` // undeclared changes are those since; 0: no revision is accepted
	ToRevision   int64    `json:"to_revision"`   // the newest; 0: unknown
	AsOf         string   `json:"as_of"`         // when the newest was made, as the service wrote it
	Changes      []Change `json:"changes"`       // sorted by path; what came and went last
	Gaps         []Range  `json:"gaps"`          // revisions in between that are not visible, newest first
	MoreGaps     int      `json:"more_gaps,omitempty"`
	Untraced     int      `json:"untraced,omitempty"` // changes too many to be followed one by one
}

// Change is one difference of the settings, from what is declared or, where nothing is,
// from the accepted revision.
type Change struct {
	Difference
	Expected       Value       `json:"expected,omitzero"`         // what is declared
	ExpectedAbsent bool        `json:"expected_absent,omitempty"` // nothing may stand there
	Revision       int64       `json:"revision"`                  // that made the value what it is; 0: not known
	Actor          org.Actor   `json:"actor"`
	UpdatedAt      string      `json:"updated_at"`
	AtOrBefore     bool        `json:"at_or_before,omitempty"` // it may have been an older one
	Transient      bool        `json:"transient"`              // it came and went: Revision undid it
	Began          *Moment     `json:"began,omitempty"`        // when what came and went came
	DurationMS     int64       `json:"duration_ms,omitempty"`  // from then on; 0: the times do not say
	Secret         bool        `json:"secret,omitempty"`       // a secret below Path changed; it is shown nowhere
	RenamedTo      string      `json:"renamed_to,omitempty"`   // the same revision added an equal value there
	Source         *org.Source `json:"source,omitempty"`       // the declaration
	Fingerprint    string      `json:"fingerprint"`
	Accepted       *Accepted   `json:"accepted,omitempty"`
	Ignored        *Ignored    `json:"ignored,omitempty"`
}

// Declared reports whether the project says what should be at Path.
func (c Change) Declared() bool { return c.Expected.Found || c.ExpectedAbsent }

// addSettings compares the newest revision with the declaration and the accepted one.
func (r *Report) addSettings(in Input) {
	s := &r.Settings
	s.FromRevision, s.Changes, s.Gaps = in.Since, []Change{}, []Range{}
	newest := in.Have.Newest
	if newest == nil {
		if in.Since > 0 && !r.incomplete(factSettings, "") {
			r.missing(factSettings, "", errEmpty)
		}
		return
	}
	s.ToRevision, s.AsOf = newest.Number, newest.UpdatedAt
	r.Summary.Checked += len(in.Want.Expectations)
	h := in.History
	var base map[string]any
	if h.Whole() {
		base = h.last.Settings
	}
	for _, e := range in.Want.Expectations {
		if !e.Meets(newest.Settings) {
			s.Changes = append(s.Changes, unmet(e, in, base))
		}
	}
	if h != nil {
		s.Gaps, s.MoreGaps, s.Untraced = append(s.Gaps, h.gaps...), h.moreGaps, h.untraced
		if h.whole {
			r.Summary.Checked++
			s.Changes = append(s.Changes, h.changes(in.Want.Expectations)...)
		} else {
			r.missing(factSettings, fmt.Sprintf("revision %d", in.Since), h.err())
		}
	}
	slices.SortStableFunc(s.Changes, func(a, b Change) int {
		return cmp.Or(compareBools(a.Transient, b.Transient), strings.Compare(a.Path, b.Path), compareBools(a.Secret, b.Secret))
	})
}

var errEmpty = errors.New("settings unknown: the history is empty")

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// unmet is an expectation that the newest revision does not meet. What was there at the
// accepted revision is known only with its snapshot.
func unmet(e org.Expectation, in Input, base map[string]any) Change {
	c := Change{Difference: Difference{Path: e.Pointer, Change: Changed, After: lookup(in.Have.Newest.Settings, e.Pointer)}}
	switch {
	case e.Absent:
		c.ExpectedAbsent, c.Change = true, Added
	default:
		c.Expected = Some(e.Value)
		if !c.After.Found {
			c.Change = Removed
		}
	}
	if base != nil {
		c.Before = lookup(base, e.Pointer)
	}
	if !e.Source.IsZero() {
		c.Source = &e.Source
	}
	if b, ok := in.Have.Blame[e.Pointer]; ok {
		c.Revision, c.Actor, c.UpdatedAt, c.AtOrBefore = b.Revision, b.Actor, b.UpdatedAt, b.AtOrBefore
	}
	want, list1 := e.Value.([]any)
	have, list2 := c.After.JSON.([]any)
	if list1 && list2 {
		c.Items = items(want, have)
	}
	return c
}

// changes lists what differs from the accepted revision, without what the project
// declares, which is judged by itself, and everything that came and went.
func (h *History) changes(declared []org.Expectation) []Change {
	expected := newTree()
	for _, e := range declared {
		expected.add(e.Pointer)
	}
	net := Diff(h.last.Settings, h.first.Settings)
	paths := newTree()
	for _, d := range net {
		paths.add(d.Path)
	}
	blamed := h.blame(net)
	var out []Change
	for i, d := range net {
		if expected.touches(d.Path) {
			continue
		}
		c := Change{Difference: d}
		c.name(blamed[i])
		out = append(out, c)
	}
	renames(out)
	for _, property := range changedSecrets(h.last, h.first) {
		path := org.Pointer("", property)
		if paths.touches(path) || expected.touches(path) {
			continue
		}
		c := Change{Difference: Difference{Path: path, Change: Changed}, Secret: true}
		c.name(h.places[secretPlace+path])
		out = append(out, c)
	}
	return append(out, h.transient(paths)...)
}

// name says who made a change.
func (c *Change) name(p *place) {
	if p == nil {
		return
	}
	m := p.touched.moment
	c.Revision, c.Actor, c.UpdatedAt, c.AtOrBefore = m.Revision, m.Actor, m.UpdatedAt, p.touched.unsure
}

// blame finds for each difference the place whose newest change made it what it is: the
// one at its path or one below it.
func (h *History) blame(net []Difference) []*place {
	at := make(map[string]int, len(net))
	for i, d := range net {
		at[d.Path] = i
	}
	out := make([]*place, len(net))
	for path, p := range h.places {
		if p.secret {
			continue
		}
		for above := range upwards(path) {
			i, ok := at[above]
			if ok && (out[i] == nil || p.touched.moment.Revision > out[i].touched.moment.Revision) {
				out[i] = p
			}
		}
	}
	return out
}

// transient lists places that changed and are again what they were. An object that went
// and came back is one also if a part of it differs now.
func (h *History) transient(net *tree) []Change {
	differs := map[string]bool{}
	for _, property := range changedSecrets(h.last, h.first) {
		differs[org.Pointer("", property)] = true
	}
	spans := h.spans(net)
	var out []Change
	for key, s := range spans {
		p := h.places[key]
		d := p.latest.change
		if net.covers(d.Path) || p.secret && differs[d.Path] {
			continue
		}
		c := Change{Difference: d, Transient: true, Secret: p.secret}
		c.name(p)
		c.Revision, c.Actor, c.UpdatedAt = s.to.Revision, s.to.Actor, s.to.UpdatedAt
		c.Began, c.DurationMS = &s.from, between(s.from, s.to).Milliseconds()
		out = append(out, c)
	}
	return out
}

// span is the time between the first and the last change of a place.
type span struct{ from, to Moment }

// spans gives the span of each place. A place that changed once, and does not differ now,
// belongs to one above it: an object that went as a whole may have come back in parts.
func (h *History) spans(net *tree) map[string]*span {
	out := map[string]*span{}
	var once []*place
	for key, p := range h.places {
		switch {
		case p.latest == nil: // it came and went with something above it
		case p.earliest.Revision == p.latest.moment.Revision:
			if !net.covers(p.latest.change.Path) {
				once = append(once, p)
			}
		default:
			out[key] = &span{*p.earliest, p.latest.moment}
		}
	}
	for _, p := range once {
		for above := range upwards(p.latest.change.Path) {
			if s := out[above]; s != nil {
				if m := p.latest.moment; m.Revision > s.to.Revision {
					s.to = m
				} else if m.Revision < s.from.Revision {
					s.from = m
				}
				break
			}
		}
	}
	return out
}

// renames notes where one revision removed a value and added an equal one beside it. It
// is a hint: a switch, an empty value or nothing is equal to too many others (T27).
func renames(changes []Change) {
	for i := range changes {
		from := &changes[i]
		if from.Change != Removed || common(from.Before.JSON) {
			continue
		}
		for j := range changes {
			to := &changes[j]
			if to.Change == Added && to.Revision == from.Revision && from.Revision != 0 &&
				parent(to.Path) == parent(from.Path) && to.After.Equal(from.Before) {
				from.RenamedTo = to.Path
				break
			}
		}
	}
}

// common reports whether a value says too little to recognize it by.
func common(v any) bool {
	switch x := v.(type) {
	case nil, bool:
		return true
	case string:
		return x == ""
	case []any:
		return len(x) == 0
	case map[string]any:
		return len(x) == 0
	}
	return false
}

func parent(pointer string) string { return pointer[:max(0, strings.LastIndexByte(pointer, '/'))] }

// Duration is how long a value that came and went was there, 0 if nobody knows.
func (c Change) Duration() time.Duration { return time.Duration(c.DurationMS) * time.Millisecond }
