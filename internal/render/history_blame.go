package render

import (
	"encoding/json"
	"io"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
)

// Origin says in which revision a setting became what it is.
type Origin struct {
	FormatVersion string      `json:"format_version"`
	Path          string      `json:"path"`
	Value         drift.Value `json:"value,omitzero"`  // absent: the newest settings have none
	Before        drift.Value `json:"before,omitzero"` // absent: it had none, or BeforeKnown is false
	BeforeKnown   bool        `json:"before_known"`    // an older revision with another value was seen
	org.Blame
}

// Blame writes where a setting comes from.
func Blame(w io.Writer, format string, b Origin, o Options) error {
	if format == JSON {
		return WriteJSON(w, b)
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	name := Clean(b.Path)
	if name == "" {
		name = "(all settings)"
	}
	out.f("%s  %s\n", c.bold(name), driftValue(b.Value))
	out.f("  %s\n", blameText(&b.Blame))
	switch {
	case b.BeforeKnown:
		out.f("  %s\n", c.dim("before that "+driftValue(b.Before)))
	case b.AtOrBefore:
		out.f("  %s\n", c.dim("older revisions are not visible"))
	default:
		out.f("  %s\n", c.dim("since the first revision"))
	}
	return out.err
}

// RevisionLine writes one settings snapshot as one line of JSON.
func RevisionLine(w io.Writer, r org.Revision) error {
	e := json.NewEncoder(escaper{w})
	e.SetEscapeHTML(false)
	return e.Encode(revisionJSON{"1.0", r.Number, r.UpdatedAt, r.Actor, r.Settings})
}
