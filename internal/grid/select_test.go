package grid_test

import (
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/grid"
)

// list yields rows and then an error, if there is one.
func list(gap error, rows ...grid.Row) iter.Seq2[grid.Row, error] {
	return func(yield func(grid.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
		if gap != nil {
			yield(nil, gap)
		}
	}
}

func run(t *testing.T, q grid.Query, rows iter.Seq2[grid.Row, error]) ([]any, grid.Result) {
	t.Helper()
	var got []any
	result, err := q.Run(rows, func(r grid.Row) error { got = append(got, r[0]); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return got, result
}

func TestSort(t *testing.T) {
	t.Parallel()
	n := func(s string) any { return json.Number(s) }
	in := []grid.Row{{n("10")}, {nil}, {n("9")}, {n("9007199254740993")}, {n("9007199254740992")}, {n("-1.5")}, {n("1e1")}}
	for _, c := range []struct {
		descending bool
		want       []any
	}{
		{false, []any{n("-1.5"), n("9"), n("10"), n("1e1"), n("9007199254740992"), n("9007199254740993"), nil}},
		{true, []any{n("9007199254740993"), n("9007199254740992"), n("10"), n("1e1"), n("9"), n("-1.5"), nil}},
	} {
		got, _ := run(t, grid.Query{Sort: []grid.Order{{Descending: c.descending}}}, list(nil, in...))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("descending %t (-want +got):\n%s", c.descending, diff)
		}
	}
	got, _ := run(t, grid.Query{Sort: []grid.Order{{}}}, list(nil, grid.Row{"b"}, grid.Row{true}, grid.Row{"B"}, grid.Row{n("5")}, grid.Row{false}, grid.Row{[]any{"x"}}, grid.Row{nil}))
	if diff := cmp.Diff([]any{false, true, n("5"), "B", "b", []any{"x"}, nil}, got); diff != "" {
		t.Errorf("mixed (-want +got):\n%s", diff)
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	gap := errors.New("cut")
	keep := func(r grid.Row) (bool, error) {
		if r[0] == nil {
			return false, grid.ErrAbsent
		}
		return r[0] != "b", nil
	}
	rows := []grid.Row{{"c"}, {nil}, {"b"}, {"a"}}
	for name, c := range map[string]struct {
		query grid.Query
		gap   error
		want  []any
		total grid.Result
	}{
		"all":           {grid.Query{}, nil, []any{"c", nil, "b", "a"}, grid.Result{Read: 4, Written: 4}},
		"some":          {grid.Query{Keep: keep}, nil, []any{"c", "a"}, grid.Result{Read: 4, Written: 2, Undecided: 1}},
		"limit":         {grid.Query{Limit: 2}, nil, []any{"c", nil}, grid.Result{Read: 3, Written: 2, More: true}},
		"limit of all":  {grid.Query{Limit: 4}, nil, []any{"c", nil, "b", "a"}, grid.Result{Read: 4, Written: 4}},
		"sorted, limit": {grid.Query{Limit: 1, Sort: []grid.Order{{}}}, nil, []any{"a"}, grid.Result{Read: 4, Written: 1, More: true}},
		"an end too soon": {grid.Query{Keep: keep, Sort: []grid.Order{{}}}, gap, []any{"a", "c"},
			grid.Result{Read: 4, Written: 2, Undecided: 1, Gap: gap}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, result := run(t, c.query, list(c.gap, rows...))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
			if result != c.total {
				t.Errorf("got %+v, want %+v", result, c.total)
			}
		})
	}
}

// TestLimitStopsReading: without a sort no row is asked for after the one that shows that
// there are more.
func TestLimitStopsReading(t *testing.T) {
	t.Parallel()
	asked := 0
	rows := func(yield func(grid.Row, error) bool) {
		for yield(grid.Row{"x"}, nil) {
			asked++
		}
	}
	run(t, grid.Query{Limit: 5}, rows)
	if asked != 5 {
		t.Errorf("%d rows were asked for after the first", asked)
	}
}

// TestSortKeepsRows: a sort loses, invents and reorders nothing that is equal.
func TestSortKeepsRows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		cell := rapid.OneOf(rapid.Just[any](nil), rapid.Map(rapid.IntRange(-3, 3), func(i int) any { return json.Number(strings.Repeat("1", 1+i&1)) }),
			rapid.Map(rapid.SampledFrom([]string{"a", "b", ""}), func(s string) any { return s }))
		cells := rapid.SliceOf(cell).Draw(rt, "cells")
		var in []grid.Row
		for i, c := range cells {
			in = append(in, grid.Row{c, i})
		}
		var out []grid.Row
		q := grid.Query{Sort: []grid.Order{{Descending: rapid.Bool().Draw(rt, "descending")}}}
		if _, err := q.Run(list(nil, in...), func(r grid.Row) error { out = append(out, r); return nil }); err != nil {
			rt.Fatal(err)
		}
		seen := map[any]bool{}
		for i, r := range out {
			seen[r[1]] = true
			if i > 0 && out[i-1][0] == r[0] && out[i-1][1].(int) > r[1].(int) {
				rt.Fatalf("equal rows changed places: %v", out)
			}
			if i > 0 && out[i-1][0] == nil && r[0] != nil {
				rt.Fatalf("an absent value is not last: %v", out)
			}
		}
		if len(out) != len(in) || len(seen) != len(in) {
			rt.Fatalf("%d rows became %d", len(in), len(out))
		}
	})
}

func TestChoose(t *testing.T) {
	t.Parallel()
	columns := []grid.Column{{Name: "a", Brief: true}, {Name: "b"}, {Name: "c", Nested: true}, {Name: "d", Inner: true}}
	for form, want := range map[grid.Form][]int{grid.Whole: {0, 1, 2}, grid.Flat: {0, 1}, grid.Brief: {0}} {
		if got, err := grid.Choose(columns, nil, form); err != nil || !slices.Equal(got, want) {
			t.Errorf("form %d: %v, %v", form, got, err)
		}
	}
	if got, err := grid.Choose(columns, []string{"c", "a"}, grid.Brief); err != nil || !slices.Equal(got, []int{2, 0}) {
		t.Errorf("named: %v, %v", got, err)
	}
	var unknown *grid.UnknownColumnError
	if _, err := grid.Choose(columns, []string{"d"}, grid.Whole); !errors.As(err, &unknown) || !slices.Equal(unknown.Known, []string{"a", "b", "c"}) {
		t.Errorf("an inner column: %v", err)
	}
}
