package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/grid"
)

// usageDays is how many days are shown unless others are asked for.
const usageDays = 30

// usageFlags choose days and groups.
type usageFlags struct {
	getFlags
	from, to string
	groupBy  string
	clamp    bool
	window   int
}

func (a *app) getUsageCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "usage", Short: "Show daily usage: tokens, tools, activity, productivity, users",
		Long: `Usage shows the analytics of whole UTC days: the last 30 that are available, or those
from --from to --to. A day is available when it is over. Long ranges are asked for in
parts of at most 90 days.

A day that the service does not report is a row without values, and nothing is added up
over days: people and ratios of several days cannot be. Analytics needs the key of a
Manager or Owner.`,
		Example: "  govctl get usage activity --project examples/quickstart --from 2026-11-01 --to 2026-11-15",
	}
	c.AddCommand(
		usageCommand(a, "tokens", "credits and tokens", "model", grid.Tokens(), grid.TokensByModel(), tokenDays),
		usageCommand(a, "tools", "tools, MCP servers, skills, commands, hooks, autonomy", "tool_name", grid.Tools(), grid.ToolsByName(), toolDays),
		usageCommand(a, "activity", "active users, sessions, messages", "client", grid.Activity(), grid.ActivityByClient(), activityDays),
		usageCommand(a, "productivity", "files, commits, pull requests", "", grid.Productivity(), grid.Of[api.ProductivityRow]{}, productivityDays),
		a.usageUsersCommand(),
	)
	return c
}

// dayPage is one answer of analytics about days.
type dayPage[T any] struct {
	data []T
	meta api.Meta
}

// dayReader reads the rows of one window.
type dayReader[T any] func(context.Context, *client.Client, client.UsageQuery) (dayPage[T], error)

func tokenDays(ctx context.Context, c *client.Client, q client.UsageQuery) (dayPage[api.TokenRow], error) {
	p, err := c.Tokens(ctx, q)
	return dayPage[api.TokenRow]{p.Data, p.Meta}, err
}

func toolDays(ctx context.Context, c *client.Client, q client.UsageQuery) (dayPage[api.ToolRow], error) {
	p, err := c.Tools(ctx, q)
	return dayPage[api.ToolRow]{p.Data, p.Meta}, err
}

func activityDays(ctx context.Context, c *client.Client, q client.UsageQuery) (dayPage[api.ActivityRow], error) {
	p, err := c.Activity(ctx, q)
	return dayPage[api.ActivityRow]{p.Data, p.Meta}, err
}

func productivityDays(ctx context.Context, c *client.Client, q client.UsageQuery) (dayPage[api.ProductivityRow], error) {
	p, err := c.Productivity(ctx, q)
	return dayPage[api.ProductivityRow]{p.Data, p.Meta}, err
}

// usageCommand is one endpoint of days; group is the one value of --group-by, "" where
// there is none (C24-C28, U1).
func usageCommand[T any](a *app, name, about, group string, days, groups grid.Of[T], read dayReader[T]) *cobra.Command {
	var flags usageFlags
	c := &cobra.Command{
		Use: name, Short: "Daily " + about,
		Example: "  govctl get usage " + name + " --project examples/quickstart --from 2026-11-01 --to 2026-11-15",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			of := days
			switch {
			case flags.groupBy != "" && flags.groupBy == group:
				of = groups
			case flags.groupBy != "":
				return fmt.Errorf("--group-by %q: %s can be grouped by %s", flags.groupBy, name, group)
			}
			return runUsage(c.Context(), a, &flags, of, read)
		},
	}
	flags.bindDays(c)
	if group != "" {
		c.Example += "\n  govctl get usage " + name + " --project examples/quickstart --group-by " + group + " --limit 10"
		c.Flags().StringVar(&flags.groupBy, "group-by", "", group+": a row for each of them and each day")
	}
	withColumns(c, days.Columns())
	if group != "" {
		c.Long += "\n\nWith --group-by " + group + ":\n" + columnLines(groups.Columns())
	}
	return c
}

// columnLines lists columns as the help does.
func columnLines(columns []grid.Column) string {
	c := withColumns(&cobra.Command{}, columns)
	_, lines, _ := strings.Cut(c.Long, "\n\nColumns (* also in text):\n")
	return lines
}

func (a *app) usageUsersCommand() *cobra.Command {
	var flags usageFlags
	c := &cobra.Command{
		Use: "users", Short: "Daily usage of each user",
		Example: "  govctl get usage users --project examples/quickstart --from 2026-11-15 --to 2026-11-19 --sort billable_tokens:desc --limit 10",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return runUsageUsers(c.Context(), a, &flags)
		},
	}
	flags.bindDays(c)
	return withColumns(c, grid.UserDays().Columns())
}

func (u *usageFlags) bindDays(c *cobra.Command) {
	u.bind(c.Flags())
	u.bindWindow(c.Flags())
	c.Flags().IntVar(&u.window, "window-days", client.MaxUsageDays, "most days to ask for at once")
}

// bindWindow adds the flags that choose days.
func (u *usageFlags) bindWindow(f *pflag.FlagSet) {
	u.window = client.MaxUsageDays
	f.StringVar(&u.from, "from", "", "first day, YYYY-MM-DD (UTC; default: 30 days, --to included)")
	f.StringVar(&u.to, "to", "", "last day, YYYY-MM-DD (UTC; default: yesterday)")
	f.BoolVar(&u.clamp, "clamp", false, "leave out days that are not available, instead of refusing them")
}

// days reads --from and --to. What is not available is refused before anything is asked,
// or left out with --clamp, and said (C19-C22, U4-U6).
func (u *usageFlags) days(now time.Time, say func(string, ...any)) (d client.Days, err error) {
	if u.window < 1 {
		return d, fmt.Errorf("--window-days %d is not positive", u.window)
	}
	from, err1 := flagDay("--from", u.from)
	to, err2 := flagDay("--to", u.to)
	if err := errors.Join(err1, err2); err != nil {
		return d, err
	}
	yesterday := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, -1)
	if u.to == "" {
		to = yesterday
	}
	if u.from == "" {
		from = to.AddDate(0, 0, 1-usageDays)
		if first, _ := time.Parse(api.DateLayout, api.EarliestDate); from.Before(first) && !to.Before(first) {
			from = first
		}
	}
	d = client.Days{From: from.Format(api.DateLayout), To: to.Format(api.DateLayout)}
	last := yesterday.Format(api.DateLayout)
	switch {
	case d.From > d.To:
		return d, fmt.Errorf("--from %s is after --to %s", d.From, d.To)
	case u.clamp:
		clamped := client.Days{From: max(d.From, api.EarliestDate), To: min(d.To, last)}
		if clamped.From != d.From {
			say("there is no usage before %s: %s to then is left out", api.EarliestDate, d.From)
		}
		if clamped.To != d.To {
			say("not available yet: usage after %s (UTC) is left out", last)
		}
		if d = clamped; d.From > d.To {
			return d, fmt.Errorf("no day is available: there is usage from %s through %s (UTC)", api.EarliestDate, last)
		}
	case d.From < api.EarliestDate:
		return d, &hinted{fmt.Errorf("there is no usage before %s", api.EarliestDate), "--clamp leaves those days out"}
	case d.To > last:
		return d, &hinted{fmt.Errorf("%s is not available yet: there is usage through %s (UTC)", d.To, last), "--clamp leaves those days out"}
	}
	return d, nil
}

// flagDay reads a date in the one form there is; "" is the zero time.
func flagDay(flag, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(api.DateLayout, s)
	if err != nil {
		return t, fmt.Errorf("%s %q is not a day of the form YYYY-MM-DD", flag, s)
	}
	return t, nil
}
