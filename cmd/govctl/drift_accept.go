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
the same place is a new difference. Accepted differences stay in every report.`,
		Example: "  govctl drift accept --revision 42 --reason \"reviewed with security\"\n  govctl drift accept --fingerprint 0f3a9c41d27be865 --until 2026-12-31 --reason \"migration\"",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := errors.Join(flags.check(c.Flags().Changed("revision")), flags.resolve(args)); err != nil {
				return err
			}
			return a.runDriftAccept(c.Context(), flags)
		},
	}
	flags.bindVariables(c.Flags())
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
	in, err := a.gatherDrift(ctx, flags.driftFlags, baseline)
	if err != nil {
		return err
	}
	done := accepted{FormatVersion: drift.FormatVersion, File: baselinePath(flags.dir), Accepted: []drift.Acceptance{}}
	if flags.since > 0 {
		if !in.History.Whole() {
			return fmt.Errorf("revision %d is not visible in the history", flags.since)
		}
		r := in.History.Oldest(flags.reason, a.now())
		baseline.Revision, done.Revision = &r, &r
	} else if done.Accepted, err = flags.chosen(drift.Make(in)); err != nil {
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

// chosen are the differences of a report that the flags name.
func (f *acceptFlags) chosen(r *drift.Report) ([]drift.Acceptance, error) {
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
