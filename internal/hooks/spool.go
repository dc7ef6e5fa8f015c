package hooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2/maybe"
)

// Bounds of a spool.
const (
	MaxSpooled = 10_000 // events that wait; about 5 MB, days of work without a network
	maxRefused = 1_000  // events kept that the service refused
	maxRecord  = 64 << 10
)

// ErrFull means that an event was not kept, because as many wait as may.
var ErrFull = errors.New("the spool is full")

// Spool is a directory of events that wait to be delivered, one file each, in the order
// in which they happened. Any number of processes may use it.
type Spool struct{ dir string }

// OpenSpool makes the directory if there is none. Only its owner can read it.
func OpenSpool(dir string) (*Spool, error) {
	if err := os.MkdirAll(filepath.Join(dir, "refused"), 0o700); err != nil {
		return nil, fmt.Errorf("make the spool: %w", err)
	}
	return &Spool{dir}, nil
}

// Add keeps an event, durably.
func (s *Spool) Add(r Record) error {
	names, err := waiting(s.dir)
	if err != nil {
		return fmt.Errorf("read the spool: %w", err)
	}
	if len(names) >= MaxSpooled {
		return fmt.Errorf("%w: %d events wait in %s", ErrFull, len(names), s.dir)
	}
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("keep an event: %w", err)
	}
	if len(data) > maxRecord {
		return fmt.Errorf("keep an event: it has more than %d bytes", maxRecord)
	}
	if err := maybe.WriteFile(filepath.Join(s.dir, r.ID.String()+".json"), data, 0o600); err != nil {
		return fmt.Errorf("keep an event: %w", err)
	}
	return nil
}

// Waiting counts the events that wait, and those that the service refused.
func (s *Spool) Waiting() (events, refused int, err error) {
	a, err1 := waiting(s.dir)
	b, err2 := waiting(filepath.Join(s.dir, "refused"))
	return len(a), len(b), errors.Join(err1, err2)
}

// waiting lists the files of events, oldest first: their names begin with a time.
func waiting(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && filepath.Ext(e.Name()) == ".json" {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, err
}

// read reads a record; a file that somebody else delivered meanwhile is fs.ErrNotExist.
func (s *Spool) read(name string) (Record, error) {
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		return Record{}, err
	}
	return decodeRecord(data)
}

func (s *Spool) remove(name string) error {
	err := os.Remove(filepath.Join(s.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// refuse puts an event aside that will never be accepted. The oldest ones make room.
func (s *Spool) refuse(name string) error {
	aside := filepath.Join(s.dir, "refused")
	names, err := waiting(aside)
	if err != nil {
		return err
	}
	for len(names) >= maxRefused {
		if err := os.Remove(filepath.Join(aside, names[0])); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		names = names[1:]
	}
	return os.Rename(filepath.Join(s.dir, name), filepath.Join(aside, name))
}

// lock keeps two processes from sending the same events at once. It is false when another
// one sends them already.
func (s *Spool) lock() (unlock func(), ok bool, err error) {
	l := flock.New(filepath.Join(s.dir, ".lock"))
	ok, err = l.TryLock()
	return func() { _ = l.Unlock() }, ok, err
}
