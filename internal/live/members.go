package live

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// members lists the users. A list that changes while it is walked can miss somebody, so
// a declared address that is not there is looked for in a second walk.
func (w *reading) members(ctx context.Context, r MemberReader) error {
	n := len(w.q.Declared) // about as many as there are
	l := &roll{members: make([]org.Member, 0, n), ids: make(map[string]struct{}, n)}
	err := w.walk(ctx, r, l)
	if err == nil && l.misses(w.q.Declared) {
		err = w.walk(ctx, r, l)
	}
	if err != nil {
		return w.gap(ctx, FactMembers, "", err)
	}
	byAddress := func(a, b org.Member) int { return cmp.Or(cmp.Compare(a.Email, b.Email), cmp.Compare(a.ID, b.ID)) }
	if !slices.IsSortedFunc(l.members, byAddress) {
		slices.SortFunc(l.members, byAddress)
	}
	w.live.Members, w.live.MembersRead = l.members, true
	w.progress(FactMembers, len(l.members))
	return nil
}

// roll is the union of what the walks have seen, every user once.
type roll struct {
	members []org.Member
	ids     map[string]struct{}
}

// walk adds one pass over the list to l.
func (w *reading) walk(ctx context.Context, r MemberReader, l *roll) error {
	for u, err := range r.Users(ctx) {
		if err != nil {
			return err
		}
		if _, seen := l.ids[u.ID]; seen {
			continue
		}
		m, err := member(u, w.q.Profiles)
		if err != nil {
			return fmt.Errorf("user %s: %w", u.ID, err)
		}
		l.ids[u.ID] = struct{}{}
		l.members = append(l.members, m)
		if len(l.members)%api.MaxPage == 0 {
			w.progress(FactMembers, len(l.members))
		}
	}
	return ctx.Err()
}

// misses reports whether a declared address is not among the members.
func (l *roll) misses(declared []org.Email) bool {
	if len(declared) == 0 {
		return false
	}
	seen := make(map[org.Email]struct{}, len(l.members))
	for i := range l.members {
		seen[l.members[i].Email] = struct{}{}
	}
	return slices.ContainsFunc(declared, func(e org.Email) bool {
		_, ok := seen[e]
		return !ok
	})
}

// member takes a user over. The address is folded after NFC, its spelling is kept byte
// for byte, because that is what is sent (T1, T2).
// A profile is names and metadata.
func member(u api.User, profile bool) (org.Member, error) {
	m := org.Member{ID: u.ID, Spelling: text(u.Email)}
	m.Email = EmailKey(m.Spelling)
	if !profile {
		return m, nil
	}
	m.FirstName, m.LastName = text(u.FirstName), text(u.LastName)
	if u.Metadata == nil {
		return m, nil
	}
	m.Metadata = make(map[string]any, len(u.Metadata))
	for k, raw := range u.Metadata {
		v, err := value(raw)
		if err != nil {
			return m, fmt.Errorf("metadata %s: %w", k, err)
		}
		m.Metadata[k] = v
	}
	return m, nil
}

// EmailKey makes the key of an address as the service spells it.
func EmailKey(s string) org.Email { return org.Fold(composed(s)) }

// composed is s in NFC, but for the characters that NFC makes ASCII: KELVIN SIGN must not
// turn one person's address into another's (T2, m10).
func composed(s string) string {
	if norm.NFC.IsNormalString(s) {
		return s
	}
	var b strings.Builder
	from := 0
	for i, r := range s {
		if r < utf8.RuneSelf {
			continue
		}
		if c := norm.NFC.String(string(r)); len(c) == 1 {
			b.WriteString(norm.NFC.String(s[from:i]) + string(r))
			from = i + utf8.RuneLen(r)
		}
	}
	return b.String() + norm.NFC.String(s[from:])
}

// value decodes free JSON with its numbers kept. Most metadata is a plain text, a number
// or a switch, which need no decoder.
func value(raw json.RawMessage) (any, error) {
	raw = bytes.TrimSpace(raw)
	switch n := len(raw); {
	case n == 0 || !json.Valid(raw):
		return nil, errors.New("not JSON")
	case raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0:
		return string(raw[1 : n-1]), nil
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		return json.Number(raw), nil
	case raw[0] == 't', raw[0] == 'f':
		return raw[0] == 't', nil
	case raw[0] == 'n':
		return nil, nil
	}
	return org.DecodeJSON(raw)
}
