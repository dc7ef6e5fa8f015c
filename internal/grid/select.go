package grid

import (
	"cmp"
	"encoding/json"
	"errors"
	"iter"
	"math/big"
	"slices"
)

// Query chooses rows and their order. The zero Query chooses all as they come.
type Query struct {
	Keep  func(Row) (bool, error) // nil: all; ErrAbsent leaves a row out and counts it
	Sort  []Order                 // needs all rows in memory; none: as they come
	Limit int                     // rows written; 0: all
}

// Order sorts by one column: numbers by size, texts by their bytes, false before true,
// absent values last in either direction.
type Order struct {
	Column     int
	Descending bool
}

// ErrAbsent says that a condition needs a value which a row does not have.
var ErrAbsent = errors.New("the row has no such value")

// Result says what became of the rows.
type Result struct {
	Read      int   // rows there were
	Written   int   // rows that were emitted
	Undecided int   // rows left out because a value is absent that the condition needs
	More      bool  // rows were left out because of Limit
	Gap       error // why the rows ended early, nil if they did not
}

// Run emits the rows that q chooses. An error of rows ends them: it is the Gap, and what
// came before is emitted all the same. The error is that of emit or of the condition.
func (q Query) Run(rows iter.Seq2[Row, error], emit func(Row) error) (r Result, err error) {
	var kept []Row
	for row, gap := range rows {
		if gap != nil {
			r.Gap = gap
			break
		}
		r.Read++
		if q.Keep != nil {
			keep, err := q.Keep(row)
			if errors.Is(err, ErrAbsent) {
				r.Undecided++
				continue
			}
			if err != nil {
				return r, err
			}
			if !keep {
				continue
			}
		}
		if len(q.Sort) > 0 {
			kept = append(kept, row)
			continue
		}
		if r.More = q.Limit > 0 && r.Written == q.Limit; r.More {
			return r, nil
		}
		r.Written++
		if err := emit(row); err != nil {
			return r, err
		}
	}
	slices.SortStableFunc(kept, q.compare)
	if q.Limit > 0 && len(kept) > q.Limit {
		kept, r.More = kept[:q.Limit], true
	}
	for _, row := range kept {
		r.Written++
		if err := emit(row); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (q Query) compare(a, b Row) int {
	for _, o := range q.Sort {
		x, y := a[o.Column], b[o.Column]
		if x == nil || y == nil {
			if c := cmp.Compare(rank(x), rank(y)); c != 0 {
				return c
			}
			continue
		}
		c := compare(x, y)
		if o.Descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// rank orders kinds of values: columns have one, but a service may send what it likes.
func rank(v any) int {
	switch v.(type) {
	case bool:
		return 0
	case json.Number:
		return 1
	case string:
		return 2
	case nil:
		return 4
	}
	return 3
}

func compare(x, y any) int {
	if c := cmp.Compare(rank(x), rank(y)); c != 0 {
		return c
	}
	switch a := x.(type) {
	case bool:
		b := y.(bool) // of the same rank
		switch {
		case a == b:
			return 0
		case b:
			return -1
		}
		return 1
	case json.Number:
		return compareNumbers(a, y.(json.Number)) // of the same rank
	case string:
		return cmp.Compare(a, y.(string)) // of the same rank
	}
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return slices.Compare(p, q)
}

// compareNumbers is exact where float64 is not.
func compareNumbers(a, b json.Number) int {
	x, err1 := a.Float64()
	y, err2 := b.Float64()
	if err1 == nil && err2 == nil && x != y {
		return cmp.Compare(x, y)
	}
	p, _, err1 := big.ParseFloat(a.String(), 10, 256, big.ToNearestEven)
	q, _, err2 := big.ParseFloat(b.String(), 10, 256, big.ToNearestEven)
	if err1 != nil || err2 != nil {
		return cmp.Compare(a, b)
	}
	return p.Cmp(q)
}

// Choose finds columns by name. Without names it takes those of a form: the brief ones for
// text, all that are not nested for CSV, all for the others.
func Choose(columns []Column, names []string, form Form) ([]int, error) {
	var out []int
	for _, name := range names {
		i, err := find(columns, name)
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	if len(names) > 0 {
		return out, nil
	}
	for i, c := range columns {
		if !c.Inner && (form == Whole || form == Flat && !c.Nested || c.Brief) {
			out = append(out, i)
		}
	}
	return out, nil
}

// Form is how much of a row is written if no columns are chosen.
type Form int

// The forms: everything, what fits one cell, what people look at first.
const (
	Whole Form = iota
	Flat
	Brief
)

// ParseOrder finds a column by "NAME", "NAME:asc" or "NAME:desc".
func ParseOrder(columns []Column, name string, descending bool) (Order, error) {
	i, err := find(columns, name)
	return Order{Column: i, Descending: descending}, err
}
