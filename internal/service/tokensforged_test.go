package service_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
)

// TestForgedTokens: everything that is not signed by this service with HS256 is 401.
func TestForgedTokens(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	good := issue(t, s, service.NewToken{UserID: "usr_001"})
	secret, err := s.Service.Store().Secret(t.Context(), "jwt")
	if err != nil {
		t.Fatal(err)
	}
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	now := s.Clock.Now()
	claims := func(more map[string]any) map[string]any {
		c := map[string]any{"jti": "tok_" + strings.Repeat("a", 26), "sub": "usr_001", "role": "owner", "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()}
		maps.Copy(c, more)
		return c
	}
	sign := func(alg jose.SignatureAlgorithm, key any, c map[string]any) string { return signed(t, alg, key, c) }
	part := strings.Split(good, ".")
	otherRole := base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf(`{"sub":"usr_003","role":"owner","exp":%d}`, now.Add(time.Hour).Unix())))
	cases := map[string]string{
		"alg none":                    unsigned(t, `{"alg":"none"}`, claims(nil), nil),
		"alg None":                    unsigned(t, `{"alg":"None","typ":"JWT"}`, claims(nil), nil),
		"alg none with a signature":   unsigned(t, `{"alg":"none"}`, claims(nil), secret),
		"alg empty":                   unsigned(t, `{"alg":""}`, claims(nil), secret),
		"no alg":                      unsigned(t, `{}`, claims(nil), secret),
		"RS256 header, HMAC inside":   unsigned(t, `{"alg":"RS256"}`, claims(nil), secret),
		"RS256":                       sign(jose.RS256, rsaKey, claims(nil)),
		"HS256 keyed by a public key": sign(jose.HS256, rsaKey.N.Bytes(), claims(nil)),
		"HS384":                       sign(jose.HS384, slices.Concat(secret, secret), claims(nil)),
		"HS512":                       sign(jose.HS512, slices.Concat(secret, secret), claims(nil)),
		"other secret":                sign(jose.HS256, []byte(strings.Repeat("x", 32)), claims(nil)),
		"crit":                        unsigned(t, `{"alg":"HS256","crit":["x"],"x":1}`, claims(nil), secret),
		"without exp":                 sign(jose.HS256, secret, without(claims(nil), "exp")),
		"exp null":                    sign(jose.HS256, secret, claims(map[string]any{"exp": nil})),
		"exp a text":                  sign(jose.HS256, secret, claims(map[string]any{"exp": "tomorrow"})),
		"exp over":                    sign(jose.HS256, secret, claims(map[string]any{"exp": now.Add(-time.Minute).Unix()})),
		"not yet":                     sign(jose.HS256, secret, claims(map[string]any{"nbf": now.Add(time.Minute).Unix()})),
		"issued tomorrow":             sign(jose.HS256, secret, claims(map[string]any{"iat": now.AddDate(0, 0, 1).Unix()})),
		"no id":                       sign(jose.HS256, secret, claims(map[string]any{"jti": ""})),
		"another kind of id":          sign(jose.HS256, secret, claims(map[string]any{"jti": "tok_1"})),
		"id a number":                 sign(jose.HS256, secret, claims(map[string]any{"jti": 1})),
		"no subject":                  sign(jose.HS256, secret, claims(map[string]any{"sub": ""})),
		"nobody":                      sign(jose.HS256, secret, claims(map[string]any{"sub": "usr_999"})),
		"unknown role":                sign(jose.HS256, secret, claims(map[string]any{"role": "root"})),
		"no role":                     sign(jose.HS256, secret, claims(map[string]any{"role": ""})),
		"other payload":               part[0] + "." + otherRole + "." + part[2],
		"no signature":                part[0] + "." + part[1] + ".",
		"signature cut":               good[:len(good)-2],
		"two dots":                    "..",
		"four parts":                  good + ".x",
		"very long":                   part[0] + "." + strings.Repeat("A", 1<<16) + "." + part[2],
	}
	for name, token := range cases {
		if got, detail := status(t, s, token, anyMembersPath); got != 401 {
			t.Errorf("%s: %d %s, want 401", name, got, detail)
		}
	}
	if got, detail := status(t, s, good, anyMembersPath); got != 200 {
		t.Errorf("the good one: %d %s", got, detail)
	}
	if got, detail := status(t, s, sign(jose.HS256, secret, claims(nil)), anyMembersPath); got != 200 {
		t.Errorf("the forger's own method with nothing forged: %d %s", got, detail)
	}
}

func without(claims map[string]any, name string) map[string]any {
	delete(claims, name)
	return claims
}

// signed makes a token with a library.
func signed(t *testing.T, alg jose.SignatureAlgorithm, key any, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// unsigned builds a token by hand, with any header; secret signs it with HMAC-SHA256.
func unsigned(t *testing.T, header string, claims map[string]any, secret []byte) string {
	t.Helper()
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	enc := base64.RawURLEncoding
	text := enc.EncodeToString([]byte(header)) + "." + enc.EncodeToString(payload)
	if secret == nil {
		return text + "."
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return text + "." + enc.EncodeToString(mac.Sum(nil))
}

// TestTokenBeforeAnyWasIssued: without a secret nothing is a token, not even one that is
// signed with nothing.
func TestTokenBeforeAnyWasIssued(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	token := unsigned(t, `{"alg":"HS256"}`, map[string]any{"jti": "tok_" + strings.Repeat("a", 26), "sub": "usr_001", "role": "owner", "exp": s.Clock.Now().Add(time.Hour).Unix()}, []byte{})
	if got, detail := status(t, s, token, anyMembersPath); got != 401 {
		t.Errorf("%d %s", got, detail)
	}
}
