package ledger

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Owner is who holds the lock of a ledger. Its fields are zero when they cannot be read.
type Owner struct {
	User    string    `json:"user"`
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"` // when the lock was taken, UTC
}

// newOwner describes this process; name is "" for the user it runs as.
func newOwner(name string, now time.Time) Owner {
	host, _ := os.Hostname() // a courtesy to others: not knowing it must not stop anybody
	if name == "" {
		if u, err := user.Current(); err == nil {
			name = u.Username
		}
	}
	return Owner{User: name, Host: host, PID: os.Getpid(), Started: now.UTC()}
}

// Whoami names the user of this process and its machine, as far as the system knows them.
func Whoami() string {
	o := newOwner("", time.Time{})
	return cmp.Or(o.User, "somebody") + "@" + cmp.Or(o.Host, "unknown")
}

// LockedError says that somebody else holds the ledger (T54, T55): when it is opened, or,
// of a shared ledger, when it was ours and is not any more.
type LockedError struct {
	Ledger  string // where it is
	Owner   Owner
	ID      string    // of the lock, for Unlock; "" for the lock of a file
	Expires time.Time // of a shared ledger: the lock is free then, unless it is renewed
	Lost    bool      // it was ours before
}

// Error names the ledger and, if known, who holds it.
func (e *LockedError) Error() string {
	var b strings.Builder
	switch {
	case !e.Lost:
		fmt.Fprintf(&b, "ledger %s is locked", e.Ledger)
	case e.Owner == (Owner{}):
		fmt.Fprintf(&b, "the lock of ledger %s was taken away", e.Ledger)
	default:
		fmt.Fprintf(&b, "the lock of ledger %s was lost and is now held", e.Ledger)
	}
	if o := e.Owner; o != (Owner{}) {
		fmt.Fprintf(&b, " by %s on %s, process %d, since %s",
			cmp.Or(o.User, "somebody"), cmp.Or(o.Host, "this machine"), o.PID, o.Started.UTC().Format(time.RFC3339))
	}
	if e.ID != "" {
		fmt.Fprintf(&b, ", expires %s unless renewed (lock %s)", e.Expires.UTC().Format(time.RFC3339), e.ID)
	}
	return b.String()
}

// lock takes the lock of the ledger at path and writes its owner into the lock file.
// The system gives the lock of a dead process back; the file itself always stays,
// because removing it would let two processes lock two different files.
func lock(path string, owner Owner) (*flock.Flock, error) {
	l := flock.New(path+".lock", flock.SetPermissions(0o600))
	got, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock ledger %s: %w", path, err)
	}
	if !got {
		return nil, lockedFile(path)
	}
	if data, err := encode(owner); err == nil {
		// The name is a courtesy to others: failing to write it must not stop anybody.
		_ = os.WriteFile(l.Path(), data, 0o600)
	}
	return l, nil
}

// fileLock says who holds the lock of the ledger at path, nil for nobody.
func fileLock(path string) (*LockedError, error) {
	if _, err := os.Stat(path + ".lock"); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // nobody ever took it, and looking must not make it
	}
	l := flock.New(path+".lock", flock.SetPermissions(0o600))
	got, err := l.TryRLock()
	if err != nil {
		return nil, fmt.Errorf("read the lock of ledger %s: %w", path, err)
	}
	if got {
		return nil, l.Unlock()
	}
	return lockedFile(path), nil
}

// lockedFile is the error that says who wrote the lock file last.
func lockedFile(path string) *LockedError {
	e := &LockedError{Ledger: path}
	if data, err := os.ReadFile(path + ".lock"); err == nil && json.Unmarshal(data, &e.Owner) != nil {
		e.Owner = Owner{}
	}
	return e
}
