package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/uuid"
)

// Options are the choices of Open.
type Options struct {
	Now   func() time.Time // nil: time.Now
	Owner string           // who is named in the lock, "" for the user of the process
}

// File is a ledger open for appending, safe for concurrent use. It holds the lock.
type File struct {
	path string
	now  func() time.Time
	lock *flock.Flock

	mu   sync.Mutex // guards log, last and next
	log  *Log
	last time.Time // newest At given out
	next *batch    // records waiting for the disk, nil for none

	disk   sync.Mutex // guards out and broken; taken before mu
	out    sink
	size   int64
	broken error // why nothing can be written any more
}

// sink is what File needs of *os.File; tests break it.
type sink interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// batch is a number of records that share one write and one fsync.
type batch struct {
	data    []byte
	records []Record
	done    bool
	err     error
}

// Open opens the ledger at path for appending and takes its lock; a *LockedError names
// who holds it. Missing directories are made for the owner alone (0700), as is the file
// (0600). A last line cut off by a crash is removed. The caller closes the File.
func Open(path string, o Options) (*File, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	l, err := lock(path, o.Owner, o.Now())
	if err != nil {
		return nil, err
	}
	f, err := open(path, o.Now)
	if err != nil {
		return nil, errors.Join(err, l.Unlock())
	}
	f.lock = l
	return f, nil
}

// open reads and repairs the ledger, whose lock is held.
func open(path string, now func() time.Time) (*File, error) {
	log, err := Read(path)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", err)
	}
	f := &File{path: path, now: now, log: log, out: out, size: log.size}
	for i := range log.records {
		if at := log.records[i].At; at.After(f.last) {
			f.last = at
		}
	}
	if err := f.repair(); err != nil {
		return nil, errors.Join(fmt.Errorf("repair ledger %s: %w", path, err), out.Close())
	}
	return f, nil
}

// repair removes a line that was cut off, or ends one that only lacks its newline.
func (f *File) repair() error {
	if !f.log.Torn() && !f.log.open {
		return nil
	}
	whole := *f.log
	whole.torn, whole.open = 0, false
	if f.log.Torn() {
		if err := f.out.Truncate(f.size); err != nil {
			return err
		}
	} else {
		if _, err := f.out.Write([]byte("\n")); err != nil {
			return err
		}
		f.size++
		whole.size++
	}
	f.log = &whole
	return f.out.Sync()
}

// Log is the ledger as it is now: what was read and every record appended since.
func (f *File) Log() *Log {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.log
}

// Append gives r its ID and its time, writes it as one line and returns it when it is
// durable. A record that could not be written leaves nothing behind. A cancelled ctx
// stops an intention, which is then not to be carried out; an outcome has happened and
// is written anyway. Concurrent calls share a write and an fsync.
func (f *File) Append(ctx context.Context, r Record) (Record, error) {
	if err := ctx.Err(); err != nil && r.Kind != Outcome {
		return Record{}, fmt.Errorf("write ledger %s: %w", f.path, err)
	}
	r, b, err := f.enqueue(r)
	if err == nil {
		err = f.flush(b)
	}
	if err != nil {
		return Record{}, fmt.Errorf("write ledger %s: %w", f.path, err)
	}
	return r, nil
}

// enqueue adds r to the batch that is written next.
func (f *File) enqueue(r Record) (Record, *batch, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return r, nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r.ID, r.At = id.String(), f.now().UTC().Round(0)
	if !r.At.After(f.last) {
		r.At = f.last.Add(1)
	}
	line, err := encode(r)
	if err != nil {
		return r, nil, err
	}
	if f.next == nil {
		f.next = &batch{}
	}
	b := f.next
	f.last = r.At
	b.data, b.records = append(b.data, line...), append(b.records, r)
	return r, b, nil
}

// flush makes b durable. Whoever comes first writes for all that wait.
func (f *File) flush(b *batch) error {
	f.disk.Lock()
	defer f.disk.Unlock()
	if b.done {
		return b.err
	}
	f.mu.Lock()
	f.next = nil
	f.mu.Unlock()
	log := *f.Log()
	if b.err = f.begin(b, &log); b.err == nil {
		b.err = f.write(b.data)
	}
	b.done = true
	if b.err != nil {
		return b.err
	}
	next := &log
	for _, r := range b.records {
		next = next.with(r)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = next
	return nil
}

// begin puts the header before the first batch of a new ledger.
func (f *File) begin(b *batch, log *Log) error {
	if log.lineage != "" {
		return nil
	}
	lineage, err := uuid.NewRandom()
	if err != nil {
		return err
	}
	head, err := encode(header{Kind: "header", Version: FormatVersion, Lineage: lineage.String()})
	if err != nil {
		return err
	}
	b.data = append(head, b.data...)
	log.lineage = lineage.String()
	log.last++
	return nil
}

// write appends data to the file, or leaves the file as it was. After a failed fsync
// nobody can say what the disk holds, so nothing is written any more.
func (f *File) write(data []byte) error {
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

// Close closes the file and gives the lock back. No Append may be under way.
func (f *File) Close() error {
	f.disk.Lock()
	defer f.disk.Unlock()
	f.broken = os.ErrClosed
	return errors.Join(f.out.Close(), f.lock.Unlock())
}
