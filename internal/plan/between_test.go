package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/govctl/govctl/internal/org"
)

func TestBetween(t *testing.T) {
	t.Parallel()
	limit := func(email string, after int64, line int) LimitChange {
		return LimitChange{Action: ActionSet, Email: org.Email(email), Before: LimitBefore{Grade: org.NeverSet}, After: after, Source: org.Source{File: "a.hcl", Line: line}}
	}
	field := func(after string) []Field { return []Field{{Name: "remote_user", Before: "root", After: after}} }
	was := &Plan{
		Basis:  Basis{Config: "sha256:a", SettingsRevision: 4},
		Limits: []LimitChange{limit("ada@x", 1, 1), limit("bob@x", 1, 2), limit("eve@x", 1, 3)},
		Computers: []ComputerChange{
			{Action: ActionUpdate, Name: "b", Fields: field("ci")}, {Action: ActionRetryInstall, Name: "b"}, {Action: ActionCreate, Name: "c"},
		},
		Settings: []SettingChange{{Pointer: "/s", Found: true, Before: false, After: true}},
	}
	is := &Plan{
		Basis:     Basis{Config: "sha256:b", SettingsRevision: 5},
		Limits:    []LimitChange{limit("ada@x", 1, 9), limit("eve@x", 2, 3), limit("zoe@x", 1, 4)},
		Computers: []ComputerChange{{Action: ActionUpdate, Name: "b", Fields: field("dev")}, {Action: ActionRetryInstall, Name: "b"}, {Action: ActionCreate, Name: "c"}},
		Sessions:  []SessionChange{{ID: "ses_1", Fields: field("x")}},
		Settings:  []SettingChange{{Pointer: "/s", Absent: true}},
	}
	was.seal()
	is.seal()
	d := Between(was, is)
	names := func(list []Entry) (out []string) {
		for _, e := range list {
			out = append(out, e.Kind+" "+e.Key)
		}
		return out
	}
	var changed []string
	for _, p := range d.Changed {
		changed = append(changed, p.Is.Kind+" "+p.Is.Key)
	}
	got := [][]string{names(d.Added), names(d.Removed), changed}
	want := [][]string{{"limit zoe@x", "session ses_1"}, {"limit bob@x"}, {"computer b", "limit eve@x", "setting /s"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(d.Moved) != 2 || d.Moved[0].Part != "config" || d.Moved[1].Part != "settings_revision" {
		t.Errorf("moved %+v", d.Moved)
	}
	if d.Empty() || !Between(was, was).Empty() {
		t.Error("wrong emptiness")
	}
	// What one direction adds the other removes.
	back := Between(is, was)
	opt := cmpopts.IgnoreUnexported(Entry{})
	if diff := cmp.Diff(d.Added, back.Removed, opt) + cmp.Diff(d.Removed, back.Added, opt); diff != "" {
		t.Errorf("the other way round:\n%s", diff)
	}
}
