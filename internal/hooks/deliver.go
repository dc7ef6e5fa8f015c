package hooks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"

	"github.com/govctl/govctl/internal/api"
)

// perRequest is how many events one request carries.
const perRequest = 200

// Exporter sends spans: what it returns is the answer of OTLP, how many were refused and
// why. Its errors with a status are *api.Error.
type Exporter interface {
	ExportTraces(ctx context.Context, body []byte) (rejected int64, message string, err error)
}

// Delivered is what became of the events of a spool.
type Delivered struct {
	Sent    int  `json:"sent"`    // accepted by the service, now or by an earlier attempt
	Refused int  `json:"refused"` // put aside, because the service will never accept them
	Left    int  `json:"left"`    // still waiting
	Busy    bool `json:"busy"`    // another process is sending them
}

// Flush sends the events that wait, oldest first, until none is left, ctx ends or the
// service cannot be reached. An event is removed after the service has it; sent twice it
// is counted once (5.1). user stands in where an event names nobody. The error says why
// events are left, or why the last one was refused.
func (s *Spool) Flush(ctx context.Context, to Exporter, user string) (Delivered, error) {
	unlock, ok, err := s.lock()
	if err != nil {
		return Delivered{}, fmt.Errorf("lock the spool: %w", err)
	}
	f := flush{spool: s, to: to, user: user}
	if ok {
		defer unlock()
		err = f.all(ctx)
	}
	left, _, countErr := s.Waiting()
	f.done.Left, f.done.Busy = left, !ok
	return f.done, errors.Join(err, f.refusal, countErr)
}

// flush is one pass over a spool.
type flush struct {
	spool   *Spool
	to      Exporter
	user    string
	done    Delivered
	refusal error // why an event was put aside last
}

func (f *flush) all(ctx context.Context) error {
	for {
		names, err := waiting(f.spool.dir)
		if err != nil || len(names) == 0 {
			return err
		}
		for chunk := range slices.Chunk(names, perRequest) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f.chunk(ctx, chunk); err != nil {
				return err
			}
		}
	}
}

// chunk sends some events. Those that cannot be read are put aside.
func (f *flush) chunk(ctx context.Context, names []string) error {
	var records []Record
	var of []string
	for _, name := range names {
		r, err := f.spool.read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			if err := f.refuse(name, fmt.Errorf("%s cannot be read: %w", name, err)); err != nil {
				return err
			}
		case r.UserID == "" && f.user == "":
			return errors.New("no user: set GOVCTL_USER_ID to the id of the person in the organization")
		default:
			records, of = append(records, r), append(of, name)
		}
	}
	return f.send(ctx, records, of)
}

// send sends records. When some are refused, which is not said of each, every one is sent
// alone.
func (f *flush) send(ctx context.Context, records []Record, names []string) error {
	if len(records) == 0 {
		return nil
	}
	rejected, message, err := f.to.ExportTraces(ctx, traces(records, f.user))
	var answer *api.Error
	never := errors.As(err, &answer) && slices.Contains([]int{http.StatusBadRequest, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity}, answer.Status)
	switch {
	case err != nil && !never:
		return err
	case err == nil && rejected == 0:
		for _, name := range names {
			if err := f.spool.remove(name); err != nil {
				return err
			}
			f.done.Sent++
		}
		return nil
	case len(records) == 1 && err != nil:
		return f.refuse(names[0], err)
	case len(records) == 1:
		return f.refuse(names[0], fmt.Errorf("the service refused an event: %s", message))
	}
	for i := range records {
		if err := f.send(ctx, records[i:i+1], names[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (f *flush) refuse(name string, why error) error {
	f.done.Refused++
	f.refusal = why
	return f.spool.refuse(name)
}
