package org

import (
	"net/mail"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// TestFold holds m10 and T2: Unicode folding would merge different people.
func TestFold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     Email
	}{
		{"lower already", "ada@example.com", "ada@example.com"},
		{"ASCII letters", "Ada@EXAMPLE.Com", "ada@example.com"},
		{"surrounding space", " \tada@example.com\r\n", "ada@example.com"},
		{"inner space stays", "a da@example.com", "a da@example.com"},
		{"Kelvin sign is not k", "\u212Aate@example.com", "\u212Aate@example.com"},
		{"long s is not s", "\u017Fam@example.com", "\u017Fam@example.com"},
		{"dotted I is not i", "\u0130da@example.com", "\u0130da@example.com"},
		{"capital umlaut stays", "ÄRGER@example.com", "Ärger@example.com"},
		{"plus and dots are significant", "Ada.L+ci@example.com", "ada.l+ci@example.com"},
		{"empty", "", ""},
		{"letters around A and Z", "@AZ[`az{", "@az[`az{"},
	} {
		if got := Fold(c.in); got != c.want {
			t.Errorf("%s: Fold(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestFoldProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		once := Fold(s)
		if twice := Fold(string(once)); twice != once {
			t.Fatalf("Fold(Fold(%q)) = %q, Fold = %q", s, twice, once)
		}
		ascii := func(s string) string {
			return strings.Map(func(r rune) rune {
				if r < unicode.MaxASCII {
					return unicode.ToLower(r)
				}
				return r
			}, strings.ToValidUTF8(s, "\uFFFD"))
		}
		if got, want := strings.ToValidUTF8(string(once), "\uFFFD"), ascii(strings.TrimSpace(s)); got != want {
			t.Fatalf("Fold(%q) = %q, want %q", s, got, want)
		}
	})
}

// TestCheckEmail holds m11 and T5. bad is a part of the reason, "" for a good address.
func TestCheckEmail(t *testing.T) {
	t.Parallel()
	const bare, full = "bare e-mail", "full name"
	for _, c := range []struct{ name, in, bad string }{
		{"plain", "ada@example.com", ""},
		{"plus", "ada+ci@example.com", ""},
		{"upper", "Ada@Example.COM", ""},
		{"apostrophe", "o'neil@example.com", ""},
		{"non-ASCII local part", "jürgen@example.com", ""},
		{"IDN domain", "bob@bücher.example", ""},
		{"dash in domain", "a@x-y.example.com", ""},
		{"digits in top level name", "a@example.c0m", ""},
		{"254 bytes", strings.Repeat("a", 242) + "@example.com", ""},
		{"255 bytes", strings.Repeat("a", 243) + "@example.com", "254 bytes"},
		{"empty", "", "empty"},
		{"display name", "Bob <b@example.com>", "spaces"},
		{"angle brackets", "<b@example.com>", bare},
		{"list", "a@example.com,b@example.com", bare},
		{"list with space", "a@example.com, b@example.com", "spaces"},
		{"mailto", "mailto:a@example.com", "mailto"},
		{"Mailto", "MailTo:a@example.com", "mailto"},
		{"comment", "a@example.com(work)", bare},
		{"leading space", " a@example.com", "spaces"},
		{"trailing newline", "a@example.com\n", "spaces"},
		{"no-break space", "a\u00a0b@example.com", "spaces"},
		{"NUL", "a\x00@example.com", "control"},
		{"zero width space", "ada\u200b@example.com", "invisible"},
		{"right-to-left override", "ada\u202e@example.com", "invisible"},
		{"quoted", `"ada"@example.com`, bare},
		{"quoted at", `"a@b"@example.com`, bare},
		{"two at", "a@b@example.com", bare},
		{"no at", "ada.example.com", bare},
		{"no local part", "@example.com", bare},
		{"no domain", "ada@", bare},
		{"localhost", "ada@localhost", full},
		{"address literal", "ada@[127.0.0.1]", full},
		{"bare IPv4", "ada@127.0.0.1", full},
		{"bare IPv4 on the slow path", "o'neil@127.0.0.1", full},
		{"dot first", ".ada@example.com", bare},
		{"dot last in local part", "ada.@example.com", bare},
		{"two dots", "a..b@example.com", bare},
		{"domain starts with dot", "ada@.example.com", bare},
		{"domain ends with dot", "ada@example.com.", bare},
		{"not UTF-8", "ada\xff@example.com", "UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := CheckEmail(c.in)
			if got := err == nil; got != (c.bad == "") {
				t.Fatalf("CheckEmail(%q) = %v, want reason with %q", c.in, err, c.bad)
			}
			if err != nil && !strings.Contains(err.Error(), c.bad) {
				t.Errorf("CheckEmail(%q) = %v, want reason with %q", c.in, err, c.bad)
			}
		})
	}
}

// TestPlainEmailAgrees holds that the fast path never accepts what the slow one refuses:
// every text of up to seven of the bytes it tells apart.
func TestPlainEmailAgrees(t *testing.T) {
	t.Parallel()
	const alphabet = "a1.-_+@"
	accepted := 0
	var try func(text []byte)
	try = func(text []byte) {
		if s := string(text); plainEmail(s) {
			accepted++
			a, err := mail.ParseAddress(s)
			domain := s[strings.LastIndexByte(s, '@')+1:]
			if err != nil || a.Address != s || a.Name != "" || !strings.Contains(domain, ".") || numericEnd(domain) {
				t.Fatalf("the fast path accepts %q, net/mail says %v, %v", s, a, err)
			}
		}
		if len(text) < 7 {
			for i := range len(alphabet) {
				try(append(text, alphabet[i]))
			}
		}
	}
	try(make([]byte, 0, 7))
	if accepted < 1000 {
		t.Errorf("only %d texts were accepted: the property was hardly tried", accepted)
	}
}
