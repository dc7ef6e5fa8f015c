package config

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// boost is a lease of a higher limit: it begins by itself and ends by itself.
type boost struct {
	limit       org.Limit
	from, until time.Time // days in UTC, inclusive; from is zero when it holds already
	at          hcl.Range
}

func (b boost) active(now time.Time) bool {
	return !past(b.until, now) && (b.from.IsZero() || !now.UTC().Before(b.from))
}

func (b boost) overlaps(c boost) bool { return !b.from.After(c.until) && !c.from.After(b.until) }

func (d *limitsDecoder) boosts(blocks []*hcl.Block) {
	for _, block := range blocks {
		b, ok := d.boost(block)
		if !ok {
			continue
		}
		if past(b.until, d.options.Now) {
			d.warn(b.at, "remove it", "the boost of %s ended on %s", b.limit.Email, b.until.Format(time.DateOnly))
			continue
		}
		others := d.out.boosts[b.limit.Email]
		if i := slices.IndexFunc(others, b.overlaps); i >= 0 {
			d.twice(b.at, others[i].at, "keep one of them, or let one begin (from) after the other ends", "two boosts of %s overlap", b.limit.Email)
			continue
		}
		d.out.boosts[b.limit.Email] = append(others, b)
	}
}

func (d *limitsDecoder) boost(block *hcl.Block) (boost, bool) {
	label := word{block.Labels[0], block.LabelRanges[0]}
	s := d.section(fmt.Sprintf("boost %q", label.text), names("limit", "from", "until", "reason"), block)
	email, good := d.emailLabel(label)
	b := boost{at: label.at, limit: org.Limit{Email: email, Why: "boost", Source: d.place(label.at)}}
	if good {
		d.ignored(email, b.limit.Source)
	}
	if a := d.one(s, "limit"); a == nil {
		d.error(s.where, "add limit", "%s needs limit", s.name)
		good = false
	} else if n, ok := d.credits(a.Expr, label.text); ok {
		b.limit.Credits = n
	} else {
		good = false
	}
	w, ok := d.needed(s, "until")
	if ok {
		b.until, ok = d.date(w, "until")
	}
	good = good && ok
	if a := d.one(s, "from"); a != nil {
		if w, ok = d.string(a); ok {
			b.from, ok = d.date(w, "from")
		}
		if ok && good && b.from.After(b.until) {
			d.error(w.at, "", "the boost ends before it begins")
			ok = false
		}
		good = good && ok
	}
	if w, ok := d.string(d.one(s, "reason")); ok {
		b.limit.Reason = w.text
	}
	return b, good
}
