package servicetest

import (
	"net/mail"
	"slices"
	"testing"
	"time"
)

// users walks the list of users.
func (s *suite) users(t *testing.T) []object {
	t.Helper()
	var all []object
	query := "limit=100"
	for {
		items, next := s.page(t, lists()[0], "", query)
		all = append(all, items...)
		if next == "" {
			return all
		}
		query = "limit=100&cursor=" + next
	}
}

func (s *suite) testUsers(t *testing.T) {
	users := s.users(t)
	if len(users) == 0 {
		s.lacks(t, "the organization has no members")
	}
	t.Run("C187 C188 U53 U54 fields", func(t *testing.T) {
		for _, u := range users {
			email := text(t, u, "email")
			if _, err := mail.ParseAddress(email); err != nil {
				t.Errorf("email %q: %v", email, err)
			}
			for _, name := range []string{"id", "firstName", "lastName"} {
				text(t, u, name)
			}
			parse[object](t, u["metadata"])
			for _, name := range []string{"createdAt", "lastSignInAt"} {
				if _, ok := u[name]; !ok && name == "lastSignInAt" {
					continue // never signed in
				}
				when := text(t, u, name)
				if _, err := time.Parse("2006-01-02T15:04:05.000Z", when); err != nil {
					t.Errorf("U53 %s %q: %v", name, when, err)
				}
			}
		}
	})
	t.Run("U52 ids ascend", func(t *testing.T) {
		var ids []string
		for _, u := range users {
			ids = append(ids, text(t, u, "id"))
		}
		if !slices.IsSorted(ids) || len(slices.Compact(ids)) != len(users) {
			t.Errorf("not ascending or not unique: %v", ids)
		}
	})
}
