package exchange

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// userColumns are the columns of a file of members; only email is required.
func userColumns() []string {
	return []string{"email", "first_name", "last_name", "role", "id", "metadata", "created_at", "last_sign_in_at"}
}

// CheckEmail accepts one bare address: what it is parsed to must be what was written.
func CheckEmail(s string) error {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Name != "" || a.Address != s {
		return fmt.Errorf("%.80q is not an e-mail address", s)
	}
	return nil
}

// ReadUsers reads a CSV file of members with a header. A member without created_at was
// made now.
func ReadUsers(data []byte, now time.Time) ([]store.User, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	header, err := r.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the file is empty; its first line must be a header with the column email")
	case err != nil:
		return nil, err
	}
	if err := checkHeader(header); err != nil {
		return nil, err
	}
	var users []store.User
	p, seen := &problems{}, map[string]int{}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return users, p.err()
		} else if err != nil {
			return nil, err
		}
		line, _ := r.FieldPos(0)
		p.place = fmt.Sprintf("line %d", line)
		u := p.user(header, record, now)
		if first, twice := seen[store.FoldEmail(u.Email)]; twice {
			p.add("%s stands in line %d already", u.Email, first)
		}
		seen[store.FoldEmail(u.Email)] = line
		users = append(users, u)
	}
}

func checkHeader(header []string) error {
	for i, name := range header {
		switch {
		case !slices.Contains(userColumns(), name):
			return fmt.Errorf("line 1: unknown column %.60q; columns are %s", name, strings.Join(userColumns(), ", "))
		case slices.Contains(header[:i], name):
			return fmt.Errorf("line 1: column %s stands twice", name)
		}
	}
	if !slices.Contains(header, "email") {
		return errors.New("line 1: there is no column email")
	}
	return nil
}

func (p *problems) user(header, record []string, now time.Time) store.User {
	u := store.User{CreatedAt: now}
	for i, name := range header {
		text := record[i]
		if text == "" && name != "email" {
			continue
		}
		switch name {
		case "email":
			u.Email = text
			if err := CheckEmail(text); err != nil {
				p.add("%w", err)
			}
		case "first_name":
			u.FirstName = text
		case "last_name":
			u.LastName = text
		case "id":
			u.ID = text
		case "role":
			role, err := store.ParseRole(text)
			if err != nil {
				p.add("%w", err)
			}
			u.Role = role
		case "metadata":
			u.Metadata = p.metadata(text)
		case "created_at":
			u.CreatedAt = p.time(name, text)
		case "last_sign_in_at":
			u.LastSignInAt = p.time(name, text)
		}
	}
	return u
}

func (p *problems) metadata(text string) string {
	var o map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &o); err != nil || o == nil {
		p.add("metadata is not a JSON object")
		return ""
	}
	return text
}

func (p *problems) time(name, text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || t.UnixMilli() < 0 || t.UnixMilli() > lastTime {
		p.add("%s %.40q is not RFC 3339, as in 2026-11-20T09:00:00Z", name, text)
	}
	return t.UTC().Truncate(time.Millisecond)
}

// WriteUsers writes a CSV file that ReadUsers reads.
func WriteUsers(w io.Writer, users []store.User) error {
	out := csv.NewWriter(w)
	if err := out.Write(userColumns()); err != nil {
		return err
	}
	for _, u := range users {
		seen := ""
		if !u.LastSignInAt.IsZero() {
			seen = u.LastSignInAt.Format(time.RFC3339Nano)
		}
		err := out.Write([]string{u.Email, u.FirstName, u.LastName, string(u.Role), u.ID, u.Metadata, u.CreatedAt.Format(time.RFC3339Nano), seen})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
