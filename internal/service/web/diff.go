package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// maxChanges is how many changes of one revision a page shows.
const maxChanges = 300

// change is one difference between two settings, at a JSON pointer.
type change struct {
	Pointer string
	Kind    string // added, removed, changed
	Before  *shown // nil when Kind is added, or Items say it
	After   *shown // nil when Kind is removed, or Items say it
	Items   []item // of a list of simple values
	Note    string
}

// shown is a value as the page shows it.
type shown struct {
	Text   string
	Secret bool
}

// item is one value of a list: kept, added or removed.
type item struct {
	shown
	Kind string
}

// value is one place in the settings: the raw value, which decides what changed, beside
// the redacted one, which is all that is shown.
type value struct {
	raw, red any
	found    bool
}

// absent is the value of a place that is not there.
func absent() value { return value{} }

// diff lists what changed from before to after by ascending pointer. Values are compared
// as they are, so that a changed secret is a change, and shown with secrets redacted.
func diff(before, after any) []change {
	return walk("", value{before, org.Redact(before), true}, value{after, org.Redact(after), true}, nil)
}

func walk(pointer string, b, a value, out []change) []change {
	if b.found && a.found && org.EqualJSON(b.raw, a.raw) {
		return out
	}
	if fields(b) || fields(a) {
		return walkObject(pointer, b, a, out)
	}
	if list(b) && list(a) || list(b) && !a.found && filled(b) || list(a) && !b.found && filled(a) {
		return walkList(pointer, b, a, out)
	}
	c := change{Pointer: pointer, Kind: "changed"}
	if b.found {
		c.Before = show(b.red)
	} else {
		c.Kind = "added"
	}
	if a.found {
		c.After = show(a.red)
	} else {
		c.Kind = "removed"
	}
	c.Note = c.note()
	return append(out, c)
}

// note explains a change that redaction made invisible.
func (c change) note() string {
	if c.Before != nil && c.After != nil && c.Before.Text == c.After.Text {
		return "the secret part is another one"
	}
	return ""
}

// fields reports whether v is an object worth walking; an object may also come or go as
// a whole, but what is in it is easier to read one by one.
func fields(v value) bool {
	m, ok := v.raw.(map[string]any)
	return ok && len(m) > 0
}

// walkObject goes into every field; where only one side is an object the other is shown
// as a whole first.
func walkObject(pointer string, b, a value, out []change) []change {
	before, wasObject := b.raw.(map[string]any)
	after, isObject := a.raw.(map[string]any)
	if b.found && !wasObject {
		out = append(out, change{Pointer: pointer, Kind: "removed", Before: show(b.red)})
	}
	names := slices.Sorted(maps.Keys(after))
	for name := range before {
		if _, ok := after[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		out = walk(pointer+"/"+escape(name), field(b, name), field(a, name), out)
	}
	if a.found && !isObject {
		out = append(out, change{Pointer: pointer, Kind: "added", After: show(a.red)})
	}
	return out
}

// field is one field of an object. Where redaction renamed or replaced what is above it,
// nothing of it is shown.
func field(v value, name string) value {
	m, _ := v.raw.(map[string]any)
	raw, ok := m[name]
	if !ok {
		return absent()
	}
	red, _ := v.red.(map[string]any)
	shown, ok := red[org.RedactURL(name)]
	if !ok {
		shown = hiddenValue()
	}
	return value{raw, shown, true}
}

// hiddenValue is what org.Redact puts in the place of a secret.
func hiddenValue() any { return map[string]any{"redacted": true, "kind": "literal"} }

// plain is a simple value as JSON.
func plain(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// show makes a redacted value readable.
func show(red any) *shown {
	if m, ok := red.(map[string]any); ok && m["redacted"] == true {
		if m["kind"] == "env_ref" {
			return &shown{Text: "taken from the environment", Secret: true}
		}
		return &shown{Text: "hidden", Secret: true}
	}
	return &shown{Text: neutral(plain(red))}
}

// escape makes a name a part of a JSON pointer (RFC 6901), secrets in it redacted.
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(org.RedactURL(name))
}

// cleanLines makes a redacted text of many lines neutral and keeps the lines.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		indent := len(l) - len(strings.TrimLeft(l, " "))
		lines[i] = l[:indent] + neutral(l[indent:])
	}
	return strings.Join(lines, "\n")
}
