package service

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"

	"github.com/govctl/govctl/internal/service/store"
)

// ownerKeyName stands for OwnerKey where the prefix of a stored key would stand.
const ownerKeyName = "embedded"

// authenticate finds who sends a request: exactly one Authorization header with the
// scheme Bearer in any case (U72).
func (s *Service) authenticate(r *http.Request) (store.Principal, error) {
	headers := r.Header.Values("Authorization")
	if len(headers) == 0 {
		return store.Principal{}, unauthorized("the Authorization header is missing")
	}
	scheme, key, _ := strings.Cut(headers[0], " ")
	key = strings.TrimSpace(key)
	if len(headers) > 1 || !strings.EqualFold(scheme, "Bearer") || key == "" || strings.ContainsAny(key, " \t,") {
		return store.Principal{}, unauthorized("the Authorization header is not one Bearer key")
	}
	if s.owner != nil {
		sum := sha256.Sum256([]byte(key))
		if subtle.ConstantTimeCompare(sum[:], s.owner[:]) == 1 {
			return store.Principal{Key: ownerKeyName, Role: Owner}, nil
		}
	}
	who, err := s.store.Authenticate(r.Context(), key, s.o.Now())
	if errors.Is(err, store.ErrNotFound) {
		return store.Principal{}, unauthorized("the API key is not valid")
	}
	return who, err
}

func unauthorized(detail string) error {
	return &problem{
		status: http.StatusUnauthorized,
		detail: detail,
		header: http.Header{"Www-Authenticate": {`Bearer realm="govctl"`}},
	}
}
