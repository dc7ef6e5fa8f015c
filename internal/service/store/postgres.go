package store

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

// All SQL of this package is written once, in what SQLite and PostgreSQL have in common
// and with SQLite's placeholders. Here is what makes PostgreSQL understand it: a
// connection that rewrites placeholders and values, and a file system that rewrites the
// types in migrations.

// IsServer reports whether database is the URL of a PostgreSQL database and not a file.
func IsServer(database string) bool {
	return strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://")
}

// ErrText means that PostgreSQL cannot hold a text: it is not UTF-8 or has a NUL in it.
var ErrText = errors.New("text with a NUL character or invalid UTF-8 cannot be stored")

// writersTurn makes writers take turns, in this process and others, as SQLite does: every
// write transaction here reads before it writes, and nobody may write in between. The lock
// ends with the transaction, so it also works behind a pooler of transactions.
const writersTurn = `SELECT pg_advisory_xact_lock(7166179210430141772)`

func openPostgres(ctx context.Context, url string) (*Store, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.RuntimeParams["application_name"] = "govctl"
	if err := migratePostgres(ctx, config); err != nil {
		return nil, err
	}
	write := sql.OpenDB(connector{stdlib.GetConnector(*config)})
	write.SetMaxOpenConns(1)
	reading := config.Copy()
	reading.RuntimeParams["default_transaction_read_only"] = "on"
	read := sql.OpenDB(connector{stdlib.GetConnector(*reading)})
	read.SetMaxOpenConns(readers)
	read.SetMaxIdleConns(readers)
	return &Store{write: write, read: read, turn: make(chan struct{}, 1), postgres: true}, nil
}

// migratePostgres uses a connection as it comes: the migrations are PostgreSQL's already.
func migratePostgres(ctx context.Context, config *pgx.ConnConfig) (err error) {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	db := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, db.Close()) }()
	turn, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, turn.Rollback()) }() // it has only the lock
	if _, err := turn.ExecContext(ctx, writersTurn); err != nil {
		return err
	}
	return up(ctx, goose.DialectPostgres, db, postgresMigrations{dir})
}

type connector struct{ driver.Connector }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	plain, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	pg, ok := plain.(*stdlib.Conn)
	if !ok {
		return nil, fmt.Errorf("connection is a %T", plain)
	}
	return &conn{pg}, nil
}

// conn is a connection to PostgreSQL that reads this package's SQL.
type conn struct{ *stdlib.Conn }

func (c *conn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	return c.Conn.PrepareContext(ctx, dollars(query))
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.ExecContext(ctx, dollars(query), args)
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.QueryContext(ctx, dollars(query), args)
}

// CheckNamedValue makes a value one that both databases store the same way: truth is 0 or
// 1. A text that PostgreSQL would refuse is refused before it spoils the transaction.
func (c *conn) CheckNamedValue(arg *driver.NamedValue) error {
	v, err := driver.DefaultParameterConverter.ConvertValue(arg.Value)
	if err != nil {
		return err
	}
	switch x := v.(type) {
	case bool:
		v = int64(0)
		if x {
			v = int64(1)
		}
	case string:
		if !storable(x) {
			return ErrText
		}
	}
	arg.Value = v
	return nil
}

// rewritten holds every query once; the queries of this package are few.
var rewritten sync.Map

// dollars writes the placeholders of a query as PostgreSQL does ("?" and "?2" become "$1"
// and "$2") and leaves out advice that only SQLite's planner takes.
func dollars(query string) string {
	if known, ok := rewritten.Load(query); ok {
		return known.(string)
	}
	var out strings.Builder
	plain := indexedBy.ReplaceAllString(query, "")
	quoted := false
	for i, n := 0, 0; i < len(plain); i++ {
		c := plain[i]
		if c == '\'' {
			quoted = !quoted
		}
		if c != '?' || quoted {
			out.WriteByte(c)
			continue
		}
		end := i + 1
		for end < len(plain) && '0' <= plain[end] && plain[end] <= '9' {
			end++
		}
		number := plain[i+1 : end]
		if number == "" {
			n++
			number = strconv.Itoa(n)
		}
		out.WriteString("$" + number)
		i = end - 1
	}
	known, _ := rewritten.LoadOrStore(query, out.String())
	return known.(string)
}

var indexedBy = regexp.MustCompile(` INDEXED BY \w+`)

// postgresMigrations are the migrations with PostgreSQL's types. Text compares by its
// bytes, as in SQLite: pages go on where the last one ended.
type postgresMigrations struct{ fs.FS }

var postgresTypes = []struct {
	sqlite *regexp.Regexp
	here   string
}{
	{regexp.MustCompile(`\bINTEGER\s+PRIMARY KEY AUTOINCREMENT\b`), `BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY`},
	{regexp.MustCompile(`\bseq(\s+)INTEGER PRIMARY KEY\b`), `seq${1}BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY`},
	{regexp.MustCompile(`\bINTEGER\b`), `BIGINT`},
	{regexp.MustCompile(`\bTEXT\b`), `TEXT COLLATE "C"`},
	{regexp.MustCompile(`\bBLOB\b`), `BYTEA`},
	{regexp.MustCompile(`\) WITHOUT ROWID;`), `);`},
	{regexp.MustCompile(`\bjson_type\((\w+)\)`), `json_typeof(${1}::json)`},
}

// Open returns a file with its types rewritten.
func (m postgresMigrations) Open(name string) (fs.File, error) {
	f, err := m.FS.Open(name)
	if err != nil || !strings.HasSuffix(name, ".sql") {
		return f, err
	}
	text, err := fs.ReadFile(m.FS, name)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	for _, t := range postgresTypes {
		text = t.sqlite.ReplaceAll(text, []byte(t.here))
	}
	return &migration{f, bytes.NewReader(text)}, nil
}

// migration is a file with other content.
type migration struct {
	fs.File
	text *bytes.Reader
}

func (m *migration) Read(p []byte) (int, error) { return m.text.Read(p) }

// bound is a text to compare with that follows the same texts as after does, also where
// PostgreSQL could not hold after itself.
func (s *Store) bound(after string) string {
	if !s.postgres || storable(after) {
		return after
	}
	for i, r := range after {
		if _, size := utf8.DecodeRuneInString(after[i:]); r == 0 {
			return after[:i] // no text is between the two
		} else if r == utf8.RuneError && size == 1 {
			return after[:i] + string(utf8.MaxRune)
		}
	}
	return after
}

func storable(text string) bool { return !strings.ContainsRune(text, 0) && utf8.ValidString(text) }

// uniqueViolation is PostgreSQL's code of a broken uniqueness rule.
const uniqueViolation = "23505"

func isUniqueViolation(err error) bool {
	var coded *pgconn.PgError
	return errors.As(err, &coded) && coded.Code == uniqueViolation
}

// checkPostgres finds rules and indexes that the server does not hold: it enforces
// foreign keys itself, but a restore can leave either behind unchecked.
const checkPostgres = `SELECT 'constraint ' || conname || ' is not validated' FROM pg_constraint
		WHERE connamespace = current_schema()::regnamespace AND NOT convalidated
	UNION ALL SELECT 'index ' || indexrelid::regclass || ' is not valid' FROM pg_index
		JOIN pg_class ON pg_class.oid = indexrelid
		WHERE relnamespace = current_schema()::regnamespace AND NOT indisvalid ORDER BY 1`
