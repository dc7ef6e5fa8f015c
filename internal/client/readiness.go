package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/govctl/govctl/internal/api"
)

// Reports walks all readiness reports visible to the key, each once, in the order of the
// service. Their list says nothing about its end: it ends at a page without a new report
// (C115, U22). An error is the last thing it yields.
func (c *Client) Reports(ctx context.Context) iter.Seq2[api.Report, error] {
	return func(yield func(api.Report, error) bool) {
		seen := map[string]bool{}
		query := url.Values{"limit": {strconv.Itoa(api.MaxPage)}}
		for fresh := true; fresh; {
			var page api.ReportsPage
			if err := c.do(ctx, http.MethodGet, api.PathReadiness, query, nil, &page); err != nil {
				yield(api.Report{}, err)
				return
			}
			fresh = false
			for _, r := range page.Reports {
				if !seen[r.ReportID] && !yield(r, nil) {
					return
				}
				fresh = fresh || !seen[r.ReportID]
				seen[r.ReportID] = true
				query.Set("startAfter", r.ReportID)
			}
		}
	}
}
