package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// most is the largest number that is one: above it nobody counts.
const most = 1 << 53

// number reads a number of the API. Negative ones and absurd ones are errors: a sum with
// them would be nonsense.
func number(n json.Number) (float64, error) {
	f, err := n.Float64()
	if err != nil || math.IsNaN(f) || f < 0 || f > most {
		return 0, fmt.Errorf("%.40q is no number that can be counted", string(n))
	}
	return f, nil
}

// numbers reads several; the first that is none is the error.
type numbers struct{ err error }

func (r *numbers) need(n json.Number) float64 {
	f, err := number(n)
	if err != nil && r.err == nil {
		r.err = err
	}
	return f
}

// may is need of a number that may be absent.
func (r *numbers) may(n *json.Number) *float64 {
	if n == nil {
		return nil
	}
	f := r.need(*n)
	return &f
}

// rounded takes away what adding up fractions leaves behind the sixth decimal: credits are
// counted in millionths.
func rounded(f float64) float64 {
	if math.Abs(f) >= most {
		return f
	}
	return math.Round(f*1e6) / 1e6
}

// sum adds numbers of which one may be unknown: then the whole is.
type sum struct {
	n       float64
	unknown bool
}

func (s *sum) add(n *float64) {
	if n == nil {
		s.unknown = true
		return
	}
	s.n += *n
}

// value is nil if a part is unknown.
func (s *sum) value() *float64 {
	if s.unknown {
		return nil
	}
	f := rounded(s.n)
	return &f
}

// over is a/b, nil without one of them or for b = 0.
func over(a *float64, b float64) *float64 {
	if a == nil || b == 0 {
		return nil
	}
	f := rounded(*a / b)
	return &f
}

// Count is a name with how often it occurred.
type Count struct {
	Name  string  `json:"name"`
	Count float64 `json:"count"`
}

// tally counts by name.
type tally map[string]float64

// list is what was counted, most first.
func (t tally) list() []Count {
	out := make([]Count, 0, len(t))
	for name, n := range t {
		out = append(out, Count{name, rounded(n)})
	}
	slices.SortFunc(out, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return out
}

func (t tally) total() float64 {
	n := 0.0
	for _, c := range t.list() { // in order: a sum of fractions depends on it
		n += c.Count
	}
	return rounded(n)
}

// Range is the smallest and the largest value of a series and its last one. Values of days
// that can be neither added nor averaged are told like this (T40).
type Range struct {
	Last    float64 `json:"last"`
	LastDay string  `json:"last_day"`
	Least   float64 `json:"least"`
	Most    float64 `json:"most"`
}

// see adds a value of a day; days come in order.
func (r *Range) see(day string, v *float64) *Range {
	switch {
	case v == nil:
		return r
	case r == nil:
		return &Range{*v, day, *v, *v}
	}
	return &Range{*v, day, min(r.Least, *v), max(r.Most, *v)}
}
