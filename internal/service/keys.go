package service

import (
	"net/http"
	"strings"

	"github.com/govctl/govctl/internal/service/store"
)

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
	p, err := s.identify(r.Context(), key)
	return p.Principal, err
}

func unauthorized(detail string) error {
	return &problem{
		status: http.StatusUnauthorized,
		detail: detail,
		header: http.Header{"Www-Authenticate": {`Bearer realm="govctl"`}},
	}
}
