package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// historyJSON is a part of the settings history, newest first.
type historyJSON struct {
	FormatVersion string               `json:"format_version"`
	Revisions     []org.RevisionChange `json:"revisions"`
	More          bool                 `json:"more"` // older revisions exist
}

// History writes revisions, newest first: when, who, what.
func History(w io.Writer, format string, entries []org.RevisionChange, more bool, o Options) error {
	if format == JSON {
		if entries == nil {
			entries = []org.RevisionChange{}
		}
		return WriteJSON(w, historyJSON{"1.0", entries, more})
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	var numbers, times, actors table
	for _, e := range entries {
		numbers.add(fmt.Sprint(e.Revision))
		times.add(Clean(e.UpdatedAt))
		actors.add(actorName(e.Actor))
	}
	for i, e := range entries {
		what := Clean(strings.Join(e.Changed, ", "))
		switch {
		case e.Unknown:
			what = c.dim("the revision before it is not visible")
		case len(e.Changed) == 0:
			what = c.dim("no property differs from the revision before")
		}
		out.f("%s\n", row(c.bold(numbers.padLeft(i)), times.pad(i), actors.pad(i), what))
	}
	if len(entries) == 0 {
		out.f("The history is empty: settings unknown.\n")
	}
	if more {
		out.f("%s\n", c.dim("older revisions exist; --limit 0 shows all"))
	}
	return out.err
}

// actorName is the best name of who made a change.
func actorName(a org.Actor) string {
	for _, name := range []string{a.Email, a.Name, a.ID} {
		if name != "" {
			return Clean(name)
		}
	}
	return "unknown/system"
}

// revisionJSON is one settings snapshot, secrets redacted.
type revisionJSON struct {
	FormatVersion string         `json:"format_version"`
	Revision      int64          `json:"revision"`
	UpdatedAt     string         `json:"updated_at"`
	Actor         org.Actor      `json:"actor"`
	Settings      map[string]any `json:"settings"`
}

// Revision writes one settings snapshot.
func Revision(w io.Writer, format string, r org.Revision, o Options) error {
	if format == JSON {
		return WriteJSON(w, revisionJSON{"1.0", r.Number, r.UpdatedAt, r.Actor, r.Settings})
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	out.f("%s\n", c.bold(fmt.Sprintf("revision %d  %s  %s", r.Number, Clean(r.UpdatedAt), actorName(r.Actor))))
	if out.err != nil {
		return out.err
	}
	if r.Settings == nil {
		r.Settings = map[string]any{}
	}
	return WriteJSON(w, r.Settings)
}
