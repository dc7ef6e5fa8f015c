package live

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/govctl/govctl/internal/api"
)

// ModelTokens is what one model used on some days.
type ModelTokens struct {
	Input, Output json.Number
	Billable      *json.Number // nil when one of the days hides it (U15)
	Days          int          // on which something was used
	LastDay       string       // the last of them, YYYY-MM-DD
}

// TokensByModel adds the rows of /tokens up by model. A row without a model, which means
// that nobody knows which one it was, has the name "". The error is a number that cannot
// be one of tokens.
func TokensByModel(rows []api.TokenRow) (map[string]ModelTokens, error) {
	out := map[string]ModelTokens{}
	for _, row := range rows {
		name := text(row.GroupKey)
		m, known := out[name]
		if !known {
			zero := json.Number("0")
			m = ModelTokens{Input: "0", Output: "0", Billable: &zero}
		}
		for _, sum := range []struct {
			to   *json.Number
			more *json.Number
		}{{&m.Input, &row.InputTokens}, {&m.Output, &row.OutputTokens}, {m.Billable, row.BillableTokens}} {
			if sum.to == nil || sum.more == nil {
				continue
			}
			n, ok := plus(*sum.to, *sum.more)
			if !ok {
				return nil, fmt.Errorf("%.40q on %s is no number of tokens", *sum.more, row.Date)
			}
			*sum.to = n
		}
		if row.BillableTokens == nil {
			m.Billable = nil
		}
		m.Days++
		m.LastDay = max(m.LastDay, row.Date)
		out[name] = m
	}
	return out, nil
}

// maxDigits is how long a number of tokens may be written.
const maxDigits = 40

// plus adds two JSON numbers exactly. It refuses one with an exponent of three digits or
// more, which would take all memory there is.
func plus(a, b json.Number) (json.Number, bool) {
	x, ok1 := plainRat(a)
	y, ok2 := plainRat(b)
	if !ok1 || !ok2 {
		return "", false
	}
	x.Add(x, y)
	if x.IsInt() {
		return json.Number(x.Num().String()), true
	}
	const fraction = 6 // digits: credits are counted in millionths
	return json.Number(strings.TrimRight(x.FloatString(fraction), "0")), true
}

func plainRat(n json.Number) (*big.Rat, bool) {
	_, exponent, _ := strings.Cut(strings.ToLower(string(n)), "e")
	if len(n) > maxDigits || len(strings.TrimLeft(exponent, "+-0")) > 2 {
		return nil, false
	}
	x, ok := new(big.Rat).SetString(string(n))
	return x, ok && x.Sign() >= 0
}
