package client

import (
	"context"
	"iter"
	"net/http"

	"github.com/govctl/govctl/internal/api"
)

// Sessions walks all sessions the key may see, in pages of 100, in the order of the
// service. Items lack Status (C138). An error is the last thing it yields.
func (c *Client) Sessions(ctx context.Context) iter.Seq2[api.Session, error] {
	return list[api.SessionsPage, api.Session]{
		path: api.PathSessions, size: api.MaxPage,
		split: func(p *api.SessionsPage) ([]api.Session, api.Pagination) { return p.Sessions, p.Pagination },
		id:    func(s *api.Session) string { return s.SessionID },
	}.walk(ctx, c)
}

// Session reads one session, with its status.
func (c *Client) Session(ctx context.Context, id string) (s api.Session, err error) {
	err = c.at(ctx, http.MethodGet, api.PathSession, id, nil, &s)
	return s, err
}

// UpdateSession changes the settings of one session and returns it as it is afterwards.
// It is sent once; what u leaves nil stays (U33).
func (c *Client) UpdateSession(ctx context.Context, id string, u api.SessionUpdate) (s api.Session, err error) {
	err = c.at(ctx, http.MethodPatch, api.PathSession, id, u, &s)
	return s, err
}
