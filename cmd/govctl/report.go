package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/report"
)

// reportFlags say what a report is about.
type reportFlags struct {
	planFlags
	usage    usageFlags // only its days
	sections []string
	name     string
}

func (a *app) reportCommand() *cobra.Command {
	var flags reportFlags
	c := &cobra.Command{
		Use:   "report [DIR]",
		Short: "One page for people: usage against limits, models, tools, readiness, settings, drift, policy",
		Long: `Report reads what the service says of the last 30 available days, or of those from --from
to --to, and puts it beside the configuration in DIR: credits per day and per person and
the declared limits, models and whether they are allowed, tools and MCP servers,
autonomy, productivity, the readiness of repositories, and who changed the settings;
drift and policy in a line each. -o html=FILE is one page that needs nothing else; text
is a summary.

What cannot be read is said to be unknown and is never zero. The service does not say
over which period a limit counts, so credits of the days shown stand beside limits and
are no verdict about them. The command only reads; analytics needs the key of a Manager
or Owner.`,
		Example: "  govctl report examples/quickstart -o html=report.html\n  govctl report examples/quickstart --from 2026-11-01 --to 2026-11-15 -o markdown=report.md -o json=report.json\n  govctl report examples/quickstart --section credits --section readiness",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			for _, s := range flags.sections {
				if !slices.Contains(report.Sections(), s) {
					return fmt.Errorf("--section %q is not one of %s", s, strings.Join(report.Sections(), ", "))
				}
			}
			if err := flags.resolve(args); err != nil {
				return err
			}
			return a.runReport(c.Context(), flags)
		},
	}
	f := c.Flags()
	flags.bindVariables(f)
	flags.usage.bindWindow(f)
	f.StringSliceVar(&flags.sections, "section", nil, "only this section: "+strings.Join(report.Sections(), ", ")+"; repeatable")
	f.StringVar(&flags.name, "name", "", "what the project is called in the report (default: its directory)")
	f.BoolVar(&flags.strict, "strict", false, "exit 6 when something could not be read")
	return c
}

func (a *app) runReport(ctx context.Context, flags reportFlags) error {
	outs, err := a.outputs(render.UsageReportFormats())
	if err != nil {
		return err
	}
	days, err := flags.usage.days(a.now(), a.note)
	if err != nil {
		return err
	}
	r, err := a.makeReport(ctx, flags, days)
	if err != nil {
		return err
	}
	if err := a.emitUsageReport(outs, r); err != nil {
		return err
	}
	for _, o := range outs {
		if o.file != "" {
			a.note("wrote %s", render.Clean(o.file))
		}
	}
	a.seen.incomplete = flags.strict && !r.Complete
	return nil
}

// emitUsageReport writes a report in every format asked for.
func (a *app) emitUsageReport(outs []output, r *report.Report) error {
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		o.Version = buildInfo().Version
		return render.UsageReport(w, format, r, o)
	})
}

// reportFacts is what a report is made from, besides the rows of the service.
type reportFacts struct {
	*driftFacts
	flags reportFlags
	maker *report.Maker
	walk  *usageWalk
}

// makeReport reads everything and makes a report. Its error is one that no report is worth
// making after: a refused key, another organization, a configuration with problems. All
// else that cannot be read is a gap of the report.
func (a *app) makeReport(ctx context.Context, flags reportFlags, days client.Days) (*report.Report, error) {
	f := &reportFacts{flags: flags, walk: &usageWalk{a: a, days: days}}
	if err := a.readProject(ctx, f); err != nil {
		return nil, err
	}
	in := report.Input{
		Name: projectName(flags.name, flags.dir), Now: a.now(), Target: f.target(a),
		Window: report.Window{From: days.From, To: days.To, Days: dayCount(days)}, Sections: flags.sections,
		Key: live.EmailKey, Models: f.project.Models,
	}
	in.Limits, in.LimitsUnknown = f.limits()
	f.maker = report.New(in)
	if in.LimitsUnknown {
		f.maker.Gap(org.Gap{Fact: report.FactLimits, Error: "the members could not be read"})
	}
	for _, read := range []func(context.Context, *reportFacts) error{a.reportUsage, a.reportReadiness, a.reportSettings, a.reportPolicy} {
		if err := read(ctx, f); err != nil {
			return nil, err
		}
	}
	if f.maker.Wants(report.SectionDrift) {
		reportDrift(f)
	}
	return f.maker.Report(), nil
}

// wants reports whether a section was asked for.
func (f *reportFacts) wants(sections ...string) bool {
	return len(f.flags.sections) == 0 || slices.ContainsFunc(sections, func(s string) bool { return slices.Contains(f.flags.sections, s) })
}

// readProject reads the configuration and what drift compares it with: the declared limits
// depend on the members.
func (a *app) readProject(ctx context.Context, f *reportFacts) error {
	d := driftFlags{planFlags: f.flags.planFlags, consecutive: 1, usageDays: 7, noPolicy: true, name: f.flags.name}
	d.differences = !f.wants(report.SectionDrift)
	if f.wants(report.SectionDrift, report.SectionCredits, report.SectionPeople) {
		baseline, err := readBaseline(d.dir)
		if err != nil {
			return err
		}
		f.driftFacts, err = a.gatherDrift(ctx, d, baseline)
		f.walk.declared = f.organization()
		return err
	}
	project, err := a.loadProject(d.dir, d.request.vars)
	if err != nil {
		return err
	}
	f.driftFacts = &driftFacts{gathered: &gathered{project: project}}
	f.walk.declared = project.Service.Organization
	if f.service, err = a.connect(ctx, project); err != nil {
		return err
	}
	f.reader, err = a.client(ctx, f.service, forReading)
	return err
}

// organization is the one that the configuration declares, "" for none.
func (f *reportFacts) organization() string {
	if f.driftFacts == nil || f.gathered == nil || f.project == nil {
		return ""
	}
	return f.project.Service.Organization
}

// target is the service that was asked.
func (f *reportFacts) target(a *app) org.Target {
	if f.plan != nil {
		return f.plan.Target
	}
	return org.Target{BaseURL: a.baseURL(f.project), Organization: f.project.Service.Organization}
}

// limits are the declared limits by address, nil where none are declared. They are not
// known without the members, on whom they depend.
func (f *reportFacts) limits() (limits map[org.Email]org.Limit, unknown bool) {
	if f.plan == nil || !f.want.LimitsDeclared {
		return nil, false
	}
	if !f.have.MembersRead && f.project.NeedsMembers() {
		return nil, true
	}
	limits = make(map[org.Email]org.Limit, len(f.want.Limits))
	for _, l := range f.want.Limits {
		limits[l.Email] = l
	}
	return limits, false
}

// reportDrift says in a line what drift would say.
func reportDrift(f *reportFacts) {
	r := drift.Make(f.Input)
	f.maker.SetDrift(report.Line{Verdict: r.Verdict, Summary: render.DriftVerdict(r), Command: "govctl drift"})
	for _, g := range r.Coverage.Missing {
		f.maker.Gap(org.Gap{Fact: report.SectionDrift, Key: strings.TrimSpace(g.Fact + " " + g.Key), Error: g.Error})
	}
}
