package usage_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/govctl/govctl/internal/service/usage"
)

// TestMicros holds the credits of 5.3, to the micro-credit.
func TestMicros(t *testing.T) {
	t.Parallel()
	request := func(input, output, cached int64) usage.Span {
		return usage.Span{Kind: usage.ModelRequest, Name: "m", Input: input, Output: output, CacheRead: cached}
	}
	rates := func(rate, discount float64) usage.Pricing {
		return usage.Pricing{Rates: map[string]float64{"m": rate}, Discount: discount}
	}
	const million = 1_000_000
	for name, c := range map[string]struct {
		span    usage.Span
		pricing usage.Pricing
		want    int64
	}{
		"default rate 1":                    {request(100, 20, 0), usage.DefaultPricing(), 120 * million},
		"default discount 0.1":              {request(100, 20, 60), usage.DefaultPricing(), (40 + 6 + 20) * million},
		"zero pricing: cached is free":      {request(100, 20, 60), usage.Pricing{}, 60 * million},
		"discount 1: cached is full":        {request(100, 20, 60), usage.Pricing{Discount: 1}, 120 * million},
		"cached over input is the input":    {request(10, 0, 500), usage.DefaultPricing(), 1 * million},
		"cache writes cost nothing more":    {usage.Span{Kind: usage.ModelRequest, Input: 1, CacheWrite: 1000}, usage.DefaultPricing(), million},
		"rate of the model":                 {request(100, 0, 0), rates(2.5, 0.1), 250 * million},
		"rate of another model":             {request(100, 0, 0), usage.Pricing{Rates: map[string]float64{"M": 9}}, 100 * million},
		"rate 0":                            {request(100, 0, 0), rates(0, 0.1), 0},
		"half a micro-credit rounds up":     {request(1, 0, 1), rates(0.000005, 0.1), 1},
		"under half rounds down":            {request(1, 0, 1), rates(0.000004, 0.1), 0},
		"one and a half":                    {request(1, 0, 1), rates(0.000015, 0.1), 2},
		"no tokens":                         {request(0, 0, 0), usage.DefaultPricing(), 0},
		"largest span at the largest rate":  {request(1e9, 1e9, 0), rates(1000, 0.1), 2e12 * million},
		"bounds: rate over the largest":     {request(1, 0, 0), rates(1e300, 0.1), 1000 * million},
		"bounds: rate not a number":         {request(1, 0, 0), rates(math.NaN(), 0.1), 0},
		"bounds: rate negative":             {request(1, 0, 0), rates(-1, 0.1), 0},
		"bounds: discount over 1":           {request(1, 0, 1), rates(1, 7), million},
		"bounds: tokens not from Parse":     {request(math.MaxInt64, math.MinInt64, 0), usage.DefaultPricing(), 1e9 * million},
		"stated credits win":                {usage.Span{Kind: usage.ModelRequest, Input: 100, Priced: true, Credits: 7}, usage.DefaultPricing(), 7},
		"stated credits of 0 win":           {usage.Span{Kind: usage.ModelRequest, Input: 100, Priced: true}, usage.DefaultPricing(), 0},
		"other kinds cost nothing":          {usage.Span{Kind: usage.ToolCall, Input: 100}, usage.DefaultPricing(), 0},
		"stated credits not from Parse":     {usage.Span{Kind: usage.ModelRequest, Priced: true, Credits: -1}, usage.DefaultPricing(), 0},
		"discount that no float is exactly": {request(3, 0, 3), rates(1, 0.1), 300_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			equal(t, "micro-credits", usage.Micros(c.span, c.pricing), c.want)
		})
	}
}

// TestCreditsAsText holds U14: as many decimals as there are, no fraction of an integer,
// and no overflow at the bounds of Parse.
func TestCreditsAsText(t *testing.T) {
	t.Parallel()
	stated := func(micros int64) usage.Span {
		return usage.Span{Kind: usage.ModelRequest, Priced: true, Credits: micros}
	}
	for want, spans := range map[json.Number][]usage.Span{
		"0":                 nil,
		"1":                 {stated(999_999), stated(1)},
		"0.000001":          {stated(1)},
		"0.1":               {stated(100_000)},
		"12.34":             {stated(12_340_000)},
		"1.5":               {stated(750_000), stated(750_000)},
		"20000000000000":    times(20_000, stated(1e15)),
		"19999999999999.98": times(20_000, stated(1e15-1)),
		"100.000001":        {stated(100_000_000), stated(1)},
		"100":               {stated(100_000_000)},
	} {
		equal(t, "credits", *resultOf(spans...).Tokens.BillableTokens, want)
	}
}
