package plan

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

const (
	hostA = "6f1c2d3e-0000-4000-8000-00000000000a"
	hostB = "6f1c2d3e-0000-4000-8000-00000000000b"
)

// machine is a live computer of provider byom.
func machine(id, name string) *org.Computer {
	return &org.Computer{ID: id, Name: name, Provider: "byom", Status: "active", RemoteUser: "root"}
}

// fleet is an input in which every live computer can be found, and every declared name,
// former name and id was asked for.
func fleet(declared []org.Computer, live ...*org.Computer) Input {
	in := Input{
		Want: org.Wanted{Computers: declared},
		Have: org.Live{ByName: map[string]*org.Computer{}, ByID: map[string]*org.Computer{}},
		Last: org.Known{Computers: map[string]org.KnownComputer{}},
		Now:  now,
	}
	for _, c := range declared {
		for _, name := range append([]string{c.Name}, c.Previously...) {
			in.Have.ByName[name] = nil
		}
		if c.ID != "" {
			in.Have.ByID[c.ID] = nil
		}
	}
	for _, l := range live {
		in.Have.ByName[l.Name], in.Have.ByID[l.ID] = l, l
	}
	return in
}

// decisions are the plan's computer changes as ACTION NAME ID [FIELD:BEFORE>AFTER…] lines.
func decisions(p *Plan) []string {
	var out []string
	for _, c := range p.Computers {
		line := c.Action + " " + c.Name
		if c.ID != "" {
			line += " " + c.ID
		}
		for _, f := range c.Fields {
			line += fmt.Sprintf(" %s:%s>%s", f.Name, f.Before, f.After)
		}
		if c.Action == ActionBlocked || c.Action == ActionCreate {
			line += " (" + c.Detail + ")"
		}
		out = append(out, line)
	}
	return out
}

func TestComputerDecisions(t *testing.T) {
	t.Parallel()
	const fresh = " (if it was renamed outside govctl, pin its id instead)"
	known := func(name, id string, unknown bool) func(*Input) {
		return func(in *Input) {
			in.Last.Computers[name] = org.KnownComputer{ID: id, Unknown: unknown}
			if _, asked := in.Have.ByID[id]; id != "" && !asked {
				in.Have.ByID[id] = nil
			}
		}
	}
	one := func(c org.Computer) []org.Computer { return []org.Computer{c} }
	bound := func(c *org.Computer, host string) *org.Computer { c.HostID = host; return c }
	for _, c := range []struct {
		name string
		in   Input
		edit func(*Input)
		want []string
	}{
		{name: "create", in: fleet(one(org.Computer{Name: "a", Provider: "byom", HostID: hostA, RemoteUser: "ci"})),
			want: []string{"create a host_id:>" + hostA + " remote_user:>ci" + fresh}},
		{name: "create after an unanswered create", in: fleet(one(org.Computer{Name: "a", Provider: "byom"})), edit: known("a", "", true),
			want: []string{"create a (an earlier request for it was never answered; it does not exist now)"}},
		{name: "unanswered create that happened", in: fleet(one(org.Computer{Name: "a", Provider: "byom"}), machine("c1", "a")), edit: known("a", "", true)},
		{name: "unchanged", in: fleet(one(org.Computer{Name: "a", Provider: "byom", RemoteUser: "root"}), machine("c1", "a"))},
		{name: "undeclared fields are not managed", in: fleet(one(org.Computer{Name: "a"}), bound(machine("c1", "a"), hostA))},
		{name: "update", in: fleet(one(org.Computer{Name: "a", Provider: "byom", RemoteUser: "ci"}), machine("c1", "a")), want: []string{"update a c1 remote_user:root>ci"}},
		{name: "host set for the first time", in: fleet(one(org.Computer{Name: "a", HostID: hostA}), machine("c1", "a")), want: []string{"update a c1 host_id:>" + hostA}},
		{name: "host in another spelling", in: fleet(one(org.Computer{Name: "a", HostID: "6F1C2D3E-0000-4000-8000-00000000000A"}), bound(machine("c1", "a"), "{"+hostA+"}"))},
		{name: "host changes", in: fleet(one(org.Computer{Name: "a", HostID: hostB}), bound(machine("c1", "a"), hostA)),
			want: []string{"blocked a c1 (host_id " + hostA + " -> " + hostB + " binds the name to another machine; write allow_host_change = true to permit it)"}},
		{name: "host changes with permission", in: fleet(one(org.Computer{Name: "a", HostID: hostB, AllowHostChange: true}), bound(machine("c1", "a"), hostA)),
			want: []string{"update a c1 host_id:" + hostA + ">" + hostB}},
		{name: "other provider", in: fleet(one(org.Computer{Name: "a", Provider: "sandbox_vendor", RemoteUser: "ci"}), machine("c1", "a")),
			want: []string{"blocked a c1 (provider is byom and cannot be changed through the API to sandbox_vendor)"}},
		{name: "rename by pinned id", in: fleet(one(org.Computer{Name: "a", ID: "c1", RemoteUser: "ci"}), machine("c1", "old")), want: []string{"update a c1 name:old>a remote_user:root>ci"}},
		{name: "renamed out of band, remembered id", in: fleet(one(org.Computer{Name: "a"}), machine("c1", "other")), edit: known("a", "c1", false), want: []string{"update a c1 name:other>a"}},
		{name: "remembered id is gone, name is free", in: fleet(one(org.Computer{Name: "a", Provider: "byom"})), edit: known("a", "c9", false), want: []string{"create a" + fresh}},
		{name: "remembered id is gone, name exists", in: fleet(one(org.Computer{Name: "a"}), machine("c2", "a")), edit: known("a", "c9", false)},
		{name: "pinned id is gone", in: fleet(one(org.Computer{Name: "a", ID: "c9"}), machine("c2", "a")), want: []string{"blocked a c9 (id c9 not found, or not visible to this key)"}},
		{name: "rename by former name", in: fleet(one(org.Computer{Name: "a", Previously: []string{"older", "old"}}), machine("c1", "old")), want: []string{"update a c1 name:old>a"}},
		{name: "former name is not looked at when the name exists", in: fleet(one(org.Computer{Name: "a", Previously: []string{"old"}}), machine("c1", "a"), machine("c2", "old"))},
		{name: "two former names exist", in: fleet(one(org.Computer{Name: "a", Previously: []string{"old", "older"}}), machine("c1", "old"), machine("c2", "older")),
			want: []string{"blocked a (more than one former name exists: old, older; name the one to keep by id)"}},
		{name: "name taken", in: fleet(one(org.Computer{Name: "a", ID: "c1"}), machine("c1", "old"), machine("c2", "a")),
			want: []string{`blocked a c1 (the name "a" belongs to another computer (c2))`}},
		{name: "swap of two names", in: fleet([]org.Computer{{Name: "a", ID: "c1"}, {Name: "b", ID: "c2"}}, machine("c1", "b"), machine("c2", "a")),
			want: []string{`blocked a c1 (the name "a" belongs to another computer (c2))`, `blocked b c2 (the name "b" belongs to another computer (c1))`}},
		{name: "two declarations of one machine", in: fleet([]org.Computer{{Name: "a", ID: "c1"}, {Name: "b", RemoteUser: "ci"}}, machine("c1", "b")),
			want: []string{`blocked a c1 (computer "b" is the same machine (c1): two declarations cannot govern it)`,
				`blocked b c1 (computer "a" is the same machine (c1): two declarations cannot govern it)`}},
		{name: "retry of a failed installation", in: fleet(one(org.Computer{Name: "a", RetryFailedInstall: true}), &org.Computer{ID: "c1", Name: "a", Status: "error"}), want: []string{"retry_install a c1"}},
		{name: "retry after an update", in: fleet(one(org.Computer{Name: "a", RetryFailedInstall: true, RemoteUser: "ci"}), &org.Computer{ID: "c1", Name: "a", Status: "error"}),
			want: []string{"update a c1 remote_user:>ci", "retry_install a c1"}},
		{name: "no retry without being asked", in: fleet(one(org.Computer{Name: "a"}), &org.Computer{ID: "c1", Name: "a", Status: "error"})},
		{name: "no retry of an active one", in: fleet(one(org.Computer{Name: "a", RetryFailedInstall: true}), machine("c1", "a"))},
		{name: "no retry of a blocked one", in: fleet(one(org.Computer{Name: "a", RetryFailedInstall: true, Provider: "byom"}), &org.Computer{ID: "c1", Name: "a", Provider: "sandbox_vendor", Status: "error"}),
			want: []string{"blocked a c1 (provider is sandbox_vendor and cannot be changed through the API to byom)"}},
		{name: "not selected", in: fleet(one(org.Computer{Name: "a"})), edit: func(in *Input) { in.Selection.Exclude = []string{"computer/a"} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.edit != nil {
				c.edit(&c.in)
			}
			p := Make(c.in)
			if diff := cmp.Diff(c.want, decisions(p)); diff != "" {
				t.Errorf("decisions (-want +got):\n%s", diff)
			}
			if !p.Complete() {
				t.Errorf("incomplete: %v", p.Incomplete)
			}
			checkComputerSummary(t, c.in, p)
		})
	}
}

// checkComputerSummary recounts the summary from the changes.
func checkComputerSummary(t *testing.T, in Input, p *Plan) {
	t.Helper()
	var want ComputerSummary
	touched := map[string]bool{}
	for _, c := range p.Computers {
		touched[c.Name] = true
		switch c.Action {
		case ActionCreate:
			want.Create++
		case ActionUpdate:
			want.Update++
		case ActionRetryInstall:
			want.RetryInstall++
		case ActionBlocked:
			want.Blocked++
		}
	}
	for _, c := range in.Want.Computers {
		if in.Selection.Includes("computer", c.Name) && !touched[c.Name] {
			want.Unchanged++
		}
	}
	if diff := cmp.Diff(want, p.Summary.Computers); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if p.Blocked() != (want.Blocked > 0) || p.Empty() != (want.Create+want.Update+want.RetryInstall == 0) {
		t.Errorf("Blocked = %t, Empty = %t with %+v", p.Blocked(), p.Empty(), want)
	}
}

func TestComputerCreateKeepsWhatIsSent(t *testing.T) {
	t.Parallel()
	on := &org.OnCreate{Repos: []string{"https://git.example.com/a"}, AutoInstallDeps: new(true)}
	in := fleet([]org.Computer{{Name: "a", Provider: "byom", OnCreate: on, Source: org.Source{File: "c.hcl", Line: 1, Column: 1}}})
	want := []ComputerChange{{
		Action: ActionCreate, Name: "a", Provider: "byom", OnCreate: on,
		Detail: "if it was renamed outside govctl, pin its id instead", Source: org.Source{File: "c.hcl", Line: 1, Column: 1},
	}}
	if diff := cmp.Diff(want, Make(in).Computers); diff != "" {
		t.Errorf("computers (-want +got):\n%s", diff)
	}
}

// TestComputersUnread holds that what was not read is a gap, never a create.
func TestComputersUnread(t *testing.T) {
	t.Parallel()
	gone := func(keys ...string) func(*Input) {
		return func(in *Input) {
			for _, k := range keys {
				delete(in.Have.ByName, k)
				delete(in.Have.ByID, k)
			}
		}
	}
	for _, c := range []struct {
		name     string
		declared org.Computer
		edit     func(*Input)
		want     []org.Gap
	}{
		{"name not read", org.Computer{Name: "a"}, gone("a"), []org.Gap{{Fact: "computer", Key: "a", Error: "not read"}}},
		{"former name not read", org.Computer{Name: "a", Previously: []string{"old"}}, gone("old"), []org.Gap{{Fact: "computer", Key: "a", Error: "not read"}}},
		{"pinned id not read", org.Computer{Name: "a", ID: "c1"}, gone("c1"), []org.Gap{{Fact: "computer", Key: "a", Error: "not read"}}},
		{"name to rename to not read", org.Computer{Name: "a", ID: "c1"}, func(in *Input) {
			delete(in.Have.ByName, "a")
			in.Have.ByID["c1"] = machine("c1", "old")
		}, []org.Gap{{Fact: "computer", Key: "a", Error: "not read"}}},
		{"a gap says so", org.Computer{Name: "a"}, func(in *Input) {
			delete(in.Have.ByName, "a")
			in.Have.Gaps = []org.Gap{{Fact: "computer", Key: "a", Error: "status 500"}}
		}, []org.Gap{{Fact: "computer", Key: "a", Error: "status 500"}}},
		{"a gap of all computers", org.Computer{Name: "a"}, func(in *Input) {
			delete(in.Have.ByName, "a")
			in.Have.Gaps = []org.Gap{{Fact: "computer", Error: "not read (--refresh=false)"}}
		}, []org.Gap{{Fact: "computer", Error: "not read (--refresh=false)"}}},
	} {
		in := fleet([]org.Computer{c.declared})
		c.edit(&in)
		p := Make(in)
		if diff := cmp.Diff(c.want, p.Incomplete); diff != "" {
			t.Errorf("%s: incomplete (-want +got):\n%s", c.name, diff)
		}
		if len(p.Computers) != 0 || p.Summary.Computers != (ComputerSummary{}) {
			t.Errorf("%s: decided %v, %+v", c.name, decisions(p), p.Summary.Computers)
		}
	}
}

func TestComputerNotes(t *testing.T) {
	t.Parallel()
	failed := &org.Computer{ID: "c1", Name: "a", Status: "error", Steps: []org.Step{{Name: "clone"}, {Name: "install-deps", Error: "exit 1"}}}
	in := fleet([]org.Computer{{Name: "a", Previously: []string{"before"}}, {Name: "b"}, {Name: "c", ID: "c3"}},
		failed, &org.Computer{ID: "c2", Name: "b", Status: "provisioning"}, machine("c3", "c"))
	in.Last.Computers = map[string]org.KnownComputer{
		"before": {ID: "c9"}, "gone": {ID: "c7"}, "maybe": {Unknown: true}, "was-c": {ID: "c3"}, "a": {ID: "c1"},
	}
	p := Make(in)
	wantNotes(t, p,
		"computer_health: a=error: install-deps: exit 1", "computer_health: b=provisioning",
		"computer_unmanaged: gone=c7", "computer_unmanaged: maybe=a request for it was never answered: it may exist")
	if p.Summary.Computers.Unchanged != 3 {
		t.Errorf("health is not drift: %+v", p.Summary.Computers)
	}
}
