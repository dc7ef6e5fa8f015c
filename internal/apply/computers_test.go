package apply

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

const host = "6f1c2d3e-0000-4000-8000-00000000000a"

// newBuild creates build with everything a create can send.
func newBuild() plan.ComputerChange {
	return plan.ComputerChange{
		Action: plan.ActionCreate, Name: "build", Provider: "byom",
		Fields: []plan.Field{{Name: "host_id", After: strings.ToUpper(host)}, {Name: "remote_user", After: "ci"}},
		OnCreate: &org.OnCreate{
			Repos: []string{"https://git.example.com/a"}, AutoInstallDeps: new(false), ServiceAccountID: "sa", Source: map[string]any{"kind": "scratch"},
		},
	}
}

const postBuild = `POST {"name":"build","provider":"byom","hostId":"6F1C2D3E-0000-4000-8000-00000000000A","remoteUser":"ci",` +
	`"repos":["https://git.example.com/a"],"autoInstallDeps":false,"serviceAccountId":"sa","source":{"kind":"scratch"}}`

func TestCreate(t *testing.T) {
	t.Parallel()
	there := map[string]api.Computer{"build": {ID: "cmp_old", Name: "build"}}
	for _, c := range []struct {
		name   string
		w      world
		sent   []string // between the two records
		result string
		id     string
		err    string // part of the reason
		stops  bool
	}{
		{name: "created and read back", sent: []string{"GET build", postBuild, "GET build"}, result: Done, id: "cmp_build"},
		{name: "exists now", w: world{computers: there}, sent: []string{"GET build"}, result: Failed, id: "cmp_old", err: "exists now (cmp_old), plan again"},
		{name: "name cannot be looked up", w: world{reads: []fault{refused}}, sent: []string{"GET build"}, result: Failed, err: "nothing was sent: GET /x: status 500"},
		{name: "refused", w: world{next: []fault{refused}}, sent: []string{"GET build", postBuild}, result: Failed, err: "status 400"},
		{name: "answer lost, found by name", w: world{next: []fault{lost}}, sent: []string{"GET build", postBuild, "GET build"}, result: Done, id: "cmp_build"},
		{name: "answer lost, not found", w: world{next: []fault{cut}}, sent: []string{"GET build", postBuild, "GET build"}, result: Unknown, err: "connection reset", stops: true},
		{name: "answer lost, cannot be looked up", w: world{next: []fault{lost}, reads: []fault{fine, refused}}, sent: []string{"GET build", postBuild, "GET build"},
			result: Unknown, err: "connection reset", stops: true},
		{name: "created, cannot be read back", w: world{reads: []fault{fine, refused}}, sent: []string{"GET build", postBuild, "GET build"},
			result: Unknown, id: "cmp_build", err: "was created as cmp_build, but it could not be read back"},
		{name: "read-back differs", w: world{next: []fault{lying}}, sent: []string{"GET build", postBuild, "GET build"},
			result: Unknown, id: "cmp_build", err: "does not show the change of provider, host_id, remote_user"},
		{name: "not allowed", w: world{next: []fault{forbidden}}, sent: []string{"GET build", postBuild}, result: Failed, err: "status 401", stops: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			report, err := c.w.run(t, planOf(1, []plan.ComputerChange{newBuild()}))
			intention, outcome := c.w.log[0], c.w.log[1+len(c.sent)]
			if diff := cmp.Diff(c.sent, c.w.log[1:1+len(c.sent)]); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			if want := strings.TrimSpace("create build " + c.id); intention != "r1 intention: create build" || outcome != "r2 outcome of r1: "+want+" "+c.result {
				t.Errorf("recorded %q and %q", intention, outcome)
			}
			got := report.Computers[0]
			if got.Result != c.result || got.ID != c.id || !strings.Contains(got.Error, c.err) || (c.err == "") != (got.Error == "") {
				t.Errorf("outcome %+v", got)
			}
			if c.w.records[1].Computer.Error != got.Error {
				t.Errorf("recorded error %q, reported %q", c.w.records[1].Computer.Error, got.Error)
			}
			if (err != nil) != c.stops || len(report.Limits.NotAttempted) != map[bool]int{true: 1}[c.stops] {
				t.Errorf("stopped by %v with %d limits not attempted", err, len(report.Limits.NotAttempted))
			}
		})
	}
}

// TestCreateOfADoubleName holds that a service with two computers of one name (U44)
// never makes a create look confirmed.
func TestCreateOfADoubleName(t *testing.T) {
	t.Parallel()
	w := &world{}
	report, _ := Run(t.Context(), doubled{w}, w, planOf(0, []plan.ComputerChange{newBuild()}), Options{})
	if got := report.Computers[0]; got.Result != Unknown || !strings.Contains(got.Error, "its name leads to cmp_twin") {
		t.Errorf("outcome %+v", got)
	}
}

// doubled finds another computer by the name that was just given.
type doubled struct{ *world }

func (d doubled) ComputerByName(ctx context.Context, name string) (api.Computer, error) {
	c, err := d.world.ComputerByName(ctx, name)
	if err == nil {
		c.ID = "cmp_twin"
	}
	return c, err
}

func TestComputerChanges(t *testing.T) {
	t.Parallel()
	update := plan.ComputerChange{Action: plan.ActionUpdate, Name: "build", ID: "cmp_build", Fields: []plan.Field{{Name: "remote_user", Before: "root", After: "ci"}}}
	rename := plan.ComputerChange{Action: plan.ActionUpdate, Name: "new", ID: "cmp_old", Fields: []plan.Field{{Name: "name", Before: "old", After: "new"}}}
	rebind := plan.ComputerChange{Action: plan.ActionUpdate, Name: "build", ID: "cmp_build", Fields: []plan.Field{{Name: "host_id", After: host}}}
	retry := plan.ComputerChange{Action: plan.ActionRetryInstall, Name: "build", ID: "cmp_build"}
	for _, c := range []struct {
		name   string
		change plan.ComputerChange
		f      fault
		sent   string
		result string
		err    string
		stops  bool
	}{
		{"update", update, fine, `PATCH cmp_build {"remoteUser":"ci"}`, Done, "", false},
		{"rename sends the name alone", rename, fine, `PATCH cmp_old {"name":"new"}`, Done, "", false},
		{"host", rebind, fine, `PATCH cmp_build {"hostId":"` + host + `"}`, Done, "", false},
		{"answer without the field", rebind, lying, `PATCH cmp_build {"hostId":"` + host + `"}`, Unknown, "the answer does not show the change of host_id", false},
		{"answer with another value", update, lying, `PATCH cmp_build {"remoteUser":"ci"}`, Unknown, "the answer does not show the change of remote_user", false},
		{"refused", update, refused, `PATCH cmp_build {"remoteUser":"ci"}`, Failed, "status 400", false},
		{"lost", update, lost, `PATCH cmp_build {"remoteUser":"ci"}`, Unknown, "connection reset", true},
		{"retry", retry, fine, "POST cmp_build/install-deps", Done, "", false},
		{"retry answers for another computer", retry, lying, "POST cmp_build/install-deps", Unknown, "the answer does not show the change of id", false},
		{"unknown action", plan.ComputerChange{Action: "delete", Name: "build"}, fine, "r2 outcome of r1: delete build failed", Failed, "nothing was sent", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := &world{next: []fault{c.f}}
			report, err := w.run(t, planOf(0, []plan.ComputerChange{c.change}, "ses_1"))
			got := report.Computers[0]
			if w.log[1] != c.sent || got.Result != c.result || !strings.Contains(got.Error, c.err) || (c.err == "") != (got.Error == "") {
				t.Errorf("sent %s, outcome %+v", w.log[1], got)
			}
			if (err != nil) != c.stops || (report.Sessions[0].Result == NotAttempted) != c.stops {
				t.Errorf("stopped by %v, sessions %v", err, report.Sessions)
			}
		})
	}
}

// TestBlockedIsNotSent holds that a blocked computer is accounted for with its reason
// and leaves no trace in the ledger.
func TestBlockedIsNotSent(t *testing.T) {
	t.Parallel()
	w := &world{}
	p := planOf(1, []plan.ComputerChange{{Action: plan.ActionBlocked, Name: "a", ID: "c1", Detail: "provider differs"}})
	want := []ObjectOutcome{{Name: "a", Action: plan.ActionBlocked, ID: "c1", Result: NotAttempted, Error: "provider differs"}}
	report, err := w.run(t, p)
	if diff := cmp.Diff(want, report.Computers); diff != "" || err != nil || report.Result != ResultPartial {
		t.Errorf("%s, %v, computers (-want +got):\n%s", report.Result, err, diff)
	}
	if len(w.records) != 2 || w.records[0].Computer != nil {
		t.Errorf("records %v", w.log)
	}
	if diff := cmp.Diff(want, Refused(p, "stale").Computers); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
}

func TestSessions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f      fault
		result string
		err    string
		next   string // result of the second session
	}{
		{fine, Done, "", Done}, {lying, Unknown, "does not show the change", Done}, {refused, Failed, "status 400", Done},
		{lost, Unknown, "connection reset", NotAttempted}, {forbidden, Failed, "status 401", NotAttempted},
	} {
		w := &world{next: []fault{c.f}}
		report, _ := w.run(t, planOf(0, nil, "ses_1", "ses_2"))
		first, second := report.Sessions[0], report.Sessions[1]
		if first.Result != c.result || !strings.Contains(first.Error, c.err) || first.Name != "ses_1" || second.Result != c.next {
			t.Errorf("fault %d: %+v, then %+v", c.f, first, second)
		}
		if w.log[1] != `PATCH ses_1 {"sessionSettings":{"model":"new"}}` {
			t.Errorf("fault %d: sent %s", c.f, w.log[1])
		}
		want := ledger.Object{Action: plan.ActionUpdate, ID: "ses_1", Fields: []string{"model"}, Result: ledger.Result(c.result), Error: first.Error}
		if diff := cmp.Diff(&want, w.records[1].Session); diff != "" {
			t.Errorf("fault %d: recorded (-want +got):\n%s", c.f, diff)
		}
		if intent := w.records[0].Session; intent.Result != "" || intent.Error != "" {
			t.Errorf("fault %d: the intention knows its outcome: %+v", c.f, intent)
		}
	}
}
