package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
	"github.com/govctl/govctl/internal/render"
)

func (a *app) policyExplainCommand() *cobra.Command {
	var flags policyFlags
	c := &cobra.Command{
		Use:   "explain RULE [DIR | FILE...]",
		Short: "Say why a rule fired, or why it did not",
		Long: `Explain evaluates one rule on the live organization, or on files, and shows every
expression of it: whether it held, and what it was about.`,
		Example: "  govctl policy explain SBX001 examples/quickstart\n  govctl policy explain SBX001 snapshot.json",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runPolicyExplain(c.Context(), flags, args[0], args[1:])
		},
	}
	flags.bindRules(c.Flags())
	flags.bindInputs(c.Flags())
	return c
}

func (a *app) runPolicyExplain(ctx context.Context, flags policyFlags, id string, args []string) error {
	outs, err := a.outputs(render.ExplanationFormats())
	if err != nil {
		return err
	}
	files, dir, err := flags.checkTarget(args)
	if err != nil {
		return err
	}
	project, err := a.policyProject(&flags, files, dir)
	if err != nil {
		return err
	}
	e, rule, err := a.oneRule(&flags, project, id)
	if err != nil {
		return err
	}
	documents := ofKinds(a.documents(files, project.Dir, new([]org.Gap)), []string{rule.Kind})
	if len(files) == 0 {
		facts, err := a.readFacts(ctx, dir, flags.request.vars, []string{rule.Kind}, e)
		if err != nil {
			return err
		}
		documents = func(yield func(policy.Document, error) bool) {
			for _, d := range facts.documents {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
	list := []*policy.Explanation{}
	for d, err := range documents {
		if err != nil {
			return err
		}
		x, err := e.Explain(ctx, rule.ID, d)
		if err != nil {
			return err
		}
		list = append(list, x)
	}
	if len(list) == 0 {
		return &hinted{fmt.Errorf("%s judges %s documents, and there is none here", rule.ID, rule.Kind),
			fmt.Sprintf("pass one with --input %s=FILE", rule.Kind)}
	}
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Explanations(w, format, rule, list, o)
	})
}

// oneRule loads the rules of the kind of one rule, and that rule alone is on.
func (a *app) oneRule(flags *policyFlags, project *config.Project, id string) (*policy.Engine, org.Rule, error) {
	flags.rules = nil
	all, err := a.engine(flags, project)
	if err != nil {
		return nil, org.Rule{}, err
	}
	rule, err := all.Rule(id)
	if err != nil {
		return nil, rule, err
	}
	if rule.Kind == "" {
		return nil, rule, fmt.Errorf("%s comes from govctl itself: %s", rule.ID, rule.Description)
	}
	flags.rules = []string{rule.ID}
	e, err := a.engine(flags, project, rule.Kind)
	return e, rule, err
}

func (a *app) policyHistoryCommand() *cobra.Command {
	var flags policyFlags
	c := &cobra.Command{
		Use:   "history RULE [DIR]",
		Short: "Judge every revision of the settings by one rule",
		Long: `History replays a rule over the whole settings history: the first bad revision and
who made it, every interval in which the rule fired, and how long that was in all.`,
		Example: "  govctl policy history SBX001 examples/quickstart",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runPolicyHistory(c.Context(), flags, args)
		},
	}
	flags.bindRules(c.Flags())
	return c
}

func (a *app) runPolicyHistory(ctx context.Context, flags policyFlags, args []string) error {
	outs, err := a.outputs(render.ReplayFormats())
	if err != nil {
		return err
	}
	project, err := a.projectDir(args[1:])
	if err != nil {
		return err
	}
	e, rule, err := a.oneRule(&flags, project, args[0])
	if err != nil {
		return err
	}
	if !slices.Contains([]string{policy.Settings, policy.History}, rule.Kind) {
		return fmt.Errorf("%s judges %s documents; only the settings have a history", rule.ID, rule.Kind)
	}
	points, err := a.replay(ctx, project, rule, e)
	if err != nil {
		return err
	}
	r := policy.Intervals(rule, points, rule.Kind == policy.History, a.now())
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Replay(w, format, r, o)
	})
}

// replay judges every revision as it comes off the service. Only what the rule says of it
// is kept.
func (a *app) replay(ctx context.Context, project *config.Project, rule org.Rule, e *policy.Engine) ([]policy.Point, error) {
	conn, err := a.connect(ctx, project)
	if err != nil {
		return nil, err
	}
	c, err := a.client(ctx, conn, forReading)
	if err != nil {
		return nil, err
	}
	var marks []policy.Mark
	documents := func(yield func(policy.Document, error) bool) {
		var newer *org.Revision
		for change, err := range c.History(ctx, 100) {
			var r org.Revision
			if err == nil {
				r, err = live.Revision(change, org.Redactor{})
			}
			if err != nil {
				yield(policy.Document{}, err)
				return
			}
			mark := policy.Mark{Revision: r.Number, Actor: r.Actor, UpdatedAt: r.UpdatedAt}
			d := settingsDocument(r, nil)
			if rule.Kind == policy.History {
				pair := newer != nil && newer.Number == r.Number+1
				if pair {
					mark = policy.Mark{Revision: newer.Number, Actor: newer.Actor, UpdatedAt: newer.UpdatedAt}
					d = historyDocument(r, *newer)
				}
				if newer = &r; !pair {
					continue
				}
			}
			marks = append(marks, mark)
			if !yield(d, nil) {
				return
			}
		}
	}
	points := []policy.Point{}
	stopped, err := e.Each(ctx, documents, func(o policy.Outcome) error {
		e.Accept(o.Findings)
		points = append(points, policy.Point{Findings: o.Findings})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(stopped) > 0 {
		return nil, fmt.Errorf("%s", stopped[0].Message)
	}
	for i := range points {
		points[i].Mark = marks[i]
	}
	return points, nil
}

func (a *app) policySchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "schema [KIND]", Short: "Print the JSON Schema of a kind of document",
		Example: "  govctl policy schema settings",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, kind := range policy.Kinds() {
					fmt.Fprintln(a.out, kind)
				}
				return nil
			}
			o, err := a.policyOptions(&config.Project{Dir: "."}, args[0])
			if err != nil {
				return err
			}
			e, err := policy.Load(o)
			if err != nil {
				return err
			}
			schema := e.Schema(args[0])
			if schema == nil {
				return fmt.Errorf("%q is none of %s", args[0], strings.Join(policy.Kinds(), ", "))
			}
			return render.WriteJSON(a.out, schema)
		},
	}
}
