package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"github.com/govctl/govctl/internal/grid"
	"github.com/govctl/govctl/internal/render"
)

// epilogue is what is to be said of rows as a whole. Both may be nil.
type epilogue struct {
	span func(grid.Result) *render.UsageSpan // in JSON and YAML
	say  func(grid.Result)                   // on stderr, after the rows
}

// showRows writes the rows that the flags choose, as they come, in every format asked for.
// read is called when the flags are in order.
func (a *app) showRows(ctx context.Context, g *getFlags, columns []grid.Column,
	read func(*source) (iter.Seq2[grid.Row, error], epilogue),
) error {
	outs, err := a.outputs(render.RowsFormats())
	if err != nil {
		return err
	}
	q, err := g.query(columns)
	if err != nil {
		return err
	}
	sinks, err := a.sinks(outs, columns, g)
	if err != nil {
		return err
	}
	s, err := a.open(ctx, g, forReading)
	if err != nil {
		return err
	}
	defer sinks.discard() // of what is not kept
	rows, epilogue := read(s)
	result, err := q.Run(rows, sinks.row)
	if err == nil && result.Gap != nil && (result.Read == 0 || ctx.Err() != nil) {
		err = roleHint(result.Gap)
	}
	if err != nil {
		return err
	}
	end := render.RowsEnd{Complete: result.Gap == nil, More: result.More}
	if epilogue.span != nil {
		end.Usage = epilogue.span(result)
	}
	if result.Gap != nil {
		end.Gap = errorText(result.Gap)
	}
	if err := sinks.finish(end); err != nil {
		return err
	}
	if epilogue.say != nil {
		epilogue.say(result)
	}
	if result.Undecided > 0 {
		a.note("%d rows lack a value that --where needs and are left out", result.Undecided)
	}
	if result.Gap != nil {
		fmt.Fprintf(a.err, "incomplete: after %d rows: %s\n", result.Read, render.Message(errorText(result.Gap)))
		a.seen.incomplete = true
	}
	return nil
}

// note says something on stderr that the rows do not.
func (a *app) note(format string, args ...any) {
	fmt.Fprintf(a.err, "note: %s\n", render.Message(fmt.Sprintf(format, args...)))
}

// sinks are the outputs of one command.
type sinks []*sink

// sink is one output of rows: stdout, or a file that appears when all is in it.
type sink struct {
	format string
	rows   render.RowWriter
	file   string   // "" is stdout
	temp   *os.File // nil for stdout, and when the file is in its place
}

// sinks opens all outputs.
func (a *app) sinks(outs []output, columns []grid.Column, g *getFlags) (list sinks, err error) {
	defer func() {
		if err != nil {
			list.discard()
		}
	}()
	for _, o := range outs {
		chosen, err := grid.Choose(columns, g.columns, render.RowsForm(o.format))
		if err != nil {
			return list, columnError("--columns", err)
		}
		s := &sink{format: o.format, file: o.file}
		list = append(list, s)
		options, w := render.RowsOptions{NoHead: g.noHead}, a.out
		if o.file == "" {
			options.Color, options.Width = a.colour(a.out), width(a.out)
		} else {
			if s.temp, err = os.CreateTemp(filepath.Dir(o.file), "."+filepath.Base(o.file)+".*"); err != nil { // 0600
				return list, fmt.Errorf("write %s to %s: %w", o.format, o.file, err)
			}
			w = s.temp
		}
		if s.rows, err = render.Rows(w, o.format, columns, chosen, options); err != nil {
			return list, err
		}
	}
	return list, nil
}

// width is how many columns the terminal has, 0 for anything else.
func width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !terminal(w) {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 80
	}
	return columns
}

func (list sinks) row(r grid.Row) error {
	for _, s := range list {
		if err := s.rows.Row(r); err != nil {
			return fmt.Errorf("write %s: %w", s.format, err)
		}
	}
	return nil
}

// finish ends all outputs. Files come into their places if nothing is missing in them.
func (list sinks) finish(end render.RowsEnd) error {
	for _, s := range list {
		if err := s.rows.Close(end); err != nil {
			return fmt.Errorf("write %s: %w", s.format, err)
		}
		if s.temp == nil || !end.Complete {
			continue
		}
		if err := errors.Join(s.temp.Sync(), s.temp.Close(), os.Rename(s.temp.Name(), s.file)); err != nil {
			return fmt.Errorf("write %s to %s: %w", s.format, s.file, err)
		}
		s.temp = nil
	}
	return nil
}

// discard removes what has not come into its place.
func (list sinks) discard() {
	for _, s := range list {
		if s.temp != nil {
			_ = s.temp.Close() // nobody will read it
			_ = os.Remove(s.temp.Name())
		}
	}
}

// rowsOf makes rows of values as they come.
func rowsOf[T any](of grid.Of[T], values iter.Seq2[T, error]) iter.Seq2[grid.Row, error] {
	return func(yield func(grid.Row, error) bool) {
		for v, err := range values {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(of.Row(&v), nil) {
				return
			}
		}
	}
}

// one is a list of one value.
func one[T any](v T, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { yield(v, err) }
}

// showAll is showRows for values of which nothing is to be said as a whole.
func showAll[T any](ctx context.Context, a *app, g *getFlags, of grid.Of[T], values func(*source) iter.Seq2[T, error]) error {
	return a.showRows(ctx, g, of.Columns(), func(s *source) (iter.Seq2[grid.Row, error], epilogue) {
		return rowsOf(of, values(s)), epilogue{}
	})
}
