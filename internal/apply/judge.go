package apply

import (
	"cmp"
	"fmt"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// verdict is what became of one batch of limits; every entry is in exactly one list.
type verdict struct {
	set, refused, unknown []LimitOutcome
	notSent               []LimitOutcome // of a request that did not leave: judge has no such
	warnings              []string
}

// judge decides from an answer what became of a batch (principle 3). Only the body
// counts: an entry is set when it is acknowledged with its value and nothing contradicts
// that; refused when it is only among the errors; otherwise unknown. Addresses are
// matched folded, and by the key besides the spelling sent, because a server may spell
// them its own way (U64).
func judge(batch []plan.LimitChange, answer api.LimitsResult) verdict {
	if echoes(batch, answer) {
		return verdict{set: all(batch, "")}
	}
	type heard struct {
		values []int64
		errors []string
	}
	asked := make(map[org.Email]*heard, len(batch))
	for _, c := range batch {
		h := new(heard)
		asked[c.Email], asked[org.Fold(c.SendAs)] = h, h
	}
	var v verdict
	for _, u := range answer.Updated {
		if h := asked[org.Fold(u.Email)]; h != nil {
			h.values = append(h.values, u.Limit)
		} else {
			v.warnings = append(v.warnings, fmt.Sprintf("the service reports a limit nobody asked for: %s = %d", u.Email, u.Limit))
		}
	}
	for _, e := range answer.Errors {
		if h := asked[org.Fold(e.Email)]; h != nil {
			h.errors = append(h.errors, cmp.Or(e.Error, "the service gave no reason"))
		} else {
			v.warnings = append(v.warnings, fmt.Sprintf("the service reports an error for an address nobody asked for: %s: %s", e.Email, e.Error))
		}
	}
	for _, c := range batch {
		h := asked[c.Email]
		o := LimitOutcome{Email: string(c.Email), Limit: c.After}
		switch {
		case len(h.errors) > 0 && len(h.values) > 0:
			o.Error = "the service lists it both as updated and as an error: " + h.errors[0]
		case len(h.errors) > 0:
			o.Error = h.errors[0]
			v.refused = append(v.refused, o)
			continue
		case len(h.values) == 0:
			o.Error = "the service did not mention it in its answer"
		default:
			if other, differs := differing(h.values, c.After); differs {
				o.Error = fmt.Sprintf("the service acknowledged %d instead", other)
				break
			}
			v.set = append(v.set, o)
			continue
		}
		v.unknown = append(v.unknown, o)
	}
	return v
}

// echoes reports whether an answer confirms a batch word for word, as nearly all do, and
// the batch leaves no doubt about whom.
func echoes(batch []plan.LimitChange, answer api.LimitsResult) bool {
	if len(answer.Errors) > 0 || len(answer.Updated) != len(batch) {
		return false
	}
	for i, u := range answer.Updated {
		c := &batch[i]
		ordered := i == 0 || batch[i-1].Email < c.Email
		if u.Email != c.SendAs || u.Limit != c.After || !ordered || org.Fold(c.SendAs) != c.Email {
			return false
		}
	}
	return true
}

// differing finds an acknowledged value other than the one asked for.
func differing(values []int64, want int64) (int64, bool) {
	for _, got := range values {
		if got != want {
			return got, true
		}
	}
	return 0, false
}

// all gives every entry of a batch the same outcome text.
func all(batch []plan.LimitChange, why string) []LimitOutcome {
	out := make([]LimitOutcome, len(batch))
	for i, c := range batch {
		out[i] = LimitOutcome{Email: string(c.Email), Limit: c.After, Error: why}
	}
	return out
}
