package report

import (
	"fmt"

	"github.com/govctl/govctl/internal/api"
)

// Productivity is what came of it: files, commits and pull requests made via the agent.
type Productivity struct {
	DaysReported int       `json:"days_reported"`
	FilesCreated float64   `json:"files_created"`
	FilesEdited  float64   `json:"files_edited"`
	Commits      float64   `json:"git_commits"`
	PRs          float64   `json:"git_prs_created"`
	Days         []WorkDay `json:"days"`
	Languages    []Count   `json:"languages"` // files by language
}

// WorkDay is one day of the window.
type WorkDay struct {
	Date         string   `json:"date"`
	Reported     bool     `json:"reported"`
	FilesCreated *float64 `json:"files_created"`
	FilesEdited  *float64 `json:"files_edited"`
	Commits      *float64 `json:"git_commits"`
	PRs          *float64 `json:"git_prs_created"`
}

// AddProductivity adds days of /productivity.
func (m *Maker) AddProductivity(rows []api.ProductivityRow) error {
	for _, row := range rows {
		if _, twice := m.productivity[row.Date]; twice {
			return fmt.Errorf("%s comes twice", row.Date)
		}
		var read numbers
		d := WorkDay{Date: row.Date, Reported: true}
		for to, n := range map[**float64]float64{
			&d.FilesCreated: read.need(row.FilesCreated), &d.FilesEdited: read.need(row.FilesEdited),
			&d.Commits: read.need(row.GitCommits), &d.PRs: read.need(row.GitPRs),
		} {
			*to = &n
		}
		for _, l := range row.ByLanguage {
			m.languages[l.Language] += read.need(l.Count)
		}
		if read.err != nil {
			return fmt.Errorf("%s: %w", row.Date, read.err)
		}
		m.productivity[row.Date] = d
	}
	return nil
}

func (m *Maker) makeProductivity() *Productivity {
	out := &Productivity{Days: []WorkDay{}, Languages: m.languages.list()}
	for _, day := range m.days() {
		d, reported := m.productivity[day]
		d.Date = day
		out.Days = append(out.Days, d)
		if !reported {
			continue
		}
		out.DaysReported++
		out.FilesCreated, out.FilesEdited = out.FilesCreated+*d.FilesCreated, out.FilesEdited+*d.FilesEdited
		out.Commits, out.PRs = out.Commits+*d.Commits, out.PRs+*d.PRs
	}
	m.unreported(SectionProductivity, out.DaysReported)
	return out
}
