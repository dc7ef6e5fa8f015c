package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// leaseTime is how long the lock of a shared ledger lasts without a sign of life of its
// holder: long enough for a failover of the database, short enough to wait for.
const leaseTime = time.Minute

// beatsPerLease is how often a holder shows that it lives.
const beatsPerLease = 4

// lease is the lock of a shared ledger: a row with its holder, the time it expires by the
// clock of the database, and a token that grows with every holder. A token is what makes
// expiry safe: a holder that was stopped and goes on later has an old one.
type lease struct {
	at    Location
	db    *pgxpool.Pool
	lasts time.Duration
	token int64

	stop context.CancelFunc // ends the signs of life
	done sync.WaitGroup     // until they have ended
}

func newLease(at Location, db *pgxpool.Pool, o Options) lease {
	return lease{at: at, db: db, lasts: cmp.Or(o.lease, leaseTime)}
}

// acquire takes the lock if it is free or expired.
func (l *lease) acquire(ctx context.Context, owner Owner) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	data, err := json.Marshal(owner)
	if err != nil {
		return l.at.failed("lock", err)
	}
	err = l.db.QueryRow(ctx, `UPDATE govctl_ledgers
		SET token = token + 1, holder = $2::json, taken_at = clock_timestamp(), expires_at = clock_timestamp() + $3 * interval '1 microsecond'
		WHERE name = $1 AND (holder IS NULL OR expires_at <= clock_timestamp())
		RETURNING token`, l.at.name, string(data), l.lasts.Microseconds()).Scan(&l.token)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return l.at.locked(ctx, l.db, false)
	case err != nil:
		return l.at.failed("lock", err)
	}
	return nil
}

// renew shows from time to time that the holder lives, until release.
func (l *lease) renew() {
	ctx, cancel := context.WithCancel(context.Background()) // lives as long as the lock
	l.stop = cancel
	l.done.Go(func() {
		tick := time.NewTicker(l.lasts / beatsPerLease)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				l.beat(ctx)
			}
		}
	})
}

// beat is one sign of life. It has no error: the next write finds out what is wrong.
func (l *lease) beat(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, _ = l.db.Exec(ctx, `UPDATE govctl_ledgers SET expires_at = clock_timestamp() + $3 * interval '1 microsecond'
		WHERE name = $1 AND token = $2 AND holder IS NOT NULL`, l.at.name, l.token, l.lasts.Microseconds())
}

// release gives the lock back, if it is still ours.
func (l *lease) release() error {
	if l.stop != nil {
		l.stop()
		l.done.Wait()
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience) // also when the caller was interrupted
	defer cancel()
	_, err := l.db.Exec(ctx, `UPDATE govctl_ledgers SET holder = NULL, expires_at = NULL WHERE name = $1 AND token = $2`, l.at.name, l.token)
	if err != nil {
		return l.at.failed("unlock", err)
	}
	return nil
}

// locked is the error of who cannot have the lock.
func (l Location) locked(ctx context.Context, db querier, lost bool) error {
	held, err := l.holder(ctx, db)
	if err != nil {
		return l.failed("read the lock of", err)
	}
	if held == nil { // it was given back in the meantime
		held = &LockedError{Ledger: l.String()}
	}
	held.Lost = lost
	return held
}

// holder reads who holds the lock, nil for nobody.
func (l Location) holder(ctx context.Context, db querier) (*LockedError, error) {
	var holder []byte
	var taken, expires *time.Time
	var token int64
	err := db.QueryRow(ctx, `SELECT holder::text, taken_at, expires_at, token FROM govctl_ledgers WHERE name = $1`, l.name).
		Scan(&holder, &taken, &expires, &token)
	if err != nil || holder == nil {
		return nil, err
	}
	e := &LockedError{Ledger: l.String(), ID: strconv.FormatInt(token, 10)}
	if json.Unmarshal(holder, &e.Owner) != nil {
		e.Owner = Owner{}
	}
	if taken != nil && expires != nil {
		e.Owner.Started, e.Expires = taken.UTC(), expires.UTC()
	}
	return e, nil
}

// Lock says who holds the ledger, nil for nobody. It is out of date as soon as it is
// returned.
func (l Location) Lock(ctx context.Context) (*LockedError, error) {
	if !l.Shared() {
		return fileLock(l.path)
	}
	db, err := l.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if there, err := exists(ctx, db); err != nil || !there {
		return nil, err
	}
	held, err := l.holder(ctx, db)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, l.failed("read the lock of", err)
	}
	return held, nil
}

// Unlock takes the lock with that ID away from its holder, who can then write nothing
// more. It reports whether there was such a lock. The lock of a file cannot be taken away:
// the operating system gives it back when its process ends.
func (l Location) Unlock(ctx context.Context, id string) (bool, error) {
	if !l.Shared() {
		return false, errors.New("the lock of a file belongs to its process: end that process, and the operating system gives the lock back")
	}
	token, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return false, fmt.Errorf("%q is not the ID of a lock, which is a number", id)
	}
	db, err := l.connect(ctx)
	if err != nil {
		return false, err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if there, err := exists(ctx, db); err != nil || !there {
		return false, err
	}
	tag, err := db.Exec(ctx, `UPDATE govctl_ledgers SET holder = NULL, expires_at = NULL
		WHERE name = $1 AND token = $2 AND holder IS NOT NULL`, l.name, token)
	if err != nil {
		return false, l.failed("unlock", err)
	}
	return tag.RowsAffected() > 0, nil
}
