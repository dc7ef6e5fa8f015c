package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Options are the choices of opening a ledger.
type Options struct {
	Now   func() time.Time // nil: time.Now
	Owner string           // who is named in the lock, "" for the user of the process

	lease time.Duration // of a shared ledger; tests make it short, 0: leaseTime
}

// Journal is a ledger open for appending, safe for concurrent use. It holds the lock.
type Journal struct {
	name   string // for errors
	now    func() time.Time
	store  store
	header int // lines before the first record

	mu   sync.Mutex // guards log, last and next
	log  *Log
	last time.Time // newest At given out
	next *batch    // records waiting for the disk, nil for none

	turn   sync.Mutex // one write at a time; guards closed and is taken before mu
	closed bool
}

// store is where a journal's lines are. Its calls come one at a time.
type store interface {
	// keep makes lines durable, all or none. lineage is that of the ledger, "" for a new
	// one; keep returns what it is afterwards.
	keep(ctx context.Context, b *batch, lineage string) (string, error)
	// rewrite replaces every line, all or none. The ledger is not a new one.
	rewrite(ctx context.Context, b *batch, lineage string) error
	// close gives the lock back.
	close() error
}

// batch is a number of records that share one durable write.
type batch struct {
	records []Record
	lines   [][]byte // of each record, newline included
	done    bool
	err     error
}

func (b *batch) add(r Record) error {
	line, err := encode(r)
	if err != nil {
		return err
	}
	b.records, b.lines = append(b.records, r), append(b.lines, line)
	return nil
}

// newJournal is a journal of what log holds.
func newJournal(name string, log *Log, s store, header int, o Options) *Journal {
	j := &Journal{name: name, now: o.clock(), store: s, header: header, log: log}
	for i := range log.records {
		if at := log.records[i].At; at.After(j.last) {
			j.last = at
		}
	}
	return j
}

func (o Options) clock() func() time.Time {
	if o.Now == nil {
		return time.Now
	}
	return o.Now
}

// Log is the ledger as it is now: what was read and every record appended since.
func (j *Journal) Log() *Log {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.log
}

// Append gives r its ID and its time, writes it as one line and returns it when it is
// durable. A record that could not be written is not to be relied upon: a file then has
// nothing of it, a shared ledger may have it. A cancelled ctx stops an intention, which
// is then not to be carried out; an outcome has happened and is written anyway.
// Concurrent calls share a write.
func (j *Journal) Append(ctx context.Context, r Record) (Record, error) {
	if err := ctx.Err(); err != nil && r.Kind != Outcome {
		return Record{}, j.failed(err)
	}
	r, b, err := j.enqueue(r)
	if err == nil {
		err = j.flush(context.WithoutCancel(ctx), b)
	}
	if err != nil {
		return Record{}, j.failed(err)
	}
	return r, nil
}

// failed says of which ledger err is. The errors of a lock say it themselves.
func (j *Journal) failed(err error) error {
	var locked *LockedError
	if errors.As(err, &locked) {
		return err
	}
	return fmt.Errorf("write ledger %s: %w", j.name, err)
}

// enqueue adds r to the batch that is written next.
func (j *Journal) enqueue(r Record) (Record, *batch, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r, err := j.stamp(r)
	if err != nil {
		return r, nil, err
	}
	b := j.next
	if b == nil {
		b = &batch{}
	}
	if err := b.add(r); err != nil {
		return r, nil, err
	}
	j.next = b
	return r, b, nil
}

// stamp gives r its ID and its time, later than any other's. The caller holds mu.
func (j *Journal) stamp(r Record) (Record, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return r, err
	}
	r.ID, r.At = id.String(), j.now().UTC().Round(0)
	if !r.At.After(j.last) {
		r.At = j.last.Add(1)
	}
	j.last = r.At
	return r, nil
}

// flush makes b durable. Whoever comes first writes for all that wait.
func (j *Journal) flush(ctx context.Context, b *batch) error {
	j.turn.Lock()
	defer j.turn.Unlock()
	if b.done {
		return b.err
	}
	j.mu.Lock()
	j.next = nil
	j.mu.Unlock()
	b.done, b.err = true, j.write(ctx, b)
	return b.err
}

// write makes a batch durable and part of the log.
func (j *Journal) write(ctx context.Context, b *batch) error {
	if j.closed {
		return os.ErrClosed
	}
	log := *j.Log()
	lineage, err := j.store.keep(ctx, b, log.lineage)
	if err != nil {
		return err
	}
	if log.lineage == "" {
		log.lineage = lineage
		log.last += j.header
	}
	next := log.with(b.records)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.log = next
	return nil
}

// Close gives the lock back. No Append may be under way.
func (j *Journal) Close() error {
	j.turn.Lock()
	defer j.turn.Unlock()
	if j.closed {
		return nil
	}
	j.closed = true
	return j.store.close()
}
