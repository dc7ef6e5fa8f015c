package org

import (
	"errors"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Email is a folded address: trimmed, ASCII letters lowered, already in NFC. It is
// the key of a person everywhere; the spelling the service uses is kept beside it
// (Member.Spelling), because that is what is sent (T1, T2, safety rail s3).
type Email string

// MaxEmailBytes is the longest address accepted (T5).
const MaxEmailBytes = 254

// Fold makes the key of an address. Only ASCII letters are folded: Unicode folding
// would merge different people (m10, T2).
func Fold(s string) Email {
	s = strings.TrimSpace(s)
	i := 0
	for i < len(s) && (s[i] < 'A' || s[i] > 'Z') {
		i++
	}
	if i == len(s) {
		return Email(s)
	}
	b := []byte(s)
	for ; i < len(b); i++ {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return Email(b)
}

// CheckEmail says why s is not one bare address, or nil. It refuses display names,
// lists, mailto:, quoting, comments, localhost and address literals (m11, T5).
func CheckEmail(s string) error {
	if plainEmail(s) {
		return nil
	}
	switch {
	case s == "":
		return errors.New("the address is empty")
	case !utf8.ValidString(s):
		return errors.New("the address is not valid UTF-8")
	case len(s) > MaxEmailBytes:
		return errors.New("the address is longer than 254 bytes")
	case strings.HasPrefix(strings.ToLower(s), "mailto:"):
		return errors.New("write the address alone, without the mailto: before it")
	case strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) >= 0:
		return errors.New("an address has no spaces or control characters; declare one address, without a display name")
	case strings.IndexFunc(s, func(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Co) }) >= 0:
		return errors.New("the address has invisible characters; type it again")
	}
	a, err := mail.ParseAddress(s)
	if err != nil || a.Name != "" || a.Address != s {
		return errors.New("not a bare e-mail address like ada@example.com")
	}
	domain := s[strings.LastIndexByte(s, '@')+1:]
	if !strings.Contains(domain, ".") || strings.HasPrefix(domain, "[") || numericEnd(domain) {
		return errors.New("the domain must be a full name like example.com")
	}
	return nil
}

// numericEnd reports whether the last label of a domain has only digits, as in an
// IPv4 address; no top-level domain has.
func numericEnd(domain string) bool {
	last := domain[strings.LastIndexByte(domain, '.')+1:]
	return strings.Trim(last, "0123456789") == ""
}

// plainEmail recognises the everyday address without the cost of net/mail; bulk
// files have 100,000 of them.
func plainEmail(s string) bool {
	if len(s) > MaxEmailBytes {
		return false
	}
	at, dot := -1, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '+':
			if at >= 0 && (c == '_' || c == '+') {
				return false
			}
		case c == '.':
			if i == 0 || i == len(s)-1 || s[i-1] == '.' || s[i-1] == '@' || s[i+1] == '@' {
				return false
			}
			dot = dot || at >= 0
		case c == '@':
			if at >= 0 || i == 0 {
				return false
			}
			at = i
		default:
			return false
		}
	}
	return at > 0 && dot && !numericEnd(s)
}
