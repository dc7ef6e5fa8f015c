package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/grid"
)

// getFlags say whom to ask and which rows to show.
type getFlags struct {
	planFlags
	project string
	columns []string
	sort    []string
	where   string
	limit   int
	noHead  bool
}

func (g *getFlags) bind(f *pflag.FlagSet) {
	g.bindProject(f)
	f.StringSliceVar(&g.columns, "columns", nil, "columns to show, in this order, as in id,email")
	f.StringSliceVar(&g.sort, "sort", nil, "columns to sort by, as in date,tool_calls:desc; waits for all rows and holds them in memory")
	f.StringVar(&g.where, "where", "", "only rows for which this HCL expression over the columns is true")
	f.IntVar(&g.limit, "limit", 0, "show at most this many rows; 0 is all")
	f.BoolVar(&g.noHead, "no-header", false, "text and CSV without the line of column names")
}

func (g *getFlags) bindProject(f *pflag.FlagSet) {
	f.StringVar(&g.project, "project", "", "directory of the configuration that names the service (default: the working directory)")
	g.bindVariables(f)
}

func (a *app) getCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "get", Short: "Read the service: members, computers, sessions, messages, readiness, history, usage",
		Long: `Get shows what the service says, as a table, JSON, NDJSON, CSV or YAML. It only reads.

Rows are written as pages arrive, in the order of the service, unless --sort is given.
In a terminal the table fits; elsewhere text is one line a row with tabs between the
cells, and nothing is cut. Column names are stable. What the service leaves out is - in
text, null in JSON and empty in CSV, never 0.

When a list ends early what came is written, stderr says that it is incomplete, files
of -o are not written, and the exit code is 6.`,
		Example: "  govctl get users --project examples/quickstart --where 'metadata.team == \"ml\"'\n  govctl get usage tokens --from 2026-11-01 --to 2026-11-15 -o csv=tokens.csv",
	}
	c.AddCommand(a.getUsersCommand(), a.getComputersCommand(), a.getSessionsCommand(), a.getMessagesCommand(),
		a.getReadinessCommand(), a.getHistoryCommand(), a.getUsageCommand())
	return c
}

// withColumns adds the names of the columns to the help of a command.
func withColumns(c *cobra.Command, columns []grid.Column) *cobra.Command {
	var b strings.Builder
	b.WriteString("\n\nColumns (* also in text):\n")
	for _, col := range columns {
		if col.Inner {
			fmt.Fprintf(&b, "    %-34s %s\n", "("+col.Name+")", col.About)
			continue
		}
		mark := " "
		if col.Brief {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("  %s %-34s %s", mark, col.Name, col.About), " "))
	}
	c.Long = firstOf(c.Long, c.Short+".") + strings.TrimRight(b.String(), "\n")
	return c
}

// query reads the flags that choose rows, before anything is asked of the network.
func (g *getFlags) query(columns []grid.Column) (q grid.Query, err error) {
	if g.limit < 0 {
		return q, fmt.Errorf("--limit %d is negative", g.limit)
	}
	q.Limit = g.limit
	for _, s := range g.sort {
		name, direction, _ := strings.Cut(s, ":")
		if !oneOf(direction, "", "asc", "desc") {
			return q, fmt.Errorf("--sort %q: write NAME, NAME:asc or NAME:desc", s)
		}
		o, err := grid.ParseOrder(columns, name, direction == "desc")
		if err != nil {
			return q, columnError("--sort", err)
		}
		q.Sort = append(q.Sort, o)
	}
	if g.where == "" {
		return q, nil
	}
	places := map[string]int{}
	var names []string
	for i, c := range columns {
		places[c.Name] = i
		names = append(names, c.Name)
	}
	condition, err := config.ParseCondition("--where", g.where, names)
	if err != nil {
		return q, err
	}
	q.Keep = func(r grid.Row) (bool, error) {
		yes, decided, err := condition.Holds(func(name string) any { return r[places[name]] })
		if err == nil && !decided {
			err = grid.ErrAbsent
		}
		return yes, err
	}
	return q, nil
}

// columnError adds what may have been meant.
func columnError(flag string, err error) error {
	var unknown *grid.UnknownColumnError
	if !errors.As(err, &unknown) {
		return err
	}
	best, at := "", 3
	for _, k := range unknown.Known {
		if d := levenshtein.Distance(unknown.Name, k, nil); d < at {
			best, at = k, d
		}
	}
	err = fmt.Errorf("%s: %w", flag, err)
	if best != "" {
		return &hinted{err, "did you mean " + best + "?"}
	}
	return &hinted{err, "columns: " + strings.Join(unknown.Known, ", ")}
}

// source is the service that a get or set command talks to.
type source struct {
	project *config.Project
	conn    *connection
	client  *client.Client
}

// open connects to the service of the project. Without --project the working directory
// need not hold one, if the address is given otherwise.
func (a *app) open(ctx context.Context, g *getFlags, why purpose) (*source, error) {
	p, err := a.getProject(g)
	if err != nil {
		return nil, err
	}
	s := &source{project: p}
	if s.conn, err = a.connect(ctx, p); err != nil {
		return nil, err
	}
	s.client, err = a.client(ctx, s.conn, why)
	return s, err
}

func (a *app) getProject(g *getFlags) (*config.Project, error) {
	var args []string
	if g.project != "" {
		args = []string{g.project}
	}
	if err := g.resolve(args); err != nil {
		return nil, err
	}
	if g.project == "" && a.baseURL(&config.Project{}) != "" {
		found := false
		for _, pattern := range []string{"*.hcl", "*.yaml", "*.yml"} {
			names, _ := filepath.Glob(pattern) // the patterns are well formed
			found = found || len(names) > 0
		}
		if !found {
			return &config.Project{Dir: "."}, nil
		}
	}
	return a.loadProject(g.dir, g.request.vars)
}

// roleHint says what a 403 usually means; the contract names roles for analytics only
// (C36, U69).
func roleHint(err error) error {
	var e *api.Error
	if !errors.As(err, &e) || e.Status != http.StatusForbidden {
		return err
	}
	if strings.HasPrefix(e.Path, "/api/v1/analytics/") {
		return &hinted{err, "analytics needs a key of a Manager or Owner"}
	}
	return &hinted{err, "the role of this key does not permit it, or the feature is not enabled"}
}
