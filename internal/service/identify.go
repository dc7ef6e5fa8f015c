package service

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"

	"github.com/govctl/govctl/internal/service/store"
	"github.com/govctl/govctl/internal/service/web"
)

// ownerKeyName stands for OwnerKey where the prefix of a stored key would stand.
const ownerKeyName = "embedded"

// identify finds whose credential text is: OwnerKey, a token or an API key. The pass it
// returns can look the holder up again without the text.
func (s *Service) identify(ctx context.Context, text string) (web.Pass, error) {
	if s.owner != nil {
		sum := sha256.Sum256([]byte(text))
		if subtle.ConstantTimeCompare(sum[:], s.owner[:]) == 1 {
			owner := store.Principal{Key: ownerKeyName, Role: Owner}
			return web.Pass{Principal: owner, Again: func(context.Context) (store.Principal, error) { return owner, nil }}, nil
		}
	}
	if LooksLikeToken(text) {
		return s.identifyToken(ctx, text)
	}
	who, err := s.store.Authenticate(ctx, text, s.o.Now())
	if errors.Is(err, store.ErrNotFound) {
		return web.Pass{}, unauthorized("the API key is not valid")
	}
	return web.Pass{Principal: who, Again: func(ctx context.Context) (store.Principal, error) {
		now, err := s.store.Holder(ctx, who.Key, s.o.Now())
		if errors.Is(err, store.ErrNotFound) {
			err = web.ErrRefused
		}
		return now, err
	}}, err
}

func (s *Service) identifyToken(ctx context.Context, text string) (web.Pass, error) {
	c, err := s.readToken(ctx, text)
	if err != nil {
		return web.Pass{}, err
	}
	who, err := s.tokenHolder(ctx, c)
	return web.Pass{Principal: who, Again: func(ctx context.Context) (store.Principal, error) {
		if _, err := s.readToken(ctx, text); err != nil { // expired, or its secret was replaced
			return store.Principal{}, err
		}
		return s.tokenHolder(ctx, c)
	}}, err
}

// Is lets the web application tell a refused credential from a broken service.
func (p *problem) Is(target error) bool {
	return target == web.ErrRefused && p.status == http.StatusUnauthorized
}
