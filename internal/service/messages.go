package service

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

// messagesPage is one page of GET messages (C143).
type messagesPage struct {
	Messages   []json.RawMessage `json:"messages"`
	Pagination api.Pagination    `json:"pagination"`
}

// listMessages answers GET messages: oldest first (U31), of a session the caller may see
// (U37).
func (s *Service) listMessages(c *call) (any, error) {
	role, given, err := once(c.query, "role")
	if err != nil {
		return nil, err
	}
	switch role {
	case "user", "assistant", "tool":
	default:
		if given { // also system: the filter does not have it (C144, U36)
			return nil, invalid("role must be user, assistant or tool")
		}
	}
	id := c.path["sessionId"]
	p, err := readPage(c.query, "messages "+strconv.Quote(id)+" "+role)
	if err != nil {
		return nil, err
	}
	q := store.MessageQuery{SessionID: id, Role: role, Limit: p.limit + 1}
	if q.After, err = messageKey(p.after); err != nil {
		return nil, err
	}
	if _, err := s.oneSession(c); err != nil {
		return nil, err
	}
	stored, err := s.store.Messages(c.ctx, q)
	if err != nil {
		return nil, err
	}
	stored, next := cut(stored, p, func(m store.Message) string {
		return strconv.FormatInt(m.CreatedAt.UnixMilli(), 10) + " " + m.ID
	})
	messages := make([]json.RawMessage, len(stored))
	for i, m := range stored {
		messages[i] = exchange.ShowMessage(m)
	}
	return messagesPage{Messages: messages, Pagination: next}, nil
}

func messageKey(after string) (*store.MessageKey, error) {
	if after == "" {
		return nil, nil
	}
	at, id, _ := strings.Cut(after, " ")
	n, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return nil, invalid("the cursor does not belong to this list")
	}
	return &store.MessageKey{CreatedAt: n, ID: id}, nil
}

// getMessage answers GET message.
func (s *Service) getMessage(c *call) (any, error) {
	one, err := s.oneSession(c)
	if err != nil {
		return nil, err
	}
	m, err := s.store.Message(c.ctx, one.ID, c.path["messageId"])
	if err != nil {
		return nil, orMissing(err, "message")
	}
	return exchange.ShowMessage(m), nil
}
