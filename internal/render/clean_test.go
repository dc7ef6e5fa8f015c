package render

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// checkHarmless holds what every output holds: valid UTF-8, nothing hidden, no command
// that a CI runner would obey. The last two are the runner's own parser rules.
func checkHarmless(t rapid.TB, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Fatalf("not UTF-8: %q", out)
	}
	for _, line := range strings.Split(out, "\n") {
		if i := strings.IndexFunc(line, func(r rune) bool {
			return (r < 0x20 || r >= 0x7f) && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co))
		}); i >= 0 {
			t.Fatalf("hidden character %q in %q", line[i:], line)
		}
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Fatalf("a workflow command: %q", line)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain": "plain", "": "", "a::b": "a::b", "::x": "\uFFFD::x", "  ::x": "\uFFFD  ::x", "\u3000::x": "\uFFFD\u3000::x", "##[x]": "## [x]", "a###[x]": "a### [x]",
		"##vso[x]": "##vso [x]", "\x1b[31m": "\uFFFD[31m", "a\nb": "a\uFFFDb", "\u202ea": "\uFFFDa", "é日本": "é日本", "\xff": "\uFFFD", "\ue000": "\uFFFD", "a\u200db": "a\uFFFDb",
		strings.Repeat("x", 200): strings.Repeat("x", 200), strings.Repeat("x", 201): strings.Repeat("x", 200) + "…", strings.Repeat("é", 200): strings.Repeat("é", 200),
	} {
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(hostileTexts), rapid.String(), rapid.SampledFrom([]string{"#", "##", "[", "::", " ", "vso["})), 0, 60).Draw(t, "s"), "")
		once := Clean(s)
		if twice := Clean(once); twice != once {
			t.Fatalf("Clean twice of %q:\n%q\n%q", s, once, twice)
		}
		if n := utf8.RuneCountInString(once); n > maxValue+1 {
			t.Fatalf("%d runes of %q", n, s)
		}
		checkHarmless(t, once)
	})
}

// TestSpanHolds holds that a code span cannot be left: between fences of n backticks
// there is no run of exactly n.
func TestSpanHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching("[`|\\\\ a]{0,12}").Draw(t, "s")
		for _, out := range []string{span(s), cell(s)} {
			if s == "" && out == "" {
				continue
			}
			n := len(out) - len(strings.TrimLeft(out, "`"))
			inner := out[n : len(out)-n]
			if n == 0 || !strings.HasSuffix(out, strings.Repeat("`", n)) || strings.HasPrefix(inner, "`") || strings.HasSuffix(inner, "`") {
				t.Fatalf("span(%q) = %q", s, out)
			}
			for _, run := range regexp.MustCompile("`+").FindAllString(inner, -1) {
				if len(run) == n {
					t.Fatalf("span(%q) = %q can be left", s, out)
				}
			}
		}
		if border.MatchString(cell(s)) {
			t.Fatalf("cell(%q) = %q splits its row", s, cell(s))
		}
	})
}
