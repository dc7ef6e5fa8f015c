package client

import (
	"context"
	"iter"
	"strconv"

	"github.com/govctl/govctl/internal/api"
)

// History walks the settings history, newest revision first, in pages of pageSize (1 to
// 100). An error is the last thing it yields; revisions that do not descend are one
// (C190). The caller may stop early, which saves the pages after.
func (c *Client) History(ctx context.Context, pageSize int) iter.Seq2[api.Change, error] {
	pages := list[api.HistoryPage, api.Change]{
		path: api.PathHistory, size: min(max(pageSize, 1), api.MaxPage),
		split: func(p *api.HistoryPage) ([]api.Change, api.Pagination) { return p.Changes, p.Pagination },
		id:    func(h *api.Change) string { return strconv.FormatInt(h.Revision, 10) },
		falls: true,
	}
	return func(yield func(api.Change, error) bool) {
		var last *int64
		for change, err := range pages.walk(ctx, c) {
			if err == nil && last != nil && change.Revision >= *last {
				yield(api.Change{}, c.pageError(api.PathHistory, "revision %d comes after %d", change.Revision, *last))
				return
			}
			last = &change.Revision
			if !yield(change, err) {
				return
			}
		}
	}
}
