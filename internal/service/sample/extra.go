package sample

import (
	"context"
	"errors"
	"fmt"

	"github.com/govctl/govctl/internal/service/store"
)

// MaxExtra is how many members Extend can make.
const MaxExtra = 1_000_000

// Extra returns the n-th extra member, n from 1: member-00001@bulk.example and so on,
// with ids after those of the sample organization.
func Extra(n int) store.User {
	return store.User{
		ID:           fmt.Sprintf("usr_x%07d", n),
		Email:        fmt.Sprintf("member-%05d@bulk.example", n),
		FirstName:    "Member",
		LastName:     fmt.Sprintf("%05d", n),
		Metadata:     `{"team":"bulk"}`,
		CreatedAt:    at("2026-02-01T08:00:00.000Z"),
		LastSignInAt: at("2026-11-19T08:00:00.000Z"),
	}
}

// Extend adds the first n extra members to the sample organization, all or none, and
// leaves a database alone that has the n-th one already.
func Extend(ctx context.Context, s *store.Store, n int) error {
	if n <= 0 {
		return nil
	}
	_, err := s.User(ctx, Extra(n).ID)
	if err == nil || !errors.Is(err, store.ErrNotFound) {
		return err
	}
	have := 0 // how many a smaller number made before; they are made in order
	for lo, hi := 0, n; lo < hi; have = lo {
		mid := (lo + hi + 1) / 2
		if _, err := s.User(ctx, Extra(mid).ID); err == nil {
			lo = mid
		} else if errors.Is(err, store.ErrNotFound) {
			hi = mid - 1
		} else {
			return err
		}
	}
	users := make([]store.User, 0, n-have)
	for i := have + 1; i <= n; i++ {
		users = append(users, Extra(i))
	}
	if err := s.AddUsers(ctx, users); err != nil && !errors.Is(err, store.ErrExists) {
		return fmt.Errorf("extend sample: %w", err)
	}
	return nil
}
