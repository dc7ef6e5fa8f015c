// Package service answers the admin API as an http.Handler, with its state in a database.
//
// It is a complete and honest implementation of the part of the API it has, not a mock:
// nothing in it knows the client. A route it does not have yet answers 404. Requests are
// matched by a small router of its own and not by http.ServeMux, because the contract
// wants 403 before 405, an error body on both, names such as ".." and "a/b" in a path,
// and "GET computers/name/install-deps" beside "POST computers/{id}/install-deps", which
// ServeMux refuses to register together when it is to tell a wrong method from an unknown
// path. Answers are made completely before the first byte is sent, so an error never
// follows half a success.
package service

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/govctl/govctl/internal/service/store"
	"github.com/govctl/govctl/internal/service/web"
)

// Role is what the holder of a key may do.
type Role = store.Role

// The roles, strongest first. Guests read, members also write computers and sessions,
// managers and owners may do everything.
const (
	Owner   = store.Owner
	Manager = store.Manager
	Member  = store.Member
	Guest   = store.Guest
)

// Options say how to run a Service. Only Database is required.
type Options struct {
	Database       string                    // file path; made with mode 0600, directories with 0700
	Now            func() time.Time          // the one clock; nil: time.Now
	Logger         *slog.Logger              // nil: discard
	OwnerKey       string                    // accepted as a key with the Owner role by this process only; never stored
	Fault          func(*http.Request) Fault // called for every request; nil: no faults
	ProvisionFault func(Attempt) StepFault   // called for every run of the provisioner; nil: none fails
	RatePerMinute  int                       // requests per key and minute before 429; 0: unlimited
	MaxSpanDays    int                       // longest analytics window in days; 0: unlimited
	HideCredits    bool                      // analytics without billable_tokens (U15)
	Version        string                    // of the program, for the metrics
}

// Service is the API on one database. It is safe for concurrent use.
type Service struct {
	o     Options
	store *store.Store
	owner *[sha256.Size]byte // hash of OwnerKey, nil without one
	zips  sync.Pool          // of *gzip.Writer

	metrics *metrics
	web     *web.Web

	builder *builder
	ingests chan struct{} // a place for each request with spans under way

	mu    sync.Mutex
	rates map[string]*rate.Limiter // by key prefix
}

// Open opens the database and brings its schema up to date. An empty database stays
// empty: without an organization there are no keys, and only OwnerKey gets in. The
// caller closes the Service.
func Open(ctx context.Context, o Options) (*Service, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	st, err := store.Open(ctx, o.Database)
	if err != nil {
		return nil, fmt.Errorf("open service: %w", err)
	}
	s := &Service{o: o, store: st, rates: map[string]*rate.Limiter{}}
	if o.OwnerKey != "" {
		sum := sha256.Sum256([]byte(o.OwnerKey))
		s.owner = &sum
	}
	if err := s.observeAndShow(); err != nil {
		return nil, fmt.Errorf("open service: %w", errors.Join(err, st.Close()))
	}
	if err := s.outdateDays(ctx); err != nil {
		return nil, fmt.Errorf("open service: %w", errors.Join(err, st.Close()))
	}
	s.ingests = make(chan struct{}, maxIngests)
	s.builder = startBuilder(s.now, s.buildDirty)
	s.builder.wakeUp() // days that ended while no service ran, and what an older program built
	return s, nil
}

// Store gives the operator's side of the service: what its owner may do beside the API.
func (s *Service) Store() *store.Store { return s.store }

// Close ends the aggregation under way and closes the database. Requests under way should
// have ended.
func (s *Service) Close() error {
	s.builder.close()
	if err := s.store.Close(); err != nil {
		return fmt.Errorf("close service: %w", err)
	}
	return nil
}

// now is the time of the service, in UTC and milliseconds, as it is stored.
func (s *Service) now() time.Time { return s.o.Now().UTC().Truncate(time.Millisecond) }
