package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"

	"github.com/govctl/govctl/internal/plot"
	"github.com/govctl/govctl/internal/service/store"
)

const (
	maxReports    = 1000 // newest reports that are looked at
	maxPastScores = 12   // bars of one repository
)

// readinessBody is what the page of readiness reports shows.
type readinessBody struct {
	Repositories []repository // by address
	More         bool         // older reports exist
}

// repository is the newest report about one repository, with its past.
type repository struct {
	store.Report
	Score    float64 // mean over the criteria of the passing share, as policies count it
	Delta    float64 // to the report before
	HasDelta bool
	Criteria []criterion // weakest first
	Gone     []string    // criteria of the report before that this one lacks
	Past     plot.Chart  // scores, oldest first
	Dirty    bool        // it was not made from a clean commit
	Reports  int
}

// criterion is one row of a report.
type criterion struct {
	Name        string
	Numerator   json.Number
	Denominator json.Number
	Share       float64
	Rationale   string
}

func (w *Web) showReadiness(v *visit) error {
	reports, err := w.o.Store.Reports(v.r.Context(), store.ReportQuery{Limit: maxReports + 1})
	if err != nil {
		return err
	}
	body := readinessBody{}
	if len(reports) > maxReports {
		reports, body.More = reports[:maxReports], true
	}
	byRepo := map[string][]store.Report{} // newest first
	for _, r := range reports {
		byRepo[r.RepoURL] = append(byRepo[r.RepoURL], r)
	}
	for _, url := range slices.Sorted(maps.Keys(byRepo)) {
		one, err := summarize(byRepo[url])
		if err != nil {
			return fmt.Errorf("readiness of %s: %w", url, err)
		}
		body.Repositories = append(body.Repositories, one)
	}
	w.show(v.w, v.r, v, http.StatusOK, "readiness", page{Title: "Readiness", Section: "readiness", Body: body})
	return nil
}

// summarize makes one repository of its reports, newest first.
func summarize(reports []store.Report) (repository, error) {
	r := repository{Report: reports[0], Reports: len(reports)}
	r.Dirty = isTrue(r.LocalChanges) || isTrue(r.Unpushed)
	var bars []plot.Value
	var earlier []criterion
	for i, one := range reports[:min(len(reports), maxPastScores)] {
		criteria, score, err := grade(one.Criteria)
		if err != nil {
			return r, err
		}
		switch i {
		case 0:
			r.Criteria, r.Score = criteria, score
		case 1:
			earlier, r.Delta, r.HasDelta = criteria, r.Score-score, true
		}
		label := one.CreatedAt.Format("2006-01-02") + ": " + percent(score)
		bars = append(bars, plot.Value{Label: label, Value: score})
	}
	slices.Reverse(bars)
	r.Past = plot.Draw(bars, nil, plot.Options{Height: 48, Max: 1, Slots: maxPastScores})
	for _, c := range earlier {
		if !slices.ContainsFunc(r.Criteria, func(now criterion) bool { return now.Name == c.Name }) {
			r.Gone = append(r.Gone, c.Name)
		}
	}
	slices.Sort(r.Gone)
	return r, nil
}

// grade reads the criteria of a report, weakest first, and the mean of their shares.
func grade(text string) ([]criterion, float64, error) {
	var found map[string]criterion
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		return nil, 0, err
	}
	var all []criterion
	sum := 0.0
	for name, c := range found {
		c.Name = name
		n, _ := c.Numerator.Float64()
		d, _ := c.Denominator.Float64()
		if d > 0 {
			c.Share = min(max(n/d, 0), 1)
		}
		sum += c.Share
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b criterion) int {
		return cmp.Or(cmp.Compare(a.Share, b.Share), cmp.Compare(a.Name, b.Name))
	})
	return all, sum / float64(max(len(all), 1)), nil
}

// Trend is Delta as text, in points.
func (r repository) Trend() string { return fmt.Sprintf("%+.0f points", r.Delta*100) }

func percent(share float64) string { return fmt.Sprintf("%.0f %%", math.Round(share*100)) }

func isTrue(b *bool) bool { return b != nil && *b }
