// Package pgtest gives tests databases of their own on a real PostgreSQL server.
//
// The server is a private one: its data and its socket are in a new directory, it listens
// on no network address, and it ends with the tests. Where the programs of PostgreSQL are
// not installed, a test that asks for a database is skipped and says so.
package pgtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// A server is started once for each test program, by the first test that asks.
var server struct {
	once    sync.Once
	dir     string // of the socket
	process *exec.Cmd
	err     error
}

// Main runs the tests of a package and then ends the server, if one was started. A
// package that uses New calls it from TestMain and exits with what it returns.
func Main(m interface{ Run() int }) int {
	defer stop()
	return m.Run()
}

// New makes an empty database that is dropped after the test and returns its URL. The
// user of the URL owns the database and is no superuser.
func New(t testing.TB) string {
	t.Helper()
	if missing := Missing(); missing != "" {
		t.Skip(missing)
	}
	url, drop, err := Make()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(); err != nil {
			t.Error(err)
		}
	})
	return url
}

// Missing says why there can be no database on this machine, "" if there can.
func Missing() string {
	if _, missing := programs(); missing != "" {
		return fmt.Sprintf("SKIPPED: PostgreSQL is not tested: %s (Debian: apt-get install postgresql)", missing)
	}
	return ""
}

// Make is New without a test.
func Make() (url string, drop func() error, err error) {
	server.once.Do(start)
	if server.err != nil {
		return "", nil, fmt.Errorf("start PostgreSQL: %w", server.err)
	}
	name := "t" + strings.ToLower(rand.Text())
	if err := admin(`CREATE ROLE `+name+` LOGIN`, `CREATE DATABASE `+name+` OWNER `+name); err != nil {
		return "", nil, err
	}
	return address(name, name), func() error {
		return admin(`DROP DATABASE `+name+` WITH (FORCE)`, `DROP ROLE `+name)
	}, nil
}

func address(as, database string) string {
	return "postgres://" + as + "@/" + database + "?host=" + url.QueryEscape(server.dir)
}

// superuser is the first user of the cluster.
const superuser = "postgres"

func admin(statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // also runs after a test's own context
	defer cancel()
	c, err := pgx.Connect(ctx, address(superuser, "postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = c.Close(ctx) }()
	for _, statement := range statements {
		if _, err := c.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// start makes a cluster and waits until it answers. PostgreSQL refuses to run as root;
// there, an unprivileged user of the machine runs it.
func start() {
	server.err = func() error {
		bin, missing := programs()
		if missing != "" {
			return errors.New(missing)
		}
		dir, err := os.MkdirTemp("", "govctl-postgres-")
		if err != nil {
			return err
		}
		server.dir = dir
		as, err := unprivileged(dir)
		if err != nil {
			return err
		}
		data := filepath.Join(dir, "data")
		initdb := exec.Command(filepath.Join(bin, "initdb"), "--pgdata", data, "--username", superuser,
			"--auth", "trust", "--encoding", "UTF8", "--no-sync", "--no-instructions")
		as(initdb)
		if out, err := initdb.CombinedOutput(); err != nil {
			return fmt.Errorf("initdb: %w: %s", err, out)
		}
		log, err := os.Create(filepath.Join(dir, "log"))
		if err != nil {
			return err
		}
		defer log.Close()
		server.process = exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-k", dir, "-h", "",
			"-c", "fsync=off", "-c", "max_connections=400", "-c", "shared_buffers=64MB")
		as(server.process)
		server.process.Stdout, server.process.Stderr = log, log
		if err := server.process.Start(); err != nil {
			return err
		}
		return waitFor(log.Name())
	}()
}

func waitFor(log string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		c, err := pgx.Connect(ctx, address(superuser, "postgres"))
		if err == nil {
			return c.Close(ctx)
		}
		if ctx.Err() != nil {
			said, _ := os.ReadFile(log)
			return fmt.Errorf("it does not answer: %w: %s", err, said)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// programs finds the directory of initdb and postgres.
func programs() (bin, missing string) {
	candidates, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // Debian keeps them off the PATH
	slices.Sort(candidates)
	slices.Reverse(candidates)
	if path, err := exec.LookPath("initdb"); err == nil {
		candidates = append([]string{filepath.Dir(path)}, candidates...)
	}
	for _, dir := range candidates {
		if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, "postgres")); err == nil {
			return dir, ""
		}
	}
	return "", "there is no initdb"
}

// unprivileged returns what makes a command run as a user PostgreSQL accepts, and gives
// dir to that user.
func unprivileged(dir string) (func(*exec.Cmd), error) {
	if os.Getuid() != 0 {
		return func(*exec.Cmd) {}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			return runAs(u, dir)
		}
	}
	return nil, fmt.Errorf("running as root, and there is no unprivileged user")
}

// stop ends the server and removes its directory.
func stop() {
	if server.process != nil && server.process.Process != nil {
		_ = server.process.Process.Signal(os.Interrupt) // fast shutdown
		_ = server.process.Wait()
	}
	if server.dir != "" {
		_ = os.RemoveAll(server.dir)
	}
}

// variable, when it is set, makes Database give databases of PostgreSQL.
const variable = "GOVCTL_TEST_POSTGRES"

// Database names a new and empty database: a file that does not exist yet or, in the
// second run that Again makes, a PostgreSQL database.
func Database(t testing.TB) string {
	t.Helper()
	if os.Getenv(variable) != "" {
		return New(t)
	}
	return filepath.Join(t.TempDir(), "test.db")
}

// Again runs all tests of this program once more, with PostgreSQL behind Database.
func Again(t *testing.T) {
	t.Helper()
	if os.Getenv(variable) != "" {
		return // this is the second run
	}
	if testing.Short() {
		t.Skip("SKIPPED: the second run, on PostgreSQL, takes as long as the first (-short)")
	}
	if missing := Missing(); missing != "" {
		t.Skip(missing)
	}
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.v") // -v names what was skipped, and what failed
	c.Env = append(os.Environ(), variable+"=1")
	out, err := c.CombinedOutput()
	switch {
	case err != nil:
		t.Errorf("on PostgreSQL: %v\n%s", err, out)
	case bytes.Count(out, []byte("--- PASS: ")) < 2:
		t.Errorf("no test ran on PostgreSQL:\n%s", out)
	}
}
