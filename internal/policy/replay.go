package policy

import (
	"slices"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// Replay is a rule judged on every revision of the settings.
type Replay struct {
	Rule      org.Rule   `json:"rule"`
	Revisions int        `json:"revisions"`
	FirstBad  *Interval  `json:"first_bad"` // nil: it never fired, or only where a waiver accepts it
	Intervals []Interval `json:"intervals"` // oldest first
	Exposed   int64      `json:"exposed_seconds"`
	Unseen    []Unseen   `json:"unseen"` // revisions that are not visible: nobody knows what they were
}

// Unseen is a gap in the revisions, both ends included.
type Unseen struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Interval is consecutive revisions on which a rule said the same.
type Interval struct {
	Status    string   `json:"status"` // open | errored | waived | indeterminate | clean: the worst of its findings
	From      Mark     `json:"from"`   // the revision that made it so
	To        *Mark    `json:"to"`     // the revision that ended it, nil: it still is so
	Revisions int      `json:"revisions"`
	Paths     []string `json:"paths"` // of the findings, sorted
	Message   string   `json:"message,omitempty"`
	Seconds   int64    `json:"seconds"` // how long it was so, as far as the revisions tell the time
}

// Mark is a revision, who made it and when.
type Mark struct {
	Revision  int64     `json:"revision"`
	Actor     org.Actor `json:"actor"`
	UpdatedAt string    `json:"updated_at"`
}

// Point is what a rule says of one revision.
type Point struct {
	Mark
	Findings []org.Finding
}

// StatusClean is an interval without findings.
const StatusClean = "clean"

// Intervals joins points, in any order, to intervals. Where a pair of revisions is judged
// instead of a state (events), every finding is an interval of one revision that lasts no
// time. It is pure: now is when an interval that has not ended is measured to.
func Intervals(rule org.Rule, points []Point, events bool, now time.Time) *Replay {
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b Point) int { return int(a.Revision - b.Revision) })
	r := &Replay{Rule: rule, Revisions: len(points), Intervals: []Interval{}, Unseen: []Unseen{}}
	for i, p := range points {
		status := statusOf(p.Findings)
		last := len(r.Intervals) - 1
		if i > 0 && p.Revision > points[i-1].Revision+1 {
			r.Unseen = append(r.Unseen, Unseen{points[i-1].Revision + 1, p.Revision - 1})
		}
		if last >= 0 && r.Intervals[last].Status == status && (!events || status == StatusClean) {
			r.Intervals[last].extend(p)
			continue
		}
		if last >= 0 {
			r.Intervals[last].end(p.Mark)
		}
		v := Interval{Status: status, From: p.Mark, Paths: []string{}}
		v.extend(p)
		r.Intervals = append(r.Intervals, v)
	}
	for i := range r.Intervals {
		v := &r.Intervals[i]
		if v.measure(now); events {
			v.Seconds = 0
		}
		if v.Status == org.Open {
			r.Exposed += v.Seconds
			if r.FirstBad == nil {
				r.FirstBad = v
			}
		}
	}
	return r
}

// statusOf is the worst of what a rule says.
func statusOf(findings []org.Finding) string {
	status := StatusClean
	for _, f := range findings {
		if status == StatusClean || statusRank(f.Status) < statusRank(status) {
			status = f.Status
		}
	}
	return status
}

func (v *Interval) extend(p Point) {
	v.Revisions++
	for _, f := range p.Findings {
		if v.Message == "" {
			v.Message = f.Message
		}
		if i, found := slices.BinarySearch(v.Paths, f.Path); !found {
			v.Paths = slices.Insert(v.Paths, i, f.Path)
		}
	}
}

func (v *Interval) end(m Mark) { v.To = &m }

// measure is how long an interval lasted. A time nobody can read, or that runs backwards,
// counts as none.
func (v *Interval) measure(now time.Time) {
	from, err := time.Parse(time.RFC3339, v.From.UpdatedAt)
	if err != nil {
		return
	}
	if v.To != nil {
		if now, err = time.Parse(time.RFC3339, v.To.UpdatedAt); err != nil {
			return
		}
	}
	v.Seconds = max(0, int64(now.Sub(from)/time.Second))
}
