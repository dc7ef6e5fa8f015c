// Package grid turns what the API answers into rows with named columns.
//
// A row is the same whatever it is written as: render makes a table, JSON or CSV of it.
// The names of columns are relied on by scripts, so they only grow. What the service left
// out is nil in a row and never zero. Secrets are replaced here, before a condition, a
// sort or an output sees them.
package grid

import "fmt"

// Column is one named value of every row.
type Column struct {
	Name   string
	About  string // one line
	Brief  bool   // in text unless columns are chosen
	Nested bool   // a list or an object: in CSV and text only if it is chosen
	Inner  bool   // for conditions only: never written, because it is free text of others (T35)
}

// Row has one value for every column of its table: nil for what is absent, a string, a
// bool or a json.Number; where the column is nested, any decoded JSON value.
type Row []any

// Of is how values of one type become rows.
type Of[T any] struct{ cells []cell[T] }

type cell[T any] struct {
	Column
	value func(*T) any
}

// Columns lists the columns in their order.
func (o Of[T]) Columns() []Column {
	out := make([]Column, len(o.cells))
	for i, c := range o.cells {
		out[i] = c.Column
	}
	return out
}

// Row makes the row of one value.
func (o Of[T]) Row(v *T) Row {
	out := make(Row, len(o.cells))
	for i, c := range o.cells {
		out[i] = c.value(v)
	}
	return out
}

// brief and the functions below make columns: in text by default, beside them, nested.
func brief[T any](name, about string, value func(*T) any) cell[T] {
	return cell[T]{Column{Name: name, About: about, Brief: true}, value}
}

func wide[T any](name, about string, value func(*T) any) cell[T] {
	return cell[T]{Column{Name: name, About: about}, value}
}

func nested[T any](name, about string, value func(*T) any) cell[T] {
	return cell[T]{Column{Name: name, About: about, Nested: true}, value}
}

// UnknownColumnError is a name that a table does not have.
type UnknownColumnError struct {
	Name  string
	Known []string
}

// Error names the column; what to write instead is for who asks.
func (e *UnknownColumnError) Error() string { return fmt.Sprintf("there is no column %q", e.Name) }

// find returns the place of a column that can be written.
func find(columns []Column, name string) (int, error) {
	e := &UnknownColumnError{Name: name}
	for i, c := range columns {
		if c.Inner {
			continue
		}
		if c.Name == name {
			return i, nil
		}
		e.Known = append(e.Known, c.Name)
	}
	return 0, e
}
