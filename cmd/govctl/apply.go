package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/ci"
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
	resume      bool
	parallel    int
	canary      int
	maxErrors   ratio
	bisect      bool
	waiting     waitFlags
}

// maxParallel is how many connections the client keeps.
const maxParallel = 16

// options are the flags that say how to send.
func (f *applyFlags) options() (apply.Options, error) {
	var bad []error
	if f.parallel < 1 || f.parallel > maxParallel {
		bad = append(bad, fmt.Errorf("--parallel %d is not 1 to %d", f.parallel, maxParallel))
	}
	if f.canary < 0 || f.canary > plan.MaxBatch {
		bad = append(bad, fmt.Errorf("--canary %d is not 1 to %d", f.canary, plan.MaxBatch))
	}
	bad = append(bad, f.waiting.check())
	return apply.Options{Parallel: f.parallel, Canary: f.canary, MaxErrors: f.maxErrors.share, Bisect: f.bisect}, errors.Join(bad...)
}

// ratio is a flag such as 0.05 or 5%.
type ratio struct{ share *float64 }

// Set reads a share of the whole.
func (r *ratio) Set(s string) error {
	number, percent := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(number, 64)
	if percent {
		v /= 100
	}
	if err != nil || !(v >= 0 && v <= 1) {
		return errors.New("write a share such as 0.05 or 5%")
	}
	r.share = &v
	return nil
}

// String is "" for a flag that was not given.
func (r *ratio) String() string {
	if r.share == nil {
		return ""
	}
	return strconv.FormatFloat(*r.share, 'g', -1, 64)
}

// Type is the name of the value in the help.
func (r *ratio) Type() string { return "ratio" }

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

The first batch goes alone. When the service has confirmed some of it, up to --parallel
batches are under way together; one that fails stops those not yet sent. An interrupt
lets what is under way finish; a second one ends govctl at once.

A saved plan is refused (exit 5) when anything it relied on has moved since. With
--resume its own earlier applies do not count: what they got confirmed is not sent again.
Sessions are never stale: each is looked at right before it is changed, and left alone
if it runs or is another one than planned.

Settings cannot be sent. With --wait apply looks at their history until somebody has
changed them in the web application, and says who. With --only-drift it sends nothing
but what drifted: it never touches a limit, nor creates a computer that never was.`,
		Example: "  govctl apply examples/quickstart --auto-approve\n  govctl apply plan.json --canary 10 --max-errors 5%\n  govctl apply plan.json --resume\n  govctl apply --only-drift --auto-approve\n  govctl apply plan.json --wait --wait-timeout 2h",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runApply(c.Context(), flags, args)
		},
	}
	flags.bind(c.Flags())
	c.Flags().StringVar(&flags.project, "project", "", "directory of the configuration of a saved plan (default: the one it was made from)")
	c.Flags().BoolVar(&flags.autoApprove, "auto-approve", false, "do not ask")
	c.Flags().StringVar(&flags.digest, "approved-digest", "", "apply only if the plan has this digest (sha256:…)")
	c.Flags().BoolVar(&flags.resume, "resume", false, "go on with a saved plan that was applied in part")
	c.Flags().IntVar(&flags.parallel, "parallel", 4, "batches of limits under way together, 1 to 16")
	c.Flags().IntVar(&flags.canary, "canary", 0, "send this many limits first, 1 to 100, and go on only if all are confirmed")
	c.Flags().Var(&flags.maxErrors, "max-errors", "stop when a larger share of the limits is not confirmed, as in 0.05 or 5%")
	c.Flags().BoolVar(&flags.bisect, "bisect", false, "halve a batch that is refused as malformed, to set the rest of it")
	flags.waiting.bind(c.Flags())
	return c
}

func (a *app) runApply(ctx context.Context, flags applyFlags, args []string) error {
	outs, err := a.outputs(render.ReportFormats())
	if err != nil {
		return err
	}
	options, err := flags.options()
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
	file, err := a.openLedger(ctx, project)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // every record is durable already
	log := file.Log()
	if flags.resume {
		log = log.Without(saved.Digest)
	}
	g, err := a.gatherProject(ctx, flags.request, project, log)
	if err != nil {
		return err
	}
	agreed := g.plan
	if saved != nil {
		agreed = saved
	} else if err := a.showPlan(g.plan); err != nil {
		return err
	}
	options.Earlier, err = mayApply(agreed, g.plan, file.Log(), flags)
	if err == nil || errors.Is(err, errIncomplete) { // a denial says more
		err = cmp.Or(g.permitted(ctx, saved), err)
	}
	if err != nil {
		return a.refuse(outs, agreed, err)
	}
	if err := a.confirm(agreed, saved != nil || flags.autoApprove || flags.digest != ""); err != nil {
		return err
	}
	after := func(*apply.Report) error { return nil }
	if flags.waiting.wait {
		after = func(r *apply.Report) error {
			_ = file.Close() // it may take hours: others may go on
			return a.awaitManual(ctx, g, agreed, flags.waiting, r)
		}
	}
	if err := a.carryOut(ctx, outs, g.service, file, agreed, options, after); err != nil {
		return err
	}
	if saved != nil && a.seen.partly {
		fmt.Fprintf(a.err, "hint: govctl apply %s --resume goes on with what is not confirmed\n", args[0])
	}
	return nil
}

// showPlan shows a plan that nobody has seen yet.
func (a *app) showPlan(p *plan.Plan) error {
	begin, end := ci.Group(a.runner.kind, "plan", "Plan of "+p.Project, a.now())
	fmt.Fprint(a.err, begin)
	if err := render.Plan(a.err, render.Text, p, render.Options{Color: a.colour(a.err)}); err != nil {
		return err
	}
	fmt.Fprint(a.err, "\n"+end)
	return nil
}

// savedPlan reads the plan file, if the argument is one, and takes over how it was
// made; otherwise it resolves the directory.
func (a *app) savedPlan(flags *applyFlags, args []string) (*plan.Plan, error) {
	if err := flags.resolve(args); err != nil {
		return nil, err
	}
	info, err := os.Stat(flags.dir)
	if err == nil && info.IsDir() && flags.resume {
		err = errors.New("--resume goes on with a saved plan: name its file")
	}
	if err != nil || info.IsDir() {
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
		return nil, errors.New("--target, --exclude and --only-drift belong to the plan: they cannot change a saved one")
	}
	flags.dir, flags.selection = firstOf(flags.project, saved.Project, "."), saved.Selection
	flags.request.vars = saved.Variables
	return saved, nil
}

// mayApply says why a plan must not be applied, nil if it may, and what earlier applies
// of it got done. now is the plan of the same facts as they are.
func mayApply(agreed, now *plan.Plan, log *ledger.Log, flags applyFlags) (done apply.Earlier, err error) {
	moved := plan.Stale(agreed, now)
	if flags.resume {
		done, moved = apply.Resume(agreed, now, log.Records())
	}
	if len(moved) > 0 {
		return done, &refusal{err: &hinted{errors.New("the saved plan is stale; these have moved since: " + movesText(moved)),
			"plan again to a second file; govctl show --diff OLD NEW says what is different"}}
	}
	if flags.digest != "" && flags.digest != agreed.Digest {
		return done, &refusal{err: fmt.Errorf("the plan's digest is %s, approved was %s", agreed.Digest, flags.digest)}
	}
	if err := refusals(now); err != nil {
		return done, err
	}
	if !now.Complete() {
		g := now.Incomplete[0]
		return done, fmt.Errorf("%w: %s %s: %s", errIncomplete, g.Fact, g.Key, g.Error)
	}
	return done, nil
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
	a.reportToRunner(r, outs)
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
	yes, err := a.ask("Apply this?")
	if err == nil && !yes {
		err = &refusal{err: errors.New("not approved; nothing was sent")}
	}
	return err
}

// ask reports whether somebody answers a question with the full word. The caller knows
// that somebody is there.
func (a *app) ask(question string) (bool, error) {
	fmt.Fprint(a.err, question+" Only the word yes is accepted: ")
	line, err := bufio.NewReader(a.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read the answer: %w", err)
	}
	return strings.TrimSpace(line) == "yes", nil
}

// carryOut applies the plan and reports. If nothing stopped it, after is called before the
// report is written, and may add to it.
func (a *app) carryOut(ctx context.Context, outs []output, c *connection, recorder apply.Recorder, p *plan.Plan, o apply.Options, after func(*apply.Report) error) error {
	report := apply.NewReport(p.Digest)
	var stopped error
	if !p.Empty() || p.Blocked() {
		writer, err := a.client(ctx, c, forWriting)
		if err != nil {
			return err
		}
		if a.wrap != nil {
			recorder = a.wrap(recorder)
		}
		progress, began := a.progress("applying"), a.now()
		o.Progress = progress.settled
		said := a.sayInterrupted(ctx)
		report, stopped = apply.Run(ctx, writer, recorder, p, o)
		said()
		progress.finish()
		report.Requests, report.Retries = writer.Requests()
		report.DurationMS = a.now().Sub(began).Milliseconds()
	}
	var waited error
	if stopped == nil {
		waited = after(report)
	}
	if err := a.emitReport(outs, report); err != nil {
		return err
	}
	a.reportToRunner(report, outs)
	a.seen.partly = report.Result != apply.ResultApplied && report.Result != apply.ResultNothing
	nothing := report.Result == apply.ResultFailed && !unsure(report)
	if errors.Is(stopped, apply.ErrLedger) || nothing && !errors.Is(stopped, apply.ErrCaution) {
		return stopped
	}
	return waited
}

// unsure reports whether something was asked for and not answered: it may be done.
func unsure(r *apply.Report) bool {
	unknown := func(o apply.ObjectOutcome) bool { return o.Result == apply.Unknown }
	return len(r.Limits.Unknown) > 0 || slices.ContainsFunc(r.Computers, unknown) || slices.ContainsFunc(r.Sessions, unknown)
}

// sayInterrupted answers an interrupt at once: requests under way may take a while. The
// function it returns waits for the word to be out.
func (a *app) sayInterrupted(ctx context.Context) (wait func()) {
	out := make(chan struct{})
	unheard := context.AfterFunc(ctx, func() {
		defer close(out)
		fmt.Fprintln(a.err, "interrupted: finishing what is under way; interrupt again to end at once")
	})
	return func() {
		if !unheard() {
			<-out
		}
	}
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
