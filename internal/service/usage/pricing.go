package usage

import (
	"cmp"
	"encoding/json"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

const million = 1_000_000

// The bounds of a Pricing.
const (
	MaxRate     = 1000
	maxDiscount = 1
)

// Pricing says what tokens cost (5.3). Rates and the discount are exact to six decimals;
// values outside their bounds count as the nearer bound.
type Pricing struct {
	Rates    map[string]float64 // credits per token by model id, 0 to MaxRate; 1 for a model not named
	Discount float64            // share of the rate that a token read from the cache costs, 0 to 1
}

// DefaultPricing returns the rates of 5.3: a token is a credit, one read from the cache a
// tenth.
func DefaultPricing() Pricing { return Pricing{Discount: 0.1} }

// Micros returns the credits of a span in micro-credits, rounded half up (5.3): what the
// sender stated, or its tokens at the price of its model. Only model requests cost
// anything. Cached tokens are part of the input; more than the input do not count. Half
// up is decided in decimal: 0.0000015 credits are 2 micro-credits although no float64 is
// exactly that number.
func Micros(s Span, p Pricing) int64 {
	if s.Kind != ModelRequest {
		return 0
	}
	if s.Priced {
		return min(max(s.Credits, 0), MaxCredits*million)
	}
	input, output := bounded(s.Input), bounded(s.Output)
	cached := min(bounded(s.CacheRead), input)
	rate := 1.0
	if r, ok := p.Rates[s.Name]; ok {
		rate = r
	}
	// Integers only: a compiler may fuse floating point operations on some processors, and
	// then two machines would disagree about the last micro-credit.
	tokens := (input-cached+output)*million + uint64(within(p.Discount, maxDiscount))*cached
	hi, lo := bits.Mul64(uint64(within(rate, MaxRate)), tokens)
	lo, carry := bits.Add64(lo, million/2, 0)
	micros, _ := bits.Div64(hi+carry, lo, million)
	return int64(micros)
}

// bounded returns a token count of a span that may not have come from Parse.
func bounded(tokens int64) uint64 { return uint64(min(max(tokens, 0), MaxTokens)) }

// within returns f in millionths, at least 0 and at most limit.
func within(f, limit float64) int64 {
	if !(f > 0) {
		return 0
	}
	return millionths(min(f, limit))
}

// millionths returns round half up of 1e6*f, for f of 0 to 1e9. The tie is the float64
// nearest to the decimal tie: the quotient of two exact numbers is correctly rounded, the
// product f*1e6 need not be on the right side of it.
func millionths(f float64) int64 {
	n := math.Floor(f * million)
	if f >= (n+0.5)/million {
		n++
	}
	return int64(n)
}

// credits is an exact sum of micro-credits: a day of 10 million spans at the bounds of
// Parse overflows an int64 of micro-credits, not one of credits.
type credits struct {
	whole int64
	micro int64 // 0 to 999,999
}

func (c *credits) add(o credits) {
	c.whole += o.whole
	if c.micro += o.micro; c.micro >= million {
		c.micro -= million
		c.whole++
	}
}

func creditsOf(micros int64) credits { return credits{micros / million, micros % million} }

func (c credits) compare(o credits) int {
	if c.whole != o.whole {
		return cmp.Compare(c.whole, o.whole)
	}
	return cmp.Compare(c.micro, o.micro)
}

// number returns all decimals there are, and no fraction when there is none.
func (c credits) number() json.Number {
	text := strconv.FormatInt(c.whole, 10)
	if c.micro > 0 {
		decimals := strconv.FormatInt(million+c.micro, 10)[1:]
		text += "." + strings.TrimRight(decimals, "0")
	}
	return json.Number(text)
}
