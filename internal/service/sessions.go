package service

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// session is api.Session with the settings as stored, also empty lists.
type session struct {
	api.Session
	SessionSettings json.RawMessage `json:"sessionSettings"`
}

type sessionsPage struct {
	Sessions   []session      `json:"sessions"`
	Pagination api.Pagination `json:"pagination"`
}

// listSessions answers GET sessions: latest update first, without status (U31, C138).
func (s *Service) listSessions(c *call) (any, error) {
	computer, _, err := once(c.query, "computerId")
	if err != nil {
		return nil, err
	}
	q := store.SessionQuery{UserID: c.onlyOwn(), ComputerID: computer}
	p, err := readPage(c.query, "sessions "+strconv.Quote(q.UserID)+" "+strconv.Quote(computer))
	if err != nil {
		return nil, err
	}
	if q.Before, err = sessionKey(p.after); err != nil {
		return nil, err
	}
	q.Limit = p.limit + 1
	stored, err := s.store.Sessions(c.ctx, q)
	if err != nil {
		return nil, err
	}
	stored, next := cut(stored, p, func(one store.Session) string {
		return strconv.FormatInt(one.UpdatedAt.UnixMilli(), 10) + " " + one.ID
	})
	sessions := make([]session, len(stored))
	for i, one := range stored {
		sessions[i] = showSession(one)
		sessions[i].Status = nil
	}
	return sessionsPage{Sessions: sessions, Pagination: next}, nil
}

func sessionKey(after string) (*store.SessionKey, error) {
	if after == "" {
		return nil, nil
	}
	at, id, _ := strings.Cut(after, " ")
	n, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return nil, invalid("the cursor does not belong to this list")
	}
	return &store.SessionKey{UpdatedAt: n, ID: id}, nil
}

// onlyOwn is the user whose sessions a caller may see, "" for all (U37).
func (c *call) onlyOwn() string {
	if c.who.Role.Manages() {
		return ""
	}
	if c.who.UserID == "" {
		return c.who.Key // a service account has no sessions
	}
	return c.who.UserID
}

// visible refuses a session of somebody else as if it did not exist.
func (c *call) visible(one store.Session) error {
	if own := c.onlyOwn(); own != "" && own != one.UserID {
		return refuse(http.StatusNotFound, "there is no such session")
	}
	return nil
}

// getSession answers GET session; a computerId that is not the session's is a 404 (U35).
func (s *Service) getSession(c *call) (any, error) {
	one, err := s.oneSession(c)
	if err != nil {
		return nil, err
	}
	return showSession(one), nil
}

// oneSession finds the session of the path for whom may see it.
func (s *Service) oneSession(c *call) (store.Session, error) {
	computer, _, err := once(c.query, "computerId")
	if err != nil {
		return store.Session{}, err
	}
	one, err := s.store.Session(c.ctx, c.path["sessionId"])
	if err != nil {
		return store.Session{}, orMissing(err, "session")
	}
	if err := c.visible(one); err != nil {
		return store.Session{}, err
	}
	if computer != "" && computer != one.ComputerID {
		return store.Session{}, refuse(http.StatusNotFound, "there is no such session on this computer")
	}
	return one, nil
}

// patchSession answers PATCH session: a merge per field of the settings (U33, U34).
func (s *Service) patchSession(c *call) (any, error) {
	raw, ok := c.body["sessionSettings"]
	if !ok {
		return nil, invalid("sessionSettings is missing")
	}
	patch, err := asObject(raw, "sessionSettings")
	if err != nil {
		return nil, err
	}
	changes, err := checkSettings(patch)
	if err != nil {
		return nil, err
	}
	one, err := s.store.UpdateSettings(c.ctx, c.path["sessionId"], s.now(), func(one store.Session) (string, error) {
		if err := c.visible(one); err != nil {
			return "", err
		}
		return mergeSettings(one.Settings, changes)
	})
	if err != nil {
		return nil, orMissing(err, "session")
	}
	return showSession(one), nil
}

func showSession(one store.Session) session {
	count := json.Number(strconv.FormatInt(one.MessageCount, 10))
	created, updated := unix(one.CreatedAt), unix(one.UpdatedAt)
	out := session{
		Session: api.Session{
			SessionID: one.ID, Status: &one.Status, MessageCount: &count, CreatedAt: &created, UpdatedAt: &updated,
			Title: optional(one.Title), ComputerID: optional(one.ComputerID),
		},
		SessionSettings: json.RawMessage(one.Settings),
	}
	if !one.CompletedAt.IsZero() {
		at := unix(one.CompletedAt)
		out.CompletedAt = &at
	}
	return out
}
