package service

import (
	"encoding/json"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// userDays answers GET analytics/users (C90-C110): a page of users with all their rows of
// the window (U8). The cursor is the last user id of the page, and any id is a place in
// the list, also that of somebody who is gone (C31, U9).
func (s *Service) userDays(c *call) (any, error) {
	first, last, err := s.window(c.query)
	if err != nil {
		return nil, err
	}
	limit := api.DefaultPage
	text, given, err := once(c.query, "limit")
	if err == nil && given {
		limit, err = parseLimit(text)
	}
	if err != nil {
		return nil, err
	}
	cursor, _, err := once(c.query, "cursor")
	if err != nil {
		return nil, err
	}
	page := analyticsPage{Data: []json.RawMessage{}, Meta: windowMeta("", first, last)}
	if page.Meta.OrgID, err = s.organizationID(c); err != nil {
		return nil, err
	}
	if err := s.upToDate(c.ctx); err != nil {
		return nil, err
	}
	users, err := s.store.ActiveUsers(c.ctx, store.DayOf(first), store.DayOf(last), cursor, limit+1)
	if err != nil {
		return nil, err
	}
	more := len(users) > limit
	page.Meta.HasMore = &more
	if more {
		users = users[:limit]
		page.Meta.NextCursor = &users[limit-1]
	}
	rows, err := s.store.UserRows(c.ctx, users, store.DayOf(first), store.DayOf(last))
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		shown := json.RawMessage(row)
		if s.o.HideCredits {
			if shown, err = changed(shown, hideUser); err != nil {
				return nil, err
			}
		}
		page.Data = append(page.Data, shown)
	}
	return page, nil
}
