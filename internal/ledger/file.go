package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"
	"github.com/google/uuid"
)

// file is the store of a ledger in a file.
type file struct {
	path   string
	lock   *flock.Flock
	out    sink
	size   int64
	broken error // why nothing can be written any more
}

// sink is what file needs of *os.File; tests break it.
type sink interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// Open opens the ledger at path for appending and takes its lock; a *LockedError names
// who holds it. Missing directories are made for the owner alone (0700), as is the file
// (0600). A last line cut off by a crash is removed. The caller closes the Journal.
func Open(path string, o Options) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	l, err := lock(path, newOwner(o.Owner, o.clock()()))
	if err != nil {
		return nil, err
	}
	j, err := open(path, l, o)
	if err != nil {
		return nil, errors.Join(err, l.Unlock())
	}
	return j, nil
}

// open reads and repairs the ledger, whose lock is held.
func open(path string, l *flock.Flock, o Options) (*Journal, error) {
	log, err := Read(path)
	if err != nil {
		return nil, err
	}
	f := &file{path: path, lock: l, size: log.size}
	if f.out, err = appending(path); err != nil {
		return nil, err
	}
	if log, err = f.repair(log); err != nil {
		return nil, errors.Join(fmt.Errorf("repair ledger %s: %w", path, err), f.out.Close())
	}
	return newJournal(path, log, f, 1, o), nil
}

func appending(path string) (sink, error) {
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	return out, nil
}

// repair removes a line that was cut off, or ends one that only lacks its newline, and
// returns the log of whole lines.
func (f *file) repair(log *Log) (*Log, error) {
	if !log.Torn() && !log.open {
		return log, nil
	}
	whole := *log
	whole.torn, whole.open = 0, false
	if log.Torn() {
		if err := f.out.Truncate(f.size); err != nil {
			return nil, err
		}
	} else {
		if _, err := f.out.Write([]byte("\n")); err != nil {
			return nil, err
		}
		f.size++
		whole.size++
	}
	return &whole, f.out.Sync()
}

// keep appends lines, after a header if the ledger is new.
func (f *file) keep(_ context.Context, b *batch, lineage string) (string, error) {
	lines := b.lines
	if lineage == "" {
		id, err := uuid.NewRandom()
		if err != nil {
			return "", err
		}
		lineage = id.String()
		head, err := encode(header{Kind: "header", Version: FormatVersion, Lineage: lineage})
		if err != nil {
			return "", err
		}
		lines = slices.Insert(slices.Clone(lines), 0, head)
	}
	return lineage, f.write(bytes.Join(lines, nil))
}

// write appends data to the file, or leaves the file as it was. After a failed fsync
// nobody can say what the disk holds, so nothing is written any more.
func (f *file) write(data []byte) error {
	if f.broken != nil {
		return f.broken
	}
	_, err := f.out.Write(data)
	if err == nil {
		if err = f.out.Sync(); err != nil {
			f.broken = err
		}
	}
	if err == nil && f.size == 0 {
		err = syncDir(filepath.Dir(f.path))
	}
	if err != nil {
		if cut := f.out.Truncate(f.size); cut != nil {
			f.broken = err
			err = errors.Join(err, cut)
		}
		return err
	}
	f.size += int64(len(data))
	return nil
}

// rewrite puts a new file in the place of the old one, which stays whole until then.
func (f *file) rewrite(_ context.Context, b *batch, lineage string) error {
	if f.broken != nil {
		return f.broken
	}
	head, err := encode(header{Kind: "header", Version: FormatVersion, Lineage: lineage})
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(f.path), filepath.Base(f.path)+".*.tmp") // 0600
	if err != nil {
		return err
	}
	data := append(head, bytes.Join(b.lines, nil)...)
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	f.broken = os.ErrClosed // out is the old file, until the next lines succeed
	err = errors.Join(syncDir(filepath.Dir(f.path)), f.out.Close())
	if err != nil {
		return err
	}
	if f.out, err = appending(f.path); err != nil {
		return err
	}
	f.broken, f.size = nil, int64(len(data))
	return nil
}

// syncDir makes a new directory entry durable. Systems that cannot fsync a directory
// do not need it.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, os.ErrInvalid) && !errors.Is(err, os.ErrPermission) {
		return err
	}
	return nil
}

// close closes the file and gives the lock back.
func (f *file) close() error {
	return errors.Join(f.out.Close(), f.lock.Unlock())
}
