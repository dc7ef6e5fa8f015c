package usage

import (
	"encoding/json"
	"math"
	"strconv"
)

func count(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }

func some(n json.Number) *json.Number { return &n }

// ratio is the shortest text of a float64, without a fraction when it is a whole number
// (U14).
func ratio(f float64) json.Number {
	return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
}

// share is n/of, and 0 when there is no denominator (U16).
func share(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// mean adds in the order it is given: callers sort first, so that equal sets have equal
// means.
func mean(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// percentile is the type-7 percentile q of ascending numbers (U17): linear between the
// closest ranks, 0 of none.
func percentile(ascending []float64, q float64) float64 {
	if len(ascending) == 0 {
		return 0
	}
	h := float64(len(ascending)-1) * q
	below := int(math.Floor(h))
	low := ascending[below]
	if below == len(ascending)-1 {
		return low
	}
	high := ascending[below+1]
	// The conversion keeps the compiler from fusing the product into the sum, which some
	// processors could and others could not; min keeps rounding from passing the next rank.
	return min(low+float64((h-float64(below))*(high-low)), high)
}
