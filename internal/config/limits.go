package config

import (
	"fmt"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// Limits is the decoded credit_limits block: rules that Project.Resolve applies to
// the members.
type Limits struct {
	Unlisted      string        // ignore | report | error
	ReassertAfter time.Duration // 0: confirmations do not expire
	AllowZero     bool
	Source        org.Source // of the first block

	fallback *org.Limit // for members nothing else decides; nil: none
	ignore   []pattern
	users    []org.Limit // of users and users_from, sorted by Email, one per address
	boosts   map[org.Email][]boost
	groups   []group            // sorted by name
	sources  map[string]*source // to quote when Resolve finds problems
}

// limitsDecoder reads the credit_limits blocks.
type limitsDecoder struct {
	*loader
	out     *Limits
	csvRead map[string]bool
}

func (l *loader) limits(blocks []*hcl.Block) *Limits {
	if len(blocks) == 0 {
		return nil
	}
	schema := names("default", "unlisted", "reassert_after", "allow_zero", "ignore", "users", "users_from")
	s := l.section("credit_limits", with(with(schema, "group", "name"), "boost", "email"), blocks...)
	d := limitsDecoder{loader: l, csvRead: map[string]bool{}, out: &Limits{
		Unlisted: "report", Source: l.place(s.where), sources: l.sources, boosts: map[org.Email][]boost{},
	}}
	out := d.out
	if a := l.one(s, "unlisted"); a != nil {
		out.Unlisted = l.choice(a, "ignore", "report", "error")
	}
	out.ReassertAfter = l.duration(l.one(s, "reassert_after"))
	out.AllowZero, _ = l.bool(l.one(s, "allow_zero"))
	for _, w := range l.distinct(s.attrs["ignore"]) {
		if p, ok := d.pattern(w); ok {
			out.ignore = append(out.ignore, p)
		}
	}
	if a := l.one(s, "default"); a != nil {
		if n, ok := d.credits(a.Expr, "default"); ok {
			out.fallback = &org.Limit{Credits: n, Why: "default", Source: l.place(a.NameRange)}
		}
	}
	for _, a := range s.attrs["users"] {
		d.users(a)
	}
	for _, a := range s.attrs["users_from"] {
		d.usersFrom(a)
	}
	d.index()
	d.groups(s.blocks["group"])
	d.boosts(s.blocks["boost"])
	return out
}

// ignored refuses the declaration of an address that is never touched.
func (d *limitsDecoder) ignored(email org.Email, at org.Source) {
	for _, p := range d.out.ignore {
		if p.Match(string(email)) {
			d.add(Problem{Source: at, Also: &p.source, Hint: "remove the declaration or narrow the pattern",
				Message: fmt.Sprintf("%s is declared and ignored by %q", email, p.text)})
			return
		}
	}
}
