package apply

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// fault is what goes wrong with one request or record.
type fault int

const (
	fine      fault = iota
	refused         // status 400: nothing happened
	lost            // it happened, the answer did not arrive
	cut             // it did not happen, and nobody knows
	forbidden       // status 401
	lying           // status 200, and the answer does not show what was asked
	denied          // status 403
	throttled       // status 429, again and again
	dropped         // given up between two attempts, because the run is to end
	repeated        // sent twice: the first was not answered, the second refuses every other entry
)

// err is the error of a fault of a write.
func (f fault) err() error {
	switch f {
	case refused:
		return &api.Error{Method: "PUT", Path: "/x", Status: 400, RequestID: "req_bad"}
	case forbidden:
		return &api.Error{Method: "PUT", Path: "/x", Status: 401}
	case denied:
		return &api.Error{Method: "PUT", Path: "/x", Status: 403}
	case throttled:
		return &api.Error{Method: "PUT", Path: "/x", Status: 429}
	case dropped:
		return &api.Error{Method: "PUT", Path: "/x", Err: context.Canceled}
	case lost, cut, repeated:
		return &api.Error{Method: "PUT", Path: "/x", Ambiguous: true, Err: fmt.Errorf("connection reset")}
	}
	return nil
}

func (f fault) happens() bool { return f == fine || f == lost || f == lying }

// world is a service and a ledger that write down, in one list, what reaches them.
// Faults are taken from next, in order; without any all is fine.
type world struct {
	next      []fault
	computers map[string]api.Computer // by name
	log       []string                // RECORD or REQUEST lines, in order
	records   []ledger.Record
	batches   [][]api.Limit
	failAt    int    // Append fails from this call on, counted from 1; 0 for never
	onRequest func() // called during each request
	reads     []fault

	sessions map[string]func(*api.Session) error // how a session differs from an idle one on the model "old"
}

func (w *world) fault() fault {
	if w.onRequest != nil {
		w.onRequest()
	}
	if len(w.next) == 0 {
		return fine
	}
	f := w.next[0]
	w.next = w.next[1:]
	return f
}

func (w *world) note(format string, args ...any) { w.log = append(w.log, fmt.Sprintf(format, args...)) }

// Append keeps a record and gives it an id.
func (w *world) Append(ctx context.Context, r ledger.Record) (ledger.Record, error) {
	if err := ctx.Err(); err != nil {
		return r, err
	}
	n := len(w.records) + 1
	if w.failAt > 0 && n >= w.failAt {
		return r, fmt.Errorf("disk full")
	}
	r.ID = fmt.Sprint("r", n)
	w.records = append(w.records, r)
	what := ""
	for _, o := range []*ledger.Object{r.Computer, r.Session} {
		if o != nil {
			what = strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s", o.Action, o.Name, o.ID, o.Result)), " ")
		}
	}
	if r.Kind == ledger.Intention && r.Limits != nil {
		what = fmt.Sprintf("limits %d", len(r.Limits))
	} else if what == "" {
		what = fmt.Sprintf("limits set %d refused %d unknown %d", len(r.Set), len(r.Refused), len(r.Unknown))
	}
	w.note("%s %s%s: %s", r.ID, r.Kind, map[bool]string{true: " of " + r.Of}[r.Of != ""], what)
	return r, nil
}

func (w *world) PutLimits(ctx context.Context, limits []api.Limit) (api.LimitsResult, error) {
	f := w.fault()
	w.note("PUT %d", len(limits))
	w.batches = append(w.batches, limits)
	if err := f.err(); err != nil {
		return api.LimitsResult{}, err
	}
	if f == lying {
		return api.LimitsResult{Updated: []api.Limit{}, Errors: []api.LimitError{}}, ctx.Err()
	}
	return api.LimitsResult{Updated: limits}, ctx.Err()
}

func (w *world) ComputerByName(_ context.Context, name string) (api.Computer, error) {
	w.note("GET %s", name)
	if len(w.reads) > 0 {
		f := w.reads[0]
		w.reads = w.reads[1:]
		if f != fine {
			return api.Computer{}, &api.Error{Method: "GET", Path: "/x", Status: map[fault]int{refused: 500, forbidden: 401}[f]}
		}
	}
	c, ok := w.computers[name]
	if !ok {
		return c, &api.Error{Method: "GET", Path: "/x", Status: 404}
	}
	return c, nil
}

func (w *world) CreateComputer(_ context.Context, n api.NewComputer) (api.Computer, error) {
	f := w.fault()
	body, _ := json.Marshal(n)
	w.note("POST %s", body)
	c := api.Computer{ID: "cmp_" + n.Name, Name: n.Name, ProviderType: n.Provider, HostID: &n.HostID, RemoteUser: &n.RemoteUser}
	if f.happens() {
		w.put(c, f)
	}
	return c, f.err()
}

// put keeps a computer, changed behind everyone's back if the fault says so.
func (w *world) put(c api.Computer, f fault) api.Computer {
	if f == lying {
		c.RemoteUser, c.HostID, c.ProviderType = new("someone"), nil, "other"
	}
	if w.computers == nil {
		w.computers = map[string]api.Computer{}
	}
	w.computers[c.Name] = c
	return c
}

func (w *world) UpdateComputer(_ context.Context, id string, p api.ComputerPatch) (api.Computer, error) {
	f := w.fault()
	body, _ := json.Marshal(p)
	w.note("PATCH %s %s", id, body)
	c := api.Computer{ID: id, Name: strings.TrimPrefix(id, "cmp_"), RemoteUser: &p.RemoteUser, HostID: &p.HostID}
	if p.Name != "" {
		c.Name = p.Name
	}
	return w.put(c, f), f.err()
}

func (w *world) InstallDeps(_ context.Context, id string) (api.Computer, error) {
	f := w.fault()
	w.note("POST %s/install-deps", id)
	if f == lying {
		return api.Computer{ID: "cmp_other"}, nil
	}
	return api.Computer{ID: id, Name: "an older name"}, f.err()
}

func (w *world) Session(_ context.Context, id string) (api.Session, error) {
	s := api.Session{SessionID: id, Status: new("idle"), SessionSettings: &api.SessionSettings{Model: new("old")}}
	if edit := w.sessions[id]; edit != nil {
		return s, edit(&s)
	}
	return s, nil
}

func (w *world) UpdateSession(_ context.Context, id string, u api.SessionUpdate) (api.Session, error) {
	f := w.fault()
	body, _ := json.Marshal(u)
	w.note("PATCH %s %s", id, body)
	if f == lying {
		return api.Session{SessionID: id, SessionSettings: &api.SessionSettings{Model: new("other")}}, nil
	}
	return api.Session{SessionID: id, SessionSettings: &u.SessionSettings}, f.err()
}

// planOf is a plan of n limits, these computers and sessions.
func planOf(n int, computers []plan.ComputerChange, sessions ...string) *plan.Plan {
	p := &plan.Plan{Digest: "sha256:d", Target: org.Target{BaseURL: "https://api.example.com", Organization: "org_1"}, Computers: computers}
	for i := range n {
		name := fmt.Sprintf("user%04d@example.com", i)
		p.Limits = append(p.Limits, plan.LimitChange{
			Action: plan.ActionSet, Email: org.Email(name), SendAs: strings.ToUpper(name[:1]) + name[1:], UserID: fmt.Sprint("u_", i), After: int64(i),
		})
	}
	for _, c := range computers {
		if c.Action == plan.ActionBlocked {
			p.Summary.Computers.Blocked++
		}
	}
	for _, id := range sessions {
		p.Sessions = append(p.Sessions, plan.SessionChange{ID: id, Fields: []plan.Field{{Name: "model", Before: "old", After: "new"}}})
	}
	return p
}

// run applies p to w without cancelling.
func (w *world) run(t testing.TB, p *plan.Plan) (*Report, error) {
	t.Helper()
	return Run(t.Context(), w, w, p, Options{})
}
