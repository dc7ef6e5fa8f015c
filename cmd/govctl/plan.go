package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/render"
)

// planFlags are the flags of plan; apply shares those that choose what to plan.
type planFlags struct {
	request
	out      string
	detailed bool
	strict   bool
	vars     []string
	varFiles []string
}

// bind adds the flags that choose what to plan.
// bindVariables adds the flags that give variables of the configuration their values.
func (p *planFlags) bindVariables(f *pflag.FlagSet) {
	f.StringArrayVar(&p.vars, "var", nil, "NAME=VALUE for a variable of the configuration; repeatable")
	f.StringArrayVar(&p.varFiles, "var-file", nil, "file of NAME = VALUE lines (HCL); repeatable")
}

func (p *planFlags) bind(f *pflag.FlagSet) {
	p.bindVariables(f)
	f.StringArrayVar(&p.selection.Target, "target", nil, "only this KIND or KIND/KEY, a trailing * matches by prefix; repeatable")
	f.StringArrayVar(&p.selection.Exclude, "exclude", nil, "not this KIND or KIND/KEY; repeatable")
	f.BoolVar(&p.selection.OnlyDrift, "only-drift", false, "only what drifted: computers that were there once, sessions, failed installations; no limits")
	f.BoolVar(&p.refresh, "refresh", true, "ask the service; without it the plan is incomplete")
}

// resolve reads the variables and the directory.
func (p *planFlags) resolve(args []string) error {
	p.dir = "."
	if len(args) > 0 {
		p.dir = args[0]
	}
	vars, err := variables(p.varFiles, p.vars)
	p.request.vars = vars
	if bad := p.selection.Check(); bad != "" {
		err = errors.Join(err, errors.New(bad))
	}
	return err
}

func (a *app) planCommand() *cobra.Command {
	var flags planFlags
	var all allFlags
	c := &cobra.Command{
		Use:   "plan [DIR]",
		Short: "Show what apply would change",
		Long: `Plan reads the configuration in DIR, what the service says and what the ledger
remembers, and shows what apply would do. It never writes to the service.`,
		Example: "  govctl plan examples/quickstart\n  govctl plan --out plan.json --detailed-exitcode\n  govctl plan --all . --changed-since origin/main -o json='plans/{project}.json'",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if all.given() {
				return a.eachProject(c.Context(), all, flags.each(render.PlanFormats(), func(ctx context.Context, a *app, p planFlags, _ subproject) error {
					return a.runPlan(ctx, p)
				}), args)
			}
			if err := flags.resolve(args); err != nil {
				return err
			}
			return a.runPlan(c.Context(), flags)
		},
	}
	flags.bind(c.Flags())
	all.bind(c.Flags())
	c.Flags().StringVar(&flags.out, "out", "", "save the plan for apply (same as -o json=FILE)")
	c.Flags().BoolVar(&flags.detailed, "detailed-exitcode", false, "exit 2 when there is something to do")
	c.Flags().BoolVar(&flags.strict, "strict", false, "exit 6 when facts are missing or a declared address is not in the organization")
	return c
}

func (a *app) runPlan(ctx context.Context, flags planFlags) error {
	outs, err := a.outputs(render.PlanFormats())
	if err != nil {
		return err
	}
	if flags.out != "" {
		outs = append(outs, output{render.JSON, flags.out})
	}
	g, err := a.gather(ctx, flags.request)
	if err != nil {
		return err
	}
	if err := a.emitPlan(outs, g.plan); err != nil {
		return err
	}
	a.planToRunner(g, outs)
	a.seen.summary = render.PlanSummary(g.plan)
	a.seen.changes = flags.detailed && (!g.plan.Empty() || g.plan.Blocked())
	a.seen.denied = denied(g.project.Policy.FailOn, g.plan.Findings) != nil
	a.seen.incomplete = flags.strict && (!g.plan.Complete() || missing(g.plan))
	return refusals(g.plan)
}

// emitPlan writes a plan in every format asked for.
func (a *app) emitPlan(outs []output, p *plan.Plan) error {
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Plan(w, format, p, o)
	})
}

// missing reports whether a declared address is not in the organization (T10).
func missing(p *plan.Plan) bool {
	for _, n := range p.Notes {
		if n.Code == "not_in_organization" || n.Code == "ambiguous_address" {
			return true
		}
	}
	return false
}

// refusals is the error of notes that forbid an apply, nil without one.
func refusals(p *plan.Plan) error {
	var why []string
	for _, n := range p.Notes {
		if n.Refuses {
			why = append(why, fmt.Sprintf("%s (%d)", n.Message, len(n.Items)))
		}
	}
	if len(why) == 0 {
		return nil
	}
	return &refusal{err: errors.New("guardrail: " + strings.Join(why, "; "))}
}
