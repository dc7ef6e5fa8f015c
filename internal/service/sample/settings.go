package sample

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// step is one change of the settings; the revision holds the whole snapshot after it.
type step struct {
	at    string // UTC, minutes
	by    store.Actor
	edits []edit
}

// edit sets the property at a slash-separated path, or removes it when value is "".
type edit struct {
	path  string
	value string // JSON
}

// The people and the automation who change settings.
func ada() store.Actor {
	return store.Actor{ID: "usr_001", Email: "ada@acme.example", Name: "Ada Lovelace"}
}

func grace() store.Actor {
	return store.Actor{ID: "usr_002", Email: "grace@acme.example", Name: "Grace Hopper"}
}

func linus() store.Actor {
	return store.Actor{ID: "usr_003", Email: "linus@acme.example", Name: "Linus Pauling"}
}

func automation() store.Actor {
	return store.Actor{ID: "svc_sync", Email: "admin@acme.example", Name: "Directory Sync"}
}

// Revisions are the settings revisions 1 to 42.
func Revisions() []store.Revision {
	steps := append(firstSteps(), lastSteps()...)
	settings := map[string]any{}
	revisions := make([]store.Revision, len(steps))
	for i, st := range steps {
		for _, e := range st.edits {
			e.apply(settings)
		}
		when, err := time.Parse("2006-01-02 15:04", st.at)
		if err != nil {
			panic(err) // written in this package
		}
		revisions[i] = store.Revision{Number: int64(i + 1), Settings: snapshot(settings), Actor: st.by, UpdatedAt: when}
	}
	return revisions
}

func (e edit) apply(settings map[string]any) {
	path := strings.Split(e.path, "/")
	for _, name := range path[:len(path)-1] {
		inner, ok := settings[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			settings[name] = inner
		}
		settings = inner
	}
	last := path[len(path)-1]
	if e.value == "" {
		delete(settings, last)
		return
	}
	dec := json.NewDecoder(strings.NewReader(e.value))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		panic(err) // written in this package
	}
	settings[last] = v
}

func snapshot(settings map[string]any) string {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(settings); err != nil {
		panic(err) // decoded from JSON
	}
	return strings.TrimSpace(text.String())
}
