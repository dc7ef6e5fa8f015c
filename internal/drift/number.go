package drift

import (
	"encoding/json"
	"strconv"
	"strings"
)

// plainNumber writes a number so that equal numbers are equal texts: 0.DIGITSeEXPONENT
// without zeros at either end. One whose exponent does not fit stays as it is, as
// org.EqualJSON compares it.
func plainNumber(n json.Number) json.Number {
	mantissa, power, scaled := string(n), "", false
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		mantissa, power, scaled = mantissa[:i], mantissa[i+1:], true
	}
	sign := ""
	if rest, negative := strings.CutPrefix(mantissa, "-"); negative {
		sign, mantissa = "-", rest
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	exponent := int64(len(digits) - len(fraction))
	if scaled {
		e, err := strconv.ParseInt(power, 10, 62)
		if err != nil {
			return n
		}
		exponent += e
	}
	digits = strings.TrimRight(digits, "0")
	return json.Number(sign + "0." + digits + "e" + strconv.FormatInt(exponent, 10))
}
