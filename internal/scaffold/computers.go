package scaffold

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/govctl/govctl/internal/org"
)

// uuid is how configuration writes a host.
var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

// maxLabel is how long a name or a remote user may be, in characters.
const maxLabel = 63

// computers declares every computer with what can be changed later, pinned to its id.
func (o Organization) computers(g *Generated) {
	all := slices.Clone(o.Computers)
	slices.SortFunc(all, func(a, b org.Computer) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	p := o.page("Computers")
	p.comment("The API lists no computers: these were named, or sessions mention them, so there\nmay be others. What is sent only at creation cannot be read back and is not here.")
	taken := map[string]bool{}
	var omitted []Omission
	for _, c := range all {
		why := undeclarable(c)
		if why == "" && taken[c.Name] {
			why = "has the name of another computer"
		}
		if why != "" {
			omitted = append(omitted, Omission{"computer", cmp.Or(c.Name, c.ID), why})
			continue
		}
		taken[c.Name] = true
		p.space()
		p.computer(c)
		g.Computers++
	}
	if len(omitted) > 0 {
		p.space()
		p.omissions(omitted)
		g.Omitted = append(g.Omitted, omitted...)
	}
	if g.Computers > 0 {
		g.add("computers.hcl", p)
	}
}

func (p *page) computer(c org.Computer) {
	if c.Status != "" && c.Status != "active" {
		p.comment("status %s when it was read", quote(c.Status))
	}
	b := p.within(p.body.AppendNewBlock("computer", []string{c.Name}).Body())
	b.text("id", c.ID)
	b.text("provider", c.Provider)
	if uuid.MatchString(c.HostID) {
		b.text("host_id", c.HostID)
	} else if c.HostID != "" {
		b.comment("host_id %s is not a UUID", quote(c.HostID))
	}
	if labelled(c.RemoteUser) {
		b.text("remote_user", c.RemoteUser)
	} else if c.RemoteUser != "" {
		b.comment("remote_user %s cannot be declared", quote(c.RemoteUser))
	}
}

// undeclarable says why a computer cannot have a block, "" if it can.
func undeclarable(c org.Computer) string {
	switch {
	case !labelled(c.Name) || c.Name == "." || c.Name == "..":
		return "has a name that cannot be declared"
	case c.ID == "" || unsayableText(c.ID) != "":
		return "has an id that cannot be declared"
	case c.Provider != "byom" && c.Provider != "sandbox_vendor":
		return "has the provider " + quote(c.Provider) + ", which govctl does not know"
	}
	return ""
}

// labelled reports whether s may be a name or a remote user, and comes back as it is.
func labelled(s string) bool {
	n := utf8.RuneCountInString(s)
	return 1 <= n && n <= maxLabel && unsayableText(s) == "" && strings.IndexFunc(s, unicode.IsControl) < 0
}
