package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
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
}

func (a *app) serveCommand() *cobra.Command {
	var flags serveFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the whole API from this binary",
		Long: `Serve runs the service that "embedded:" starts inside a command, as a server of
its own: the same API on a SQLite file. With --sample an empty database is filled
with a sample organization of 250 members and a key for its owner is printed once.`,
		Example: "  govctl serve --sample --database /tmp/acme.db",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.runServe(c.Context(), flags)
		},
	}
	c.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:8080", "address to listen on; only loopback, because there is no TLS yet")
	c.Flags().StringVar(&flags.database, "database", ".govctl/service.db", "SQLite file, made if missing")
	c.Flags().BoolVar(&flags.sample, "sample", false, "fill an empty database with the sample organization")
	c.Flags().IntVar(&flags.rate, "rate", 0, "requests per minute and key before 429; 0 is no limit")
	return c
}

func (a *app) runServe(ctx context.Context, flags serveFlags) error {
	host, _, err := net.SplitHostPort(flags.listen)
	if err != nil {
		return fmt.Errorf("--listen %q: %w", flags.listen, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("--listen %s: keys would cross the network unencrypted; listen on 127.0.0.1 and put TLS in front", flags.listen)
	}
	s, err := service.Open(ctx, service.Options{
		Database: flags.database, Now: a.now, Logger: a.logger(), RatePerMinute: flags.rate,
	})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	key, err := firstKey(ctx, s, flags.sample, a.now)
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", flags.listen)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	fmt.Fprintf(a.out, "listening on http://%s\n", listener.Addr())
	if key != "" {
		fmt.Fprintf(a.out, "owner key (shown once): %s\n", key)
		fmt.Fprintf(a.out, "try: curl -H 'Authorization: Bearer %s' http://%s/api/v0/organization/users?limit=2\n", key, listener.Addr())
	}
	return serveUntil(ctx, &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}, listener)
}

// firstKey fills an empty database if asked to and makes a key for its owner. A
// database that is in use keeps its keys: none is made.
func firstKey(ctx context.Context, s *service.Service, fill bool, now func() time.Time) (string, error) {
	if _, err := s.Store().Organization(ctx); !errors.Is(err, store.ErrNotFound) {
		return "", err
	}
	if !fill {
		return "", &hinted{errors.New("the database has no organization"), "start with --sample to fill it"}
	}
	if err := sample.Load(ctx, s.Store()); err != nil {
		return "", err
	}
	key, _, err := s.Store().CreateKey(ctx, store.NewKey{Name: "first key", UserID: sample.Users()[0].ID}, now())
	return key, err
}

// serveUntil serves until ctx ends, then lets requests in flight finish.
func serveUntil(ctx context.Context, server *http.Server, listener net.Listener) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
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
