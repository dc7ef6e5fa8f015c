package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// snapshots reads a whole history.
func snapshots(t interface {
	Helper()
	Fatalf(string, ...any)
}, history ...api.Change) []Snapshot {
	t.Helper()
	var out []Snapshot
	for s, err := range Snapshots(context.Background(), &service{history: history}, 100, org.Redactor{}) {
		if err != nil {
			t.Fatalf("%v", err)
		}
		out = append(out, s)
	}
	return out
}

// TestSnapshotsAreRevisions: sharing and splitting change nothing of what is read.
func TestSnapshotsAreRevisions(t *testing.T) {
	t.Parallel()
	property := rapid.SampledFrom([]string{
		`"a":1`, `"a":1.0`, `"a": {"x":[1,2],"apiKey":"s1"}`, `"a":{"x":[1,2],"apiKey":"s2"}`, `"apiKey":"k"`, `"value":"hidden"`, `"name":"token"`,
		`"https://u:p@h.example/":1`, `"extraHeaders":{"X":"y","https://u:p@h/":2}`, `"url":"https://u:p@h.example/?token=t"`, `"\u0061b":null`, `"list":[{"name":"password","value":"p"},3]`,
	})
	rapid.Check(t, func(t *rapid.T) {
		var history []api.Change
		for i := range rapid.IntRange(1, 5).Draw(t, "revisions") {
			fields := rapid.SliceOfNDistinct(property, 0, 5, func(s string) string { return s[:strings.Index(s, ":")] }).Draw(t, "properties")
			history = append(history, change(int64(9-i), "{"+strings.Join(fields, ", ")+"}"))
		}
		for i, s := range snapshots(t, history...) {
			want, err := Revision(history[i], org.Redactor{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, s.Revision); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", history[i].Settings, diff)
			}
			for _, secret := range []string{"s1", "s2", `"hidden"`, "u:p@", "token=t", `"p"`} {
				if text, _ := json.Marshal(s); strings.Contains(string(text), secret) && (secret != `"hidden"` || strings.Contains(string(history[i].Settings), `"token"`)) {
					t.Fatalf("%s is shown: %s", secret, text)
				}
			}
		}
	})
}

// TestSnapshotsShare: what neighbours write alike is one value, so that comparing them is
// cheap.
func TestSnapshotsShare(t *testing.T) {
	t.Parallel()
	s := snapshots(t, change(3, `{"a":{"x":1},"b":{"y":1}}`), change(2, `{"b":{"y":1}, "a": {"x":1}}`), change(1, `{"a":{"x":2},"b":{"y":1}}`))
	same := func(i, j int, name string) bool {
		return reflect.ValueOf(s[i].Settings[name]).Pointer() == reflect.ValueOf(s[j].Settings[name]).Pointer()
	}
	if !same(0, 1, "a") || !same(0, 1, "b") || same(1, 2, "a") || !same(1, 2, "b") {
		t.Errorf("what is shared: %v %v %v %v", same(0, 1, "a"), same(0, 1, "b"), same(1, 2, "a"), same(1, 2, "b"))
	}
}

// TestSecretMarks: a mark differs exactly when what is hidden does.
func TestSecretMarks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		older, newer string
		marked       bool // both hide something
		differ       bool
	}{
		"nothing hidden":          {`{"m":[1]}`, `{"m":[2]}`, false, false},
		"same secret":             {`{"m":[{"apiKey":"s"}]}`, `{"m": [{"apiKey": "s"}]}`, true, false},
		"another secret":          {`{"m":[{"apiKey":"s"}]}`, `{"m":[{"apiKey":"t"}]}`, true, true},
		"order does not count":    {`{"m":[{"apiKey":"s"},{"apiKey":"t"}]}`, `{"m":[{"apiKey":"t"},{"apiKey":"s"}]}`, true, false},
		"what shows is no mark":   {`{"m":[{"apiKey":"s","x":1}]}`, `{"m":[{"apiKey":"s","x":2}]}`, true, false},
		"inside of a URL":         {`{"m":"https://u:p@h/"}`, `{"m":"https://u:q@h/"}`, true, true},
		"a name that is one":      {`{"m":{"https://u:p@h/":1}}`, `{"m":{"https://u:p@h/":2}}`, true, true},
		"redacted as a whole":     {`{"m":{"token":7}}`, `{"m":{"token":8}}`, true, true},
		"judged by its sibling":   {`{"m":1,"name":"token","value":"x"}`, `{"m":1,"name":"token","value":"y"}`, false, false},
		"an environment, no fact": {`{"m":{"apiKey":"${A}"}}`, `{"m":{"apiKey":"${B}"}}`, true, true},
	} {
		s := snapshots(t, change(2, c.newer), change(1, c.older))
		a, ok1 := s[0].Secrets["m"]
		b, ok2 := s[1].Secrets["m"]
		if ok1 != c.marked || ok2 != c.marked || (a != b) != c.differ {
			t.Errorf("%s: marks %v %v, %v %v", name, a, ok1, b, ok2)
		}
	}
	s := snapshots(t, change(2, `{"name":"token","value":"y"}`), change(1, `{"name":"token","value":"x"}`))
	if s[0].Secrets["value"] == s[1].Secrets["value"] {
		t.Error("a value that is hidden because of its sibling has no mark of its own")
	}
}

func TestSnapshotsEnd(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*service{
		"broken":       {history: []api.Change{change(3, `{}`), change(2, `{}`)}, fail: map[string]error{"history 100": failure(500)}, failAfter: map[string]int{"history 100": 1}},
		"no object":    {history: []api.Change{change(3, `{}`), change(2, `[]`)}},
		"half a value": {history: []api.Change{change(3, `{}`), change(2, `{"a":`)}},
	} {
		n := 0
		var last error
		for _, err := range Snapshots(context.Background(), s, 100, org.Redactor{}) {
			n++
			last = err
		}
		if n != 2 || last == nil {
			t.Errorf("%s: %d steps, error %v", name, n, last)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, err := range Snapshots(ctx, &service{}, 100, org.Redactor{}) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
}

func TestOriginOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pointer string
		history []api.Change
		want    string
	}{
		"changed":             {"/a/b", []api.Change{change(5, `{"a":{"b":1}}`), change(4, `{"a":{"b":1.0},"c":2}`), change(3, `{"a":{"b":2}}`), change(2, `nonsense`)}, "1 since 4, before 2"},
		"added":               {"/a", []api.Change{change(3, `{"a":null}`), change(2, `{}`)}, "<nil> since 3, before nothing"},
		"removed":             {"/a", []api.Change{change(3, `{}`), change(2, `{"a":7}`)}, "nothing since 3, before 7"},
		"never there":         {"/x/y", []api.Change{change(2, `{}`), change(1, `{"x":3}`)}, "nothing since 1"},
		"since the first":     {"/a", []api.Change{change(2, `{"a":1}`), change(1, `{"a":1}`)}, "1 since 1"},
		"history begins late": {"/a", []api.Change{change(9, `{"a":1}`), change(8, `{"a":1}`)}, "1 since 8~"},
		"not visible between": {"/a", []api.Change{change(9, `{"a":1}`), change(7, `{"a":2}`)}, "1 since 9~, before 2"},
		"escaped":             {"/a~1b/0", []api.Change{change(3, `{"a/b":[1]}`), change(2, `{"a/b":[2]}`)}, "1 since 3, before 2"},
		"everything":          {"", []api.Change{change(3, `{"a": 1}`), change(2, `{"a":1}`), change(1, `{}`)}, "map[a:1] since 2, before map[]"},
		"a secret":            {"/apiKey", []api.Change{change(3, `{"apiKey":"new"}`), change(2, `{"apiKey":"new"}`), change(1, `{"apiKey":"old"}`)}, "map[kind:literal redacted:true] since 2, before map[kind:literal redacted:true]"},
		"below a secret name": {"/h/https:~1~1u:p@x~1", []api.Change{change(1, `{"h":{"https://u:p@x/":"v"}}`)}, "map[kind:literal redacted:true] since 1"},
	} {
		o, err := OriginOf(context.Background(), &service{history: c.history}, c.pointer, org.Redactor{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := "nothing"
		if o.Found {
			got = fmt.Sprint(o.Value)
		}
		got += fmt.Sprint(" since ", o.Revision)
		if o.AtOrBefore {
			got += "~"
		}
		switch {
		case o.Had:
			got += fmt.Sprint(", before ", o.Before)
		case o.Known:
			got += ", before nothing"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if _, err := OriginOf(context.Background(), &service{}, "/a", org.Redactor{}); !errors.Is(err, ErrEmptyHistory) {
		t.Errorf("empty history: %v", err)
	}
}

func TestSessionsSeen(t *testing.T) {
	t.Parallel()
	session := func(id, computer, model, archived string) api.Session {
		return api.Session{SessionID: id, ComputerID: &computer, SessionSettings: &api.SessionSettings{Model: &model, ArchivedAt: &archived}}
	}
	s := &service{sessions: []api.Session{session("1", "c1", "a", ""), session("2", "c1", "b", ""), session("3", "c2", "b", "2026-01-01T00:00:00Z")}}
	got, err := SessionsSeen(context.Background(), s, func(string, int) {})
	if diff := cmp.Diff(Seen{map[string]int{"c1": 2}, map[string]int{"a": 1, "b": 1}}, got); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	s.fail, s.failAfter = map[string]error{"sessions": failure(500)}, map[string]int{"sessions": 1}
	if got, err = SessionsSeen(context.Background(), s, func(string, int) {}); err == nil || got.Computers["c1"] != 1 {
		t.Errorf("broken off: %v %v", got, err)
	}
}

// FuzzSnapshots: whatever stands in settings, they are read as Revision reads them or
// refused.
func FuzzSnapshots(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":{"apiKey":"x"}}`, `{"value":1,"name":"token"}`, `[1]`, `{"https://u:p@h":1}`, `{"a":1e400}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, settings string) {
		if !utf8.ValidString(settings) {
			return // the client refuses such an answer
		}
		c := api.Change{Revision: 1, Settings: json.RawMessage(settings)}
		want, refused := Revision(c, org.Redactor{})
		for s, err := range Snapshots(context.Background(), &service{history: []api.Change{c}}, 100, org.Redactor{}) {
			if err == nil && refused == nil && !org.EqualJSON(want.Settings, s.Settings) {
				t.Errorf("%q: %v, want %v", settings, s.Settings, want.Settings)
			}
			if err == nil && refused != nil && json.Valid([]byte(settings)) {
				t.Errorf("%q is read, but %v", settings, refused)
			}
		}
	})
}
