package scaffold

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// Limits is what is known of the members' limits. None of it comes from the service: it
// cannot be asked.
type Limits struct {
	Members  []org.Email // of the organization, sorted
	Known    org.KnownLimits
	Stated   map[org.Email]string // of the known ones that a person stated: who
	Given    map[org.Email]int64  // for members whose limit the ledger does not know
	GivenBy  string               // name of the file they are from
	Fallback *int64               // limit of everybody else, nil for none
}

// limitsFile is where the addresses stand, one by one.
const limitsFile = "limits/known.csv"

// limits declares what the ledger has confirmed, what was given, and a limit for the
// others.
func (o Organization) limits(g *Generated) {
	l := o.Limits
	var rows [][]string
	var zero, confirmed, given int
	var open []org.Email // no limit is known
	for _, m := range l.Members {
		n, why, ok := l.limit(m)
		if !ok {
			open = append(open, m)
			continue
		}
		if org.CheckEmail(string(m)) != nil || unsayableText(string(m)) != "" || n < 0 || n > org.MaxCredits {
			g.Omitted = append(g.Omitted, Omission{"limit", string(m), "cannot be declared"})
			continue
		}
		if n == 0 {
			zero++
		}
		if k, _ := l.Known.Of(m); k.Grade == org.Confirmed {
			confirmed++
		} else {
			given++
		}
		rows = append(rows, []string{string(m), strconv.FormatInt(n, 10), why})
	}
	if len(rows) == 0 && l.Fallback == nil {
		return
	}
	p := o.page("Credit limits")
	p.comment("The service does not show limits. Members: %d.\nConfirmed by the ledger: %d. From a file: %d. Not known: %d.", len(l.Members), confirmed, given, len(open))
	if gone := l.gone(); len(gone) > 0 {
		p.comment("The ledger also knows limits of addresses that are no members now (%d): %s.", len(gone), named(gone))
	}
	p.space()
	b := p.within(p.body.AppendNewBlock("credit_limits", nil).Body())
	if l.Fallback != nil {
		b.raw("default", number(strconv.FormatInt(*l.Fallback, 10)))
	} else if len(open) > 0 {
		b.comment("default = 1000000 # for members whose limit nobody knows (%d): %s", len(open), named(open))
	}
	if zero > 0 || l.Fallback != nil && *l.Fallback == 0 {
		b.raw("allow_zero", expression(true))
	}
	if len(rows) > 0 {
		b.raw("users_from", words([]string{limitsFile}))
		g.Files = append(g.Files, File{limitsFile, table(rows)})
	}
	g.Limits = len(rows)
	g.add("limits.hcl", p)
}

// limit is what a member's limit is known or given to be, and how.
func (l *Limits) limit(m org.Email) (n int64, why string, ok bool) {
	if k, _ := l.Known.Of(m); k.Grade == org.Confirmed {
		why = "confirmed"
		if _, stated := l.Stated[m]; stated {
			why = "stated"
		}
		return k.Credits, why + " " + k.At.UTC().Format(time.DateOnly), true
	}
	n, ok = l.Given[m]
	return n, "from " + l.GivenBy, ok
}

// gone are the addresses with a known limit that are no members, sorted.
func (l *Limits) gone() []org.Email {
	var out []org.Email
	for e, k := range l.Known.All() {
		if _, member := slices.BinarySearch(l.Members, e); !member && k.Grade == org.Confirmed {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b org.Email) int { return cmp.Compare(a, b) })
	return out
}

// named names the first few of a list.
func named(list []org.Email) string {
	const few = 3
	var out []string
	for _, e := range list[:min(few, len(list))] {
		out = append(out, quote(string(e)))
	}
	if len(list) > few {
		out = append(out, "…")
	}
	return strings.Join(out, ", ")
}

// table is a CSV file of limits.
func table(rows [][]string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.WriteAll(append([][]string{{"email", "limit", "reason"}}, rows...)) // a buffer takes everything
	return b.Bytes()
}
