package scaffold

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/org"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var day = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// load reads the files back as a project.
func load(t interface {
	Helper()
	Fatalf(string, ...any)
}, files []File) *config.Project {
	t.Helper()
	dir, err := os.MkdirTemp("", "scaffold")
	if err != nil {
		t.Fatalf("%v", err)
	}
	defer os.RemoveAll(dir)
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatalf("%v", err)
		}
		if err := os.WriteFile(name, f.Content, 0o600); err != nil {
			t.Fatalf("%v", err)
		}
		if !strings.HasSuffix(f.Path, ".hcl") {
			continue
		}
		laid, err := config.Format(f.Content, f.Path)
		if err != nil {
			t.Fatalf("%s: %v\n%s", f.Path, err, f.Content)
		}
		if string(laid) != string(f.Content) {
			t.Fatalf("%s is not in the canonical layout:\n%s", f.Path, cmp.Diff(string(f.Content), string(laid)))
		}
	}
	p, err := config.Load(dir, config.Options{Now: day})
	if err != nil {
		var all strings.Builder
		for _, f := range files {
			all.WriteString("--- " + f.Path + "\n" + string(f.Content))
		}
		t.Fatalf("what was generated does not load: %v\n%s", err, all.String())
	}
	return p
}

// hostile draws text that means something to HCL, CSV, a terminal or Unicode.
func hostile() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"${", "%{", "$${", "$", "%", "\ufeff", "\"", "\\", "\n", "\r", "\r\n", "\x00", "\x1b[31m", "#", "//", "/*", "*/", "<<EOT\n", "EOT", "{", "}", "[", "]", "=", ",",
			"for", "null", "true", "if", "endif", "e\u0301", "é", "\u202e", "\u200b", "\u2028", "\u212a", "\U0001f600", "~", "::set-output name=x::", "##[error]", "|", "<b>", "@everyone", ".", "..", " ", "\t", "-", "0", "1e5",
		}),
		rapid.StringN(1, 8, 40),
	)
	return rapid.Custom(func(t *rapid.T) string {
		return strings.ToValidUTF8(strings.Join(rapid.SliceOfN(piece, 0, 4).Draw(t, "pieces"), ""), "\ufffd")
	})
}

// document draws a decoded JSON value.
func document(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Map(hostile(), func(s string) any { return s }),
		rapid.Map(rapid.SampledFrom([]string{"0", "-0", "1", "-1.5", "1e5", "1E-7", "9007199254740993", "0.1", "1e400", "-1e-90", "123456789012345678901234567890.000001"}), func(s string) any { return json.Number(s) }),
		rapid.SampledFrom([]any{nil, true, false, map[string]any{}, []any{}, map[string]any{"redacted": true, "kind": "literal"}}),
	)
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(document(depth-1), 0, 4), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(hostile(), document(depth-1), 0, 4), func(m map[string]any) any { return m }),
	)
}

func texts() *rapid.Generator[any] {
	return rapid.Map(rapid.SliceOfN(rapid.OneOf(hostile(), rapid.SampledFrom([]string{"model-a", "https://a.example/v1", "https://u:p@a.example"})), 0, 4), func(l []string) any {
		out := make([]any, len(l))
		for i, s := range l {
			out[i] = s
		}
		return out
	})
}

// snapshot draws settings, with a model policy more often than chance would.
func snapshot() *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any {
		out := rapid.MapOfN(hostile(), document(3), 0, 5).Draw(t, "settings")
		if rapid.Bool().Draw(t, "policy") {
			out["modelPolicy"] = map[string]any{
				"allowedModelIds": texts().Draw(t, "allowed"), "blockedModelIds": texts().Draw(t, "blocked"),
				"allowedBaseUrls": texts().Draw(t, "urls"), "allowCustomModels": document(0).Draw(t, "custom"), "isFastModelsAllowed": true,
			}
		}
		shown, _ := org.Redact(out).(map[string]any)
		return shown
	})
}

// TestGeneratedLoads: whatever the service says, the files load, are laid out, and say
// the same.
func TestGeneratedLoads(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := Organization{At: day, Service: &Service{BaseURL: "https://api.example.com", Organization: rapid.SampledFrom([]string{"", "org_a"}).Draw(t, "organization")}}
		for range rapid.IntRange(0, 4).Draw(t, "computers") {
			o.Computers = append(o.Computers, org.Computer{
				ID: rapid.StringMatching(`cmp_[0-9]{6}`).Draw(t, "id"), Name: hostile().Draw(t, "name"), Provider: rapid.SampledFrom([]string{"byom", "sandbox_vendor", "else"}).Draw(t, "provider"),
				HostID: rapid.SampledFrom([]string{"", "6F1C2D3E-0000-4000-8000-000000000001", "x\n}"}).Draw(t, "host"), RemoteUser: hostile().Draw(t, "user"), Status: hostile().Draw(t, "status"),
			})
		}
		ids := map[string]bool{}
		o.Computers = slices.DeleteFunc(o.Computers, func(c org.Computer) bool { twice := ids[c.ID]; ids[c.ID] = true; return twice })
		s := snapshot().Draw(t, "snapshot")
		o.Settings = &Settings{Scope: rapid.SampledFrom([]string{AllSettings, ModelsOnly, NoSettings}).Draw(t, "scope"), Revision: org.Revision{Number: 7, Settings: s, UpdatedAt: hostile().Draw(t, "at"), Actor: org.Actor{Email: hostile().Draw(t, "actor")}}}
		for k := range s {
			if k != "" && rapid.Bool().Draw(t, "pointer") {
				o.Settings.Pointers = append(o.Settings.Pointers, org.Pointer("", k))
			}
		}
		slices.Sort(o.Settings.Pointers)
		known := map[org.Email]org.KnownLimit{}
		o.Limits = &Limits{Known: org.LimitsOf(known), GivenBy: hostile().Draw(t, "file")}
		for _, name := range rapid.SliceOfNDistinct(hostile(), 0, 4, func(s string) string { return s }).Draw(t, "members") {
			e := org.Fold(name + "@a.example")
			o.Limits.Members = append(o.Limits.Members, e)
			known[e] = org.KnownLimit{Grade: rapid.SampledFrom([]org.Grade{org.Confirmed, org.Unknown}).Draw(t, "grade"), Credits: rapid.Int64Range(0, org.MaxCredits).Draw(t, "credits"), At: day}
		}
		slices.Sort(o.Limits.Members)
		o.Limits.Members = slices.Compact(o.Limits.Members)
		for _, url := range rapid.SliceOfN(rapid.OneOf(hostile(), rapid.Just("https://git.example/a"), rapid.Just("git@git.example:a")), 0, 3).Draw(t, "repositories") {
			o.Readiness = append(o.Readiness, Repository{URL: url, Branch: hostile().Draw(t, "branch"), Score: rapid.Float64().Draw(t, "score")})
		}
		o.Gaps = []org.Gap{{Fact: "computer", Key: hostile().Draw(t, "key"), Error: hostile().Draw(t, "error")}}

		g := Generate(o)
		p := load(t, g.Files)

		if len(p.Computers) != g.Computers {
			t.Fatalf("%d computers, said %d", len(p.Computers), g.Computers)
		}
		for _, c := range p.Computers {
			i := slices.IndexFunc(o.Computers, func(d org.Computer) bool { return d.ID == c.ID })
			d := o.Computers[i]
			if c.Name != d.Name || c.Provider != d.Provider || c.RemoteUser != "" && c.RemoteUser != d.RemoteUser || c.HostID != "" && !org.SameHost(c.HostID, d.HostID) {
				t.Fatalf("declared %+v, live %+v", c, d)
			}
		}
		for _, e := range p.Expectations {
			if !e.Meets(s) {
				t.Fatalf("%s is expected to be %#v, which it is not", e.Pointer, e.Value)
			}
		}
		want, err := p.Resolve(membersOf(o.Limits.Members), day)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if len(want.Limits) != g.Limits {
			t.Fatalf("%d limits, said %d", len(want.Limits), g.Limits)
		}
		for _, l := range want.Limits {
			if k := known[l.Email]; k.Grade != org.Confirmed || k.Credits != l.Credits {
				t.Fatalf("declared %+v, known %+v", l, k)
			}
		}
	})
}

func membersOf(list []org.Email) []org.Member {
	out := make([]org.Member, len(list))
	for i, e := range list {
		out[i] = org.Member{ID: string(e), Email: e, Spelling: string(e)}
	}
	return out
}

// FuzzValues: a text of the API that can be said comes back from HCL as it was.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{"", "${a}", "%{if x}", "\"\\\n", "e\u0301", "\u202e"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		if name == "" || unsayableText(name) != "" || unsayableText(value) != "" {
			return
		}
		settings, _ := org.Redact(map[string]any{"x": map[string]any{name: []any{value}}}).(map[string]any)
		g := Generate(Organization{At: day, Settings: &Settings{Scope: AllSettings, Revision: org.Revision{Settings: settings}}})
		if g.Settings == 0 {
			return // a secret
		}
		p := load(t, g.Files)
		if len(p.Expectations) != 1 || !p.Expectations[0].Meets(settings) {
			t.Errorf("%q = [%q]: %+v", name, value, p.Expectations)
		}
	})
}

// sampleOrganization has one of everything that is left out.
func sampleOrganization() Organization {
	fallback := int64(0)
	return Organization{
		At:      day,
		Service: &Service{BaseURL: "https://api.example.com", Ledger: "postgres://db.example.com/governance"},
		Computers: []org.Computer{
			{ID: "cmp_2", Name: "gpu \"${x}\"", Provider: "byom", HostID: "6f1c2d3e-0000-4000-8000-000000000001", RemoteUser: "ml", Status: "error"},
			{ID: "cmp_1", Name: "build-01", Provider: "sandbox_vendor", HostID: "no uuid", RemoteUser: "a\nb", Status: "active"},
			{ID: "cmp_3", Name: "build-01", Provider: "byom"},
			{ID: "cmp_4", Name: "..", Provider: "byom"},
		},
		Settings: &Settings{Scope: AllSettings, Revision: org.Revision{Number: 42, UpdatedAt: "2026-11-09T02:00:00.000Z", Actor: org.Actor{Email: "admin@acme.example"}, Settings: map[string]any{
			"modelPolicy": map[string]any{"allowedModelIds": []any{"model-a", "model-b"}, "blockedModelIds": []any{"model-a"}, "allowCustomModels": false},
			"sandbox":     map[string]any{"enabled": true, "network": map[string]any{"allowedDomains": []any{"a.example", "b.example"}}},
			"commandAllowlist": []any{
				"a command that is long enough", "for a line of its own", "because the list does not fit", "on one line any more",
			},
			"customModels": []any{map[string]any{"model": "m", "apiKey": map[string]any{"redacted": true, "kind": "literal"}}},
			"e\u0301":      1, "": true, "nothing": map[string]any{}, "null": nil,
		}}},
		Limits: &Limits{
			Members: []org.Email{"ada@acme.example", "bob@acme.example", "eve@acme.example", "grace@acme.example"},
			Known: org.LimitsOf(map[org.Email]org.KnownLimit{
				"ada@acme.example": {Grade: org.Confirmed, Credits: 2500000, At: day}, "bob@acme.example": {Grade: org.Confirmed, Credits: 0, At: day},
				"eve@acme.example": {Grade: org.Unknown}, "gone@acme.example": {Grade: org.Confirmed, Credits: 1, At: day},
			}),
			Stated: map[org.Email]string{"bob@acme.example": "somebody"}, Given: map[org.Email]int64{"grace@acme.example": 7}, GivenBy: "old.csv", Fallback: &fallback,
		},
		Readiness: []Repository{{URL: "https://git.example.com/acme/api", Branch: "main", Score: 0.8571}, {URL: "https://redacted@git.example.com/x", Score: 1}, {URL: "https://git.example.com/acme/web", Score: 1}},
		Gaps:      []org.Gap{{Fact: "computer", Key: "cmp_9", Error: "HTTP 500\nfor a \u202e reason"}},
	}
}

func TestGenerateGolden(t *testing.T) {
	t.Parallel()
	g := Generate(sampleOrganization())
	load(t, g.Files)
	golden(t, "organization", g.Files)
	if len(g.Omitted) != 6 {
		t.Errorf("omitted %+v", g.Omitted)
	}
}

func TestStartGolden(t *testing.T) {
	t.Parallel()
	limit, zero := int64(1000000), int64(0)
	for name, s := range map[string]Starter{
		"starter":          {Service: Service{BaseURL: "embedded:", Organization: "org_acme"}, Default: &limit},
		"starter-real":     {Service: Service{BaseURL: "https://api.example.com", AppURL: "https://app.example.com", Ledger: "postgres://db.example.com/g"}},
		"starter-zero":     {Service: Service{BaseURL: "https://api.example.com", Organization: "org \"x\" ${y}"}, Default: &zero},
		"starter-yaml":     {Service: Service{BaseURL: "embedded:", Organization: "org_acme"}, Default: &limit, YAML: true},
		"starter-yaml-all": {Service: Service{BaseURL: "https://api.example.com", AppURL: "https://app.example.com", Organization: "yes: no # \"x\"", Ledger: "postgres://db.example.com/g"}, Default: &zero, YAML: true},
		"starter-yaml-min": {Service: Service{BaseURL: "https://api.example.com"}, YAML: true},
	} {
		files := []File{Start(s)}
		p := load(t, files)
		if p.Service.BaseURL != s.BaseURL || p.Service.AppURL != s.AppURL || p.Service.Organization != s.Organization {
			t.Errorf("%s: service %+v", name, p.Service)
		}
		if want, err := p.Resolve(membersOf([]org.Email{"a@b.example"}), day); err != nil || (len(want.Limits) == 1) != (s.Default != nil) {
			t.Errorf("%s: limits %+v, %v", name, want.Limits, err)
		}
		golden(t, name, files)
	}
	golden(t, "ignore", []File{{"all", Ignore(false)}, {"but the ledger", Ignore(true)}})
}

// TestGenerateLeavesDeclaredAlone: what a project has already is not declared again.
func TestGenerateLeavesDeclaredAlone(t *testing.T) {
	t.Parallel()
	settings := map[string]any{"a": map[string]any{"b": true, "c": json.Number("1")}, "list": []any{"x"}, "d": "e", "modelPolicy": map[string]any{"allowedModelIds": []any{"m"}}}
	s := &Settings{Scope: AllSettings, NoModels: true, Declared: []string{"/a/b", "/list/0", "/modelPolicy/allowedModelIds"}, Revision: org.Revision{Settings: settings}}
	p := load(t, Generate(Organization{At: day, Settings: s}).Files)
	var got []string
	for _, e := range p.Expectations {
		got = append(got, e.Pointer)
	}
	if diff := cmp.Diff([]string{"/a/c", "/d"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestPointers: one pointer declares exactly what it leads to, also inside of a list.
func TestPointers(t *testing.T) {
	t.Parallel()
	settings := map[string]any{"a": map[string]any{"b": true, "c/d": json.Number("1")}, "list": []any{"x", "y"}, "modelPolicy": map[string]any{"allowedModelIds": []any{"m"}}}
	for pointers, want := range map[string]string{
		"/a/b": "/a/b", "/a": "/a/b /a/c~1d", "/a/c~1d /a": "/a/b /a/c~1d", "/list/1": "/list/1", "/list /list/1": "/list", "/list/1 /list": "/list",
		"/modelPolicy": "/modelPolicy/allowedModelIds",
	} {
		s := &Settings{Scope: NoSettings, Pointers: strings.Fields(pointers), Revision: org.Revision{Settings: settings}}
		var got []string
		for _, e := range load(t, Generate(Organization{At: day, Settings: s}).Files).Expectations {
			got = append(got, e.Pointer)
			if !e.Meets(settings) {
				t.Errorf("%s: %s is not met", pointers, e.Pointer)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: declared %s, want %s", pointers, got, want)
		}
	}
	s := Settings{Pointers: []string{"/a/x", "a", "/a/b", ""}, Revision: org.Revision{Settings: settings}}
	if diff := cmp.Diff([]string{`"/a/x"`, `"a"`, `""`}, s.Missing()); diff != "" {
		t.Error(diff)
	}
}

// golden compares files with testdata/NAME.txt.
func golden(t *testing.T, name string, files []File) {
	t.Helper()
	var b strings.Builder
	for _, f := range files {
		b.WriteString("-- " + f.Path + " --\n" + string(f.Content))
	}
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}
