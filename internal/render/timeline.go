package render

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
)

const (
	maxLanes     = 7   // actors with a lane and a colour of their own; the others share one
	otherLane    = 7   // its number
	maxEntries   = 30  // revisions listed before the fold
	maxPaths     = 12  // settings named in one of them
	maxLinks     = 60  // dashed lines from a change to its undoing
	maxRevisions = 500 // listed at all
)

// timeline is who changed which settings in which revision, as a chart and as a list.
type timeline struct {
	Label  string
	Charts []chart
	Key    []htmlTag
	Shown  []entry // newest first
	Rest   []entry
	Gaps   string
}

// entry is one revision.
type entry struct {
	Number int64
	Actor  string
	At     string
	Class  string // of the actor
	Paths  []htmlTag
	More   string

	raw   string // the time as the service wrote it
	time  time.Time
	lane  int
	undid bool // everything in it was changed back, or is a change back
}

// link is a change that was undone: from the revision that made it to the one that undid it.
type link struct{ from, to int64 }

// newTimeline gathers the revisions that changes name, nil if there is none.
func newTimeline(r *drift.Report) *timeline {
	byNumber, links := map[int64]*entry{}, []link{}
	add := func(number int64, actor org.Actor, at, path, class string) {
		if number == 0 {
			return
		}
		e := byNumber[number]
		if e == nil {
			e = &entry{Number: number, Actor: actorName(actor), At: moment(at), raw: at, undid: true}
			byNumber[number] = e
		}
		e.undid = e.undid && class != ""
		e.Paths = append(e.Paths, htmlTag{Clean(path), class})
	}
	for _, c := range r.Settings.Changes {
		if c.Began != nil {
			add(c.Began.Revision, c.Began.Actor, c.Began.UpdatedAt, c.Path, "began")
			add(c.Revision, c.Actor, c.UpdatedAt, c.Path, "undone")
			links = append(links, link{c.Began.Revision, c.Revision})
			continue
		}
		add(c.Revision, c.Actor, c.UpdatedAt, c.Path, "")
	}
	if len(byNumber) == 0 {
		return nil
	}
	all := make([]*entry, 0, len(byNumber))
	for _, e := range byNumber {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *entry) int { return cmp.Compare(b.Number, a.Number) })
	t := arrangeTimeline(all, links, maxEntries)
	t.Gaps = gapsLine(r.Settings)
	return t
}

// arrangeTimeline draws revisions, newest first; there is at least one. Of their list the
// first few are shown and the others folded.
func arrangeTimeline(all []*entry, links []link, shown int) *timeline {
	lanes := assignLanes(all)
	t := &timeline{}
	t.Charts = []chart{newChart("wide", 920, all, lanes, links), newChart("narrow", 320, all, lanes, links)}
	t.Label = fmt.Sprintf("%s by %s, from %s to %s", count(len(all), "revision"), count(len(lanes), "actor"), all[len(all)-1].At, all[0].At)
	t.Key = []htmlTag{{"a revision; the number says how many stand close together", "dot"}}
	if len(links) > 0 {
		t.Key = append(t.Key, htmlTag{"only changes that were undone", "ring"}, htmlTag{"from a change to its undoing", "dash"})
	}
	for i, e := range all[:min(len(all), maxRevisions)] {
		e.Class = fmt.Sprint("a", e.lane)
		if more := len(e.Paths) - maxPaths; more > 0 {
			e.Paths, e.More = e.Paths[:maxPaths], comma(more)
		}
		if i < shown {
			t.Shown = append(t.Shown, *e)
		} else {
			t.Rest = append(t.Rest, *e)
		}
	}
	return t
}

// assignLanes gives those who changed most a lane each and names the lanes.
func assignLanes(all []*entry) []string {
	changes := map[string]int{}
	for _, e := range all {
		changes[e.Actor] += len(e.Paths)
	}
	actors := sortedNames(changes)
	slices.SortStableFunc(actors, func(a, b string) int { return cmp.Compare(changes[b], changes[a]) })
	own := actors
	if len(actors) > maxLanes+1 {
		own = actors[:maxLanes]
	}
	for _, e := range all {
		if e.lane = slices.Index(own, e.Actor); e.lane < 0 {
			e.lane = otherLane
		}
	}
	if others := len(actors) - len(own); others > 0 {
		return append(slices.Clone(own), count(others, "other"))
	}
	return own
}

// moment is a time as a person reads it; one that is none stays as it is.
func moment(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return Clean(s)
	}
	return when(t)
}
