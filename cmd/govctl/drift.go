package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
)

// driftFlags are the flags of drift; accept shares those that choose the project.
type driftFlags struct {
	planFlags
	since       int64
	exitZero    bool
	previous    string
	consecutive int
	failOn      string
	noPolicy    bool
	ignoreFile  string
	noIgnore    bool
	usageDays   int
	name        string
	tell        tellFlags
	differences bool // leave out what is no difference and only to be looked at
}

// check refuses flags that mean nothing.
func (f *driftFlags) check(since bool) error {
	var bad []error
	if since && f.since < 1 {
		bad = append(bad, fmt.Errorf("--since-revision %d is not a revision number", f.since))
	}
	if f.failOn != "" && !slices.Contains(org.Severities(), f.failOn) {
		bad = append(bad, fmt.Errorf("--fail-on %q is not one of %s", f.failOn, strings.Join(org.Severities(), ", ")))
	}
	if f.noPolicy && f.failOn != "" {
		bad = append(bad, errors.New("--fail-on and --no-policy contradict each other"))
	}
	if f.noIgnore && f.ignoreFile != "" {
		bad = append(bad, errors.New("--ignore-file and --no-ignore contradict each other"))
	}
	if f.usageDays < 0 || f.usageDays > client.MaxUsageDays {
		bad = append(bad, fmt.Errorf("--usage-days %d is not 0 to %d", f.usageDays, client.MaxUsageDays))
	}
	if f.consecutive < 1 {
		bad = append(bad, fmt.Errorf("--min-consecutive %d is not 1 or more", f.consecutive))
	}
	if f.consecutive > 1 && f.previous == "" {
		bad = append(bad, &hinted{errors.New("--min-consecutive counts reports in a row"), "name the one before with --previous FILE"})
	}
	return errors.Join(bad...)
}

// bindFacts adds the flags that say what is looked at.
func (f *driftFlags) bindFacts(set *pflag.FlagSet) {
	f.bindVariables(set)
	set.StringVar(&f.ignoreFile, "ignore-file", "", "ignore rules, one a line, instead of those of "+config.IgnoreFile)
	set.BoolVar(&f.noIgnore, "no-ignore", false, "count also what ignore rules leave out")
}

func (a *app) driftCommand() *cobra.Command {
	var flags driftFlags
	var all allFlags
	c := &cobra.Command{
		Use:   "drift [DIR]",
		Short: "Say what changed behind the back of the configuration: what, who, when",
		Long: `Drift compares the live organization with the configuration in DIR and with the
settings revision that was last accepted (` + drift.BaselineFile + `, written by drift accept).
Every revision since is looked at, so a change that was undone is reported, too. It
never writes to the service. Limits cannot be read and are never called in sync.

It exits 2 when something differs that is neither accepted nor left out by an ignore
rule (` + config.IgnoreFile + `, or drift { ignore … } in the configuration). Facts that could not
be read make the verdict unknown, never in sync. What policies say of the newest settings
is in the report and decides nothing, unless --fail-on asks for exit 3.

A schedule names its last report to hear what is new. The file may be the one it writes:
then it need not be there the first time. GOVCTL_NOTIFY_URL (signed with
GOVCTL_NOTIFY_SECRET) and GOVCTL_SLACK_WEBHOOK_URL, or files that …_FILE name, are told what
--notify-on asks for. Metrics (-o prometheus=FILE) are also written by a run that fails.`,
		Example: "  govctl drift examples/quickstart\n  govctl drift --strict -o json=drift.json -o markdown=issue.md\n  govctl drift --previous drift.json -o json=drift.json -o html=drift.html -o prometheus=govctl.prom\n  govctl drift --previous drift.json -o json=drift.json --min-consecutive 2\n  govctl drift --since-revision 40 --exit-zero",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			bad := flags.check(c.Flags().Changed("since-revision"))
			if all.given() && bad == nil {
				return a.eachProject(c.Context(), all, flags.each(), args)
			}
			if err := errors.Join(bad, flags.resolve(args)); err != nil {
				return err
			}
			return a.superviseDrift(c.Context(), flags)
		},
	}
	flags.bindFacts(c.Flags())
	flags.tell.bind(c.Flags())
	all.bind(c.Flags())
	c.Flags().Int64Var(&flags.since, "since-revision", 0, "compare with this revision instead of the accepted one")
	c.Flags().BoolVar(&flags.strict, "strict", false, "exit 6 when facts are missing")
	c.Flags().BoolVar(&flags.exitZero, "exit-zero", false, "do not exit 2 because of drift")
	c.Flags().StringVar(&flags.previous, "previous", "", "an earlier report (-o json=FILE), to say what is new, ongoing and resolved")
	c.Flags().IntVar(&flags.consecutive, "min-consecutive", 1, "exit 2 only for differences in this many reports in a row")
	c.Flags().StringVar(&flags.failOn, "fail-on", "", "exit 3 when a rule of this severity or a worse one denies the newest settings")
	c.Flags().BoolVar(&flags.noPolicy, "no-policy", false, "do not ask the rules about the newest settings")
	c.Flags().IntVar(&flags.usageDays, "usage-days", 7, "closed days of usage in which models are looked for, 0 to 90")
	c.Flags().StringVar(&flags.name, "name", "", "what the project is called in the report (default: its directory)")
	c.AddCommand(a.driftAcceptCommand())
	return c
}

// each is the work of drift for one of many projects.
func (f driftFlags) each() work {
	w := f.planFlags.each(render.DriftFormats(), func(ctx context.Context, a *app, p planFlags, m subproject) error {
		f := f
		f.planFlags, f.previous, f.ignoreFile = p, m.expand(f.previous), m.expand(f.ignoreFile)
		f.tell.many, f.tell.termination = true, m.expand(f.tell.termination)
		return a.superviseDrift(ctx, f)
	})
	w.own, w.reads = []string{f.previous}, append(w.reads, f.ignoreFile)
	return w
}

// runDrift finds what drifted and writes it. The report is nil with an error before it.
func (a *app) runDrift(ctx context.Context, flags driftFlags, outs []output) (*drift.Report, error) {
	baseline, err := readBaseline(flags.dir)
	if err != nil {
		return nil, err
	}
	if flags.previous != "" && !slices.Contains(outs, output{render.JSON, flags.previous}) {
		if _, err := os.Stat(flags.previous); err != nil && flags.previous != "-" {
			return nil, fmt.Errorf("read the previous report: %w", err)
		}
	}
	r, err := a.driftReport(ctx, flags, baseline)
	if err != nil {
		return nil, err
	}
	if err := a.emitDrift(outs, r, flags.dir); err != nil {
		return r, err
	}
	a.driftToRunner(r, outs)
	a.seen.summary = render.DriftVerdict(r)
	a.seen.changes = r.Alerts() && !flags.exitZero
	a.seen.denied = flags.failOn != "" && r.Policy.Verdict == drift.Deny
	a.seen.incomplete = flags.strict && (!r.Coverage.Complete || flags.failOn != "" && r.Policy.Unsure())
	return r, nil
}

// driftReport gathers and judges. Who closed what was resolved is asked for last: only
// then is known what was.
func (a *app) driftReport(ctx context.Context, flags driftFlags, baseline drift.Baseline) (*drift.Report, error) {
	in, err := a.gatherDrift(ctx, flags, baseline)
	if err != nil {
		return nil, err
	}
	r := drift.Make(in.Input)
	pointers := r.Comparison.Unexplained()
	if len(pointers) == 0 {
		return r, nil
	}
	in.Closed, err = closedBy(ctx, in.reader, in.Have.Newest, pointers)
	return drift.Make(in.Input), err
}

// emitDrift writes a report; dir is the project's directory.
func (a *app) emitDrift(outs []output, r *drift.Report, dir string) error {
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		o.Now, o.Version, o.Dir = r.CreatedAt, buildInfo().Version, repositoryDir(dir)
		return render.Drift(w, format, r, o)
	})
}

// driftFacts is what drift judges, with how it was read.
type driftFacts struct {
	drift.Input
	*gathered
	reader *client.Client
}

// gatherDrift reads everything drift judges. It asks nothing but GET: its client cannot
// do anything else.
func (a *app) gatherDrift(ctx context.Context, flags driftFlags, baseline drift.Baseline) (*driftFacts, error) {
	in := &driftFacts{Input: drift.Input{
		Baseline: baseline, Since: flags.since, Now: a.now(),
		Name: projectName(flags.name, flags.dir), MinConsecutive: flags.consecutive,
	}}
	if in.Since == 0 && baseline.Revision != nil {
		in.Since = baseline.Revision.Number
	}
	var err error
	if in.Previous, err = readPrevious(flags.previous, a.in); err != nil {
		return nil, err
	}
	hide, err := a.redactor(flags.dir)
	if err != nil {
		return nil, err
	}
	r := flags.request
	r.hide = hide
	r.refresh, r.unjudged, r.asleep, r.settings = true, true, true, in.Since > 0
	if in.gathered, err = a.gather(ctx, r); err != nil {
		return nil, err
	}
	in.Plan, in.Want, in.Have, in.Last = in.plan, in.want, in.have, in.last
	if err := in.Previous.About(in.plan.Target); err != nil {
		return nil, fmt.Errorf("%s: %w", flags.previous, err)
	}
	if in.reader, err = a.client(ctx, in.service, forReading); err != nil {
		return nil, err
	}
	if in.History, err = a.foldHistory(ctx, in.reader, in.Input, hide, flags.since != 0); err != nil {
		return nil, err
	}
	return in, a.gatherRest(ctx, in, flags)
}

// gatherRest reads what is not in the plan: what rules, sessions and usage say.
func (a *app) gatherRest(ctx context.Context, in *driftFacts, flags driftFlags) error {
	var err error
	if !flags.noIgnore {
		if in.Ignores, err = ignores(in.project, flags.dir, flags.ignoreFile); err != nil {
			return err
		}
	}
	if !flags.noPolicy {
		if in.Policy, err = a.judgeNewest(ctx, in, flags.failOn); err != nil {
			return err
		}
	}
	if flags.differences || len(in.project.Computers) == 0 && in.project.Models == nil {
		return nil
	}
	if in.Sessions, err = a.sessionsSeen(ctx, in.reader); err != nil {
		return err
	}
	in.Usage, err = a.modelUsage(ctx, in.reader, in.project.Models, flags.usageDays)
	return err
}

// foldHistory reads the revisions down to the one that the settings are compared with.
// Nil means that there is nothing to compare.
func (a *app) foldHistory(ctx context.Context, c *client.Client, in drift.Input, hide org.Redactor, asked bool) (*drift.History, error) {
	newest := in.Have.Newest
	if newest == nil || in.Since == 0 {
		return nil, nil
	}
	if err := otherHistory(in.Baseline.Check(in.Plan.Target.Organization, newest.Number)); err != nil && !asked {
		return nil, err
	}
	if in.Since > newest.Number {
		return nil, fmt.Errorf("revision %d is not there yet: the newest is %d", in.Since, newest.Number)
	}
	h := drift.NewHistory(newest.Number, in.Since)
	if in.Since == newest.Number {
		h.Add(*newest, nil) // nothing happened since: no page is needed
		return h, otherHistory(in.Baseline.Same(h))
	}
	bar, n := a.progress("reading"), 0
	defer bar.finish()
	for s, err := range live.Snapshots(ctx, c, int(min(api.MaxPage, newest.Number-in.Since+1)), hide) {
		if err != nil {
			if endsAll(ctx, err) {
				return nil, err
			}
			h.Stop(err)
			break
		}
		if n++; n%api.MaxPage == 0 {
			bar.read("history", n)
		}
		if !h.Add(s.Revision, s.Secrets) {
			break
		}
	}
	return h, otherHistory(in.Baseline.Same(h))
}

// sessionsSeen asks what the sessions mention.
func (a *app) sessionsSeen(ctx context.Context, c *client.Client) (*drift.Sessions, error) {
	bar := a.progress("reading")
	defer bar.finish()
	seen, err := live.SessionsSeen(ctx, c, bar.read)
	if err != nil && endsAll(ctx, err) {
		return nil, err
	}
	return &drift.Sessions{Computers: seen.Computers, Models: seen.Models, Err: err}, nil
}

// endsAll reports whether nothing more can be read: somebody interrupts, or the key is
// refused.
func endsAll(ctx context.Context, err error) bool {
	var e *api.Error
	return ctx.Err() != nil || errors.As(err, &e) && e.Status == http.StatusUnauthorized
}

// otherHistory adds advice to a baseline that belongs elsewhere.
func otherHistory(err error) error {
	if err == nil {
		return nil
	}
	return &hinted{err, "check base_url and the key; if the history did begin again, remove " + drift.BaselineFile + " and accept a revision of the new one"}
}

// baselinePath is where the baseline of a project is.
func baselinePath(dir string) string { return filepath.Join(dir, drift.BaselineFile) }

// readBaseline reads what is accepted of the project in dir; without a file, nothing is.
func readBaseline(dir string) (drift.Baseline, error) {
	path := baselinePath(dir)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return drift.Baseline{FormatVersion: drift.FormatVersion, Accepted: []drift.Acceptance{}}, nil
	}
	if err != nil {
		return drift.Baseline{}, fmt.Errorf("read the baseline: %w", err)
	}
	b, err := drift.DecodeBaseline(data)
	if err != nil {
		return b, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// readPrevious reads an earlier report, nil for no name.
func readPrevious(name string, stdin io.Reader) (*drift.Report, error) {
	if name == "" {
		return nil, nil
	}
	data, err := readFile(name, stdin)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil // the first run of those that write it: runDrift refuses any other
	}
	if err != nil {
		return nil, fmt.Errorf("read the previous report: %w", err)
	}
	r, err := drift.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
