package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/render"
)

// driftFlags are the flags of drift; accept shares those that choose the project.
type driftFlags struct {
	planFlags
	since    int64
	exitZero bool
	previous string
}

func (a *app) driftCommand() *cobra.Command {
	var flags driftFlags
	c := &cobra.Command{
		Use:   "drift [DIR]",
		Short: "Say what changed behind the back of the configuration: what, who, when",
		Long: `Drift compares the live organization with the configuration in DIR and with the
settings revision that was last accepted (` + drift.BaselineFile + `, written by drift accept).
Every revision since is looked at, so a change that was undone is reported, too. It
never writes to the service. Limits cannot be read and are never called in sync.

It exits 2 when something that is not accepted differs. Facts that could not be read
make the verdict unknown, never in sync.`,
		Example: "  govctl drift examples/quickstart\n  govctl drift --strict -o json=drift.json -o markdown=issue.md\n  govctl drift --since-revision 40 --exit-zero",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := flags.resolve(args); err != nil {
				return err
			}
			if c.Flags().Changed("since-revision") && flags.since < 1 {
				return fmt.Errorf("--since-revision %d is not a revision number", flags.since)
			}
			return a.runDrift(c.Context(), flags)
		},
	}
	flags.bindVariables(c.Flags())
	c.Flags().Int64Var(&flags.since, "since-revision", 0, "compare with this revision instead of the accepted one")
	c.Flags().BoolVar(&flags.strict, "strict", false, "exit 6 when facts are missing")
	c.Flags().BoolVar(&flags.exitZero, "exit-zero", false, "do not exit 2 because of drift")
	c.Flags().StringVar(&flags.previous, "previous", "", "an earlier report (-o json=FILE), to say what is new, ongoing and resolved")
	c.AddCommand(a.driftAcceptCommand())
	return c
}

func (a *app) runDrift(ctx context.Context, flags driftFlags) error {
	outs, err := a.outputs(render.DriftFormats())
	if err != nil {
		return err
	}
	baseline, err := readBaseline(flags.dir)
	if err != nil {
		return err
	}
	in, err := a.gatherDrift(ctx, flags, baseline)
	if err != nil {
		return err
	}
	r := drift.Make(in)
	if err := a.emitDrift(outs, r); err != nil {
		return err
	}
	a.seen.changes = r.Verdict == drift.Drifted && !flags.exitZero
	a.seen.incomplete = flags.strict && !r.Coverage.Complete
	return nil
}

func (a *app) emitDrift(outs []output, r *drift.Report) error {
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Drift(w, format, r, o)
	})
}

// gatherDrift reads everything drift judges. It asks nothing but GET: its client cannot
// do anything else.
func (a *app) gatherDrift(ctx context.Context, flags driftFlags, baseline drift.Baseline) (drift.Input, error) {
	in := drift.Input{Baseline: baseline, Since: flags.since, Now: a.now()}
	if in.Since == 0 && baseline.Revision != nil {
		in.Since = baseline.Revision.Number
	}
	var err error
	if in.Previous, err = readPrevious(flags.previous, a.in); err != nil {
		return in, err
	}
	r := flags.request
	r.refresh, r.unjudged, r.asleep, r.settings = true, true, true, in.Since > 0
	g, err := a.gather(ctx, r)
	if err != nil {
		return in, err
	}
	in.Plan, in.Want, in.Have, in.Last = g.plan, g.want, g.have, g.last
	c, err := a.client(ctx, g.service, forReading)
	if err != nil {
		return in, err
	}
	if in.History, err = a.foldHistory(ctx, c, in, flags.since != 0); err != nil {
		return in, err
	}
	if len(g.project.Computers) == 0 && g.project.Models == nil {
		return in, nil
	}
	in.Sessions, err = a.sessionsSeen(ctx, c)
	return in, err
}

// foldHistory reads the revisions down to the one that the settings are compared with.
// Nil means that there is nothing to compare.
func (a *app) foldHistory(ctx context.Context, c *client.Client, in drift.Input, asked bool) (*drift.History, error) {
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
	for s, err := range live.Snapshots(ctx, c, int(min(api.MaxPage, newest.Number-in.Since+1))) {
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
	if err != nil {
		return nil, fmt.Errorf("read the previous report: %w", err)
	}
	r, err := drift.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
