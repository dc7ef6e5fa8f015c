package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// A token id is tok_ and 128 random bits in lower-case base32.
const tokenIDPrefix = "tok_"

var tokenIDs = regexp.MustCompile(`^tok_[a-z2-7]{26}$`)

func newTokenID() string { return tokenIDPrefix + strings.ToLower(rand.Text()) }

func isTokenID(s string) bool { return tokenIDs.MatchString(s) }

// RevokeToken makes one token worthless, named by its id or given whole, and returns the
// id. The id of a token is all that is kept of it, so an id is taken for one of a token
// that was issued a moment ago and as long as any.
func RevokeToken(ctx context.Context, s *store.Store, token string, now time.Time) (string, error) {
	id, until := token, now.Add(MaxTokenTTL)
	if LooksLikeToken(token) {
		c, err := verifyToken(ctx, s, token)
		if err != nil {
			return "", fmt.Errorf("revoke token: %w", err)
		}
		id, until = c.ID, c.Expiry.Time()
	} else if !isTokenID(id) {
		return "", errors.New("revoke token: this is neither a token nor the id of one, which begins with " + tokenIDPrefix)
	}
	// A second more than any clock accepts it: the times in a token are whole seconds.
	if err := s.RevokeToken(ctx, id, until.Add(tokenLeeway+time.Second), now); err != nil {
		return "", err
	}
	return id, nil
}
