package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/grid"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
)

func (a *app) getUsersCommand() *cobra.Command {
	var flags getFlags
	c := &cobra.Command{
		Use: "users", Short: "List the members of the organization",
		Example: "  govctl get users --project examples/quickstart --columns id,email --where 'metadata.team == \"ml\"'",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return showAll(c.Context(), a, &flags, grid.Users(), func(s *source) iter.Seq2[api.User, error] {
				return s.client.Users(c.Context())
			})
		},
	}
	flags.bind(c.Flags())
	return withColumns(c, grid.Users().Columns())
}

func (a *app) getComputersCommand() *cobra.Command {
	var flags getFlags
	c := &cobra.Command{
		Use: "computers [NAME | ID]...", Short: "Show computers by name or id",
		Long: `Computers can be looked up, not listed: without arguments those are shown that the
configuration declares. Others cannot be seen; the computer_id of sessions hints at
some. An argument is looked up as a name, and as an id if no computer has that name.`,
		Example: "  govctl get computers --project examples/quickstart\n  govctl get computers build-01 cmp_02 --project examples/quickstart -o json",
		RunE: func(c *cobra.Command, args []string) error {
			return showAll(c.Context(), a, &flags, grid.Computers(), func(s *source) iter.Seq2[api.Computer, error] {
				return a.lookUp(c.Context(), s, args)
			})
		},
	}
	flags.bind(c.Flags())
	return withColumns(c, grid.Computers().Columns())
}

// lookUp reads computers one by one. Those that are not there are told last, together.
func (a *app) lookUp(ctx context.Context, s *source, names []string) iter.Seq2[api.Computer, error] {
	return func(yield func(api.Computer, error) bool) {
		declared := len(names) == 0
		if declared {
			for _, c := range s.project.Computers {
				names = append(names, c.Name)
			}
			a.note("%d declared; undeclared computers cannot be seen", len(names))
		}
		var lost []string
		for _, name := range names {
			m, err := s.client.ComputerByName(ctx, name)
			if notFound(err) {
				m, err = s.client.Computer(ctx, name)
			}
			if notFound(err) {
				lost = append(lost, name)
				continue
			}
			if !yield(m, err) || err != nil {
				return
			}
		}
		switch missing := "not found, or not visible to this key: " + strings.Join(lost, ", "); {
		case len(lost) == 0:
		case declared: // perhaps they are still to be created
			a.note("%s", missing)
		default:
			yield(api.Computer{}, errors.New(missing))
		}
	}
}

func notFound(err error) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}

func (a *app) getSessionsCommand() *cobra.Command {
	var flags getFlags
	var computer string
	c := &cobra.Command{
		Use: "sessions [ID]", Short: "List sessions, or show one with its status",
		Example: "  govctl get sessions --project examples/quickstart --where 'model == \"model-legacy\"'\n  govctl get sessions ses_001 --project examples/quickstart -o yaml",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return showAll(c.Context(), a, &flags, grid.Sessions(), func(s *source) iter.Seq2[api.Session, error] {
				if len(args) > 0 {
					return one(s.client.SessionOn(c.Context(), args[0], computer))
				}
				return s.client.SessionsOf(c.Context(), computer)
			})
		},
	}
	flags.bind(c.Flags())
	c.Flags().StringVar(&computer, "computer", "", "id of a computer to ask directly")
	return withColumns(c, grid.Sessions().Columns())
}

func (a *app) getMessagesCommand() *cobra.Command {
	var flags getFlags
	var q client.MessageQuery
	c := &cobra.Command{
		Use: "messages SESSION [ID]", Short: "List the messages of a session, or show one",
		Example: "  govctl get messages ses_001 --project examples/quickstart --role user",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if !oneOf(q.Role, "", "user", "assistant", "tool") {
				return fmt.Errorf("--role %q is not user, assistant or tool", q.Role)
			}
			if len(args) > 1 && q.Role != "" {
				return errors.New("--role chooses from a list; leave it out to show one message")
			}
			return showAll(c.Context(), a, &flags, grid.Messages(), func(s *source) iter.Seq2[api.Message, error] {
				if len(args) > 1 {
					return one(s.client.Message(c.Context(), args[0], args[1], q.Computer))
				}
				return s.client.Messages(c.Context(), args[0], q)
			})
		},
	}
	flags.bind(c.Flags())
	c.Flags().StringVar(&q.Role, "role", "", "only messages of user, assistant or tool")
	c.Flags().StringVar(&q.Computer, "computer", "", "id of the session's computer to ask directly")
	return withColumns(c, grid.Messages().Columns())
}

func (a *app) getReadinessCommand() *cobra.Command {
	var flags getFlags
	var repository, id string
	c := &cobra.Command{
		Use: "readiness", Short: "List the readiness reports that are visible to the key",
		Long: `Readiness lists reports, newest first as the service has them, with both scores: all
sub-applications together, and the mean over the criteria. There is no level in the API.`,
		Example: "  govctl get readiness --project examples/quickstart --sort score --limit 5",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.runGetReadiness(c.Context(), &flags, repository, id)
		},
	}
	flags.bind(c.Flags())
	c.Flags().StringVar(&repository, "repository", "", "only reports with exactly this repository URL; chosen here, not by the service")
	c.Flags().StringVar(&id, "repository-id", "", "only reports of the repository that has this id at the service")
	return withColumns(c, grid.Readiness().Columns())
}

func (a *app) runGetReadiness(ctx context.Context, flags *getFlags, repository, id string) error {
	of := grid.Readiness()
	return a.showRows(ctx, flags, of.Columns(), func(s *source) (iter.Seq2[grid.Row, error], epilogue) {
		reports := func(yield func(api.Report, error) bool) {
			for r, err := range s.client.ReportsOf(ctx, id) {
				if err == nil && repository != "" && r.RepoURL != repository {
					continue
				}
				if !yield(r, err) {
					return
				}
			}
		}
		return rowsOf(of, reports), epilogue{say: func(r grid.Result) {
			if r.Read == 0 {
				a.note("no report visible to this key")
			}
		}}
	})
}

func (a *app) getHistoryCommand() *cobra.Command {
	var flags getFlags
	c := &cobra.Command{
		Use: "history [REVISION]", Short: "List the revisions of the settings, or show one",
		Long: `History lists revisions with their whole snapshots, newest first, secrets redacted.
govctl history says what each of them changed.`,
		Example: "  govctl get history --project examples/quickstart --limit 5\n  govctl get history 42 --project examples/quickstart -o yaml",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			number := int64(-1)
			if len(args) > 0 {
				var err error
				if number, err = revisionNumber(args[0]); err != nil {
					return err
				}
			}
			return a.runGetHistory(c.Context(), &flags, number)
		},
	}
	flags.bind(c.Flags())
	return withColumns(c, grid.History().Columns())
}

// runGetHistory shows all revisions, or one if number is not negative.
func (a *app) runGetHistory(ctx context.Context, flags *getFlags, number int64) error {
	of := grid.History()
	return a.showRows(ctx, flags, of.Columns(), func(s *source) (iter.Seq2[grid.Row, error], epilogue) {
		walk := &historyWalk{ctx: ctx, client: s.client, number: number}
		return rowsOf(of, walk.revisions), epilogue{say: func(grid.Result) {
			for _, gap := range walk.gaps {
				a.note("revisions %s not visible", gap)
			}
		}}
	})
}

// historyWalk reads revisions and notes the numbers that are missing (T37).
type historyWalk struct {
	ctx    context.Context
	client *client.Client
	number int64 // the one wanted; negative: all
	gaps   []string
}

func (w *historyWalk) revisions(yield func(org.Revision, error) bool) {
	var newer *int64
	for change, err := range w.client.History(w.ctx, api.MaxPage) {
		if err != nil {
			yield(org.Revision{}, err)
			return
		}
		if w.number >= 0 && change.Revision < w.number {
			break
		}
		if w.number < 0 && newer != nil && change.Revision < *newer-1 {
			w.gaps = append(w.gaps, span(change.Revision+1, *newer-1))
		}
		newer = &change.Revision
		if w.number >= 0 && change.Revision != w.number {
			continue
		}
		if !yield(live.Revision(change, org.Redactor{})) || w.number >= 0 {
			return
		}
	}
	if w.number >= 0 {
		yield(org.Revision{}, fmt.Errorf("revision %d is not visible in the history", w.number))
	}
}

// span writes a run of numbers.
func span(from, to int64) string {
	if from == to {
		return strconv.FormatInt(from, 10)
	}
	return fmt.Sprintf("%d-%d", from, to)
}
