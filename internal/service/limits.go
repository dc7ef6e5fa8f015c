package service

import (
	"encoding/json"
	"net/mail"
	"strconv"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// Why one entry of a limits request was not applied (U62). The texts are stable.
const (
	reasonNoUser    = "user not found in organization"
	reasonNegative  = "limit must be zero or greater"
	reasonTooLarge  = "limit too large"
	reasonDuplicate = "duplicate e-mail in request"
)

// entry is one asked limit; reason is why it cannot be applied, "" if it can.
type entry struct {
	email  string
	value  int64
	reason string
}

// putLimits answers PUT usage/limits/users. A malformed request changes nothing (U61);
// of a well-formed one the valid entries are applied together (U62, U65).
func (s *Service) putLimits(c *call) (any, error) {
	entries, err := readLimits(c.body)
	if err != nil {
		return nil, err
	}
	markDuplicates(entries)
	refuseAsTold(c.ctx, entries)
	var want []store.WantLimit
	var asked []*entry
	for i := range entries {
		if e := &entries[i]; e.reason == "" {
			want = append(want, store.WantLimit{Email: e.email, Value: e.value})
			asked = append(asked, e)
		}
	}
	by := c.who.UserID
	if by == "" {
		by = c.who.Key
	}
	found, err := s.store.SetLimits(c.ctx, want, by, s.now())
	if err != nil {
		return nil, err
	}
	for i, ok := range found {
		if !ok {
			asked[i].reason = reasonNoUser
		}
	}
	result := api.LimitsResult{Updated: []api.Limit{}, Errors: []api.LimitError{}}
	for _, e := range entries {
		if e.reason == "" {
			result.Updated = append(result.Updated, api.Limit{Email: e.email, Limit: e.value})
		} else {
			result.Errors = append(result.Errors, api.LimitError{Email: e.email, Error: e.reason})
		}
	}
	return result, nil
}

func readLimits(body object) ([]entry, error) {
	raw, ok := body["users"]
	if !ok {
		return nil, invalid("users is missing")
	}
	list, err := asList(raw, "users")
	if err != nil {
		return nil, err
	}
	if len(list) < 1 || len(list) > api.MaxLimits {
		return nil, invalid("users must have 1 to %d entries, not %d", api.MaxLimits, len(list))
	}
	entries := make([]entry, len(list))
	for i, raw := range list {
		if entries[i], err = readLimit(raw, "users["+strconv.Itoa(i)+"]"); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

func readLimit(raw json.RawMessage, what string) (entry, error) {
	o, err := asObject(raw, what)
	if err != nil {
		return entry{}, err
	}
	email, err := o.text("email")
	switch {
	case err != nil:
		return entry{}, invalid("%s.email is not a string", what)
	case email == nil:
		return entry{}, invalid("%s.email is missing", what)
	case !isEmail(*email):
		return entry{}, invalid("%s.email is not an e-mail address", what)
	}
	limit, ok := o["limit"]
	if !ok {
		return entry{}, invalid("%s.limit is missing", what)
	}
	value, reason, ok := wholeNumber(limit)
	if !ok {
		return entry{}, invalid("%s.limit is not an integer", what)
	}
	return entry{email: *email, value: value, reason: reason}, nil
}

// isEmail accepts one bare address: what it is parsed to must be what was written.
func isEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Name == "" && a.Address == s
}

// markDuplicates gives the reason to all entries of an address that stands more than
// once, in any ASCII case: there is no telling which was meant.
func markDuplicates(entries []entry) {
	times := map[string]int{}
	for _, e := range entries {
		times[store.FoldEmail(e.email)]++
	}
	for i := range entries {
		if times[store.FoldEmail(entries[i].email)] > 1 {
			entries[i].reason = reasonDuplicate
		}
	}
}
