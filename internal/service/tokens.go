package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/govctl/govctl/internal/service/store"
)

// Tokens are the second credential of the API (C208, U73): JSON Web Tokens signed with
// HMAC-SHA256 and a secret that only the database of the service holds. The algorithm is
// a constant of this file and never read from a token. A token is short-lived, has an id
// by which it can be taken back, and what it grants is looked up again for every request.
const (
	tokenAlgorithm = jose.HS256
	tokenSecret    = "jwt"            // its name in the store
	tokenLeeway    = 30 * time.Second // clocks may differ by this much
	maxTokenText   = 4096             // bytes; ours have about 200
)

// MaxTokenTTL is how long a token may be valid: a day. Who needs longer makes an API
// key, which can be revoked.
const MaxTokenTTL = 24 * time.Hour

// accountPrefix begins the subject of a token that belongs to no member. No member with
// such an id gets a token.
const accountPrefix = "service-account:"

// claims are what a token says.
type claims struct {
	ID       string           `json:"jti"`
	Subject  string           `json:"sub"` // user id, or accountPrefix and a name
	Role     Role             `json:"role"`
	IssuedAt *jwt.NumericDate `json:"iat"`
	Expiry   *jwt.NumericDate `json:"exp"`

	times jwt.Claims // the same as the library checks it, of a token that was read
}

// NewToken says which token to issue: for a member, or for a service account.
type NewToken struct {
	UserID  string        // the member; "" for a service account
	Account string        // name of the service account, when UserID is ""
	Role    Role          // "": the role of the member; a service account needs one
	TTL     time.Duration // more than 0, at most MaxTokenTTL
}

// Token is a token that was issued. Neither part of it is kept.
type Token struct {
	ID   string // by which it can be revoked; no secret
	Text string
}

// IssueToken signs a token for the service on a database. The secret is made on first
// use. ErrNotFound of the store when the member does not exist.
func IssueToken(ctx context.Context, s *store.Store, n NewToken, now time.Time) (Token, error) {
	c, err := n.claims(ctx, s, now)
	if err != nil {
		return Token{}, fmt.Errorf("issue token: %w", err)
	}
	secret, err := s.EnsureSecret(ctx, tokenSecret, now)
	if err != nil {
		return Token{}, fmt.Errorf("issue token: %w", err)
	}
	key := jose.SigningKey{Algorithm: tokenAlgorithm, Key: secret}
	signer, err := jose.NewSigner(key, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return Token{}, fmt.Errorf("issue token: %w", err)
	}
	text, err := jwt.Signed(signer).Claims(c).Serialize()
	if err != nil {
		return Token{}, fmt.Errorf("issue token: %w", err)
	}
	return Token{c.ID, text}, nil
}

func (n NewToken) claims(ctx context.Context, s *store.Store, now time.Time) (claims, error) {
	switch {
	case n.TTL < time.Second || n.TTL > MaxTokenTTL:
		return claims{}, fmt.Errorf("a token is valid for 1s to %s, not %s", MaxTokenTTL, n.TTL)
	case n.Role != "" && !knownRole(n.Role):
		return claims{}, fmt.Errorf("there is no role %q", n.Role)
	case n.UserID == "" && (n.Role == "" || n.Account == ""):
		return claims{}, errors.New("a service account needs a name and a role")
	case strings.HasPrefix(n.UserID, accountPrefix):
		return claims{}, fmt.Errorf("the id %s looks like a service account", n.UserID)
	}
	c := claims{ID: newTokenID(), Role: n.Role, IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(n.TTL))}
	if n.UserID == "" {
		c.Subject = accountPrefix + n.Account
		return c, nil
	}
	u, err := s.User(ctx, n.UserID)
	if err != nil {
		return claims{}, err
	}
	if c.Role == "" {
		c.Role = u.Role
	}
	c.Subject, c.Role = u.ID, c.Role.Within(u.Role)
	return c, nil
}

// EndTokens makes every token that was issued on a database worthless, by replacing the
// secret.
func EndTokens(ctx context.Context, s *store.Store, now time.Time) error {
	if err := s.ReplaceSecret(ctx, tokenSecret, now); err != nil {
		return fmt.Errorf("end tokens: %w", err)
	}
	return nil
}

func knownRole(r Role) bool { return r == Owner || r == Manager || r == Member || r == Guest }

// LooksLikeToken tells a token, which is a secret, from an API key and from the id of a
// token: these have no dots.
func LooksLikeToken(text string) bool { return strings.Count(text, ".") == 2 }

// errNoToken is what verifyToken says of everything that this service did not sign.
var errNoToken = errors.New("this is no token of this service")

// verifyToken checks the signature of a token, not its time, and returns what it says.
func verifyToken(ctx context.Context, s *store.Store, text string) (claims, error) {
	if len(text) > maxTokenText {
		return claims{}, errNoToken
	}
	parsed, err := jwt.ParseSigned(text, []jose.SignatureAlgorithm{tokenAlgorithm})
	if err != nil {
		return claims{}, errNoToken
	}
	secret, err := s.Secret(ctx, tokenSecret)
	if errors.Is(err, store.ErrNotFound) {
		return claims{}, errNoToken // nobody was ever given a token
	} else if err != nil {
		return claims{}, err
	}
	var c claims
	if err := parsed.Claims(secret, &c, &c.times); err != nil {
		return claims{}, errNoToken
	}
	if c.Expiry == nil || c.Subject == "" || !isTokenID(c.ID) || !knownRole(c.Role) {
		return claims{}, errNoToken
	}
	return c, nil
}

// readToken checks everything about a token but its holder and returns what it says.
func (s *Service) readToken(ctx context.Context, text string) (claims, error) {
	bad := unauthorized("the token is not valid")
	c, err := verifyToken(ctx, s.store, text)
	if errors.Is(err, errNoToken) {
		return claims{}, bad
	} else if err != nil {
		return claims{}, err
	}
	err = c.times.ValidateWithLeeway(jwt.Expected{Time: s.o.Now()}, tokenLeeway)
	if errors.Is(err, jwt.ErrExpired) {
		return claims{}, unauthorized("the token has expired")
	} else if err != nil {
		return claims{}, bad
	}
	revoked, err := s.store.TokenRevoked(ctx, c.ID)
	if err != nil {
		return claims{}, err
	}
	if revoked {
		return claims{}, unauthorized("the token is revoked")
	}
	return c, nil
}

// tokenHolder is who a token stands for now: a member never gets more than the role the
// member has today, and one who has left gets nothing.
func (s *Service) tokenHolder(ctx context.Context, c claims) (store.Principal, error) {
	p := store.Principal{Key: "jwt:" + c.Subject, Role: c.Role}
	if strings.HasPrefix(c.Subject, accountPrefix) {
		return p, nil
	}
	u, err := s.store.User(ctx, c.Subject)
	if errors.Is(err, store.ErrNotFound) {
		return store.Principal{}, unauthorized("the token is not valid")
	} else if err != nil {
		return store.Principal{}, err
	}
	p.UserID, p.Role = u.ID, c.Role.Within(u.Role)
	return p, nil
}
