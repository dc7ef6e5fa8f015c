// Package live asks what is true now about what the files mention.
//
// A fact that cannot be read is a Gap, never an empty value: everything that depends on
// it is then incomplete. Only a cancelled context and a refused key end the whole.
package live

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// concurrency is how many computers, and how many sessions, are read at once.
const concurrency = 8

// Facts as they are named in gaps and progress.
const (
	FactMembers      = "members"
	FactComputer     = "computer"
	FactSettings     = "settings"
	FactSessions     = "sessions"
	FactOrganization = "organization"
)

// Reader is what Read needs of the service; *client.Client is one. Its errors are
// *api.Error where the service answered.
type Reader interface {
	MemberReader
	ComputerReader
	SettingsReader
	SessionReader
	OrganizationReader
}

// MemberReader lists the users of the organization; a user may come twice.
type MemberReader interface {
	Users(ctx context.Context) iter.Seq2[api.User, error]
}

// ComputerReader looks computers up. Not found is an *api.Error with status 404.
type ComputerReader interface {
	Computer(ctx context.Context, id string) (api.Computer, error)
	ComputerByName(ctx context.Context, name string) (api.Computer, error)
}

// SettingsReader walks the settings history, newest revision first.
type SettingsReader interface {
	History(ctx context.Context, pageSize int) iter.Seq2[api.Change, error]
}

// SessionReader lists sessions, without their status, and reads one with it.
type SessionReader interface {
	Sessions(ctx context.Context) iter.Seq2[api.Session, error]
	Session(ctx context.Context, id string) (api.Session, error)
}

// OrganizationReader names the organization of the key, as of the day before day.
type OrganizationReader interface {
	OrganizationID(ctx context.Context, day time.Time) (string, error)
}

// Query says which facts are wanted. The zero Query wants none.
type Query struct {
	Members      bool                         // list the users
	Profiles     bool                         // and keep their names and metadata
	Declared     []org.Email                  // addresses looked for twice before they may count as missing
	Computers    []org.Computer               // declared computers
	Known        map[string]org.KnownComputer // what the ledger remembers of them, by declared name
	Settings     bool                         // read the newest revision; implied by Expectations
	Expectations []org.Expectation            // unmet ones get a Blame
	Hide         org.Redactor                 // hides the secrets of the newest revision
	Models       *org.Models                  // sessions are read only if its Sessions is not ""
	Organization string                       // ask for the organization's name unless ""
	Now          time.Time                    // day of the organization's name
	OnProgress   func(fact string, n int)     // n things of a kind read so far; never called concurrently; may be nil
}

// Read asks r for every fact of q, at once where they do not depend on each other. Its
// error is a cancelled ctx or a key the service refuses (401); every other failure is a
// Gap of Live. Members are sorted by address and id, sessions by id, gaps by fact and
// key.
func Read(ctx context.Context, r Reader, q Query) (org.Live, error) {
	g, ctx := errgroup.WithContext(ctx)
	w := &reading{q: q, live: org.Live{
		ByName: map[string]*org.Computer{}, ByID: map[string]*org.Computer{}, Blame: map[string]org.Blame{},
	}}
	if q.Members {
		g.Go(func() error { return w.members(ctx, r) })
	}
	if len(q.Computers) > 0 {
		g.Go(func() error { return w.computers(ctx, r) })
	}
	if q.Settings || len(q.Expectations) > 0 {
		g.Go(func() error { return w.settings(ctx, r) })
	}
	if q.Models != nil && q.Models.Sessions != "" {
		g.Go(func() error { return w.sessions(ctx, r) })
	}
	if q.Organization != "" {
		g.Go(func() error { return w.organization(ctx, r) })
	}
	if err := g.Wait(); err != nil {
		return org.Live{}, err
	}
	slices.SortFunc(w.live.Gaps, func(a, b org.Gap) int {
		return cmp.Or(cmp.Compare(a.Fact, b.Fact), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Error, b.Error))
	})
	return w.live, nil
}

// reading is a Read under way. Every fact has its own part of live; mu guards what they
// share: the computers and the gaps.
type reading struct {
	q      Query
	mu     sync.Mutex
	live   org.Live
	report sync.Mutex // OnProgress is never called concurrently
}

// gap notes that a fact could not be read, or returns the error that ends everything.
func (w *reading) gap(ctx context.Context, fact, key string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if status(err) == http.StatusUnauthorized {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.live.Gaps = append(w.live.Gaps, org.Gap{Fact: fact, Key: key, Error: strings.Join(strings.Fields(err.Error()), " ")})
	return nil
}

func (w *reading) progress(fact string, n int) {
	if w.q.OnProgress == nil {
		return
	}
	w.report.Lock()
	defer w.report.Unlock()
	w.q.OnProgress(fact, n)
}

// organization asks for the name of the organization. A role that may not see analytics
// leaves it unverified, which is no gap (U82).
func (w *reading) organization(ctx context.Context, r OrganizationReader) error {
	id, err := r.OrganizationID(ctx, w.q.Now)
	if err == nil {
		w.live.Organization = id
		return nil
	}
	if s := status(err); s == http.StatusForbidden || s == http.StatusNotFound {
		return nil
	}
	return w.gap(ctx, FactOrganization, "", err)
}

// status is the HTTP status of err, 0 if the service did not answer.
func status(err error) int {
	var e *api.Error
	if errors.As(err, &e) {
		return e.Status
	}
	return 0
}

// text is the string a pointer leads to, "" for none.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
