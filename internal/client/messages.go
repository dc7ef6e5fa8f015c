package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/govctl/govctl/internal/api"
)

// MessageQuery chooses messages of a session. Role is user, assistant or tool (C144) and
// Computer the one the session is on; "" chooses nothing.
type MessageQuery struct {
	Role, Computer string
}

// Messages walks the messages of a session in pages of 100, in the order of the service.
// An error is the last thing it yields.
func (c *Client) Messages(ctx context.Context, session string, q MessageQuery) iter.Seq2[api.Message, error] {
	return func(yield func(api.Message, error) bool) {
		path, err := fill(api.PathMessages, session)
		if err != nil {
			yield(api.Message{}, (&call{c: c, method: http.MethodGet, path: path}).fail(err))
			return
		}
		query := url.Values{}
		if q.Role != "" {
			query.Set("role", q.Role)
		}
		if q.Computer != "" {
			query.Set("computerId", q.Computer)
		}
		list[api.MessagesPage, api.Message]{
			path: path, size: api.MaxPage, query: query,
			split: func(p *api.MessagesPage) ([]api.Message, api.Pagination) { return p.Messages, p.Pagination },
			id:    func(m *api.Message) string { return m.ID },
		}.walk(ctx, c)(yield)
	}
}

// Message reads one message; computer may be "".
func (c *Client) Message(ctx context.Context, session, id, computer string) (m api.Message, err error) {
	err = c.get(ctx, api.PathMessage, onComputer(computer), &m, session, id)
	return m, err
}
