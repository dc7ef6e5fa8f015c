package scaffold

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Repository is the newest readiness report of a repository.
type Repository struct {
	URL    string
	Branch string  // "" when the report names none
	Score  float64 // mean share of the criteria, 0 to 1
}

// readiness asks of every repository what it reaches now, so that it does not get worse.
func (o Organization) readiness(g *Generated) {
	all := slices.Clone(o.Readiness)
	slices.SortStableFunc(all, func(a, b Repository) int { return cmp.Compare(a.URL, b.URL) })
	p := o.page("Readiness")
	p.comment("Every repository must keep the score of its newest report, rounded down.")
	p.space()
	var omitted []Omission
	block := p.within(p.body.AppendNewBlock("readiness", nil).Body())
	for _, r := range slices.CompactFunc(all, func(a, b Repository) bool { return a.URL == b.URL }) {
		if why := unsayableText(r.URL); why != "" || !address(r.URL) {
			omitted = append(omitted, Omission{"repository", r.URL, cmp.Or(why, "has no absolute address")})
			continue
		}
		if g.Readiness > 0 {
			block.space()
		}
		b := block.within(block.body.AppendNewBlock("repository", []string{r.URL}).Body())
		b.raw("min_score", score(r.Score))
		if unsayableText(r.Branch) == "" {
			b.text("branch", r.Branch)
		}
		g.Readiness++
	}
	block.omissions(omitted)
	g.Omitted = append(g.Omitted, omitted...)
	if g.Readiness > 0 {
		g.add("readiness.hcl", p)
	}
}

// score is a threshold that the score reaches, with two decimals.
func score(f float64) hclwrite.Tokens {
	if math.IsNaN(f) || f <= 0 {
		return number("0")
	}
	return number(strconv.FormatFloat(math.Floor(min(f, 1)*100)/100, 'f', -1, 64))
}

// address reports whether configuration takes s as an absolute address without
// credentials.
func address(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && u.User == nil && (u.Host != "" || u.Opaque != "" || u.Path != "")
}
