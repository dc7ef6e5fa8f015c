package main

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
// one cannot be read, those after it are only looked at for what else is wrong. Places are
// named from dir.
func (a *app) documents(inputs []policyInput, dir string) iter.Seq2[policy.Document, error] {
	return func(yield func(policy.Document, error) bool) {
		var bad []error
		for _, in := range inputs {
			list, err := a.documentsOf(in, dir)
			if err != nil {
				bad = append(bad, err)
			}
			if len(bad) > 0 {
				continue
			}
			for d := range list {
				if !yield(d, nil) {
					return
				}
			}
		}
		if len(bad) > 0 {
			yield(policy.Document{}, errors.Join(bad...))
		}
	}
}

// documentsOf are the documents of a file, with secrets replaced. A file may be a long list
// of settings, so these are taken from it one by one: it is not held twice.
func (a *app) documentsOf(in policyInput, dir string) (iter.Seq[policy.Document], error) {
	var text []byte
	var err error
	if in.file == "-" {
		text, err = io.ReadAll(a.in)
	} else {
		text, err = os.ReadFile(in.file)
	}
	if err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	name := filepath.ToSlash(in.file)
	v, err := jsonfile.Decode(name, text)
	if err != nil {
		return nil, err
	}
	if in.kind == "" {
		in.kind = guessKind(in.file, v)
	}
	if in.kind != policy.Settings {
		v = redactInput(in.kind, v)
	}
	list, err := wrap(in.kind, v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	places := placesIn(placed(dir, in.file), text, v)
	return func(yield func(policy.Document) bool) {
		for i := range list {
			d := list[i]
			list[i] = fileDocument{}
			if d.Subject == "" {
				d.Subject = in.kind + "@" + name
			}
			if in.kind == policy.Settings {
				d.Body = org.Redact(d.Body)
			}
			if in.file != "-" && d.from != nil {
				d.Locate = d.locate(places)
			}
			if !yield(d.Document) {
				return
			}
		}
	}, nil
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
