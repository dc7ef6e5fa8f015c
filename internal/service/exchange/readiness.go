package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// Report is a readiness report in the shape of the API, with its maps as stored. RepoID is
// for files only: a report does not name it (U25).
type Report struct {
	api.Report
	Apps     json.RawMessage `json:"apps"`
	Criteria json.RawMessage `json:"report"`
	RepoID   string          `json:"repoId,omitempty"`
}

// Reports is a file of reports; it reads like an answer of the API.
type Reports struct {
	Reports []Report `json:"reports"`
}

// RepoID is the id of a repository that nobody gave one: the same for the same URL.
func RepoID(url string) string {
	sum := sha256.Sum256([]byte(url))
	return "repo_" + hex.EncodeToString(sum[:6])
}

// ReadReports reads a file of readiness reports (C116-C123).
func ReadReports(data []byte) ([]store.Report, error) {
	raw, err := objects(data, "reports")
	if err != nil {
		return nil, err
	}
	reports, p := make([]store.Report, len(raw)), &problems{}
	for i, one := range raw {
		p.place = place("report", i)
		reports[i] = p.report(one)
	}
	return reports, p.err()
}

func (p *problems) report(raw json.RawMessage) store.Report {
	var in struct {
		api.Report
		RepoID string `json:"repoId"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		p.add("%w", err)
		return store.Report{}
	}
	if len(in.ReportID) != 36 || uuid.Validate(in.ReportID) != nil {
		p.add("reportId %.60q is not a UUID", in.ReportID)
	}
	if in.RepoURL == "" {
		p.add("repoUrl is missing")
	}
	if in.Apps == nil {
		p.add("apps is missing")
	}
	if in.Report.Report == nil {
		p.add("report is missing")
	}
	for id, c := range in.Report.Report {
		p.criterion(id, c)
	}
	out := store.Report{
		ID: strings.ToLower(in.ReportID), RepoID: in.RepoID, RepoURL: in.RepoURL, CreatedAt: p.when("createdAt", &in.CreatedAt),
		CommitHash: in.CommitHash, Branch: in.Branch, LocalChanges: in.HasLocalChanges, Unpushed: in.HasNonRemoteCommits,
		AgentVersion: in.AgentVersion,
	}
	if out.RepoID == "" {
		out.RepoID = RepoID(in.RepoURL)
	}
	if m := in.ModelUsed; m != nil {
		out.ModelID, out.Effort = &m.ID, m.ReasoningEffort
		if e := value(m.ReasoningEffort); m.ReasoningEffort != nil && !slices.Contains([]string{"low", "medium", "high", "off"}, e) {
			p.add("modelUsed.reasoningEffort %.60q is not low, medium, high or off", e)
		}
	}
	var err error
	if out.Apps, err = compact(in.Apps); err != nil {
		p.add("apps: %w", err)
	}
	if out.Criteria, err = compact(in.Report.Report); err != nil {
		p.add("report: %w", err)
	}
	return out
}

// criterion holds C123: a numerator from 0 to the denominator, which is at least 1.
func (p *problems) criterion(id string, c api.Criterion) {
	n, nErr := c.Numerator.Float64()
	d, dErr := c.Denominator.Float64()
	if nErr != nil || dErr != nil || n < 0 || d < 1 || n > d {
		p.add("criterion %.60q: %.40q of %.40q is not a number from 0 to a denominator of at least 1", id, c.Numerator, c.Denominator)
	}
}

// ShowReport is a stored report as the API shows it: what it does not say is left out (U28).
func ShowReport(r store.Report) Report {
	out := Report{
		Report: api.Report{
			ReportID: r.ID, CreatedAt: number(r.CreatedAt), RepoURL: r.RepoURL,
			CommitHash: r.CommitHash, Branch: r.Branch, HasLocalChanges: r.LocalChanges, HasNonRemoteCommits: r.Unpushed,
			AgentVersion: r.AgentVersion,
		},
		Apps: json.RawMessage(r.Apps), Criteria: json.RawMessage(r.Criteria),
	}
	if r.ModelID != nil {
		out.ModelUsed = &api.ModelUsed{ID: *r.ModelID, ReasoningEffort: r.Effort}
	}
	return out
}

// ExportReports is a file that ReadReports reads.
func ExportReports(stored []store.Report) Reports {
	out := Reports{Reports: make([]Report, len(stored))}
	for i, r := range stored {
		out.Reports[i] = ShowReport(r)
		out.Reports[i].RepoID = r.RepoID
	}
	return out
}

// Score is how much of a report passes, as in "41 of 60 (0.683)".
func Score(r store.Report) string {
	var criteria map[string]struct{ Numerator, Denominator float64 }
	if err := json.Unmarshal([]byte(r.Criteria), &criteria); err != nil || len(criteria) == 0 {
		return ""
	}
	n, d := 0.0, 0.0
	for _, id := range slices.Sorted(maps.Keys(criteria)) { // sums of fractions depend on their order
		n, d = n+criteria[id].Numerator, d+criteria[id].Denominator
	}
	return fmt.Sprintf("%g of %g (%.3f)", n, d, n/d)
}
