package config

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/govctl/govctl/internal/org"
)

// acePrefix begins a domain label that stands for a Unicode one.
const acePrefix = "xn--"

// international reports whether the domain of an address can be spelt in two ways.
func international(email org.Email) bool {
	domain := string(email[strings.LastIndexByte(string(email), '@')+1:])
	return !isASCII(domain) || strings.Contains(domain, acePrefix)
}

// unicodeDomain is a key under which both spellings of a domain meet. It is only used
// to notice that an address is ambiguous; nothing is ever converted for the service.
func unicodeDomain(email org.Email) org.Email {
	at := strings.LastIndexByte(string(email), '@') + 1
	labels := strings.Split(string(email[at:]), ".")
	for i, label := range labels {
		if rest, ok := strings.CutPrefix(label, acePrefix); ok {
			if decoded, ok := decodePunycode(rest); ok {
				label = decoded
			}
		}
		labels[i] = norm.NFC.String(strings.Map(unicode.ToLower, label))
	}
	return email[:at] + org.Email(strings.Join(labels, "."))
}

// Parameters of Punycode (RFC 3492, section 5).
const (
	punyBase, punyTMin, punyTMax    = 36, 1, 26
	punySkew, punyDamp              = 38, 700
	punyInitialBias, punyInitialNum = 72, 0x80
)

// decodePunycode decodes what follows xn-- in a domain label (RFC 3492, section 6.2).
func decodePunycode(s string) (string, bool) {
	var out []rune
	if i := strings.LastIndexByte(s, '-'); i > 0 {
		out, s = []rune(s[:i]), s[i+1:]
	}
	n, bias, i := punyInitialNum, punyInitialBias, 0
	for s != "" {
		before, weight := i, 1
		for k := punyBase; ; k += punyBase {
			if s == "" {
				return "", false
			}
			digit := punyDigit(s[0])
			s = s[1:]
			if digit < 0 || weight > 1<<31/punyBase {
				return "", false
			}
			i += digit * weight
			t := min(max(k-bias, punyTMin), punyTMax)
			if digit < t {
				break
			}
			weight *= punyBase - t
		}
		size := len(out) + 1
		bias = punyAdapt(i-before, size, before == 0)
		n += i / size
		i %= size
		if n > utf8.MaxRune {
			return "", false
		}
		out = append(out, 0)
		copy(out[i+1:], out[i:])
		out[i] = rune(n)
		i++
	}
	return string(out), true
}

func punyDigit(c byte) int {
	switch {
	case 'a' <= c && c <= 'z':
		return int(c - 'a')
	case 'A' <= c && c <= 'Z':
		return int(c - 'A')
	case '0' <= c && c <= '9':
		return int(c-'0') + 26
	}
	return -1
}

func punyAdapt(delta, size int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / size
	k := 0
	for ; delta > (punyBase-punyTMin)*punyTMax/2; k += punyBase {
		delta /= punyBase - punyTMin
	}
	return k + (punyBase-punyTMin+1)*delta/(delta+punySkew)
}
