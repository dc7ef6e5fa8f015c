package client

import (
	"context"
	"iter"

	"github.com/govctl/govctl/internal/api"
)

// Users walks the organization users in pages of 100, in the order of the service. An
// error is the last thing it yields. A user may come twice if the list changes during
// the walk.
func (c *Client) Users(ctx context.Context) iter.Seq2[api.User, error] {
	return list[api.UsersPage, api.User]{
		path: api.PathUsers, size: api.MaxPage,
		split: func(p *api.UsersPage) ([]api.User, api.Pagination) { return p.Users, p.Pagination },
		id:    func(u *api.User) string { return u.ID },
	}.walk(ctx, c)
}
