package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// fileDocument is a document made of a file or of a part of one.
type fileDocument struct {
	policy.Document
	from []moved // what of the body stands where in the file, the first that fits; nil: nobody knows
}

// moved is a part of a body that was taken from a part of a file, both as JSON pointers.
type moved struct{ body, file string }

var errNoObject = errors.New("not an object")

// wrap makes documents of a kind of what a file holds: a document as rules see it, what
// the API answers, or the bare thing; or a list of those.
func wrap(kind string, v any) ([]fileDocument, error) {
	if list, ok := v.([]any); ok && kind != policy.Computers {
		return wrapList(kind, list)
	}
	object, ok := v.(map[string]any)
	if !ok {
		if kind == policy.Computers {
			return []fileDocument{bare(kind, v)}, nil
		}
		return nil, errNoObject
	}
	whole := fileDocument{policy.Document{Kind: kind, Body: object}, []moved{{"", ""}}}
	switch kind {
	case policy.Settings:
		if changes, ok := object["changes"].([]any); ok {
			list, err := wrapList(kind, changes)
			return below("/changes", list), err
		}
		return []fileDocument{wrapSettings(object)}, nil
	case policy.History:
		if changes, ok := object["changes"].([]any); ok {
			list, err := wrapPairs(changes)
			return below("/changes", list), err
		}
		whole.Base = "/to/settings"
		if to, ok := object["to"].(map[string]any); ok {
			whole.Subject = revisionSubject(to)
		}
	case policy.PlanKind:
		delete(object, overviewField)
		if _, ok := object["plan"]; !ok {
			whole = bare(kind, object)
		}
		whole.Base = "/plan"
	case policy.Readiness:
		if _, ok := object["repository"]; !ok {
			return wrapReports(object)
		}
	case policy.Hooks:
		if _, ok := object["kind"]; !ok {
			whole = bare(kind, object)
		}
	}
	return []fileDocument{whole}, nil
}

// bare is a document of what stands in it under the name of its kind.
func bare(kind string, v any) fileDocument {
	return fileDocument{policy.Document{Kind: kind, Body: map[string]any{kind: v}}, []moved{{"/" + kind, ""}}}
}

// below are documents of a part of a file, by where it stands.
func below(pointer string, list []fileDocument) []fileDocument {
	for _, d := range list {
		for i := range d.from {
			d.from[i].file = pointer + d.from[i].file
		}
	}
	return list
}

func wrapList(kind string, list []any) ([]fileDocument, error) {
	var out []fileDocument
	for i, e := range list {
		d, err := wrap(kind, e)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		out = append(out, below("/"+strconv.Itoa(i), d)...)
	}
	return out, nil
}

// wrapSettings takes a revision, as the API or govctl writes it, or a bare snapshot.
// An object that has nothing but settings is what rules see.
func wrapSettings(object map[string]any) fileDocument {
	var d fileDocument
	_, isObject := object["settings"].(map[string]any)
	named := slices.ContainsFunc([]string{"revision", "kind", "user", "actor"}, func(n string) bool { _, ok := object[n]; return ok })
	switch {
	case isObject && len(object) == 1:
		d = fileDocument{policy.Document{Kind: policy.Settings, Body: object}, []moved{{"", ""}}}
	case !isObject || !named:
		d = bare(policy.Settings, object)
	default:
		d.Kind, d.Subject = policy.Settings, revisionSubject(object)
		d.Body, d.from = renamedRevision(object, "", "")
	}
	d.Base = "/settings"
	return d
}

// renamedRevision gives the fields of a revision the names they have for rules. The revision
// stands in a file at one pointer and goes into a body at another.
func renamedRevision(object map[string]any, file, into string) (map[string]any, []moved) {
	body := maps.Clone(object)
	var from []moved
	for _, name := range [][2]string{{"updatedAt", "updated_at"}, {"user", "actor"}} {
		if v, ok := body[name[0]]; ok {
			delete(body, name[0])
			body[name[1]] = v
			from = append(from, moved{into + "/" + name[1], file + "/" + name[0]})
		}
	}
	return body, append(from, moved{into, file})
}

func revisionSubject(revision map[string]any) string {
	if n, ok := revision["revision"].(json.Number); ok {
		return "settings@r" + n.String()
	}
	return ""
}

// wrapPairs makes a pair of every two consecutive revisions, which come newest first.
func wrapPairs(changes []any) ([]fileDocument, error) {
	var out []fileDocument
	for i := range len(changes) - 1 {
		newer, ok1 := changes[i].(map[string]any)
		older, ok2 := changes[i+1].(map[string]any)
		if !ok1 || !ok2 {
			return nil, fmt.Errorf("revision %d: %w", i, errNoObject)
		}
		to, toFrom := renamedRevision(newer, "/"+strconv.Itoa(i), "/to")
		from, fromFrom := renamedRevision(older, "/"+strconv.Itoa(i+1), "/from")
		out = append(out, fileDocument{policy.Document{
			Kind: policy.History, Base: "/to/settings", Subject: revisionSubject(newer),
			Body: map[string]any{"from": from, "to": to},
		}, append(toFrom, fromFrom...)})
	}
	return out, nil
}

// wrapReports makes a document of every repository of an answer of the API. They are put in
// order, so nobody knows where they stood.
func wrapReports(object map[string]any) ([]fileDocument, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var page api.ReportsPage
	if err := json.Unmarshal(text, &page); err != nil {
		return nil, fmt.Errorf("readiness reports: %w", err)
	}
	list, err := readinessDocuments(nil, page.Reports, false)
	out := make([]fileDocument, len(list))
	for i, d := range list {
		out[i].Document = d
	}
	return out, err
}

// locate places findings of d in its file.
func (d fileDocument) locate(places func([]string) []org.Source) func([]org.Finding) {
	return func(findings []org.Finding) {
		pointers := make([]string, len(findings))
		for i, f := range findings {
			pointers[i] = d.origin(f.Path)
		}
		for i, at := range places(pointers) {
			if f := &findings[i]; f.Source == nil {
				f.Source = &at
			}
		}
	}
}

// origin is where the file has what a finding has a path to, as a JSON pointer. Paths begin
// at the base, if they lie below it.
func (d fileDocument) origin(path string) string {
	pointer := d.Base + path
	if _, ok := org.Lookup(d.Body, pointer); !ok {
		if _, ok := org.Lookup(d.Body, path); ok {
			pointer = path
		}
	}
	for _, m := range d.from {
		if rest, ok := strings.CutPrefix(pointer, m.body); ok && (rest == "" || rest[0] == '/') {
			return m.file + rest
		}
	}
	return ""
}
