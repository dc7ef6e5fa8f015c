package hooks

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

const wellFormed = `{
  "PostToolUse": [
    {"matcher": "Edit", "hooks": [{"type": "command", "command": "scripts/audit > log", "timeout": 5}]},
    {"hooks": []}
  ],
  "Stop": [{"hooks": [
    {"type": "command", "command": "a"},
    {"type": "command", "command": "b"}
  ]}]
}
`

func TestHooks(t *testing.T) {
	t.Parallel()
	f, err := Parse("hooks.json", []byte(wellFormed))
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Hooks()
	if err != nil {
		t.Fatal(err)
	}
	at := func(line, column int) org.Source { return org.Source{File: "hooks.json", Line: line, Column: column} }
	want := []Hook{
		{Hook: org.Hook{Event: "PostToolUse", Matcher: "Edit", Command: "scripts/audit > log", Source: at(3, 35)}, Timeout: "5"},
		{Hook: org.Hook{Event: "Stop", Command: "a", Source: at(7, 5)}},
		{Hook: org.Hook{Event: "Stop", Command: "b", Source: at(8, 5)}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("hooks (-want +got):\n%s", diff)
	}
	for pointer, want := range map[string]org.Source{
		"": at(1, 1), "/PostToolUse": at(2, 3), "/PostToolUse/0/matcher": at(3, 6), "/Stop/0/hooks/1/command": at(8, 25),
		"/Stop/0/hooks/1/nothing/here": at(8, 5), "/nothing": at(1, 1),
	} {
		if got := f.Place(pointer); got != want {
			t.Errorf("the place of %q is %s, want %s", pointer, got, want)
		}
	}
}

// Every fault is named with its place, all of them at once.
func TestFaults(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file string
		want []string
	}{
		"cut off":           {"{\n \"Stop\": [", []string{"h:2:11: the file ends before its JSON value does"}},
		"empty":             {"", []string{"h:1:1: the file ends"}},
		"no JSON":           {"{\n  Stop: []}", []string{"h:2:3: invalid character 'S'"}},
		"two values":        {"{}\n[]", []string{"h:2:1: text after the JSON value"}},
		"a key twice":       {"{\"Stop\": [],\n \"Stop\": []}", []string{`h:2:2: "Stop" stands twice in one object, first at h:1:2`}},
		"too deep":          {strings.Repeat("[", 100) + strings.Repeat("]", 100), []string{"h:1:66: the file is nested more than 64 levels deep"}},
		"a list":            {"[]", []string{"h:1:1: the file is not an object"}},
		"wrapped":           {`{"hooks": {"Stop": []}}`, []string{"h:1:2: /hooks is not an event: the documented file has no hooks key"}},
		"an event as text":  {`{"Stop": "x"}`, []string{"h:1:2: /Stop is not a list"}},
		"a group as text":   {`{"Stop": ["x"]}`, []string{"h:1:11: /Stop/0 is not an object with a list named hooks"}},
		"a matcher of 1":    {`{"Stop": [{"matcher": 1, "hooks": []}]}`, []string{"h:1:12: /Stop/0/matcher is not a text"}},
		"several, in order": {`{"Stop": [{}, {"hooks": [{"type": "prompt"}, 1]}], "A": 1}`, []string{"/A is not a list", "/Stop/0 is not an object", "/Stop/1/hooks/0 is not {", "/Stop/1/hooks/1 is not {"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := Parse("h", []byte(test.file))
			if err == nil {
				_, err = f.Hooks()
			}
			if err == nil {
				t.Fatal("no error")
			}
			lines := strings.Split(err.Error(), "\n")
			if len(lines) != len(test.want) {
				t.Fatalf("got %q, want %d lines", lines, len(test.want))
			}
			for i, want := range test.want {
				if !strings.Contains(lines[i], want) {
					t.Errorf("got %q, want %q in it", lines[i], want)
				}
			}
		})
	}
}

func drawHooks(t *rapid.T) []org.Hook {
	text := rapid.StringMatching(`[ -~"\\<>&üñ\x{1F600}]{1,8}`)
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) org.Hook {
		h := org.Hook{Event: rapid.SampledFrom(org.HookEvents()).Draw(t, "event"), Command: text.Draw(t, "command")}
		if h.Event == "PostToolUse" {
			h.Matcher = rapid.SampledFrom([]string{"", "Edit", "*"}).Draw(t, "matcher")
		}
		return h
	}), 0, 12).Draw(t, "hooks")
}

// What is written is read back as the same hooks, and one hook less is one difference.
func TestRenderReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		declared := drawHooks(t)
		f, err := Parse("hooks.json", Render(declared))
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Hooks()
		if err != nil {
			t.Fatal(err)
		}
		if d := Compare(declared, got); len(d) > 0 {
			t.Fatalf("differences: %v", d)
		}
		if strings.Contains(string(Render(declared)), "timeout\":") {
			t.Fatal("a timeout was written")
		}
		if len(declared) == 0 {
			return
		}
		i := rapid.IntRange(0, len(declared)-1).Draw(t, "without")
		less := append(append([]org.Hook{}, declared[:i]...), declared[i+1:]...)
		want := []Difference{{declared[i], "extra"}}
		if diff := cmp.Diff(want, Compare(less, got), cmpopts.IgnoreFields(org.Hook{}, "Source")); diff != "" {
			t.Fatalf("differences (-want +got):\n%s", diff)
		}
	})
}

func TestCompare(t *testing.T) {
	t.Parallel()
	declared := []org.Hook{{Event: "Stop", Command: "a"}, {Event: "Stop", Command: "b"}}
	file := []Hook{{Hook: org.Hook{Event: "Stop", Command: "b"}, Timeout: "9"}, {Hook: org.Hook{Event: "Notification", Command: "c"}}}
	want := []Difference{
		{org.Hook{Event: "Notification", Command: "c"}, "extra"},
		{org.Hook{Event: "Stop", Command: "a"}, "missing"},
	}
	if diff := cmp.Diff(want, Compare(declared, file)); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(wellFormed))
	f.Add([]byte(`{"hooks":{"Stop":[{"hooks":[{}]}]}}`))
	f.Add([]byte("{\"a\":1,\"a\":[1,2.5e400,null,true]}\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("h", data)
		if err != nil {
			return
		}
		if _, err := org.DecodeJSON([]byte(strings.TrimPrefix(string(data), "\xef\xbb\xbf"))); err != nil {
			t.Fatalf("read what is no JSON: %v", err)
		}
		hooks, err := file.Hooks()
		for _, h := range hooks {
			if h.Command == "" || h.Source.Line < 1 || h.Source.Column < 1 {
				t.Fatalf("a hook without a command or a place: %+v", h)
			}
		}
		if err == nil {
			declared := make([]org.Hook, len(hooks))
			for i := range hooks {
				declared[i] = hooks[i].Hook
			}
			if d := Compare(declared, hooks); len(d) > 0 {
				t.Fatalf("hooks differ from themselves: %v", d)
			}
		}
	})
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(`{"hook_event_name":"Stop","session_id":"s","cwd":"/","message":null,"reason":1}`))
	f.Add([]byte(`{"hook_event_name":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := ParseEvent(data)
		if err != nil {
			return
		}
		if e.HookEventName == "" {
			t.Fatal("an event without a name")
		}
		if _, err := ParseEvent(Encode(e)); err != nil {
			t.Fatalf("cannot read what was written: %v", err)
		}
	})
}

// TestEvents holds that the events which declarations may name are those of the API.
func TestEvents(t *testing.T) {
	t.Parallel()
	want := []string{api.EventNotification, api.EventStop, api.EventSubagentStop, api.EventSessionEnd, api.EventPostToolUse}
	if diff := cmp.Diff(want, org.HookEvents()); diff != "" {
		t.Error(diff)
	}
}
