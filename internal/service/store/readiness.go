package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Report is one readiness report of a repository (C116-C123). A nil pointer is what the
// report did not say (U28).
type Report struct {
	ID           string // a UUID
	RepoID       string // not part of the report in the API; only to filter by (U25)
	RepoURL      string
	CreatedAt    time.Time // to the millisecond
	Apps         string    // a JSON object: path -> {description}
	Criteria     string    // a JSON object: criterion -> {numerator, denominator, rationale}
	CommitHash   *string
	Branch       *string
	LocalChanges *bool
	Unpushed     *bool
	ModelID      *string
	Effort       *string
	AgentVersion *string
}

// ReportQuery selects readiness reports; zero fields do not restrict.
type ReportQuery struct {
	Repo  string // id or exact URL of a repository (U25)
	After string // id of a report: only those that follow it in the order
	Limit int
}

const reportColumns = `id, repo_id, repo_url, created_at, apps, report,
	commit_hash, branch, local_changes, unpushed, model_id, effort, agent_version`

func scanReport(row scanner) (Report, error) {
	var r Report
	var at sql.NullInt64
	err := row.Scan(&r.ID, &r.RepoID, &r.RepoURL, &at, &r.Apps, &r.Criteria, &r.CommitHash, &r.Branch,
		&r.LocalChanges, &r.Unpushed, &r.ModelID, &r.Effort, &r.AgentVersion)
	r.CreatedAt = fromMillis(at)
	return r, err
}

// Reports returns the selected reports, newest first, ids descending (U23). ErrNotFound
// when there is no report After (U24).
func (s *Store) Reports(ctx context.Context, q ReportQuery) ([]Report, error) {
	where, args := `true`, []any{}
	if q.Repo != "" {
		where, args = `(repo_id = ? OR repo_url = ?)`, append(args, q.Repo, q.Repo)
	}
	if q.After != "" {
		var at int64
		err := s.read.QueryRowContext(ctx, `SELECT created_at FROM readiness_reports WHERE id = ?`, q.After).Scan(&at)
		if err != nil {
			return nil, fmt.Errorf("read readiness report %s: %w", q.After, missing(err))
		}
		where, args = where+` AND (created_at, id) < (?, ?)`, append(args, at, q.After)
	}
	reports, err := collect(ctx, s.read, scanReport, `SELECT `+reportColumns+` FROM readiness_reports
		WHERE `+where+` ORDER BY created_at DESC, id DESC LIMIT ?`, append(args, q.Limit)...)
	if err != nil {
		return nil, fmt.Errorf("read readiness reports: %w", err)
	}
	return reports, nil
}

// AddReports stores reports, all or none, and returns how many are new: one that is
// stored already with the same content is left as it is. ErrExists when an id is taken
// by another report.
func (s *Store) AddReports(ctx context.Context, reports []Report) (added int, err error) {
	err = s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
		added, err = insertReports(ctx, tx, reports)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("add readiness reports: %w", err)
	}
	return added, nil
}

func insertReports(ctx context.Context, tx *sql.Tx, reports []Report) (added int, err error) {
	if len(reports) == 0 {
		return 0, nil
	}
	st, err := tx.PrepareContext(ctx, `INSERT INTO readiness_reports (`+reportColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	for _, r := range reports {
		err := changedOne(st.ExecContext(ctx, r.ID, r.RepoID, r.RepoURL, millis(r.CreatedAt), r.Apps, r.Criteria,
			r.CommitHash, r.Branch, r.LocalChanges, r.Unpushed, r.ModelID, r.Effort, r.AgentVersion))
		switch {
		case errors.Is(err, ErrNotFound):
			err = sameReport(ctx, tx, r)
		case err == nil:
			added++
		}
		if err != nil {
			return 0, fmt.Errorf("report %s: %w", r.ID, err)
		}
	}
	return added, nil
}

// sameReport is ErrExists unless the stored report with the id of r is r.
func sameReport(ctx context.Context, tx *sql.Tx, r Report) error {
	var same bool
	err := tx.QueryRowContext(ctx, `SELECT (repo_id, repo_url, created_at, apps, report) = (?2, ?3, ?4, ?5, ?6)
		AND (commit_hash, branch, local_changes, unpushed, model_id, effort, agent_version)
			IS NOT DISTINCT FROM (?7, ?8, ?9, ?10, ?11, ?12, ?13) FROM readiness_reports WHERE id = ?1`,
		r.ID, r.RepoID, r.RepoURL, millis(r.CreatedAt), r.Apps, r.Criteria, r.CommitHash, r.Branch,
		r.LocalChanges, r.Unpushed, r.ModelID, r.Effort, r.AgentVersion).Scan(&same)
	if err == nil && !same {
		return ErrExists
	}
	return err
}
