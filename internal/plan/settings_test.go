package plan

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// revision is revision 42 with these settings.
func revision(t *testing.T, settings string) *org.Revision {
	t.Helper()
	v, err := org.DecodeJSON([]byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	m, _ := v.(map[string]any)
	return &org.Revision{Number: 42, Settings: m}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	source := org.Source{File: "s.hcl", Line: 2, Column: 3}
	expect := func(pointer string, value any) org.Expectation {
		return org.Expectation{Pointer: pointer, Value: value, Source: source}
	}
	found := func(pointer string, before, after any) SettingChange {
		return SettingChange{Pointer: pointer, Found: true, Before: before, After: after, Revision: 42, Source: source}
	}
	for _, c := range []struct {
		name, settings string
		expect         org.Expectation
		want           *SettingChange // nil: nothing to do
	}{
		{"met", `{"sandbox":{"enabled":true}}`, expect("/sandbox/enabled", true), nil},
		{"false", `{"sandbox":{"enabled":false}}`, expect("/sandbox/enabled", true), new(found("/sandbox/enabled", false, true))},
		{"null", `{"sandbox":{"enabled":null}}`, expect("/sandbox/enabled", true), new(found("/sandbox/enabled", nil, true))},
		{"absent", `{}`, expect("/sandbox/enabled", true), &SettingChange{Pointer: "/sandbox/enabled", After: true, Revision: 42, Source: source}},
		{"absent is not false", `{}`, expect("/x", false), &SettingChange{Pointer: "/x", After: false, Revision: 42, Source: source}},
		{"absent is not null", `{}`, expect("/x", nil), &SettingChange{Pointer: "/x", Revision: 42, Source: source}},
		{"number by value", `{"days":30.0}`, expect("/days", json.Number("30")), nil},
		{"set in another order", `{"l":["b","a"]}`, org.Expectation{Pointer: "/l", Value: []any{"a", "b"}, AsSet: true}, nil},
		{"list in another order", `{"l":["b","a"]}`, expect("/l", []any{"a", "b"}), new(found("/l", []any{"b", "a"}, []any{"a", "b"}))},
		{"must go", `{"customModels":[]}`, org.Expectation{Pointer: "/customModels", Absent: true, Source: source},
			&SettingChange{Pointer: "/customModels", Found: true, Before: []any{}, Absent: true, Revision: 42, Source: source}},
		{"gone", `{}`, org.Expectation{Pointer: "/customModels", Absent: true, Source: source}, nil},
	} {
		blame := org.Blame{Revision: 7, Actor: org.Actor{Email: "eve@example.com"}, UpdatedAt: "then"}
		in := Input{
			Want: org.Wanted{Expectations: []org.Expectation{c.expect}}, Now: now,
			Have: org.Live{Newest: revision(t, c.settings), Blame: map[string]org.Blame{c.expect.Pointer: blame, "/other": {}}},
		}
		p := Make(in)
		var want []SettingChange
		if c.want != nil {
			c.want.Blame = &blame
			want = []SettingChange{*c.want}
		}
		for i := range p.Settings {
			if len(p.Settings[i].Patch) == 0 {
				t.Errorf("%s: no patch", c.name)
			}
			p.Settings[i].Patch = nil // TestPatch
		}
		if diff := cmp.Diff(want, p.Settings); diff != "" {
			t.Errorf("%s: settings (-want +got):\n%s", c.name, diff)
		}
		if p.Summary.Manual != len(want) || p.Summary.Requests != 0 || !p.Empty() || p.Basis.SettingsRevision != 42 {
			t.Errorf("%s: summary %+v, empty %t, basis %+v", c.name, p.Summary, p.Empty(), p.Basis)
		}
		in.Have.Blame = nil
		for _, s := range Make(in).Settings {
			if s.Blame != nil {
				t.Errorf("%s: blame %v out of nothing", c.name, s.Blame)
			}
		}
	}
}

func TestSettingsNotes(t *testing.T) {
	t.Parallel()
	models := &org.Models{Allowed: []string{"a"}}
	want := org.Wanted{Expectations: []org.Expectation{{Pointer: "/x", Value: true}}}
	for _, c := range []struct {
		name  string
		in    Input
		notes []string
	}{
		{"allowAllServiceModels", Input{Want: org.Wanted{Models: models}, Have: org.Live{Newest: revision(t, `{"modelPolicy":{"allowAllServiceModels":true}}`)}}, []string{"allow_all_models"}},
		{"allowAllServiceModels is off", Input{Want: org.Wanted{Models: models}, Have: org.Live{Newest: revision(t, `{"modelPolicy":{"allowAllServiceModels":false}}`)}}, nil},
		{"nothing allowed by name", Input{Want: org.Wanted{Models: &org.Models{}}, Have: org.Live{Newest: revision(t, `{"modelPolicy":{"allowAllServiceModels":true}}`)}}, nil},
		{"no models block", Input{Have: org.Live{Newest: revision(t, `{"modelPolicy":{"allowAllServiceModels":true}}`)}}, nil},
		{"empty history", Input{Want: want}, []string{"settings_unknown: /x="}},
		{"unreadable history", Input{Want: want, Have: org.Live{Gaps: []org.Gap{{Fact: "settings", Error: "status 500"}}}}, nil},
		{"empty history, nothing expected", Input{}, nil},
		{"organization not verified", Input{Target: org.Target{Organization: "org_1"}}, []string{"organization_unverified"}},
		{"organization verified", Input{Target: org.Target{Organization: "org_1", OrganizationVerified: true}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			wantNotes(t, Make(c.in), c.notes...)
		})
	}
}
