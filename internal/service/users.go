package service

import (
	"encoding/json"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// timeLayout is how the service writes times in strings: RFC 3339, UTC, milliseconds (U53).
const timeLayout = "2006-01-02T15:04:05.000Z"

// user is api.User with the metadata as stored, also when it is empty.
type user struct {
	api.User
	Metadata json.RawMessage `json:"metadata"`
}

type usersPage struct {
	Users      []user         `json:"users"`
	Pagination api.Pagination `json:"pagination"`
}

// listUsers answers GET organization/users: active members by ascending id (U52, U55).
func (s *Service) listUsers(c *call) (any, error) {
	p, err := readPage(c.query, "users")
	if err != nil {
		return nil, err
	}
	stored, err := s.store.Users(c.ctx, p.after, p.limit+1)
	if err != nil {
		return nil, err
	}
	stored, next := cut(stored, p, func(u store.User) string { return u.ID })
	users := make([]user, len(stored))
	for i, u := range stored {
		users[i] = showUser(u)
	}
	return usersPage{Users: users, Pagination: next}, nil
}

func showUser(u store.User) user {
	return user{
		User: api.User{
			ID: u.ID, Email: &u.Email, FirstName: &u.FirstName, LastName: &u.LastName,
			CreatedAt: showTime(u.CreatedAt), LastSignInAt: showTime(u.LastSignInAt),
		},
		Metadata: json.RawMessage(u.Metadata),
	}
}

// showTime is nil for the zero time.
func showTime(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format(timeLayout)
	return &text
}
