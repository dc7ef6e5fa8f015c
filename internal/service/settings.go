package service

import (
	"encoding/json"
	"strconv"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// listHistory answers GET enterprise-controls/history: newest revision first, each with
// the full snapshot after the change (C190, U56).
func (s *Service) listHistory(c *call) (any, error) {
	p, err := readPage(c.query, "history")
	if err != nil {
		return nil, err
	}
	var before int64
	if p.after != "" {
		if before, err = strconv.ParseInt(p.after, 10, 64); err != nil || before < 1 {
			return nil, invalid("the cursor does not belong to this list")
		}
	}
	revisions, err := s.store.Revisions(c.ctx, before, p.limit+1)
	if err != nil {
		return nil, err
	}
	revisions, next := cut(revisions, p, func(r store.Revision) string { return strconv.FormatInt(r.Number, 10) })
	changes := make([]api.Change, len(revisions))
	for i, r := range revisions {
		changes[i] = api.Change{
			Revision:  r.Number,
			Settings:  json.RawMessage(r.Settings),
			User:      &api.Actor{ID: &r.Actor.ID, Email: &r.Actor.Email, Name: &r.Actor.Name},
			UpdatedAt: r.UpdatedAt.Format(timeLayout),
		}
	}
	return api.HistoryPage{Changes: changes, Pagination: next}, nil
}
