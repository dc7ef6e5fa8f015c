package ledger

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

//go:embed schema.sql
var schema string

// schemaLock keeps two processes from making the tables at the same time.
const schemaLock = 0x676f7663746c // "govctl"

// patience is how long one statement may take. It is long, because what waits is
// usually a failover, and finite, because an apply must not hang.
const patience = 30 * time.Second

// shared is the store of a ledger in PostgreSQL. Its lock is a lease: see lease.go.
type shared struct {
	lease
	broken error // why nothing can be written any more
}

// connect prepares connections to the database; the first statement makes the first.
func (l Location) connect(ctx context.Context) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig(l.url.String())
	if err != nil {
		return nil, l.failed("read the URL of", errors.New("PostgreSQL does not understand it")) // err may repeat a secret
	}
	// Statements are few, and prepared ones break behind a transaction pooler.
	c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	c.MaxConns = 2 // one to append, one for signs of life
	db, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, l.failed("connect to", err)
	}
	return db, nil
}

func (l Location) failed(doing string, err error) error {
	return fmt.Errorf("%s ledger %s: %w", doing, l, err)
}

// readShared reads without the lock.
func (l Location) readShared(ctx context.Context) (*Log, error) {
	db, err := l.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	log, err := readRecords(ctx, db, l.name)
	if err != nil {
		return nil, l.failed("read", err)
	}
	return log, nil
}

// openShared takes the lock and reads what the ledger holds.
func (l Location) openShared(ctx context.Context, o Options) (*Journal, error) {
	db, err := l.connect(ctx)
	if err != nil {
		return nil, err
	}
	j, err := l.take(ctx, db, o)
	if err != nil {
		db.Close()
		return nil, err
	}
	return j, nil
}

func (l Location) take(ctx context.Context, db *pgxpool.Pool, o Options) (*Journal, error) {
	if err := create(ctx, db, l.name); err != nil {
		return nil, l.failed("create", err)
	}
	s := &shared{lease: newLease(l, db, o)}
	if err := s.acquire(ctx, newOwner(o.Owner, o.clock()())); err != nil {
		return nil, err
	}
	log, err := readRecords(ctx, db, l.name)
	if err != nil {
		return nil, errors.Join(l.failed("read", err), s.release())
	}
	s.renew()
	return newJournal(l.String(), log, s, 0, o), nil
}

// create makes the tables and the ledger if they are missing. It looks first, because
// who may write to tables is not always allowed to create some.
func create(ctx context.Context, db *pgxpool.Pool, name string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	there, err := exists(ctx, db)
	if err != nil {
		return err
	}
	if !there {
		err := pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(schemaLock)); err != nil {
				return err
			}
			for _, table := range strings.SplitAfter(schema, ";\n") {
				if _, err := tx.Exec(ctx, table); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	lineage, err := uuid.NewRandom()
	if err != nil {
		return err
	}
	_, err = db.Exec(ctx, `INSERT INTO govctl_ledgers (name, version, lineage) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
		name, int64(FormatVersion), lineage.String())
	return err
}

// querier is a pool or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// exists reports whether the tables are there.
func exists(ctx context.Context, db querier) (bool, error) {
	var there bool
	err := db.QueryRow(ctx, `SELECT to_regclass('govctl_ledger_records') IS NOT NULL`).Scan(&there)
	return there, err
}

// readRecords reads a ledger as it was at one moment.
func readRecords(ctx context.Context, db *pgxpool.Pool, name string) (*Log, error) {
	l := &Log{}
	err := pgx.BeginTxFunc(ctx, db, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if there, err := exists(ctx, tx); err != nil || !there {
			return err
		}
		var version, serial int
		err := tx.QueryRow(ctx, `SELECT version, lineage, serial FROM govctl_ledgers WHERE name = $1`, name).Scan(&version, &l.lineage, &serial)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return err
		case version != FormatVersion:
			return unknownVersion(version)
		}
		rows, err := tx.Query(ctx, `SELECT record FROM govctl_ledger_records WHERE ledger = $1 ORDER BY serial`, name)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			l.last++
			if err := l.record(string(rows.RawValues()[0]), l.last); err != nil {
				return fmt.Errorf("record %w", err)
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		if l.last != serial {
			return fmt.Errorf("damaged: %d records are there, %d were written", l.last, serial)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.ordered = normal(l.records)
	return l, nil
}

// appendSQL adds records if the lock is still ours, in one statement: who lost the lock
// cannot write. It is a sign of life too. A lock that expired is still ours as long as
// nobody else took it.
const appendSQL = `WITH held AS (
	UPDATE govctl_ledgers SET serial = serial + $4, expires_at = clock_timestamp() + $3 * interval '1 microsecond'
	WHERE name = $1 AND token = $2 AND holder IS NOT NULL
	RETURNING serial - $4 AS last
)
INSERT INTO govctl_ledger_records (ledger, serial, id, at, record)
SELECT $1, held.last + r.n, r.id, r.at, r.line::json
FROM held, unnest($5::text[], $6::timestamptz[], $7::text[]) WITH ORDINALITY AS r (id, at, line, n)`

// durableSQL is for servers that are set up to answer before a commit is on their disk.
const durableSQL = `SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'`

// keep appends lines in one exchange with the server.
func (s *shared) keep(ctx context.Context, b *batch, lineage string) (string, error) {
	return lineage, s.write(ctx, func(ctx context.Context) error {
		var both pgx.Batch // without BEGIN, its statements are one transaction
		both.Queue(durableSQL)
		both.Queue(appendSQL, s.arguments(b)...)
		answers := s.db.SendBatch(ctx, &both)
		_, err := answers.Exec()
		if err != nil {
			return errors.Join(err, answers.Close())
		}
		tag, err := answers.Exec()
		if err = errors.Join(err, answers.Close()); err != nil {
			return err
		}
		return s.kept(ctx, tag)
	})
}

// rewrite replaces every record.
func (s *shared) rewrite(ctx context.Context, b *batch, _ string) error {
	return s.write(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, s.db, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, durableSQL); err != nil {
				return err
			}
			tag, err := tx.Exec(ctx, `UPDATE govctl_ledgers SET serial = 0 WHERE name = $1 AND token = $2 AND holder IS NOT NULL`, s.at.name, s.token)
			if err == nil {
				err = s.kept(ctx, tag)
			}
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `DELETE FROM govctl_ledger_records WHERE ledger = $1`, s.at.name); err != nil {
				return err
			}
			_, err = tx.Exec(ctx, appendSQL, s.arguments(b)...)
			return err
		})
	})
}

// write bounds the time of do. After an error that does not come from the server nobody
// can say what it did, so nothing is written any more.
func (s *shared) write(ctx context.Context, do func(context.Context) error) error {
	if s.broken != nil {
		return s.broken
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := do(ctx)
	var said *pgconn.PgError
	if err != nil && !errors.As(err, &said) && !pgconn.SafeToRetry(err) {
		s.broken = err
	}
	return err
}

// arguments are those of appendSQL.
func (s *shared) arguments(b *batch) []any {
	n := len(b.records)
	ids, ats, lines := make([]string, n), make([]time.Time, n), make([]string, n)
	for i := range b.records {
		ids[i], ats[i], lines[i] = b.records[i].ID, b.records[i].At, strings.TrimSuffix(string(b.lines[i]), "\n")
	}
	return []any{s.at.name, s.token, s.lasts.Microseconds(), int64(n), ids, ats, lines}
}

// kept is the error of a statement that did nothing because the lock is lost.
func (s *shared) kept(ctx context.Context, tag pgconn.CommandTag) error {
	if tag.RowsAffected() > 0 {
		return nil
	}
	return s.at.locked(ctx, s.db, true)
}

// close gives the lock back.
func (s *shared) close() error {
	err := s.release()
	s.db.Close()
	return err
}
