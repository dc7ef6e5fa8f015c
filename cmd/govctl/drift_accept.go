package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/render"
)

// acceptFlags say what is accepted and why.
type acceptFlags struct {
	driftFlags
	fingerprints []string
	all          bool
	until        string
	reason       string
}

func (a *app) driftAcceptCommand() *cobra.Command {
	var flags acceptFlags
	c := &cobra.Command{
		Use:   "accept [DIR]",
		Short: "Accept a settings revision, or differences one by one",
		Long: `Accept writes ` + drift.BaselineFile + ` beside the configuration, to be reviewed and
committed like it: what is accepted, why, and until when. It changes nothing else.

--revision accepts the undeclared settings of a revision: drift then looks at what came
after it. --fingerprint accepts one difference of the report as it is; another value in
the same place is a new difference. Accepted differences stay in every report.

What a policy denies is not accepted (exit 3): with --revision no rule may deny the
settings of that revision, else none that is about an accepted place. A waiver in the
configuration says who takes the risk until when.`,
		Example: "  govctl drift accept --revision 42 --reason \"reviewed with security\"\n  govctl drift accept --fingerprint 0f3a9c41d27be865 --until 2026-12-31 --reason \"migration\"",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := errors.Join(flags.check(c.Flags().Changed("revision")), flags.resolve(args)); err != nil {
				return err
			}
			return a.runDriftAccept(c.Context(), flags)
		},
	}
	flags.bindFacts(c.Flags())
	c.Flags().Int64Var(&flags.since, "revision", 0, "accept the undeclared settings of this revision")
	c.Flags().StringArrayVar(&flags.fingerprints, "fingerprint", nil, "accept the difference with this fingerprint; repeatable")
	c.Flags().BoolVar(&flags.all, "all", false, "accept every difference that drift finds now")
	c.Flags().StringVar(&flags.until, "until", "", "last day the differences are accepted, as in 2026-12-31 (UTC)")
	c.Flags().StringVar(&flags.reason, "reason", "", "why; kept in the file")
	return c
}

// check refuses combinations that do not say clearly what is accepted.
func (f *acceptFlags) check(revision bool) error {
	var bad []error
	ways := 0
	for _, way := range []bool{revision, len(f.fingerprints) > 0, f.all} {
		if way {
			ways++
		}
	}
	if ways != 1 {
		bad = append(bad, errors.New("say what to accept: one of --revision N, --fingerprint F and --all"))
	}
	if revision && f.since < 1 {
		bad = append(bad, fmt.Errorf("--revision %d is not a revision number", f.since))
	}
	if strings.TrimSpace(f.reason) == "" {
		bad = append(bad, errors.New("say why: --reason TEXT"))
	}
	switch {
	case f.until == "":
	case revision:
		bad = append(bad, errors.New("--until goes with --fingerprint and --all: a revision is accepted until another one is"))
	default:
		if err := drift.CheckDate(f.until); err != nil {
			bad = append(bad, fmt.Errorf("--until: %w", err))
		}
	}
	return errors.Join(bad...)
}

// accepted is what accept says it did.
type accepted struct {
	FormatVersion string                  `json:"format_version"`
	File          string                  `json:"file"`
	Revision      *drift.AcceptedRevision `json:"revision,omitempty"`
	Accepted      []drift.Acceptance      `json:"accepted"`
}

func (a *app) runDriftAccept(ctx context.Context, flags acceptFlags) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	baseline, err := readBaseline(flags.dir)
	if err != nil {
		return err
	}
	flags.differences = true
	in, err := a.gatherDrift(ctx, flags.driftFlags, baseline)
	if err != nil {
		return err
	}
	done := accepted{FormatVersion: drift.FormatVersion, File: baselinePath(flags.dir), Accepted: []drift.Acceptance{}}
	if flags.since > 0 {
		r, err := a.acceptedRevision(ctx, in, flags)
		if err != nil {
			return err
		}
		baseline.Revision, done.Revision = r, r
	} else if done.Accepted, err = flags.chosen(a.err, drift.Make(in.Input)); err != nil {
		return err
	}
	for i := range done.Accepted {
		d := &done.Accepted[i]
		d.Reason, d.Until, d.At = flags.reason, flags.until, a.now().UTC()
	}
	baseline.Accept(done.Accepted...)
	if o := in.Plan.Target.Organization; o != "" {
		baseline.Organization = o
	}
	if err := writeBaseline(flags.dir, baseline); err != nil {
		return err
	}
	return a.emit(outs, func(w io.Writer, format string, _ render.Options) error {
		if format == render.JSON {
			return render.WriteJSON(w, done)
		}
		return done.text(w)
	})
}

// acceptedRevision is the revision that the flags name, unless a rule denies its settings.
func (a *app) acceptedRevision(ctx context.Context, in *driftFacts, flags acceptFlags) (*drift.AcceptedRevision, error) {
	if !in.History.Whole() {
		return nil, fmt.Errorf("revision %d is not visible in the history", flags.since)
	}
	e, err := a.settingsRules(in.project, "")
	if err != nil {
		return nil, err
	}
	oldest := in.History.Oldest()
	report, err := a.judgeSettings(ctx, in, e, &oldest)
	if err != nil {
		return nil, err
	}
	if err := denied(report.FailOn, report.Findings); err != nil {
		return nil, notAccepted(err)
	}
	r := in.History.Accept(flags.reason, a.now())
	return &r, nil
}

// notAccepted adds what to do about a denial.
func notAccepted(err error) error {
	return &hinted{err, "change the settings in the web application, or waive the rule: policy { waiver … }"}
}

// chosen are the differences of a report that the flags name, unless a rule denies one.
func (f *acceptFlags) chosen(talk io.Writer, r *drift.Report) ([]drift.Acceptance, error) {
	list, err := f.named(r)
	if err != nil {
		return nil, err
	}
	if err := denied(r.Policy.FailOn, r.Denying(list)); err != nil {
		return nil, notAccepted(err)
	}
	if !r.Coverage.Complete {
		fmt.Fprintln(talk, "note: some facts could not be read; what differs there is not accepted")
	}
	return list, nil
}

// named are the differences of a report that the flags name.
func (f *acceptFlags) named(r *drift.Report) ([]drift.Acceptance, error) {
	if f.all {
		open := r.Open()
		if len(open) == 0 {
			return nil, errors.New("there is no difference to accept")
		}
		return open, nil
	}
	known := map[string]drift.Acceptance{}
	for _, d := range r.All() {
		known[d.Fingerprint] = d
	}
	var out []drift.Acceptance
	var bad []error
	for _, print := range f.fingerprints {
		d, found := known[print]
		if !found {
			bad = append(bad, fmt.Errorf("no difference has the fingerprint %s now", print))
			continue
		}
		out = append(out, d)
	}
	if err := errors.Join(bad...); err != nil {
		return nil, &hinted{err, "govctl drift shows the fingerprints of all differences"}
	}
	return out, nil
}

func (d accepted) text(w io.Writer) error {
	var b strings.Builder
	if r := d.Revision; r != nil {
		fmt.Fprintf(&b, "accepted  revision %d of %s\n", r.Number, render.Clean(r.UpdatedAt))
	}
	for _, x := range d.Accepted {
		fmt.Fprintf(&b, "accepted  %s %s  %s\n", x.Kind, render.Clean(x.Key), x.Fingerprint)
	}
	fmt.Fprintf(&b, "Written to %s: commit it.\n", render.Clean(d.File))
	_, err := io.WriteString(w, b.String())
	return err
}

// writeBaseline replaces the file as a whole.
func writeBaseline(dir string, b drift.Baseline) error {
	if b.Accepted == nil {
		b.Accepted = []drift.Acceptance{}
	}
	var buf bytes.Buffer
	if err := render.WriteJSON(&buf, b); err != nil {
		return fmt.Errorf("write the baseline: %w", err)
	}
	if err := maybe.WriteFile(baselinePath(dir), buf.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the baseline: %w", err)
	}
	return nil
}
