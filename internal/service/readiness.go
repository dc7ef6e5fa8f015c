package service

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

// Pages of readiness reports (U22).
const (
	defaultReports = 100
	maxReports     = 1000
)

// reportsPage is the answer of readiness; it has no pagination (C115).
type reportsPage struct {
	Reports []exchange.Report `json:"reports"`
}

// listReports answers GET maturity-level-reports: newest first (U23), to any valid key
// (U27).
func (s *Service) listReports(c *call) (any, error) {
	q, err := reportQuery(c.query)
	if err != nil {
		return nil, err
	}
	stored, err := s.store.Reports(c.ctx, q)
	if errors.Is(err, store.ErrNotFound) {
		return nil, invalid("startAfter is not the id of a report")
	} else if err != nil {
		return nil, err
	}
	reports := make([]exchange.Report, len(stored))
	for i, r := range stored {
		reports[i] = exchange.ShowReport(r)
	}
	return reportsPage{Reports: reports}, nil
}

func reportQuery(in url.Values) (q store.ReportQuery, err error) {
	if q.Repo, _, err = once(in, "repoId"); err != nil {
		return q, err
	}
	if q.After, _, err = once(in, "startAfter"); err != nil {
		return q, err
	}
	limit, given, err := once(in, "limit")
	if err != nil {
		return q, err
	}
	q.Limit = defaultReports
	if given {
		q.Limit, err = reportLimit(limit)
	}
	return q, err
}

// reportLimit takes decimal digits for a positive number, however large (C113), and caps
// it.
func reportLimit(s string) (int, error) {
	if strings.Trim(s, "0123456789") != "" || strings.Trim(s, "0") == "" {
		return 0, invalid("limit must be a positive whole number")
	}
	if n, err := strconv.Atoi(s); err == nil {
		return min(n, maxReports), nil
	}
	return maxReports, nil
}
