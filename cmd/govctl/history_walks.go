package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
)

func (a *app) historyBlameCommand() *cobra.Command {
	return &cobra.Command{
		Use: "blame POINTER [DIR]", Short: "Say in which revision a setting became what it is, by whom and when",
		Long: `Blame walks back from the newest revision until the value at a JSON pointer was
another one, and no page further. Secrets are compared and never shown.`,
		Example: "  govctl history blame /sandbox/enabled examples/quickstart",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runHistoryBlame(c.Context(), args)
		},
	}
}

func (a *app) runHistoryBlame(ctx context.Context, args []string) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	if p := args[0]; p != "" && p[0] != '/' {
		return &hinted{fmt.Errorf("%q is not a JSON pointer", p), "write it like /sandbox/enabled"}
	}
	c, hide, err := a.historyReader(ctx, args[1:])
	if err != nil {
		return err
	}
	found, err := live.OriginOf(ctx, c, args[0], hide)
	if err != nil {
		return err
	}
	if !found.Found && !found.Known {
		return fmt.Errorf("nothing was ever at %s in the revisions that are visible", args[0])
	}
	b := render.Origin{
		FormatVersion: "1.0", Path: found.Pointer, Value: drift.Value{Found: found.Found, JSON: found.Value},
		Before: drift.Value{Found: found.Had, JSON: found.Before}, BeforeKnown: found.Known, Blame: found.Blame,
	}
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Blame(w, format, b, o)
	})
}

func (a *app) historyDiffCommand() *cobra.Command {
	return &cobra.Command{
		Use: "diff A B [DIR]", Short: "Show what differs from revision A to revision B, secrets redacted",
		Long: `Diff shows how the settings of revision B differ from those of revision A. Lists of
ids and addresses are compared as sets, models by their ids.`,
		Example: "  govctl history diff 40 42 examples/quickstart",
		Args:    cobra.RangeArgs(2, 3),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runHistoryDiff(c.Context(), args)
		},
	}
}

func (a *app) runHistoryDiff(ctx context.Context, args []string) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	from, err1 := revisionNumber(args[0])
	to, err2 := revisionNumber(args[1])
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	c, hide, err := a.historyReader(ctx, args[2:])
	if err != nil {
		return err
	}
	found, err := revisions(ctx, c, hide, from, to)
	if err != nil {
		return err
	}
	x, y := found[from], found[to]
	d := drift.Between(x.Revision, y.Revision, x.Secrets, y.Secrets)
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.RevisionDiff(w, format, d, o)
	})
}

func revisionNumber(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a revision number", s)
	}
	return n, nil
}

// revisions finds the revisions of some numbers and reads no page after the oldest.
func revisions(ctx context.Context, c *client.Client, hide org.Redactor, numbers ...int64) (map[int64]live.Snapshot, error) {
	wanted := map[int64]bool{}
	oldest := numbers[0]
	for _, n := range numbers {
		wanted[n], oldest = true, min(oldest, n)
	}
	found := map[int64]live.Snapshot{}
	for s, err := range live.Snapshots(ctx, c, api.MaxPage, hide) {
		if err != nil {
			return nil, err
		}
		if wanted[s.Number] {
			found[s.Number] = s
		}
		if s.Number <= oldest {
			break
		}
	}
	for _, n := range numbers {
		if _, ok := found[n]; !ok {
			return nil, fmt.Errorf("revision %d is not visible in the history", n)
		}
	}
	return found, nil
}

func (a *app) historyExportCommand() *cobra.Command {
	var since int64
	c := &cobra.Command{
		Use: "export [DIR]", Short: "Write the revisions as lines of JSON, newest first, secrets redacted",
		Example: "  govctl history export examples/quickstart --since-revision 40",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runHistoryExport(c.Context(), args, since)
		},
	}
	c.Flags().Int64Var(&since, "since-revision", 0, "stop after this revision")
	return c
}

// ndjson is the format of an export: one JSON object a line.
const ndjson = "ndjson"

func (a *app) runHistoryExport(ctx context.Context, args []string, since int64) error {
	outs, err := a.outputs([]string{ndjson})
	if err != nil {
		return err
	}
	c, hide, err := a.historyReader(ctx, args)
	if err != nil {
		return err
	}
	return a.emit(outs, func(w io.Writer, _ string, _ render.Options) error {
		for s, err := range live.Snapshots(ctx, c, api.MaxPage, hide) {
			if err != nil {
				return err
			}
			if s.Number < since {
				return nil
			}
			if err := render.RevisionLine(w, s.Revision); err != nil || s.Number == since {
				return err
			}
		}
		return nil
	})
}
