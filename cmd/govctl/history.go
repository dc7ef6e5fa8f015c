package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
)

func (a *app) historyCommand() *cobra.Command {
	c := &cobra.Command{Use: "history", Short: "The history of the enterprise settings"}
	limit := 20
	list := &cobra.Command{
		Use: "list [DIR]", Short: "List revisions, newest first: when, who, what",
		Example: "  govctl history list examples/quickstart",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runHistoryList(c.Context(), args, limit)
		},
	}
	list.Flags().IntVar(&limit, "limit", limit, "how many revisions; 0 is all")
	show := &cobra.Command{
		Use: "show REVISION [DIR]", Short: "Show the settings of one revision, secrets redacted",
		Example: "  govctl history show 42 examples/quickstart",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runHistoryShow(c.Context(), args)
		},
	}
	c.AddCommand(list, show, a.historyBlameCommand(), a.historyDiffCommand(), a.historyExportCommand())
	return c
}

// reader connects for reading to the service of the project in args.
func (a *app) reader(ctx context.Context, args []string) (*client.Client, error) {
	p, err := a.projectDir(args)
	if err != nil {
		return nil, err
	}
	conn, err := a.connect(ctx, p)
	if err != nil {
		return nil, err
	}
	return a.client(ctx, conn, forReading)
}

// historyReader is reader, with what hides the secrets of the history.
func (a *app) historyReader(ctx context.Context, args []string) (*client.Client, org.Redactor, error) {
	var dir planFlags
	if err := dir.resolve(args); err != nil {
		return nil, org.Redactor{}, err
	}
	hide, err := a.redactor(dir.dir)
	if err != nil {
		return nil, hide, err
	}
	c, err := a.reader(ctx, args)
	return c, hide, err
}

func (a *app) runHistoryList(ctx context.Context, args []string, limit int) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	c, err := a.reader(ctx, args)
	if err != nil {
		return err
	}
	entries, more, err := listHistory(ctx, c, limit)
	if err != nil {
		return err
	}
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.History(w, format, entries, more, o)
	})
}

// listHistory says what each of the newest revisions changed, and whether older ones
// exist. One more is read than is listed: what the last one changed.
func listHistory(ctx context.Context, c *client.Client, limit int) (entries []org.RevisionChange, more bool, err error) {
	var newer *live.Snapshot
	for s, err := range live.Snapshots(ctx, c, api.MaxPage, org.Redactor{}) {
		if err != nil {
			return nil, false, err
		}
		if newer != nil {
			entries = append(entries, entry(newer, &s))
		}
		if limit > 0 && len(entries) == limit {
			return entries, true, nil
		}
		newer = &s
	}
	if newer != nil {
		entries = append(entries, entry(newer, nil))
	}
	return entries, false, nil
}

// entry says what a revision changed; older is the one before it, nil for none. Of a
// secret that was replaced only the property that has it can be named.
func entry(newer, older *live.Snapshot) org.RevisionChange {
	if older == nil {
		return org.Changed([]org.Revision{newer.Revision})[0]
	}
	e := org.Changed([]org.Revision{newer.Revision, older.Revision})[0]
	if !e.Unknown {
		e.Changed = append(e.Changed, drift.ReplacedSecrets(older.Revision, newer.Revision, older.Secrets, newer.Secrets)...)
		slices.Sort(e.Changed)
	}
	return e
}

func (a *app) runHistoryShow(ctx context.Context, args []string) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	number, err := revisionNumber(args[0])
	if err != nil {
		return err
	}
	c, hide, err := a.historyReader(ctx, args[1:])
	if err != nil {
		return err
	}
	for change, err := range c.History(ctx, 100) {
		if err != nil {
			return err
		}
		if change.Revision < number {
			break
		}
		if change.Revision > number {
			continue
		}
		r, err := live.Revision(change, hide)
		if err != nil {
			return err
		}
		return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
			return render.Revision(w, format, r, o)
		})
	}
	return fmt.Errorf("revision %d is not visible in the history", number)
}
