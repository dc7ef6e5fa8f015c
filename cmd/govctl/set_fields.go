package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
)

// setFlags are the settings of a session that a command line can name. What has no flag of
// its own comes by --settings.
type setFlags struct {
	getFlags
	values   map[string]*string // by setting; texts and JSON
	tags     []string
	untags   []string
	archive  bool
	restore  bool
	settings string
	dryRun   bool
}

// flagOfSetting are the settings with a flag of their own.
var flagOfSetting = map[string]string{
	"model": "model", "specModeModel": "spec-mode-model", "runInWorktree": "run-in-worktree",
	"compactionThresholdCheckEnabled": "compaction-check", "enabledToolIds": "enabled-tools", "disabledToolIds": "disabled-tools",
}

func (s *setFlags) bindSet(f *pflag.FlagSet) {
	s.bindProject(f)
	s.values = map[string]*string{}
	text := func(setting, about string) {
		s.values[setting] = f.String(flagOfSetting[setting], "", about)
	}
	text("model", "model of the session")
	text("specModeModel", "model of its specification mode")
	text("runInWorktree", "true or false")
	text("compactionThresholdCheckEnabled", "true or false")
	text("enabledToolIds", "tools that are on, separated by commas; replaces the list")
	text("disabledToolIds", "tools that are off, separated by commas; replaces the list")
	f.StringArrayVar(&s.tags, "tag", nil, "add a tag; repeatable")
	f.StringArrayVar(&s.untags, "untag", nil, "remove a tag; repeatable")
	f.BoolVar(&s.archive, "archive", false, "set archivedAt to now")
	f.BoolVar(&s.restore, "unarchive", false, "clear archivedAt")
	f.StringVar(&s.settings, "settings", "", "JSON file with any writable settings, null clears one; - is stdin")
	f.BoolVar(&s.dryRun, "dry-run", false, "show what would be sent, and send nothing")
}

// wish is what a command line asks of a session.
type wish struct {
	set         api.Object // null clears
	tag, untag  []string
	wholeTagged bool // set has tags: --tag and --untag change those
}

// asked reads the flags.
func (s *setFlags) asked(given func(string) bool, in io.Reader, now func() time.Time) (w wish, err error) {
	w = wish{set: api.Object{}, tag: s.tags, untag: s.untags}
	if s.settings != "" {
		if w.set, err = readSettings(s.settings, in); err != nil {
			return w, err
		}
	}
	var bad []error
	put := func(setting string, v any) {
		if _, twice := w.set[setting]; twice {
			bad = append(bad, fmt.Errorf("%s is in --settings and in a flag", setting))
		}
		w.set[setting], err = json.Marshal(v)
		bad = append(bad, err)
	}
	for _, setting := range slices.Sorted(maps.Keys(flagOfSetting)) {
		name := flagOfSetting[setting]
		if !given(name) {
			continue
		}
		v, err := settingValue(setting, *s.values[setting])
		if err != nil {
			bad = append(bad, fmt.Errorf("--%s: %w", name, err))
			continue
		}
		put(setting, v)
	}
	switch {
	case s.archive && s.restore:
		bad = append(bad, errors.New("--archive and --unarchive exclude each other"))
	case s.archive:
		put("archivedAt", now().UTC().Format(time.RFC3339))
	case s.restore:
		put("archivedAt", nil)
	}
	for _, t := range slices.Concat(s.tags, s.untags) {
		if strings.TrimSpace(t) == "" {
			bad = append(bad, errors.New("a tag needs a name"))
		}
		if slices.Contains(s.tags, t) && slices.Contains(s.untags, t) {
			bad = append(bad, fmt.Errorf("tag %q is to be added and removed", t))
		}
	}
	if err := errors.Join(bad...); err != nil {
		return w, err
	}
	if len(w.set)+len(w.tag)+len(w.untag) == 0 {
		return w, &hinted{errors.New("nothing to set"), "name a setting, as in --model model-a"}
	}
	_, w.wholeTagged = w.set["tags"]
	return w, nil
}

// settingValue reads the text of a flag.
func settingValue(setting, text string) (any, error) {
	switch setting {
	case "model", "specModeModel":
		if strings.TrimSpace(text) == "" {
			return nil, errors.New("it is empty")
		}
		return text, nil
	case "runInWorktree", "compactionThresholdCheckEnabled":
		if text != "true" && text != "false" {
			return nil, fmt.Errorf("%q is not true or false", text)
		}
		return text == "true", nil
	}
	list := []string{}
	for _, id := range strings.Split(text, ",") {
		if id = strings.TrimSpace(id); id != "" {
			list = append(list, id)
		}
	}
	return list, nil
}

// kindOfSetting is the JSON type of every writable setting (C139). What is not here cannot
// be written: tokenUsage and inclusiveTokenUsage are the service's own (C140).
var kindOfSetting = map[string]string{
	"model": "string", "specModeModel": "string", "runInWorktree": "boolean", "providerLockTimestamp": "string",
	"assistantActiveTimeMs": "number", "childInclusiveTokenUsageBySessionId": "object", "archivedAt": "string",
	"tags": "array", "enabledToolIds": "array", "disabledToolIds": "array", "compactionThresholdCheckEnabled": "boolean",
}

// readSettings reads a file of settings and refuses what cannot be written, all at once.
func readSettings(file string, in io.Reader) (api.Object, error) {
	var data []byte
	var err error
	if file == "-" {
		data, err = io.ReadAll(in)
	} else {
		data, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, fmt.Errorf("read --settings: %w", err)
	}
	v, err := org.DecodeJSON(data)
	if err != nil {
		return nil, fmt.Errorf("read --settings %s: %w", file, err)
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("read --settings %s: not a JSON object", file)
	}
	out := api.Object{}
	var bad []error
	for _, name := range slices.Sorted(maps.Keys(object)) {
		want, known := kindOfSetting[name]
		if got := kindOfJSON(object[name]); !known {
			bad = append(bad, fmt.Errorf("%s: %q is no setting that can be written; these can: %s",
				file, name, strings.Join(slices.Sorted(maps.Keys(kindOfSetting)), ", ")))
		} else if got != want && got != "null" {
			bad = append(bad, fmt.Errorf("%s: %s is %s, want %s", file, name, got, want))
		}
		raw, err := json.Marshal(object[name])
		out[name], bad = raw, append(bad, err)
	}
	return out, errors.Join(bad...)
}

func kindOfJSON(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// changes compares a wish with a session: what differs, sorted by name.
func (w wish) changes(s api.Session) ([]render.SessionField, error) {
	have, err := settingsOf(s)
	if err != nil {
		return nil, err
	}
	set := maps.Clone(w.set)
	if len(w.tag)+len(w.untag) > 0 {
		from := have["tags"]
		if w.wholeTagged {
			from = set["tags"]
		}
		if set["tags"], err = retagged(from, w.tag, w.untag); err != nil {
			return nil, err
		}
	}
	var out []render.SessionField
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if !sameSetting(have[name], set[name]) {
			out = append(out, render.SessionField{Name: name, Before: have[name], After: set[name]})
		}
	}
	return out, nil
}

// settingsOf is a session's settings by name.
func settingsOf(s api.Session) (api.Object, error) {
	out := api.Object{}
	if s.SessionSettings == nil {
		return out, nil
	}
	data, err := json.Marshal(s.SessionSettings)
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal(data, &out)
}

// retagged adds and removes tags by name; those that stay keep their metadata.
func retagged(from json.RawMessage, add, remove []string) (json.RawMessage, error) {
	var list []api.Tag
	if len(from) > 0 {
		if err := json.Unmarshal(from, &list); err != nil {
			return nil, fmt.Errorf("tags: %w", err)
		}
	}
	list = slices.DeleteFunc(list, func(t api.Tag) bool { return slices.Contains(remove, t.Name) })
	for _, name := range add {
		if !slices.ContainsFunc(list, func(t api.Tag) bool { return t.Name == name }) {
			list = append(list, api.Tag{Name: name})
		}
	}
	out := make([]map[string]any, len(list))
	for i, t := range list {
		if t.Metadata == nil {
			t.Metadata = api.Object{}
		}
		out[i] = map[string]any{"name": t.Name, "metadata": t.Metadata}
	}
	return json.Marshal(out)
}

// sameSetting compares two settings as JSON. Absent, null and cleared are one: "" and an
// empty list may stand for what was never set; so may a tag's metadata.
func sameSetting(a, b json.RawMessage) bool {
	x, err1 := settingJSON(a)
	y, err2 := settingJSON(b)
	return err1 == nil && err2 == nil && org.EqualJSON(x, y)
}

func settingJSON(raw json.RawMessage) (any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	v, err := org.DecodeJSON(raw)
	if err != nil {
		return nil, err
	}
	return withoutEmpty(v), nil
}

func withoutEmpty(v any) any {
	switch x := v.(type) {
	case string:
		if x == "" {
			return nil
		}
	case []any:
		if len(x) == 0 {
			return nil
		}
		for i := range x {
			x[i] = withoutEmpty(x[i])
		}
	case map[string]any:
		for k := range x {
			if x[k] = withoutEmpty(x[k]); x[k] == nil {
				delete(x, k)
			}
		}
		if len(x) == 0 {
			return nil
		}
	}
	return v
}

// patchOf is what is sent: the fields that differ, and no other (T22).
func patchOf(fields []render.SessionField) api.Object {
	out := api.Object{}
	for _, f := range fields {
		out[f.Name] = f.After
	}
	return out
}

// unconfirmed names the fields that the answer shows otherwise.
func unconfirmed(fields []render.SessionField, got api.Session) []string {
	have, err := settingsOf(got)
	var out []string
	for _, f := range fields {
		if err != nil || !sameSetting(have[f.Name], f.After) {
			out = append(out, f.Name)
		}
	}
	return out
}
