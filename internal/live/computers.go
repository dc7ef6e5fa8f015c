package live

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// computers looks every declared computer up. Nothing is asked for twice.
func (w *reading) computers(ctx context.Context, r ComputerReader) error {
	l := &lookups{r: r, names: map[string]*lookup{}, ids: map[string]*lookup{}}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(concurrency)
	done := 0
	for _, c := range w.q.Computers {
		g.Go(func() error {
			if err := w.computer(ctx, l, c); err != nil {
				if err := w.gap(ctx, FactComputer, c.Name, err); err != nil {
					return err
				}
			}
			l.mu.Lock()
			done++
			n := done
			l.mu.Unlock()
			w.progress(FactComputer, n)
			return nil
		})
	}
	return g.Wait()
}

// computer looks one computer up: by its pinned or remembered id, and by name if that id
// is gone or the live name differs, which tells whether the declared name is free; by
// its former names if the declared one is not found either.
func (w *reading) computer(ctx context.Context, l *lookups, c org.Computer) error {
	if id := cmp.Or(c.ID, w.q.Known[c.Name].ID); id != "" {
		m, err := l.byID(ctx, id)
		if err != nil {
			return err
		}
		w.put(w.live.ByID, id, m)
		if m != nil {
			if m.Name != c.Name {
				return w.name(ctx, l, c.Name)
			}
			return nil
		}
	}
	for _, name := range append([]string{c.Name}, c.Previously...) {
		m, err := l.byName(ctx, name)
		if err != nil {
			return err
		}
		w.put(w.live.ByName, name, m)
		if m != nil && name == c.Name {
			return nil // former names matter only when the name leads nowhere
		}
	}
	return nil
}

func (w *reading) name(ctx context.Context, l *lookups, name string) error {
	m, err := l.byName(ctx, name)
	if err == nil {
		w.put(w.live.ByName, name, m)
	}
	return err
}

func (w *reading) put(to map[string]*org.Computer, key string, m *org.Computer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	to[key] = m
}

// lookups remembers answers: one computer's former name may be another's name.
type lookups struct {
	r          ComputerReader
	mu         sync.Mutex
	names, ids map[string]*lookup
}

// lookup is one question and its answer.
type lookup struct {
	once     sync.Once
	computer *org.Computer // nil: not found
	err      error
}

func (l *lookups) byID(ctx context.Context, id string) (*org.Computer, error) {
	return l.ask(ctx, l.ids, id, l.r.Computer, func(m api.Computer) string { return m.ID })
}

func (l *lookups) byName(ctx context.Context, name string) (*org.Computer, error) {
	return l.ask(ctx, l.names, name, l.r.ComputerByName, func(m api.Computer) string { return m.Name })
}

func (l *lookups) ask(ctx context.Context, known map[string]*lookup, key string, ask func(context.Context, string) (api.Computer, error), by func(api.Computer) string) (*org.Computer, error) {
	l.mu.Lock()
	q := known[key]
	if q == nil {
		q = &lookup{}
		known[key] = q
	}
	l.mu.Unlock()
	q.once.Do(func() {
		m, err := ask(ctx, key)
		switch {
		case err == nil:
			q.computer, q.err = answered(m, key, by(m))
		case status(err) != http.StatusNotFound:
			q.err = err
		}
	})
	return q.computer, q.err
}

// answered takes a computer over, if it is the one that was asked for: a change must
// never reach a machine that a cache or a generous server put in its place.
func answered(m api.Computer, asked, got string) (*org.Computer, error) {
	switch {
	case m.ID == "":
		return nil, fmt.Errorf("the answer for %q has no id", asked)
	case norm.NFC.String(got) != norm.NFC.String(asked):
		return nil, fmt.Errorf("the answer for %q is about %q", asked, got)
	}
	return computer(m), nil
}

// computer takes a computer over.
func computer(m api.Computer) *org.Computer {
	c := &org.Computer{
		ID: m.ID, Name: m.Name, Provider: m.ProviderType,
		HostID: text(m.HostID), RemoteUser: text(m.RemoteUser), Status: text(m.Status),
	}
	for _, s := range m.ProvisioningSteps {
		c.Steps = append(c.Steps, org.Step{
			ID: text(s.ID), Name: text(s.Name), Status: text(s.Status), Error: text(s.Error), InstallSessionID: text(s.InstallSessionID),
		})
	}
	return c
}
