package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/jsonfile"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// policyInput is a file with documents; "-" is stdin.
type policyInput struct {
	kind string // "" to guess
	file string
}

// policyInputs reads --input KIND=FILE and plain files.
func policyInputs(flags, files []string) ([]policyInput, error) {
	var out []policyInput
	for _, f := range flags {
		kind, file, ok := strings.Cut(f, "=")
		if !ok || file == "" || !slices.Contains(policy.Kinds(), kind) {
			return nil, fmt.Errorf("--input %q: write KIND=FILE, KIND one of %s", f, strings.Join(policy.Kinds(), ", "))
		}
		out = append(out, policyInput{kind, file})
	}
	for _, f := range files {
		out = append(out, policyInput{file: f})
	}
	return out, nil
}

// documents reads the files one by one, so that thousands of them are not in memory. When
// one cannot be read, those after it are only looked at for what else is wrong. One without
// anything to judge is added to gaps: an empty export is no pass. Places are named from dir.
func (a *app) documents(inputs []policyInput, dir string, gaps *[]org.Gap) iter.Seq2[policy.Document, error] {
	return func(yield func(policy.Document, error) bool) {
		var bad []error
		for _, in := range inputs {
			found := false
			for d, err := range a.documentsOf(in, placed(dir, in.file)) {
				if found = true; err != nil {
					bad = append(bad, err)
				}
				if len(bad) == 0 && !yield(d, nil) {
					return
				}
			}
			if !found {
				*gaps = append(*gaps, org.Gap{Fact: in.kind, Key: filepath.ToSlash(in.file), Error: "there is nothing to judge in it"})
			}
		}
		if len(bad) > 0 {
			yield(policy.Document{}, errors.Join(bad...))
		}
	}
}

// documentsOf are the documents of a file, with secrets replaced, and what is wrong with it.
// In places it is named as shown.
func (a *app) documentsOf(in policyInput, shown string) iter.Seq2[policy.Document, error] {
	return func(yield func(policy.Document, error) bool) {
		if ext := filepath.Ext(in.file); ext == ".ndjson" || ext == ".jsonl" {
			file, err := os.Open(in.file)
			if err != nil {
				yield(policy.Document{}, fmt.Errorf("read documents: %w", err))
				return
			}
			defer file.Close()
			in.lines(file, shown)(yield)
			return
		}
		var text []byte
		var err error
		if in.file == "-" {
			text, err = io.ReadAll(a.in)
		} else {
			text, err = os.ReadFile(in.file)
		}
		switch {
		case err != nil:
			yield(policy.Document{}, fmt.Errorf("read documents: %w", err))
		case in.file == "-" && areLines(text):
			in.lines(bytes.NewReader(text), shown)(yield)
		default:
			in.whole(text, shown)(yield)
		}
	}
}

// whole are the documents of a file that holds one value.
func (in policyInput) whole(text []byte, shown string) iter.Seq2[policy.Document, error] {
	return func(yield func(policy.Document, error) bool) {
		name := filepath.ToSlash(in.file)
		v, places, err := decodeFile(name, shown, text)
		if err != nil {
			yield(policy.Document{}, err)
			return
		}
		list, err := in.wrap(v)
		if err != nil {
			yield(policy.Document{}, fmt.Errorf("%s: %w", name, err))
			return
		}
		for d := range in.finished(list, places) {
			if !yield(d, nil) {
				return
			}
		}
	}
}

// wrap makes documents of a value of the file. Secrets may be left in settings only.
func (in policyInput) wrap(v any) ([]fileDocument, error) {
	if in.kind == "" {
		in.kind = guessKind(in.file, v)
	}
	if in.kind != policy.Settings {
		v = redactInput(in.kind, v)
	}
	return wrap(in.kind, v)
}

// finished gives documents a subject and a place. A file may be a long list of settings, so
// these are taken from the list, and their secrets replaced, one by one: it is not held twice.
func (in policyInput) finished(list []fileDocument, places func(pointers []string) []org.Source) iter.Seq[policy.Document] {
	return func(yield func(policy.Document) bool) {
		for i := range list {
			d := list[i]
			list[i] = fileDocument{}
			if d.Subject == "" {
				d.Subject = d.Kind + "@" + filepath.ToSlash(in.file)
			}
			if d.Kind == policy.Settings {
				d.Body = org.Redact(d.Body)
			}
			if in.file != "-" && d.from != nil {
				d.Locate = d.locate(places)
			}
			if !yield(d.Document) {
				return
			}
		}
	}
}

// decodeFile is what a file of JSON or, by its name, of YAML holds, and what places JSON
// pointers in it under the name shown. A file that holds a list is not gone through for every
// element of it.
func decodeFile(name, shown string, text []byte) (any, func(pointers []string) []org.Source, error) {
	switch path.Ext(name) {
	case ".yaml", ".yml":
		d, err := config.ReadYAML(name, text)
		if err != nil {
			return nil, nil, err
		}
		return d.Value, func(pointers []string) []org.Source {
			out := d.Places(pointers)
			for i := range out {
				out[i].File = shown
			}
			return out
		}, nil
	}
	v, err := jsonfile.Decode(name, text)
	if err != nil {
		return nil, nil, err
	}
	list := ""
	if object, ok := v.(map[string]any); ok {
		if _, ok := object["changes"].([]any); !ok {
			return v, func(pointers []string) []org.Source { return jsonfile.Places(shown, text, pointers) }, nil
		}
		list = "/changes"
	}
	return v, jsonfile.NewList(shown, text, list).Places, nil
}

// redactInput replaces secrets in a document of a kind before rules see it.
func redactInput(kind string, v any) any {
	switch kind {
	case policy.PlanKind:
		return redactPlan(v)
	case policy.Usage:
		return redactUsage(v)
	}
	return org.Redact(v)
}

// redactUsage is org.Redact for usage: its rows are numbers and names, and the tokens they
// count are no secrets, whatever they are called. The settings beside them may hold some.
func redactUsage(v any) any {
	switch x := v.(type) {
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = redactUsage(x[i])
		}
		return out
	case map[string]any:
		out := maps.Clone(x)
		if settings, ok := out["settings"]; ok {
			out["settings"] = org.Redact(settings)
		}
		return out
	}
	return v
}

// guessKind tells the kind of a file by what is in it. What looks like nothing else is a
// settings snapshot, whose properties come and go.
func guessKind(file string, v any) string {
	object, _ := v.(map[string]any)
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { _, ok := object[n]; return !ok })
	}
	if kind, ok := object["kind"].(string); ok && slices.Contains(policy.Kinds(), kind) {
		return kind
	}
	switch {
	case has("format_version", "changes", "basis"), has("plan"):
		return policy.PlanKind
	case has("reports"):
		return policy.Readiness
	case has("from", "to"):
		return policy.History
	case has("window"):
		return policy.Usage
	case has("computers"):
		return policy.Computers
	case filepath.Base(file) == "hooks.json":
		return policy.Hooks
	}
	return policy.Settings
}

// ofKinds leaves out documents of other kinds; no kinds leave out nothing.
func ofKinds(documents iter.Seq2[policy.Document, error], kinds []string) iter.Seq2[policy.Document, error] {
	return func(yield func(policy.Document, error) bool) {
		for d, err := range documents {
			if err == nil && len(kinds) > 0 && !slices.Contains(kinds, d.Kind) {
				continue
			}
			if !yield(d, err) {
				return
			}
		}
	}
}
