package scaffold

import (
	"time"

	"github.com/govctl/govctl/internal/org"
)

// Organization is what was read of a live organization, to be declared as it is.
type Organization struct {
	Service   *Service // nil: the project says already where the service is
	At        time.Time
	Target    org.Target
	Computers []org.Computer // in any order
	Settings  *Settings      // nil: declare none
	Limits    *Limits        // nil: declare none
	Readiness []Repository
	Gaps      []org.Gap // facts that could not be read: the files say so
}

// Service is what a project says of where the API is.
type Service struct {
	BaseURL      string
	AppURL       string // "" for that of BaseURL
	Organization string // "" when nobody named it
	Ledger       string // URL of the ledger, "" for the default
}

// Generated are the files that declare an organization, and what of it they do not.
type Generated struct {
	Files     []File // sorted by path
	Omitted   []Omission
	Computers int // declared
	Settings  int // leaves declared, without the models
	Models    bool
	Limits    int // addresses declared
	Readiness int // repositories declared
}

// Generate declares o. A file that would declare nothing is not made.
func Generate(o Organization) Generated {
	g := Generated{}
	if o.Service != nil {
		g.add("govctl.hcl", o.service())
	}
	if len(o.Computers) > 0 {
		o.computers(&g)
	}
	if o.Limits != nil {
		o.limits(&g)
	}
	if len(o.Readiness) > 0 {
		o.readiness(&g)
	}
	if o.Settings != nil {
		o.settings(&g)
	}
	return g
}

func (g *Generated) add(path string, p *page) {
	g.Files = append(g.Files, File{path, p.bytes()})
}

// page begins a file with where its content comes from.
func (o Organization) page(what string) *page {
	p := newPage()
	p.comment("%s, as govctl import read it on %s.\nThis file is yours now: govctl does not write it again.", what, o.At.UTC().Format(time.DateOnly))
	if len(o.Gaps) > 0 {
		p.comment("INCOMPLETE: what could not be read is not declared.")
		for i, gap := range o.Gaps {
			if i == maxListed {
				p.comment("… and %d more", len(o.Gaps)-i)
				break
			}
			p.comment("not read: %s %s: %s", gap.Fact, quote(gap.Key), quote(gap.Error))
		}
	}
	p.space()
	return p
}

func (o Organization) service() *page {
	p := o.page("Where the service is")
	serviceBlock(p, *o.Service)
	return p
}

// serviceBlock writes the service and, where it is not the default, the ledger.
func serviceBlock(p *page, s Service) {
	b := p.within(p.body.AppendNewBlock("service", nil).Body())
	b.text("base_url", s.BaseURL)
	b.text("app_url", s.AppURL)
	if s.Organization != "" {
		b.text("organization", s.Organization)
	} else {
		b.comment("organization = \"org_…\" # name it: apply then refuses to write to any other")
	}
	if s.Ledger != "" {
		p.space()
		p.within(p.body.AppendNewBlock("ledger", nil).Body()).text("url", s.Ledger)
	}
}
