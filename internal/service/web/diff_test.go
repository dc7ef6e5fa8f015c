package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// lines writes changes as a page shows them, one per line.
func lines(changes []change) []string {
	var out []string
	for _, c := range changes {
		line := c.Kind + " " + c.Pointer
		for _, i := range c.Items {
			line += fmt.Sprintf(" %s:%s", i.Kind, text(&i.shown))
		}
		if c.Before != nil || c.After != nil {
			line += " " + text(c.Before) + " -> " + text(c.After)
		}
		if c.Note != "" {
			line += " (" + c.Note + ")"
		}
		out = append(out, line)
	}
	return out
}

func text(s *shown) string {
	switch {
	case s == nil:
		return "-"
	case s.Secret:
		return "***"
	}
	return s.Text
}

func TestDiff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, before, after string
		want                []string
	}{
		{"nothing", `{"a":1}`, `{"a":1.0}`, nil},
		{"changed", `{"a":true}`, `{"a":false}`, []string{"changed /a true -> false"}},
		{"added", `{}`, `{"a":null}`, []string{"added /a - -> null"}},
		{"removed", `{"a":"x"}`, `{}`, []string{`removed /a "x" -> -`}},
		{"deep", `{"a":{"b":{"c":1}}}`, `{"a":{"b":{"c":2}}}`, []string{"changed /a/b/c 1 -> 2"}},
		{"object added", `{}`, `{"a":{"b":1,"c":{"d":2}}}`, []string{"added /a/b - -> 1", "added /a/c/d - -> 2"}},
		{"empty object added", `{}`, `{"a":{}}`, []string{"added /a - -> {}"}},
		{"object for a value", `{"a":1}`, `{"a":{"b":2}}`, []string{"removed /a 1 -> -", "added /a/b - -> 2"}},
		{"value for an object", `{"a":{"b":2}}`, `{"a":1}`, []string{"removed /a/b 2 -> -", "added /a - -> 1"}},
		{"list", `{"a":["x","y"]}`, `{"a":["y","z"]}`, []string{`changed /a removed:"x" kept:"y" added:"z"`}},
		{"list in another order", `{"a":["x","y"]}`, `{"a":["y","x"]}`, []string{`changed /a kept:"y" kept:"x" (only the order or the repetition changed)`}},
		{"list added", `{}`, `{"a":["x"]}`, []string{`added /a added:"x"`}},
		{"empty list added", `{}`, `{"a":[]}`, []string{"added /a - -> []"}},
		{"list of objects", `{"a":[{"b":1}]}`, `{"a":[{"b":2},{"b":3}]}`, []string{"changed /a/0/b 1 -> 2", "added /a/1/b - -> 3"}},
		{"list of objects added", `{}`, `{"a":[{"b":1}]}`, []string{"added /a/0/b - -> 1"}},
		{"odd names", `{}`, `{"a/b~c":1}`, []string{"added /a~1b~0c - -> 1"}},
		{"whole numbers", `{"a":9007199254740993}`, `{"a":9007199254740992}`, []string{"changed /a 9007199254740993 -> 9007199254740992"}},
		{"secret changed", `{"apiKey":"s1"}`, `{"apiKey":"s2"}`, []string{"changed /apiKey *** -> *** (the secret part is another one)"}},
		{"secret in an address", `{"u":"https://s1@h/"}`, `{"u":"https://s2@h/"}`,
			[]string{`changed /u "https://redacted@h/" -> "https://redacted@h/" (the secret part is another one)`}},
		{"secret list", `{"tokens":["s1"]}`, `{"tokens":["s1","s2"]}`, []string{"changed /tokens kept:*** added:***"}},
		{"secret in a name", `{}`, `{"https://s1@h/":{"x":1}}`, []string{"added /https:~1~1redacted@h~1/x - -> 1"}},
		{"secrets that collide", `{"https://s1@h/":"a","https://s2@h/":"a"}`, `{"https://s1@h/":"a","https://s2@h/":"b"}`,
			[]string{`changed /https:~1~1redacted@h~1 "a" -> "a" (the secret part is another one)`}},
		{"from the environment", `{"apiKey":"s1"}`, `{"apiKey":"${KEY}"}`, []string{"changed /apiKey *** -> ***"}},
	} {
		before, after := decode(t, c.before), decode(t, c.after)
		got := lines(diff(before, after))
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		if strings.Contains(strings.Join(got, "\n"), "s1") || strings.Contains(strings.Join(got, "\n"), "s2") {
			t.Errorf("%s shows a secret: %q", c.name, got)
		}
	}
}

func decode(t testing.TB, s string) any {
	t.Helper()
	v, err := org.DecodeJSON([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// FuzzDiff: a comparison never panics, finds nothing between a value and itself, and
// something wherever two values differ.
func FuzzDiff(f *testing.F) {
	f.Add(`{"a":[1,{"b":null}]}`, `{"a":{"token":"x"}}`)
	f.Add(`{"https://u:p@h/":{"value":"x","name":"token"}}`, `[]`)
	f.Fuzz(func(t *testing.T, x, y string) {
		a, err := org.DecodeJSON([]byte(x))
		if err != nil {
			return
		}
		b, err := org.DecodeJSON([]byte(y))
		if err != nil {
			return
		}
		if got := diff(a, a); len(got) > 0 {
			t.Errorf("%s differs from itself: %q", x, lines(got))
		}
		if got := diff(a, b); (len(got) == 0) != org.EqualJSON(a, b) {
			t.Errorf("%s and %s: %q", x, y, lines(got))
		}
	})
}

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                    "plain",
		"https://u:p@h/?token=x":   "https://redacted@h/?token=redacted",
		"a\u202eb\x1b[31mc\u200bd": "a\ufffdb\ufffd[31mc\ufffdd",
		strings.Repeat("é", 500):   strings.Repeat("é", 400) + "…",
	} {
		if got := clean(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
