package drift

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// Bounds of what a History keeps, whatever the number of revisions.
const (
	maxPlaces = 10_000 // pointers whose changes are followed, those changed last first
	maxGaps   = 100    // ranges of revisions that are not visible
)

// History folds the revisions since an accepted one, newest first, into what changed
// and by whom. What it keeps is bounded by the size of a snapshot and by constants, so
// that a million revisions take time but no memory. Every event since is seen, also of
// values that came and went between two runs.
type History struct {
	newest   int64 // revisions above are newer than what the report is about
	since    int64
	first    *step // the newest revision seen
	last     *step // the oldest seen so far
	places   map[string]*place
	untraced int // changes of places beyond maxPlaces
	gaps     []Range
	moreGaps int
	whole    bool // the revision since was reached
	problem  error
}

// step is one revision with what its secrets were.
type step struct {
	org.Revision
	secrets map[string]uint64
}

// place is everything that happened to one pointer.
type place struct {
	touched  *event  // the newest change here or, of something above, through here
	latest   *event  // the newest change right here; nil for none
	earliest *Moment // of the oldest one right here
	secret   bool    // what changed is a secret, which the values do not show
}

// event is one change of a place.
type event struct {
	change Difference
	moment Moment
	unsure bool // a revision in between is not visible: it may be older
}

// Moment is a revision, who made it and when.
type Moment struct {
	Revision  int64     `json:"revision"`
	Actor     org.Actor `json:"actor"`
	UpdatedAt string    `json:"updated_at"`
}

// Range is a run of revisions, both ends included.
type Range struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// String writes the range as 17-19, or 17.
func (r Range) String() string {
	if r.From == r.To {
		return fmt.Sprint(r.From)
	}
	return fmt.Sprintf("%d-%d", r.From, r.To)
}

// NewHistory starts a fold from revision newest down to revision since.
func NewHistory(newest, since int64) *History {
	return &History{newest: newest, since: since, places: map[string]*place{}}
}

// Add takes the next older revision and reports whether an older one is wanted. Secrets
// are marks of what r hides, by top-level property: they differ when the secrets do.
func (h *History) Add(r org.Revision, secrets map[string]uint64) (more bool) {
	switch {
	case r.Number > h.newest:
		return true // made since the newest was read
	case r.Number < h.since:
		h.problem = fmt.Errorf("revision %d is not visible", h.since)
		return false
	}
	older := &step{r, secrets}
	if h.first == nil {
		h.first = older
	} else {
		h.compare(older, h.last)
	}
	h.last = older
	h.whole = r.Number == h.since
	return !h.whole
}

// Stop notes why the walk ended before the revision since was reached.
func (h *History) Stop(err error) {
	if !h.whole && h.problem == nil {
		h.problem = err
	}
}

// Whole reports whether every wanted revision that is visible was seen.
func (h *History) Whole() bool { return h != nil && h.whole }

var errShort = errors.New("the history ends before it")

// err says why the history is not whole.
func (h *History) err() error {
	if h.problem != nil {
		return fmt.Errorf("changes since revision %d: %w", h.since, h.problem)
	}
	return fmt.Errorf("changes since revision %d: %w", h.since, errShort)
}

// compare notes what newer changed.
func (h *History) compare(older, newer *step) {
	missing := newer.Number - older.Number - 1
	if missing > 0 {
		h.gap(Range{older.Number + 1, newer.Number - 1})
	}
	at := momentOf(newer.Revision)
	for _, d := range Diff(older.Settings, newer.Settings) {
		e := &event{d, at, missing > 0}
		h.touch(d.Path, e, false)
		h.through(d.Path, e, d.Before.JSON)
		h.through(d.Path, e, d.After.JSON)
	}
	for _, property := range changedSecrets(older, newer) {
		d := Difference{Path: org.Pointer("", property), Change: Changed}
		h.touch(d.Path, &event{d, at, missing > 0}, true)
	}
}

func (h *History) gap(r Range) {
	if len(h.gaps) == maxGaps {
		h.moreGaps++
		return
	}
	h.gaps = append(h.gaps, r)
}

// secretPlace begins the keys of places where a secret changed; no pointer does.
const secretPlace = "secret "

// touch notes an event that is older than all seen so far.
func (h *History) touch(path string, e *event, secret bool) {
	key := path
	if secret {
		key = secretPlace + key
	}
	p := h.place(key, e)
	if p == nil {
		return
	}
	if p.latest == nil {
		p.latest, p.secret = e, secret
	}
	p.earliest = &e.moment
}

// through notes that an event went through everything below path: an object that comes
// or goes as a whole takes its members along.
func (h *History) through(path string, e *event, v any) {
	object, _ := v.(map[string]any)
	for k, w := range object {
		below := org.Pointer(path, k)
		h.place(below, e)
		h.through(below, e, w)
	}
}

// place is the place of a key, made by e if it is new; nil if there are too many.
func (h *History) place(key string, e *event) *place {
	p := h.places[key]
	if p == nil {
		if len(h.places) == maxPlaces {
			h.untraced++
			return nil
		}
		p = &place{touched: e}
		h.places[key] = p
	}
	return p
}

// changedSecrets names the properties that look the same and hide another secret.
func changedSecrets(older, newer *step) []string {
	var out []string
	for property, mark := range newer.secrets {
		before, found := older.secrets[property]
		if found && before != mark && sameLook(older, newer, property) {
			out = append(out, property)
		}
	}
	slices.Sort(out)
	return out
}

func sameLook(older, newer *step, property string) bool {
	return len(Diff(older.Settings[property], newer.Settings[property])) == 0
}

// between is how long a value that came and went was there, 0 if the times do not say.
func between(from, to Moment) time.Duration {
	a, err1 := time.Parse(time.RFC3339, from.UpdatedAt)
	b, err2 := time.Parse(time.RFC3339, to.UpdatedAt)
	if err1 != nil || err2 != nil || b.Before(a) {
		return 0
	}
	return b.Sub(a)
}
