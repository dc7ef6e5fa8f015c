package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/api"
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
	if len(list) == 1 && in.file != "-" && mirrored(in.kind, v) {
		list[0].Locate = locate(placed(dir, in.file), text, v, list[0])
	}
	return func(yield func(policy.Document) bool) {
		for i := range list {
			d := list[i]
			list[i] = policy.Document{}
			if d.Subject == "" {
				d.Subject = in.kind + "@" + name
			}
			if in.kind == policy.Settings {
				d.Body = org.Redact(d.Body)
			}
			if !yield(d) {
				return
			}
		}
	}, nil
}

// mirrored reports whether the one document of a file is the value of the file, so that a
// path of the one is a place in the other: not picked from a list, and not put in order.
func mirrored(kind string, v any) bool {
	object, ok := v.(map[string]any)
	if !ok {
		return kind == policy.Computers
	}
	_, changes := object["changes"]
	_, whole := object["repository"]
	switch kind {
	case policy.Settings, policy.History:
		return !changes
	case policy.Readiness:
		return whole
	}
	return true
}

// locate places the findings of d in the file that mirrors it. The file is what rules see,
// or bare: only what is at d.Base there, or below the name of the kind.
func locate(name string, text []byte, whole any, d policy.Document) func([]org.Finding) {
	has := func(pointer string) bool { _, found := org.Lookup(whole, pointer); return found }
	bare := cmp.Or(d.Base, "/"+d.Kind)
	wrapped := has(bare)
	return func(findings []org.Finding) {
		pointers := make([]string, len(findings))
		for i, f := range findings {
			switch pointers[i] = f.Path; {
			case !wrapped:
				pointers[i] = strings.TrimPrefix(f.Path, bare)
			case !has(f.Path):
				pointers[i] = d.Base + f.Path
			}
		}
		for i, at := range jsonfile.Places(name, text, pointers) {
			if f := &findings[i]; f.Source == nil {
				f.Source = &at
			}
		}
	}
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

// wrap makes documents of a kind of what a file holds: a document as rules see it, what
// the API answers, or the bare thing.
func wrap(kind string, v any) ([]policy.Document, error) {
	if list, ok := v.([]any); ok && kind != policy.Computers {
		var out []policy.Document
		for i, e := range list {
			d, err := wrap(kind, e)
			if err != nil {
				return nil, fmt.Errorf("element %d: %w", i, err)
			}
			out = append(out, d...)
		}
		return out, nil
	}
	object, ok := v.(map[string]any)
	if !ok {
		if kind == policy.Computers {
			return []policy.Document{{Kind: kind, Body: map[string]any{"computers": v}}}, nil
		}
		return nil, errors.New("not a JSON object")
	}
	whole := policy.Document{Kind: kind, Body: object}
	switch kind {
	case policy.Settings:
		if changes, ok := object["changes"].([]any); ok {
			return wrap(kind, changes)
		}
		return []policy.Document{wrapSettings(object)}, nil
	case policy.History:
		if changes, ok := object["changes"].([]any); ok {
			return wrapPairs(changes)
		}
		whole.Base = "/to/settings"
		if to, ok := object["to"].(map[string]any); ok {
			whole.Subject = revisionSubject(to)
		}
	case policy.PlanKind:
		delete(object, overviewField)
		if _, ok := object["plan"]; !ok {
			whole.Body = map[string]any{"plan": object}
		}
		whole.Base = "/plan"
	case policy.Readiness:
		if _, ok := object["repository"]; !ok {
			return wrapReports(object)
		}
	case policy.Hooks:
		if _, ok := object["kind"]; !ok {
			whole.Body = map[string]any{"hooks": object}
		}
	}
	return []policy.Document{whole}, nil
}

// wrapSettings takes a revision, as the API or govctl writes it, or a bare snapshot.
// An object that has nothing but settings is what rules see.
func wrapSettings(object map[string]any) policy.Document {
	d := policy.Document{Kind: policy.Settings, Base: "/settings"}
	_, isObject := object["settings"].(map[string]any)
	if isObject && len(object) == 1 {
		d.Body = object
		return d
	}
	if !isObject || !slices.ContainsFunc([]string{"revision", "kind", "user", "actor"}, func(n string) bool { _, ok := object[n]; return ok }) {
		d.Body = map[string]any{"settings": object}
		return d
	}
	d.Body, d.Subject = renamedRevision(object), revisionSubject(object)
	return d
}

// renamedRevision gives the fields of a revision the names they have for rules.
func renamedRevision(object map[string]any) map[string]any {
	body := maps.Clone(object)
	for from, to := range map[string]string{"updatedAt": "updated_at", "user": "actor"} {
		if v, ok := body[from]; ok {
			delete(body, from)
			body[to] = v
		}
	}
	return body
}

func revisionSubject(revision map[string]any) string {
	if n, ok := revision["revision"].(json.Number); ok {
		return "settings@r" + n.String()
	}
	return ""
}

// wrapPairs makes a pair of every two consecutive revisions, which come newest first.
func wrapPairs(changes []any) ([]policy.Document, error) {
	var out []policy.Document
	for i := range len(changes) - 1 {
		to, ok1 := changes[i].(map[string]any)
		from, ok2 := changes[i+1].(map[string]any)
		if !ok1 || !ok2 {
			return nil, fmt.Errorf("revision %d is not a JSON object", i)
		}
		out = append(out, policy.Document{
			Kind: policy.History, Base: "/to/settings", Subject: revisionSubject(to),
			Body: map[string]any{"from": renamedRevision(from), "to": renamedRevision(to)},
		})
	}
	return out, nil
}

// wrapReports makes a document of every repository of an answer of the API.
func wrapReports(object map[string]any) ([]policy.Document, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var page api.ReportsPage
	if err := json.Unmarshal(text, &page); err != nil {
		return nil, fmt.Errorf("readiness reports: %w", err)
	}
	return readinessDocuments(nil, page.Reports, false)
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
