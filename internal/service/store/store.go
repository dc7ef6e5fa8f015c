// Package store keeps the state of the embedded service in one SQLite file, or in a
// PostgreSQL database.
//
// One database holds one organization. Writes go through a single connection, one
// transaction per operation; reads have connections of their own and never wait for a
// writer (WAL). A write is acknowledged after its commit, which the operating system
// holds: it survives the death of the process at any moment (synchronous=NORMAL), though
// a power cut may lose the last ones. PostgreSQL is asked with the same SQL (postgres.go). Stored structs are not API structs: the wire shape
// may change without a migration and the other way round. SQL is written by hand, one
// file per noun, because a reader knows SQL.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the database/sql driver "sqlite"
)

// What a caller may decide by.
var (
	ErrNotFound   = errors.New("not found")
	ErrExists     = errors.New("already exists")
	ErrRunning    = errors.New("already running")
	ErrRestricted = errors.New("creating API keys is restricted to managers")
)

// All is the Limit of a query that has none.
const All = math.MaxInt32

// readers is how many reads run at once; more only wait for the two or four cores.
const readers = 8

// Store is an open database. It is safe for concurrent use; several processes may have
// the same file open.
type Store struct {
	write    *sql.DB // one connection
	read     *sql.DB
	postgres bool

	// turn is held by the one who writes. database/sql gives its connection to any of
	// those who wait, so that some wait very long; a channel serves them in order.
	turn chan struct{}
}

// Open opens a database, the path of an SQLite file or a postgres:// URL, and brings its
// schema up to date. Missing directories are made with mode 0700, a missing file with mode
// 0600; a PostgreSQL database must exist. The caller closes the Store.
func Open(ctx context.Context, database string) (*Store, error) {
	if database == "" {
		return nil, errors.New("open database: no path given")
	}
	open := openSQLite
	if IsServer(database) {
		open = openPostgres
	}
	s, err := open(ctx, database)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", Name(database), err)
	}
	return s, nil
}

// Name is what messages call a database: a file's path as it is, a URL without its
// passwords.
func Name(database string) string {
	if !IsServer(database) {
		return database
	}
	u, err := url.Parse(database)
	if err != nil {
		return "postgres://…" // an unreadable URL may hold a password anywhere
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	maps.DeleteFunc(query, func(name string, _ []string) bool { return isPassword(name) })
	u.RawQuery = query.Encode()
	return u.String()
}

// HasPassword reports whether database is a URL that holds a password, which others can
// see where it is typed.
func HasPassword(database string) bool {
	if !IsServer(database) {
		return false
	}
	u, err := url.Parse(database)
	if err != nil {
		return false // nothing opens it
	}
	_, has := u.User.Password()
	for name := range u.Query() {
		has = has || isPassword(name)
	}
	return has
}

// isPassword tells the parameters password and sslpassword.
func isPassword(name string) bool { return strings.Contains(strings.ToLower(name), "password") }

func openSQLite(ctx context.Context, path string) (*Store, error) {
	if err := makePrivate(path); err != nil {
		return nil, err
	}
	s, err := connectSQLite(path)
	if err != nil {
		return nil, err
	}
	if err := migrateSQLite(ctx, s.write); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// makePrivate creates the file before SQLite would, because SQLite follows the umask.
// Its -wal and -shm companions take over the mode of the file.
func makePrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

func connectSQLite(path string) (*Store, error) {
	write, err := sql.Open("sqlite", dsn(path, "_txlock=immediate", "_pragma=cache_size(-65536)", "_pragma=temp_store(MEMORY)"))
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	read, err := sql.Open("sqlite", dsn(path, "_pragma=query_only(1)"))
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	return &Store{write: write, read: read, turn: make(chan struct{}, 1)}, nil
}

// dsn names the file as a URI, so that a path may contain any character.
func dsn(path string, extra ...string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	params := append([]string{
		"_pragma=busy_timeout(10000)",
		"_pragma=journal_mode(WAL)",
		"_pragma=synchronous(NORMAL)",
		"_pragma=foreign_keys(1)",
	}, extra...)
	u := url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(params, "&")}
	return u.String()
}

// Close closes the database; the write-ahead log is folded into the file.
func (s *Store) Close() error {
	return errors.Join(s.read.Close(), s.write.Close())
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.read.PingContext(ctx) }

// Ready reports whether the database answers a question about its content.
func (s *Store) Ready(ctx context.Context) error {
	var n int64
	if err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM organization`).Scan(&n); err != nil {
		return fmt.Errorf("ask the database: %w", err)
	}
	return nil
}

// update runs f in one write transaction. A write that has begun is finished even when
// the asking client goes away: it takes milliseconds, and an interrupted connection
// would be the only one.
func (s *Store) update(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ctx = context.WithoutCancel(ctx)
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if s.postgres {
		if _, err := tx.ExecContext(ctx, writersTurn); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	if err := f(ctx, tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// querier is a database or a transaction, scanner a row of either.
type (
	querier interface {
		QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
	scanner interface{ Scan(...any) error }
)

// collect runs a query and returns what scan makes of every row.
func collect[T any](ctx context.Context, q querier, scan func(scanner) (T, error), query string, args ...any) (all []T, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	all = []T{}
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// millis is how a time is stored; the zero time is stored as NULL.
func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

func fromMillis(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.UnixMilli(n.Int64).UTC()
}

// missing turns an empty result into ErrNotFound. A text that cannot be stored is not
// there either.
func missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) || errors.Is(err, ErrText) {
		return ErrNotFound
	}
	return err
}

// exists turns a broken uniqueness rule into ErrExists.
func exists(err error) error {
	var coded interface{ Code() int }
	if errors.As(err, &coded) && (coded.Code() == constraintUnique || coded.Code() == constraintPrimaryKey) || isUniqueViolation(err) {
		return ErrExists
	}
	return err
}

// Extended result codes of SQLite.
const (
	constraintPrimaryKey = 1555
	constraintUnique     = 2067
)

// changedOne is nil when a statement changed a row, ErrNotFound when it found none.
func changedOne(res sql.Result, err error) error {
	if err != nil {
		return exists(err)
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return ErrNotFound
	}
	return err
}
