package servicetest

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/govctl/govctl/internal/service/sample"
)

// TestDocumentExamples: every example is what its schema says, every operation has a
// summary and an id of its own, and every body and page has an example.
func TestDocumentExamples(t *testing.T) {
	t.Parallel()
	d, err := load()
	if err != nil {
		t.Fatal(err)
	}
	ids, examples := map[string]bool{}, 0
	try := func(at string, m *media) {
		all := []json.RawMessage{m.Example}
		for _, name := range slices.Sorted(maps.Keys(m.Examples)) {
			all = append(all, m.Examples[name].Value)
		}
		for _, text := range all {
			if text == nil {
				continue
			}
			examples++
			v, err := decodeAny(text)
			c := &checker{doc: d, closed: true}
			if c.check(m.Schema, v, "example"); err != nil || c.errs != nil {
				t.Errorf("%s: %v %v", at, err, c.errs)
			}
		}
	}
	for path, item := range d.Paths {
		for method, op := range item {
			if op.Summary == "" || op.OperationID == "" || ids[op.OperationID] || len(op.Tags) != 1 {
				t.Errorf("%s %s: summary %q, id %q, tags %v", method, path, op.Summary, op.OperationID, op.Tags)
			}
			ids[op.OperationID] = true
			if op.RequestBody != nil {
				for _, m := range op.RequestBody.Content {
					try(op.OperationID+" request", m)
				}
			}
			for status, r := range op.Responses {
				for _, m := range r.Content {
					try(op.OperationID+" "+status, m)
				}
			}
		}
	}
	if len(ids) != 36 || examples < 25 {
		t.Errorf("%d operations, %d examples", len(ids), examples)
	}
}

// TestKnownSettings: the sample organization has each known property, in its shape.
func TestKnownSettings(t *testing.T) {
	t.Parallel()
	d, err := load()
	if err != nil {
		t.Fatal(err)
	}
	known := d.Components.Schemas["KnownSettings"]
	if len(known.Properties) != 28 {
		t.Errorf("%d properties, the contract names 28 (C193)", len(known.Properties))
	}
	for _, r := range sample.Revisions() {
		v, err := decodeAny([]byte(r.Settings))
		c := &checker{doc: d, closed: true}
		if c.check(known, v, "settings"); err != nil || c.errs != nil {
			t.Errorf("revision %d: %v %v", r.Number, err, c.errs)
		}
	}
}
