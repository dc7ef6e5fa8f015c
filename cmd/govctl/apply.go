package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/render"
)

// applyFlags are the flags of apply.
type applyFlags struct {
	planFlags
	project     string
	autoApprove bool
	digest      string
}

// recorderWrapper puts something between apply and the ledger; only tests have one.
type recorderWrapper func(apply.Recorder) apply.Recorder

func (a *app) applyCommand() *cobra.Command {
	var flags applyFlags
	c := &cobra.Command{
		Use:   "apply [DIR | PLAN.json]",
		Short: "Carry out a saved plan, or plan, ask and carry out",
		Long: `Apply sends what a plan says: credit limits in batches of 100, computers and
sessions one by one. Before each request the ledger keeps the intention, after it
the outcome, so an interrupted apply loses nothing: plan again to go on.

A saved plan is refused (exit 5) when anything it relied on has moved since.`,
		Example: "  govctl apply examples/quickstart --auto-approve\n  govctl apply plan.json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runApply(c.Context(), flags, args)
		},
	}
	flags.bind(c.Flags())
	c.Flags().StringVar(&flags.project, "project", "", "directory of the configuration of a saved plan (default: the one it was made from)")
	c.Flags().BoolVar(&flags.autoApprove, "auto-approve", false, "do not ask")
	c.Flags().StringVar(&flags.digest, "approved-digest", "", "apply only if the plan has this digest (sha256:…)")
	return c
}

func (a *app) runApply(ctx context.Context, flags applyFlags, args []string) error {
	outs, err := a.outputs(render.ReportFormats())
	if err != nil {
		return err
	}
	saved, err := a.savedPlan(&flags, args)
	if err != nil {
		return err
	}
	project, err := a.loadProject(flags.dir, flags.request.vars)
	if err != nil {
		return err
	}
	path, err := a.ledgerPath(project)
	if err != nil {
		return err
	}
	file, err := ledger.Open(path, ledger.Options{Now: a.now})
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // every record is durable already
	g, err := a.gatherProject(ctx, flags.request, project, file.Log())
	if err != nil {
		return err
	}
	if saved == nil { // nobody has seen this plan yet
		if err := render.Plan(a.err, render.Text, g.plan, render.Options{Color: a.colour(a.err)}); err != nil {
			return err
		}
		fmt.Fprintln(a.err)
	}
	if err := a.mayApply(g.plan, saved, flags); err != nil {
		return a.refuse(outs, g.plan, err)
	}
	if err := a.confirm(g.plan, saved != nil || flags.autoApprove || flags.digest != ""); err != nil {
		return err
	}
	return a.carryOut(ctx, outs, g, file)
}

// savedPlan reads the plan file, if the argument is one, and takes over how it was
// made; otherwise it resolves the directory.
func (a *app) savedPlan(flags *applyFlags, args []string) (*plan.Plan, error) {
	if err := flags.resolve(args); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, nil
	}
	if info, err := os.Stat(args[0]); err != nil || info.IsDir() {
		return nil, err
	}
	data, err := os.ReadFile(args[0])
	if err != nil {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	saved, err := plan.Decode(data)
	var tampered *plan.TamperedError
	if errors.As(err, &tampered) {
		return nil, &refusal{err: fmt.Errorf("%s: %w", args[0], err)}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", args[0], err)
	}
	if !flags.selection.IsZero() {
		return nil, errors.New("--target and --exclude belong to the plan: they cannot change a saved one")
	}
	flags.dir, flags.selection = firstOf(flags.project, saved.Project, "."), saved.Selection
	flags.request.vars = saved.Variables
	return saved, nil
}

// mayApply says why a plan must not be applied, nil if it may.
func (a *app) mayApply(p, saved *plan.Plan, flags applyFlags) error {
	if saved != nil {
		if moved := plan.Stale(saved, p); len(moved) > 0 {
			return &refusal{err: errors.New("the saved plan is stale; these have moved since: " + movesText(moved))}
		}
	}
	if flags.digest != "" && flags.digest != p.Digest {
		return &refusal{err: fmt.Errorf("the plan's digest is %s, approved was %s", p.Digest, flags.digest)}
	}
	if err := refusals(p); err != nil {
		return err
	}
	if !p.Complete() {
		g := p.Incomplete[0]
		return fmt.Errorf("%w: %s %s: %s", errIncomplete, g.Fact, g.Key, g.Error)
	}
	return nil
}

func movesText(moved []plan.Move) string {
	parts := make([]string, len(moved))
	for i, m := range moved {
		parts[i] = fmt.Sprintf("%s (%s -> %s)", m.Part, short(m.Was), short(m.Is))
	}
	return strings.Join(parts, ", ")
}

// short cuts digests so that a line stays readable.
func short(s string) string {
	if strings.HasPrefix(s, "sha256:") && len(s) > 19 {
		return s[:19]
	}
	return firstOf(s, "none")
}

// refuse writes a report that says nothing was sent and why.
func (a *app) refuse(outs []output, p *plan.Plan, why error) error {
	r := apply.Refused(p, why.Error())
	if err := a.emitReport(outs, r); err != nil {
		return err
	}
	return why
}

// confirm asks for the full word. It never asks where nobody can answer.
func (a *app) confirm(p *plan.Plan, approved bool) error {
	if approved || p.Empty() {
		return nil
	}
	if !a.interactive() {
		return &hinted{errors.New("apply needs approval and nobody can be asked here"),
			"pass --auto-approve, --approved-digest, or a saved plan"}
	}
	fmt.Fprint(a.err, "Apply this? Only the word yes is accepted: ")
	line, err := bufio.NewReader(a.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read the answer: %w", err)
	}
	if strings.TrimSpace(line) != "yes" {
		return &refusal{err: errors.New("not approved; nothing was sent")}
	}
	return nil
}

// carryOut applies the plan and reports.
func (a *app) carryOut(ctx context.Context, outs []output, g *gathered, file *ledger.File) error {
	report := apply.NewReport(g.plan.Digest)
	var stopped error
	if !g.plan.Empty() || g.plan.Blocked() {
		writer, err := a.client(g.service, forWriting)
		if err != nil {
			return err
		}
		var recorder apply.Recorder = file
		if a.wrap != nil {
			recorder = a.wrap(file)
		}
		progress, began := a.progress("applying"), a.now()
		report, stopped = apply.Run(ctx, writer, recorder, g.plan, progress.settled)
		progress.finish()
		report.Requests, report.Retries = writer.Requests()
		report.DurationMS = a.now().Sub(began).Milliseconds()
	}
	if err := a.emitReport(outs, report); err != nil {
		return err
	}
	a.seen.partly = report.Result != apply.ResultApplied && report.Result != apply.ResultNothing
	if errors.Is(stopped, apply.ErrLedger) || report.Result == apply.ResultFailed && len(report.Limits.Unknown) == 0 {
		return stopped
	}
	return nil
}

func (a *app) emitReport(outs []output, r *apply.Report) error {
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Report(w, format, r, o)
	})
}

// projectDir resolves the optional DIR argument of read-only commands.
func (a *app) projectDir(args []string) (*config.Project, error) {
	flags := planFlags{}
	if err := flags.resolve(args); err != nil {
		return nil, err
	}
	return a.loadProject(flags.dir, flags.request.vars)
}
