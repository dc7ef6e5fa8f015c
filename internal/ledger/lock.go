package ledger

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/user"
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

// LockedError is returned by Open while somebody else holds the ledger (T54, T55).
type LockedError struct {
	Path  string // of the ledger
	Owner Owner
}

// Error names the ledger and, if known, who holds it.
func (e *LockedError) Error() string {
	s := fmt.Sprintf("ledger %s is locked", e.Path)
	if o := e.Owner; o != (Owner{}) {
		s += fmt.Sprintf(" by %s on %s, process %d, since %s",
			cmp.Or(o.User, "somebody"), cmp.Or(o.Host, "this machine"), o.PID, o.Started.Format(time.RFC3339))
	}
	return s
}

// lock takes the lock of the ledger at path and writes its owner into the lock file.
// The system gives the lock of a dead process back; the file itself always stays,
// because removing it would let two processes lock two different files.
func lock(path, owner string, now time.Time) (*flock.Flock, error) {
	l := flock.New(path+".lock", flock.SetPermissions(0o600))
	got, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock ledger %s: %w", path, err)
	}
	if !got {
		e := &LockedError{Path: path}
		if data, err := os.ReadFile(l.Path()); err == nil && json.Unmarshal(data, &e.Owner) != nil {
			e.Owner = Owner{}
		}
		return nil, e
	}
	host, _ := os.Hostname()
	if owner == "" {
		if u, err := user.Current(); err == nil {
			owner = u.Username
		}
	}
	data, err := encode(Owner{User: owner, Host: host, PID: os.Getpid(), Started: now.UTC()})
	if err == nil {
		// The name is a courtesy to others: failing to write it must not stop anybody.
		_ = os.WriteFile(l.Path(), data, 0o600)
	}
	return l, nil
}
