package live

import (
	"context"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/govctl/govctl/internal/org"
)

// Wanted is a computer somebody asks for: by its id, its name, or what may be either.
type Wanted struct{ ID, Name, Either string }

// Found is the answer for one Wanted.
type Found struct {
	Wanted
	Computer *org.Computer // nil: not there, or not visible to this key
	Err      error         // it could not be read
}

// LookUp asks for computers nobody has declared. What may be an id or a name is taken as
// a name first. The answers are in the order of the questions; the error is a cancelled
// ctx or a key the service refuses (401), every other failure is in its Found.
func LookUp(ctx context.Context, r ComputerReader, list []Wanted, onProgress func(fact string, n int)) ([]Found, error) {
	l := &lookups{r: r, names: map[string]*lookup{}, ids: map[string]*lookup{}}
	w := &reading{q: Query{OnProgress: onProgress}}
	out := make([]Found, len(list))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(concurrency)
	for i, want := range list {
		g.Go(func() error {
			f := Found{Wanted: want}
			f.Computer, f.Err = l.either(ctx, want)
			out[i] = f
			if f.Err != nil && (ctx.Err() != nil || status(f.Err) == http.StatusUnauthorized) {
				return f.Err
			}
			w.progress(FactComputer, i+1)
			return nil
		})
	}
	return out, g.Wait()
}

func (l *lookups) either(ctx context.Context, w Wanted) (*org.Computer, error) {
	if w.ID != "" {
		return l.byID(ctx, w.ID)
	}
	if w.Name != "" {
		return l.byName(ctx, w.Name)
	}
	m, err := l.byName(ctx, w.Either)
	if m != nil || err != nil && status(err) != http.StatusBadRequest { // an id need not be a valid name
		return m, err
	}
	return l.byID(ctx, w.Either)
}
