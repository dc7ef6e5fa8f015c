package render

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
)

// knownJSON is what the ledger knows, as JSON.
type knownJSON struct {
	FormatVersion string              `json:"format_version"`
	Target        org.Target          `json:"target"`
	Ledger        org.Position        `json:"ledger"`
	Limits        []knownLimitJSON    `json:"limits"`
	Computers     []knownComputerJSON `json:"computers"`
}

type knownLimitJSON struct {
	Email  org.Email  `json:"email"`
	Grade  org.Grade  `json:"grade"`
	Value  *int64     `json:"value,omitempty"`
	At     *time.Time `json:"at,omitempty"`
	UserID string     `json:"user_id,omitempty"`
	Stated string     `json:"stated_by,omitempty"` // a person, not the service
}

type knownComputerJSON struct {
	Name    string `json:"name"`
	ID      string `json:"id"`
	Unknown bool   `json:"unknown"`
}

// Known writes what the ledger knows of one target, sorted by key.
func Known(w io.Writer, format string, t org.Target, k org.Known, o Options) error {
	v := knownJSON{FormatVersion: "1.0", Target: t, Ledger: k.Position, Limits: []knownLimitJSON{}, Computers: []knownComputerJSON{}}
	for e, l := range k.Limits.All() {
		row := knownLimitJSON{Email: e, Grade: l.Grade, UserID: l.UserID, Stated: k.Stated[e]}
		if l.Grade == org.Confirmed {
			row.Value, row.At = &l.Credits, &l.At
		}
		v.Limits = append(v.Limits, row)
	}
	slices.SortFunc(v.Limits, func(a, b knownLimitJSON) int { return cmp.Compare(a.Email, b.Email) })
	for _, name := range slices.Sorted(maps.Keys(k.Computers)) {
		v.Computers = append(v.Computers, knownComputerJSON{name, k.Computers[name].ID, k.Computers[name].Unknown})
	}
	if format == JSON {
		return WriteJSON(w, v)
	}
	return knownText(w, v, o)
}

func knownText(w io.Writer, v knownJSON, o Options) error {
	out, c := &printer{w: w}, newPalette(o.Color)
	var names, values table
	confirmed := 0
	for _, l := range v.Limits {
		names.add(Clean(string(l.Email)))
		value := Clean(string(l.Grade))
		if l.Value != nil {
			value = humanize.Comma(*l.Value)
			confirmed++
		}
		values.add(value)
	}
	for i, l := range v.Limits {
		since := c.yellow("asked, never answered for certain: the next plan sends it again")
		if l.At != nil {
			how := "last set by govctl"
			if l.Stated != "" {
				how = "stated by " + Clean(l.Stated)
			}
			since = c.dim(how + " " + l.At.UTC().Format("2006-01-02 15:04 UTC") + "; not verifiable since")
		}
		out.f("%s\n", row(names.pad(i), values.padLeft(i), since))
	}
	for _, m := range v.Computers {
		state := ""
		if m.Unknown {
			state = c.yellow("a write to it was never answered")
		}
		out.f("%s\n", row("computer "+Clean(m.Name), Clean(m.ID), state))
	}
	out.f("%s confirmed, %s unknown, %s.\n", count(confirmed, "limit"), comma(len(v.Limits)-confirmed), count(len(v.Computers), "computer"))
	return out.err
}

// Records writes the records about one key, oldest first.
func Records(w io.Writer, format, key string, records []ledger.Record, o Options) error {
	if format == JSON {
		if records == nil {
			records = []ledger.Record{}
		}
		return WriteJSON(w, records)
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	email := org.Fold(key)
	for _, r := range records {
		out.f("%s\n", row(r.At.UTC().Format(time.RFC3339), c.bold(fmt.Sprintf("%-9s", Clean(string(r.Kind)))), recordLine(r, email)))
	}
	return out.err
}

// recordLine says what one record means for an address, or for its object.
func recordLine(r ledger.Record, email org.Email) string {
	for _, l := range r.Limits {
		if l.Email == email && r.Import != nil {
			return "stated to be " + humanize.Comma(l.Credits) + " credits by " + Clean(r.Import.By) + " (" + Clean(r.Import.Source) + ")"
		}
		if l.Email == email {
			return "ask for " + humanize.Comma(l.Credits) + " credits"
		}
	}
	for _, f := range r.Refused {
		if f.Email == email {
			return "refused: " + reason(f.Error)
		}
	}
	switch {
	case slices.Contains(r.Set, email):
		return "set"
	case slices.Contains(r.Unknown, email):
		return "unknown"
	case slices.Contains(r.NotSent, email):
		return "not sent"
	}
	for _, o := range []*ledger.Object{r.Computer, r.Session} {
		if o != nil {
			return row(verb(o.Action)+" "+Clean(cmp.Or(o.Name, o.ID)), verb(string(o.Result)), reason(o.Error))
		}
	}
	if r.Import != nil && r.Import.Lineage != "" {
		return count(r.Import.Records, "record") + " of ledger " + Clean(r.Import.Lineage) + " by " + Clean(r.Import.By) + " (" + Clean(r.Import.Source) + ")"
	}
	return count(len(r.Limits)+len(r.Set)+len(r.Refused)+len(r.Unknown)+len(r.NotSent), "address")
}
