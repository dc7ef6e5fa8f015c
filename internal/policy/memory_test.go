package policy

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

// ownEngine holds one rule whose body and helpers are given.
func ownEngine(t *testing.T, text string) *Engine {
	t.Helper()
	module := `package own

# METADATA
# title: Own
# scope: document
# custom:
#   id: OWN001
#   severity: high
#   input: settings
#   remediation: Nothing.
` + text
	e, err := Load(Options{Sources: []Source{{Name: "own", FS: fstest.MapFS{
		"r.rego":    {Data: []byte(module)},
		"lib.rego":  {Data: []byte("package lib\n\nfrom(x) := x.inner\n\noutside if input.settings.outside\n")},
		"data.yaml": {Data: []byte("words: [a, b]\n")},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// unitOf is the rules of a kind, compiled.
func unitOf(t *testing.T, e *Engine, kind string) *unit {
	t.Helper()
	u, err := e.unit(kind)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestParts holds that everything a rule can depend on is known: what is not would be
// answered from memory although it changed.
func TestParts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"paths":              {`input.settings.a.b == input.settings.c`, []string{"settings.a.b", "settings.c"}},
		"one inside another": {`input.settings.a == input.settings.a.b`, []string{"settings.a"}},
		"iteration":          {`some x in input.settings.list; x.y`, []string{"settings.list"}},
		"name from data":     {`some w in data.words; input.settings[w] == 1`, []string{"settings"}},
		"name from input":    {`input.settings.a[input.settings.b]`, []string{"settings.a", "settings.b"}},
		"index":              {`input.settings.list[0].x`, []string{"settings.list"}},
		"all of it":          {`x := input; x.settings.a`, []string{""}},
		"argument":           {`data.lib.from(input.settings.a)`, []string{"settings.a"}},
		"helper":             {`data.lib.outside`, []string{"settings.outside"}},
		"package":            {`some x in data.lib; x`, []string{"settings.outside"}},
		"negated":            {`not input.settings.a`, []string{"settings.a"}},
		"comprehension":      {`count([x | x := input.settings.a[_]]) > 0`, []string{"settings.a"}},
		"every":              {`every x in input.settings.a { x == input.settings.b }`, []string{"settings.a", "settings.b"}},
		"other branch":       {`_f(1) == 2`, []string{"settings.a", "settings.b"}},
		"replaced":           {`data.lib.outside with input.settings.outside as input.settings.a`, []string{"settings.a", "settings.outside"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := ownEngine(t, `findings contains {"path": "", "message": "m"} if {
	`+strings.ReplaceAll(c.body, "; ", "\n\t")+`
}

_f(x) := 1 if input.settings.a == x

else := 2 if input.settings.b == x
`)
			var got []string
			for _, i := range e.rules(Settings)[0].reads {
				got = append(got, strings.Join(unitOf(t, e, Settings).parts[i], "."))
			}
			slices.Sort(got)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestMemory holds that an answer from memory is the one that evaluation would give, also
// where documents are nearly equal, and that equal documents are answered from memory.
func TestMemory(t *testing.T) {
	t.Parallel()
	e := ownEngine(t, `findings contains {"path": "/settings", "message": json.marshal(object.get(input.settings, "n", "absent"))}

findings contains {"path": "/other", "message": "other"} if input.settings.other
`)
	var documents []Document
	for _, text := range []string{
		`{}`, `{"n":null}`, `{"n":1}`, `{"n":1.0}`, `{"n":"1"}`, `{"n":[]}`, `{"n":{}}`, `{"n":[1,2]}`, `{"n":[2,1]}`,
		`{"n":{"a":1,"b":2}}`, `{"n":{"a":2,"b":1}}`, `{"n":true}`, `{"n":false}`, `{"other":true}`, `{"n":[[],[1]]}`, `{"n":[[1],[]]}`,
	} {
		body, err := org.DecodeJSON([]byte(`{"settings":` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, Document{Kind: Settings, Subject: text, Body: body})
	}
	b := &batch{e: e, watch: newWatch(e.limits)}
	for round := range 2 {
		for _, d := range documents {
			in, err := e.input(d)
			if err != nil {
				t.Fatal(err)
			}
			if asked := b.remember(b.memory(unitOf(t, e, Settings)), &Outcome{Document: d}, in, e.rules(Settings)); (len(asked) == 0) != (round == 1) {
				t.Errorf("round %d, %s: asked %d rules", round, d.Subject, len(asked))
			}
			alone, err := e.Check(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			got := b.judge(t.Context(), &b.watch.slots[0], d)
			if diff := cmp.Diff(alone.Findings, got.Findings); diff != "" {
				t.Errorf("round %d, %s (-alone +together):\n%s", round, d.Subject, diff)
			}
		}
	}
}

// TestForget holds that memory is bounded: by what it holds, by answers, and by document.
func TestForget(t *testing.T) {
	t.Parallel()
	e := ownEngine(t, `findings contains {"path": "", "message": "m"} if input.settings.a`)
	m := newMemory(unitOf(t, e, Settings).parts)
	document := func(n, size int) *input {
		list := make([]any, size)
		for i := range list {
			list[i] = strings.Repeat("x", n)
		}
		return &input{body: map[string]any{"settings": map[string]any{"a": list}}, values: size}
	}
	first := m.keys(document(0, maxRemembered/2), e.rules(Settings))[0]
	m.keep(first, answer{said: []said{{message: "kept"}}})
	if a, ok := m.answer(first); !ok || a.said[0].message != "kept" {
		t.Fatal("not kept")
	}
	for n := range 2 * maxHeld / maxRemembered * 2 {
		m.keys(document(n, maxRemembered/2), e.rules(Settings))
		if m.held > maxHeld {
			t.Fatalf("%d values are held", m.held)
		}
	}
	if _, ok := m.answer(first); ok {
		t.Error("nothing was forgotten")
	}
	if key := m.keys(document(1, maxRemembered+1), e.rules(Settings))[0]; key != "" {
		t.Error("a huge document is remembered")
	}
	foreign := &input{body: map[string]any{"settings": map[string]any{"a": make(chan int)}}}
	if key := m.keys(foreign, e.rules(Settings))[0]; key != "" {
		t.Error("a value that is not JSON is remembered")
	}
}
