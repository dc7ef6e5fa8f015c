package service

import (
	"encoding/json"
	"strconv"
	"strings"
)

// decimal is a JSON number as digits * 10^exp, without zeros at either end of digits; no
// digits mean 0. It stays text, because 1e999999999 is four gigabits as a number.
type decimal struct {
	negative bool
	digits   string
	exp      int
}

// hugeExponent stands for exponents that fit in no int32.
const hugeExponent = 1 << 40

// parseDecimal takes a valid JSON number.
func parseDecimal(s string) decimal {
	s, negative := strings.CutPrefix(s, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(s), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return decimal{}
	}
	exp := 0
	if power != "" {
		n, err := strconv.ParseInt(power, 10, 32)
		switch {
		case err == nil:
			exp = int(n)
		case power[0] == '-':
			exp = -hugeExponent
		default:
			exp = hugeExponent
		}
	}
	short := strings.TrimRight(digits, "0")
	return decimal{negative, short, exp - len(fraction) + len(digits) - len(short)}
}

// maxLimit is the largest limit every JSON reader keeps exactly: 2^53-1, of 16 digits.
const (
	maxLimit       = 1<<53 - 1
	maxLimitDigits = 16
)

// wholeNumber reads a JSON value that is an integer by value, also 5.0 or 1e6; ok is
// false for anything else. A number that cannot be a limit has a reason and no value.
func wholeNumber(raw json.RawMessage) (value int64, reason string, ok bool) {
	if kind(raw) != '0' {
		return 0, "", false
	}
	d := parseDecimal(strings.TrimSpace(string(raw)))
	switch {
	case d.digits == "":
		return 0, "", true
	case d.exp < 0:
		return 0, "", false
	case d.negative:
		return 0, reasonNegative, true
	case d.exp > maxLimitDigits || len(d.digits)+d.exp > maxLimitDigits:
		return 0, reasonTooLarge, true
	}
	n, err := strconv.ParseInt(d.digits+strings.Repeat("0", d.exp), 10, 64)
	if err != nil || n > maxLimit {
		return 0, reasonTooLarge, true
	}
	return n, "", true
}
