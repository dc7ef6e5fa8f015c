package web

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/service/store"
)

// historySize is how many revisions one page of the history shows.
const historySize = 25

// historyBody is one page of the history, newest first.
type historyBody struct {
	Rows  []historyRow
	Older int64 // number to continue from, 0: there is nothing older
	First bool  // this is the newest page
}

type historyRow struct {
	store.Revision
	Changed []string
}

// revisionBody is one revision and what it changed.
type revisionBody struct {
	store.Revision
	Changes  []change
	Hidden   int // changes beyond those shown
	Snapshot string
	Previous int64 // 0: there is none
	Next     int64
}

// managersOnly refuses everybody else, as the API does (U69).
func managersOnly(v *visit) error {
	if v.who.Role.Manages() {
		return nil
	}
	return &trouble{http.StatusForbidden, "This page needs the Manager or Owner role."}
}

func (w *Web) showHistory(v *visit) error {
	if err := managersOnly(v); err != nil {
		return err
	}
	before, err := number(v.r.URL.Query().Get("before"))
	if err != nil {
		return err
	}
	found, err := w.o.Store.Revisions(v.r.Context(), before, historySize+1)
	if err != nil {
		return err
	}
	body := historyBody{First: before == 0}
	for i, r := range found[:min(historySize, len(found))] {
		earlier := "{}"
		if i+1 < len(found) {
			earlier = found[i+1].Settings
		}
		names, err := changedNames(earlier, r.Settings)
		if err != nil {
			return fmt.Errorf("revision %d: %w", r.Number, err)
		}
		body.Rows = append(body.Rows, historyRow{r, names})
	}
	if len(found) > historySize {
		body.Older = found[historySize-1].Number
	}
	w.show(v.w, v.r, v, http.StatusOK, "history", page{Title: "Settings history", Section: "history", Body: body})
	return nil
}

func (w *Web) showRevision(v *visit) error {
	if err := managersOnly(v); err != nil {
		return err
	}
	n, err := number(v.r.PathValue("revision"))
	if err != nil || n == 0 || n == math.MaxInt64 {
		return noRevision()
	}
	found, err := w.o.Store.Revisions(v.r.Context(), n+2, 3)
	if err != nil {
		return err
	}
	body := revisionBody{}
	if len(found) > 0 && found[0].Number == n+1 {
		body.Next, found = n+1, found[1:]
	}
	if len(found) == 0 || found[0].Number != n {
		return noRevision()
	}
	body.Revision = found[0]
	earlier := "{}"
	if len(found) > 1 {
		body.Previous, earlier = found[1].Number, found[1].Settings
	}
	if err := body.compare(earlier); err != nil {
		return fmt.Errorf("revision %d: %w", n, err)
	}
	title := fmt.Sprintf("Revision %d", n)
	w.show(v.w, v.r, v, http.StatusOK, "revision", page{Title: title, Section: "history", Body: body})
	return nil
}

// compare fills in what the revision changed and the whole of it, secrets redacted.
func (b *revisionBody) compare(earlier string) error {
	before, err := org.DecodeJSON([]byte(earlier))
	if err != nil {
		return err
	}
	after, err := org.DecodeJSON([]byte(b.Settings))
	if err != nil {
		return err
	}
	b.Changes = diff(before, after)
	if len(b.Changes) > maxChanges {
		b.Changes, b.Hidden = b.Changes[:maxChanges], len(b.Changes)-maxChanges
	}
	text, err := json.MarshalIndent(org.Redact(after), "", "  ")
	b.Snapshot = cleanLines(string(text))
	return err
}

func changedNames(earlier, later string) ([]string, error) {
	before, err := org.DecodeJSON([]byte(earlier))
	if err != nil {
		return nil, err
	}
	after, err := org.DecodeJSON([]byte(later))
	if err != nil {
		return nil, err
	}
	b, _ := before.(map[string]any)
	a, _ := after.(map[string]any)
	revisions := []org.Revision{{Number: 2, Settings: a}, {Number: 1, Settings: b}}
	return org.Changed(revisions)[0].Changed, nil
}

func noRevision() error {
	return &trouble{http.StatusNotFound, "There is no such revision."}
}

// number reads a positive whole number; "" is 0.
func number(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 {
		return 0, &trouble{http.StatusBadRequest, "The address of this page is wrong."}
	}
	return n, nil
}
