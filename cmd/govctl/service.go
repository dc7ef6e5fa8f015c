package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/service/store"
)

// defaultDatabase is the file that serve and service use.
const defaultDatabase = ".govctl/service.db"

const databaseHelp = "SQLite file, made if missing, or postgres:// URL without a password (default $GOVCTL_DATABASE or " + defaultDatabase + ")"

// chooseDatabase is the database that a flag, the environment or the default names. A
// password may stand in the environment only: every user of a machine sees its command
// lines.
func chooseDatabase(flag string) (string, error) {
	if store.HasPassword(flag) {
		return "", &hinted{errors.New("--database has a password in it"),
			"set GOVCTL_DATABASE to the whole URL, or PGPASSWORD or PGPASSFILE beside a URL without it"}
	}
	return firstOf(flag, os.Getenv("GOVCTL_DATABASE"), defaultDatabase), nil
}

// operator is a command line of who runs the embedded service: it works on the database
// itself, also beside a running server.
type operator struct {
	*app
	database string
	project  string
}

func (a *app) serviceCommand() *cobra.Command {
	o := &operator{app: a}
	c := &cobra.Command{
		Use:   "service",
		Short: "Manage the users, keys, settings and reports of the embedded service",
		Long: `Service works on the database of the embedded service: what its operator may do
beside the API. A server that runs on the same database sees every change at once.`,
		Example: `  govctl service init --organization org_acme --name Acme --owner ada@acme.example
  govctl serve`,
	}
	f := c.PersistentFlags()
	f.StringVar(&o.database, "database", "", databaseHelp)
	f.StringVar(&o.project, "project", "", `use the database of the project in this directory, whose base_url is "embedded:"`)
	c.AddCommand(
		o.initCommand(), o.orgCommand(), o.userCommand(), o.keyCommand(), o.tokenCommand(), o.settingsCommand(),
		o.readinessCommand(), o.sessionCommand(), o.limitsCommand(), o.backupCommand(), o.checkCommand(),
	)
	return c
}

// path is the database to work on.
func (o *operator) path() (string, error) {
	switch {
	case o.database != "" && o.project != "":
		return "", errors.New("--database and --project both name a database")
	case o.project != "":
		return filepath.Join(o.project, ".govctl", "service.db"), nil
	}
	return chooseDatabase(o.database)
}

// with opens the database, which must exist, for as long as do runs.
func (o *operator) with(ctx context.Context, do func(*store.Store) error) (err error) {
	path, err := o.path()
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !store.IsServer(path) {
		hint := fmt.Sprintf("make one: govctl service init --organization ID --name NAME --database %s; or name another with --database or --project", path)
		if o.project != "" {
			hint = "run govctl plan " + o.project + " once: it fills the embedded service"
		}
		return &hinted{fmt.Errorf("there is no database %s", path), hint}
	}
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return do(s)
}

// time is now as the service stores it.
func (o *operator) time() time.Time { return o.now().UTC().Truncate(time.Millisecond) }

// read reads a file that is handed in; "-" is stdin.
func (o *operator) read(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(o.in)
	}
	return os.ReadFile(name)
}

// listing is a list as JSON and as a table.
type listing struct {
	json  any
	title string // a line above the table, "" for none
	head  []string
	rows  [][]string
	empty string // instead of a table without rows
}

// list writes what make returns in the formats asked for.
func (o *operator) list(ctx context.Context, make func(*store.Store) (listing, error)) error {
	outs, err := o.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	return o.with(ctx, func(s *store.Store) error {
		l, err := make(s)
		if err != nil {
			return err
		}
		return o.emit(outs, func(w io.Writer, format string, opts render.Options) error {
			if format == render.JSON {
				return render.WriteJSON(w, l.json)
			}
			if l.title != "" {
				fmt.Fprintln(w, l.title)
			}
			return render.Table(w, l.head, l.rows, l.empty, opts)
		})
	})
}

// say writes the one answer of a command: a line of text, or a value as JSON.
func (o *operator) say(outs []output, line string, v any) error {
	return o.emit(outs, func(w io.Writer, format string, _ render.Options) error {
		if format == render.JSON {
			return render.WriteJSON(w, v)
		}
		_, err := fmt.Fprintln(w, line)
		return err
	})
}

// member finds an active member by address.
func member(ctx context.Context, s *store.Store, email string) (store.User, error) {
	u, err := s.UserByEmail(ctx, email)
	if errors.Is(err, store.ErrNotFound) {
		return u, &hinted{fmt.Errorf("%s is no member", email), "govctl service user list shows all; govctl service user add adds one"}
	}
	return u, err
}

// stamp is a time in a table, "" for the zero time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// stampJSON is a time in JSON, nil for the zero time.
func stampJSON(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format("2006-01-02T15:04:05.000Z07:00")
	return &text
}

// many says "1 member", "2 members".
func many(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
