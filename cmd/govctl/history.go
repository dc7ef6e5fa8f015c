package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/client"
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
	c.AddCommand(list, show)
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
	return a.client(conn, forReading)
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
	var revisions []org.Revision
	more := false
	for change, err := range c.History(ctx, 100) {
		if err != nil {
			return err
		}
		if limit > 0 && len(revisions) > limit { // one more than shown: what the last one changed
			more = true
			break
		}
		r, err := live.Revision(change)
		if err != nil {
			return err
		}
		revisions = append(revisions, r)
	}
	entries := org.Changed(revisions)
	if limit > 0 && len(entries) > limit {
		entries, more = entries[:limit], true
	}
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.History(w, format, entries, more, o)
	})
}

func (a *app) runHistoryShow(ctx context.Context, args []string) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	number, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil || number < 0 {
		return fmt.Errorf("%q is not a revision number", args[0])
	}
	c, err := a.reader(ctx, args[1:])
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
		r, err := live.Revision(change)
		if err != nil {
			return err
		}
		return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
			return render.Revision(w, format, r, o)
		})
	}
	return fmt.Errorf("revision %d is not visible in the history", number)
}
