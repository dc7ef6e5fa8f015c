package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/sample"
	"github.com/govctl/govctl/internal/service/store"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	listen   string
	database string
	sample   bool
	rate     int
	faults   []string
	broken   []string // rules of the provisioner
	span     int
	hide     bool
	transport
}

func (a *app) serveCommand() *cobra.Command {
	var flags serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the whole API from this binary",
		Long: `Serve runs the service that "embedded:" starts inside a command, as a server of
its own: the same API on an SQLite file or in a PostgreSQL database. With --sample an empty database is filled
with a sample organization of 250 members and a key for its owner is printed once.
Without it, govctl service makes an organization and keys, also while it serves.` + faultHelp + provisionHelp,
		Example: "  govctl serve --sample --database /tmp/acme.db",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.runServe(c.Context(), flags)
		},
	}
	c.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:8080", "address to listen on; beyond this machine only with TLS")
	c.Flags().StringVar(&flags.database, "database", "", databaseHelp)
	c.Flags().BoolVar(&flags.sample, "sample", false, "fill an empty database with the sample organization")
	c.Flags().IntVar(&flags.rate, "rate", 0, "requests per minute and key before 429; 0 is no limit")
	c.Flags().StringArrayVar(&flags.faults, "fault", nil, "rule of what goes wrong, as 'GET /api/v0/** status=503 p=0.2 seed=7'; may be repeated")
	c.Flags().StringArrayVar(&flags.broken, "provision-fault", nil, "rule of which sandbox fails, as 'create ci-* fail=install-deps:\"no space left\"'; may be repeated")
	c.Flags().IntVar(&flags.span, "max-span-days", 0, "longest window of analytics in days; 0 is no limit")
	c.Flags().BoolVar(&flags.hide, "hide-credits", false, "leave billable_tokens out of analytics")
	flags.bind(c)
	return c
}

func (a *app) runServe(ctx context.Context, flags serveFlags) error {
	if err := flags.check(flags.listen); err != nil {
		return err
	}
	database, err := chooseDatabase(flags.database)
	if err != nil {
		return err
	}
	secure, err := flags.config()
	if err != nil {
		return err
	}
	faults, errFaults := service.ParseFaultRules(flags.faults)
	broken, errBroken := service.ParseProvisionRules(flags.broken)
	if err := errors.Join(errFaults, errBroken); err != nil {
		return err
	}
	s, err := service.Open(ctx, service.Options{
		Database: database, Now: a.now, Logger: a.logger(), RatePerMinute: flags.rate, Fault: faults.Fault,
		ProvisionFault: broken.Fault, Version: buildInfo().Version, MaxSpanDays: flags.span, HideCredits: flags.hide,
	})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	key, err := makeFirstKey(ctx, s, flags.sample, a.now)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", flags.listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	url := flags.scheme() + listener.Addr().String()
	fmt.Fprintf(a.out, "listening on %s\n", url)
	fmt.Fprintf(a.out, "web application: %s/settings/api-keys\n", url)
	a.welcome(key, database, url)
	return serveUntil(ctx, &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, TLSConfig: secure, ErrorLog: slog.NewLogLogger(a.logger().Handler(), slog.LevelInfo)}, listener)
}

// firstKey is how a server that has just started can be used: a new key, or what to type
// to get one.
type firstKey struct {
	text  string // "": none was made
	empty bool   // the database has no organization
}

// makeFirstKey fills an empty database if asked to and makes a key for its owner. A
// database that is in use keeps its keys: none is made.
func makeFirstKey(ctx context.Context, s *service.Service, fill bool, now func() time.Time) (firstKey, error) {
	if _, err := s.Store().Organization(ctx); !errors.Is(err, store.ErrNotFound) {
		return firstKey{}, err
	}
	if !fill {
		return firstKey{empty: true}, nil
	}
	if err := sample.Load(ctx, s.Store()); err != nil {
		return firstKey{}, err
	}
	key, _, err := s.Store().CreateKey(ctx, store.NewKey{Name: "first key", UserID: sample.Users()[0].ID}, now())
	return firstKey{text: key}, err
}

// welcome says how to get in and gives a line that works.
func (a *app) welcome(key firstKey, database, url string) {
	const path = "/api/v0/sessions?limit=2"
	database = store.Name(database)
	if abs, err := filepath.Abs(database); err == nil && !store.IsServer(database) {
		database = abs // the other terminal may be anywhere
	}
	switch {
	case key.text != "":
		fmt.Fprintf(a.out, "owner key (shown once): %s\n", key.text)
		fmt.Fprintf(a.out, "try: curl -H 'Authorization: Bearer %s' '%s%s'\n", key.text, url, path)
		return
	case key.empty:
		fmt.Fprintf(a.out, "%s is empty; make an organization and its first key in another terminal:\n", database)
		fmt.Fprintf(a.out, "  export GOVCTL_API_KEY=$(govctl service init --organization org_mine --name Mine --database '%s')\n", database)
	default:
		fmt.Fprintf(a.out, "to make a key: export GOVCTL_API_KEY=$(govctl service key add --role owner --name NAME --database '%s')\n", database)
	}
	fmt.Fprintf(a.out, "then: curl -H \"Authorization: Bearer $GOVCTL_API_KEY\" '%s%s'\n", url, path)
	fmt.Fprintf(a.out, "without a key: curl %s/healthz\n", url)
}

// serveUntil serves until ctx ends, then lets requests in flight finish.
func serveUntil(ctx context.Context, server *http.Server, listener net.Listener) error {
	failed := make(chan error, 1)
	go func() {
		if server.TLSConfig != nil {
			failed <- server.ServeTLS(listener, "", "")
			return
		}
		failed <- server.Serve(listener)
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	quiet, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(quiet); err != nil {
		return fmt.Errorf("shut down: %w", err)
	}
	return nil
}
