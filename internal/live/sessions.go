package live

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// sessions finds the sessions on a model that is not permitted. The list does not say
// whether they run, so each of them is read by itself.
func (w *reading) sessions(ctx context.Context, r SessionReader) error {
	var ids []string
	n := 0
	for s, err := range r.Sessions(ctx) {
		if err != nil {
			return w.gap(ctx, FactSessions, "", err)
		}
		if w.offends(session(s)) {
			ids = append(ids, s.SessionID)
		}
		if n++; n%api.MaxPage == 0 {
			w.progress(FactSessions, n)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	found := make([]*org.Session, len(ids))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(concurrency)
	for i, id := range ids {
		g.Go(func() error {
			s, err := r.Session(ctx, id)
			if status(err) == http.StatusNotFound {
				return nil // gone since it was listed
			}
			if err != nil {
				return w.gap(ctx, FactSessions, id, err)
			}
			if o := session(s); w.offends(o) {
				found[i] = &o
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, s := range found {
		if s != nil {
			w.live.Sessions = append(w.live.Sessions, *s)
		}
	}
	slices.SortFunc(w.live.Sessions, func(a, b org.Session) int { return cmp.Compare(a.ID, b.ID) })
	w.progress(FactSessions, n)
	return nil
}

// offends reports whether s is on a model that is not permitted, for its work or its plans.
func (w *reading) offends(s org.Session) bool {
	bad := func(model string) bool { return model != "" && !w.q.Models.Permits(model) }
	return !s.Archived && (bad(s.Model) || bad(s.SpecModeModel))
}

// session takes a session over.
func session(s api.Session) org.Session {
	o := org.Session{ID: s.SessionID, Status: text(s.Status), ComputerID: text(s.ComputerID)}
	if set := s.SessionSettings; set != nil {
		o.Model, o.SpecModeModel, o.Archived = text(set.Model), text(set.SpecModeModel), text(set.ArchivedAt) != ""
	}
	return o
}
