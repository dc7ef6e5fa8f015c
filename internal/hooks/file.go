package hooks

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/govctl/govctl/internal/jsonfile"
	"github.com/govctl/govctl/internal/org"
)

// File is a hooks.json file, whatever it holds.
type File struct {
	*jsonfile.File
}

// Parse reads exactly one JSON value; name is for errors.
func Parse(name string, data []byte) (*File, error) {
	f, err := jsonfile.Parse(name, data)
	if err != nil {
		return nil, err
	}
	return &File{f}, nil
}

// Hook is a hook as a file has it.
type Hook struct {
	org.Hook
	Timeout json.Number `json:"timeout,omitempty"` // as written, in a unit that is not stated (C214); "" when absent
}

// Hooks lists the hooks of a file of the documented form (C214), by event and then in the
// order of the file. The error joins everything that is of another form.
func (f *File) Hooks() ([]Hook, error) {
	root, ok := f.Value.(map[string]any)
	if !ok {
		return nil, f.wrong("", "an object with a list for every event")
	}
	if inner, ok := root["hooks"].(map[string]any); ok && len(root) == 1 && inner != nil {
		return nil, f.wrong("/hooks", "an event: the documented file has no hooks key around its events")
	}
	var out []Hook
	var bad []error
	for _, event := range slices.Sorted(maps.Keys(root)) {
		at := org.Pointer("", event)
		groups, ok := root[event].([]any)
		if !ok {
			bad = append(bad, f.wrong(at, "a list"))
			continue
		}
		for i, g := range groups {
			hooks, err := f.group(event, at+"/"+strconv.Itoa(i), g)
			out, bad = append(out, hooks...), append(bad, err)
		}
	}
	return out, errors.Join(bad...)
}

// group reads one entry of an event: a matcher and a list of hooks.
func (f *File) group(event, at string, v any) ([]Hook, error) {
	group, _ := v.(map[string]any)
	list, ok := group["hooks"].([]any)
	if !ok {
		return nil, f.wrong(at, "an object with a list named hooks")
	}
	matcher, ok := group["matcher"].(string)
	if _, written := group["matcher"]; written && !ok {
		return nil, f.wrong(at+"/matcher", "a text")
	}
	var out []Hook
	var bad []error
	for i, v := range list {
		here := at + "/hooks/" + strconv.Itoa(i)
		item, _ := v.(map[string]any)
		command, _ := item["command"].(string)
		if item["type"] != "command" || command == "" {
			bad = append(bad, f.wrong(here, `{"type": "command", "command": "…"}`))
			continue
		}
		timeout, _ := item["timeout"].(json.Number)
		out = append(out, Hook{
			Hook:    org.Hook{Event: event, Matcher: matcher, Command: command, Source: f.Place(here)},
			Timeout: timeout,
		})
	}
	return out, errors.Join(bad...)
}

func (f *File) wrong(pointer, want string) error {
	what := pointer
	if pointer == "" {
		what = "the file"
	}
	return fmt.Errorf("%s: %s is not %s", f.Place(pointer), what, want)
}
