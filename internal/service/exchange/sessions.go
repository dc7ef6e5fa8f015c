package exchange

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// Session is a session in the shape of the API, with whose it is and its messages, which
// the API shows elsewhere or not at all.
type Session struct {
	SessionID       string            `json:"sessionId"`
	UserID          string            `json:"userId,omitempty"`
	UserEmail       string            `json:"userEmail,omitempty"`
	Title           *string           `json:"title,omitempty"`
	Status          string            `json:"status"`
	MessageCount    *json.Number      `json:"messageCount,omitempty"`
	CreatedAt       *json.Number      `json:"createdAt,omitempty"`
	UpdatedAt       *json.Number      `json:"updatedAt,omitempty"`
	CompletedAt     *json.Number      `json:"completedAt,omitempty"`
	ComputerID      *string           `json:"computerId,omitempty"`
	SessionSettings json.RawMessage   `json:"sessionSettings,omitempty"`
	Messages        []json.RawMessage `json:"messages,omitempty"`
}

// Sessions is a file of sessions.
type Sessions struct {
	Sessions []Session `json:"sessions"`
}

// place names an entry of a file, counted from 1.
func place(noun string, i int) string { return noun + " " + strconv.Itoa(i+1) }

// ReadSessions reads a file of sessions. A session with messages has as many as the file
// shows; without, as many as messageCount says.
func ReadSessions(data []byte) ([]store.SessionImport, error) {
	raw, err := objects(data, "sessions")
	if err != nil {
		return nil, err
	}
	sessions, p := make([]store.SessionImport, len(raw)), &problems{}
	for i, one := range raw {
		p.place = place("session", i)
		sessions[i] = p.session(one)
	}
	return sessions, p.err()
}

func (p *problems) session(raw json.RawMessage) store.SessionImport {
	var in Session
	if err := json.Unmarshal(raw, &in); err != nil {
		p.add("%w", err)
		return store.SessionImport{}
	}
	if in.SessionID == "" {
		p.add("sessionId is missing")
	}
	if in.UserID == "" && in.UserEmail == "" {
		p.add("userEmail is missing")
	}
	if in.Status == "" {
		in.Status = "idle" // a list of the API has no status
	}
	if !slices.Contains([]string{"idle", "pending", "running"}, in.Status) {
		p.add("status %.60q is not idle, pending or running", in.Status)
	}
	s := store.Session{
		ID: in.SessionID, UserID: in.UserID, Title: value(in.Title), Status: in.Status, ComputerID: value(in.ComputerID),
		CreatedAt: p.when("createdAt", in.CreatedAt), UpdatedAt: p.when("updatedAt", in.UpdatedAt), Settings: p.settings(in.SessionSettings),
	}
	if in.CompletedAt != nil {
		s.CompletedAt = p.when("completedAt", in.CompletedAt)
	}
	if in.Messages == nil && in.MessageCount != nil {
		n, err := strconv.ParseInt(in.MessageCount.String(), 10, 64)
		if err != nil || n < 0 {
			p.add("messageCount %.40q is not a whole number", *in.MessageCount)
		}
		s.MessageCount = n
	}
	out := store.SessionImport{Session: s, UserEmail: in.UserEmail}
	session := p.place
	for i, one := range in.Messages {
		p.place = session + ", " + place("message", i)
		out.Messages = append(out.Messages, p.message(one))
		out.Session.MessageCount++
	}
	p.place = session
	return out
}

// settings takes what a session may have as its settings.
func (p *problems) settings(raw json.RawMessage) string {
	if raw == nil {
		return "{}"
	}
	var known *api.SessionSettings
	if err := json.Unmarshal(raw, &known); err != nil || known == nil {
		p.add("sessionSettings is not an object of session settings")
		return "{}"
	}
	var text bytes.Buffer
	if err := json.Compact(&text, raw); err != nil {
		p.add("sessionSettings: %w", err)
	}
	return text.String()
}

// ExportSession is an entry of a file that ReadSessions reads.
func ExportSession(one store.Session, email string, messages []store.Message) Session {
	created, updated := number(one.CreatedAt), number(one.UpdatedAt)
	count := json.Number(fmt.Sprint(one.MessageCount))
	out := Session{
		SessionID: one.ID, UserID: one.UserID, UserEmail: email, Title: optional(one.Title), Status: one.Status,
		MessageCount: &count, CreatedAt: &created, UpdatedAt: &updated, ComputerID: optional(one.ComputerID),
		SessionSettings: json.RawMessage(one.Settings),
	}
	if !one.CompletedAt.IsZero() {
		at := number(one.CompletedAt)
		out.CompletedAt = &at
	}
	for _, m := range messages {
		out.Messages = append(out.Messages, ShowMessage(m))
	}
	return out
}
