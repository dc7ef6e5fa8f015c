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
// (C115, U22). A 400 in the middle means that the report it goes on from is gone: the
// walk begins again once (U24). An error is the last thing it yields.
func (c *Client) Reports(ctx context.Context) iter.Seq2[api.Report, error] {
	return c.ReportsOf(ctx, "")
}

// ReportsOf is Reports of one repository by the id that the service has for it, which its
// reports do not carry (U25); "" is all.
func (c *Client) ReportsOf(ctx context.Context, repository string) iter.Seq2[api.Report, error] {
	return func(yield func(api.Report, error) bool) {
		seen := map[string]bool{} // by the caller
		pass := map[string]bool{} // since the top
		query := url.Values{"limit": {strconv.Itoa(api.MaxPage)}}
		if repository != "" {
			query.Set("repoId", repository)
		}
		restarted := false
		for n, fresh := 1, true; fresh; n++ {
			if n > maxPages {
				yield(api.Report{}, c.pageError(api.PathReadiness, "page %d: there is no end", n))
				return
			}
			var page api.ReportsPage
			err := c.do(ctx, http.MethodGet, api.PathReadiness, query, nil, &page)
			if !restarted && query.Has("startAfter") && refusedAs(err, http.StatusBadRequest) {
				restarted, pass = true, map[string]bool{}
				query.Del("startAfter")
				continue
			}
			if err != nil {
				yield(api.Report{}, err)
				return
			}
			fresh = false
			for _, r := range page.Reports {
				if !seen[r.ReportID] && !yield(r, nil) {
					return
				}
				fresh = fresh || !pass[r.ReportID]
				seen[r.ReportID], pass[r.ReportID] = true, true
				query.Set("startAfter", r.ReportID)
			}
		}
	}
}
