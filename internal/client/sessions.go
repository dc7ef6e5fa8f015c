package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/govctl/govctl/internal/api"
)

// Sessions walks all sessions the key may see, in pages of 100, in the order of the
// service. Items lack Status (C138). An error is the last thing it yields.
func (c *Client) Sessions(ctx context.Context) iter.Seq2[api.Session, error] {
	return c.SessionsOf(ctx, "")
}

// SessionsOf is Sessions of one computer, asked for directly (C126); "" is all.
func (c *Client) SessionsOf(ctx context.Context, computer string) iter.Seq2[api.Session, error] {
	return list[api.SessionsPage, api.Session]{
		path: api.PathSessions, size: api.MaxPage, query: onComputer(computer),
		split: func(p *api.SessionsPage) ([]api.Session, api.Pagination) { return p.Sessions, p.Pagination },
		id:    func(s *api.Session) string { return s.SessionID },
	}.walk(ctx, c)
}

// onComputer is the query that names a computer, nil for "".
func onComputer(id string) url.Values {
	if id == "" {
		return nil
	}
	return url.Values{"computerId": {id}}
}

// Session reads one session, with its status.
func (c *Client) Session(ctx context.Context, id string) (s api.Session, err error) {
	return c.SessionOn(ctx, id, "")
}

// SessionOn is Session with the computer it is on (C127); "" names none.
func (c *Client) SessionOn(ctx context.Context, id, computer string) (s api.Session, err error) {
	err = c.get(ctx, api.PathSession, onComputer(computer), &s, id)
	return s, err
}

// UpdateSession changes the settings of one session and returns it as it is afterwards.
// It is sent once; what u leaves nil stays (U33).
func (c *Client) UpdateSession(ctx context.Context, id string, u api.SessionUpdate) (s api.Session, err error) {
	err = c.at(ctx, http.MethodPatch, api.PathSession, id, u, &s)
	return s, err
}

// SetSession sends exactly these settings of one session, where null clears one (U33), and
// returns the session as it is afterwards. It is sent once.
func (c *Client) SetSession(ctx context.Context, id string, settings api.Object) (s api.Session, err error) {
	err = c.at(ctx, http.MethodPatch, api.PathSession, id, map[string]any{"sessionSettings": settings}, &s)
	return s, err
}
