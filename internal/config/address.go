package config

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobwas/glob"
	"github.com/hashicorp/hcl/v2"
	"golang.org/x/text/unicode/norm"

	"github.com/govctl/govctl/internal/org"
)

// email checks one address written in an expression. raw is its value.
func (d *limitsDecoder) email(raw string, expr hcl.Expression) (org.Email, bool) {
	var written []byte
	switch expr.(type) {
	case *yamlExpr, *yamlKey:
	default:
		// cty has normalised raw already; only the file shows what was written (m13).
		written = d.text(expr.Range())
	}
	if isASCII(raw) && isASCII(written) {
		if err := org.CheckEmail(raw); err != nil {
			d.error(expr.Range(), "", "%q: %s", raw, err)
			return "", false
		}
		return org.Fold(raw), true
	}
	return d.foreign(raw, string(written), expr.Range())
}

// emailLabel checks an address that is a label of a block.
func (d *limitsDecoder) emailLabel(w word) (org.Email, bool) { return d.foreign(w.text, "", w.at) }

func (d *limitsDecoder) foreign(raw, written string, at hcl.Range) (org.Email, bool) {
	email, note, err := canonical(raw)
	if note == "" && err == nil && written != "" {
		if more, moreErr := unnormal(written); more != "" || moreErr != nil {
			note, err = more, moreErr
		}
	}
	if err != nil {
		d.error(at, "", "%q: %s", raw, err)
		return "", false
	}
	if note != "" {
		d.warn(at, "type the address as the service shows it", "the address %s was not in Unicode normal form C: %s", email, note)
	}
	return email, true
}

// canonical checks an address and returns its key. note tells what normalising
// changed, "" if nothing.
func canonical(raw string) (email org.Email, note string, err error) {
	if !isASCII(raw) && utf8.ValidString(raw) {
		if note, err = unnormal(raw); err != nil {
			return "", "", err
		}
		raw = norm.NFC.String(raw)
	}
	if err := org.CheckEmail(raw); err != nil {
		return "", "", err
	}
	return org.Fold(raw), note, nil
}

// unnormal tells how text differs from its normal form C by code points. A character
// that would turn into ASCII is refused: a KELVIN SIGN is not a K (T2).
func unnormal(text string) (note string, err error) {
	for _, r := range text {
		if r < utf8.RuneSelf {
			continue
		}
		if plain := norm.NFC.String(string(r)); isASCII(plain) {
			return "", fmt.Errorf("the character %U looks like %q but is another one", r, plain)
		}
	}
	if norm.NFC.IsNormalString(text) {
		return "", nil
	}
	return codePoints(text) + " became " + codePoints(norm.NFC.String(text)), nil
}

func codePoints(s string) string {
	var list []string
	for _, r := range s {
		if r >= utf8.RuneSelf {
			list = append(list, fmt.Sprintf("%U", r))
		}
	}
	return strings.Join(list, " ")
}

// pattern is a compiled glob on folded addresses.
type pattern struct {
	*glob.Pattern
	text   string
	source org.Source
}

// pattern compiles a glob. It is folded like the addresses it is compared with.
func (d *limitsDecoder) pattern(w word) (pattern, bool) {
	text := string(org.Fold(norm.NFC.String(w.text)))
	p, err := glob.Compile(text)
	if err != nil {
		d.error(w.at, "* stands for any text, ? for one character, [ab] and {x,y} for choices", "not a pattern: %s", err)
		return pattern{}, false
	}
	return pattern{Pattern: p, text: w.text, source: d.place(w.at)}, true
}
