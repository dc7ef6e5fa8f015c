package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

// sessionFlags are the flags of service session add and list.
type sessionFlags struct {
	user, title, model, computer, status string
	limit                                int
}

func (o *operator) sessionCommand() *cobra.Command {
	var flags sessionFlags
	c := &cobra.Command{Use: "session", Short: "The sessions of the agent and their messages"}
	add := &cobra.Command{
		Use: "add", Short: "Add a session", Args: cobra.NoArgs,
		Example: "  govctl service session add --user ada@acme.example --title 'Fix the build' --model model-a",
		RunE:    func(c *cobra.Command, _ []string) error { return o.runSessionAdd(c.Context(), flags) },
	}
	add.Flags().StringVar(&flags.user, "user", "", "e-mail address of the member whose session it is")
	add.Flags().StringVar(&flags.title, "title", "", "title")
	add.Flags().StringVar(&flags.model, "model", "", "model of the session settings")
	add.Flags().StringVar(&flags.computer, "computer", "", "id of the computer it runs on")
	add.Flags().StringVar(&flags.status, "status", "idle", "idle, pending or running")
	_ = add.MarkFlagRequired("user")
	list := &cobra.Command{
		Use: "list", Short: "List sessions, latest update first", Example: "  govctl service session list --user ada@acme.example", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runSessionList(c.Context(), flags) },
	}
	list.Flags().StringVar(&flags.user, "user", "", "only those of this member")
	list.Flags().StringVar(&flags.computer, "computer", "", "only those on the computer with this id")
	list.Flags().IntVar(&flags.limit, "limit", 50, "how many; 0 is all")
	c.AddCommand(add, list, o.sessionStatusCommand(), &cobra.Command{
		Use: "import FILE", Short: "Add the sessions of a file that are new, with their messages",
		Long: `Import reads sessions in the shape of the API with two more fields, userEmail (or
userId) and messages: an object with "sessions", an array, one object, or one per
line; - is stdin. A session that exists is left as it is.`,
		Example: "  govctl service session import sessions.json",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return o.runSessionImport(c.Context(), args[0]) },
	}, &cobra.Command{
		Use: "export", Short: "Write all sessions with their messages as JSON that import reads",
		Example: "  govctl service session export > sessions.json", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runSessionExport(c.Context()) },
	})
	return c
}

func (o *operator) runSessionAdd(ctx context.Context, flags sessionFlags) error {
	outs, err := o.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	if !isSessionStatus(flags.status) {
		return fmt.Errorf("--status %q is not idle, pending or running", flags.status)
	}
	one := store.Session{
		ID: store.NewSessionID(), Title: flags.title, Status: flags.status, ComputerID: flags.computer,
		CreatedAt: o.time(), UpdatedAt: o.time(),
	}
	if flags.model != "" {
		text, err := json.Marshal(map[string]string{"model": flags.model})
		if err != nil {
			return err
		}
		one.Settings = string(text)
	}
	return o.with(ctx, func(s *store.Store) error {
		u, err := member(ctx, s, flags.user)
		if err != nil {
			return err
		}
		one.UserID = u.ID
		if flags.computer != "" {
			if _, err := s.Computer(ctx, flags.computer); errors.Is(err, store.ErrNotFound) {
				return fmt.Errorf("there is no computer with the id %s", flags.computer)
			} else if err != nil {
				return err
			}
		}
		if err := s.AddSessions(ctx, []store.Session{one}); err != nil {
			return err
		}
		return o.say(outs, one.ID, map[string]string{"format_version": "1.0", "session_id": one.ID})
	})
}

// sessions returns the sessions of a query, and the address of each one's member.
func sessions(ctx context.Context, s *store.Store, q store.SessionQuery) ([]store.Session, map[string]string, error) {
	all, err := s.Sessions(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	users, err := s.AllUsers(ctx)
	emails := make(map[string]string, len(users))
	for _, u := range users {
		emails[u.ID] = u.Email
	}
	return all, emails, err
}

func (o *operator) runSessionList(ctx context.Context, flags sessionFlags) error {
	return o.list(ctx, func(s *store.Store) (listing, error) {
		l := listing{head: []string{"UPDATED", "ID", "OF", "STATUS", "MESSAGES", "COMPUTER", "TITLE"}, empty: "There are no sessions."}
		q := store.SessionQuery{ComputerID: flags.computer, Limit: flags.limit}
		if flags.limit <= 0 {
			q.Limit = -1
		}
		if flags.user != "" {
			u, err := member(ctx, s, flags.user)
			if err != nil {
				return l, err
			}
			q.UserID = u.ID
		}
		found, emails, err := sessions(ctx, s, q)
		out := exchange.Sessions{Sessions: []exchange.Session{}}
		for _, one := range found {
			out.Sessions = append(out.Sessions, exchange.ExportSession(one, emails[one.UserID], nil))
			l.rows = append(l.rows, []string{stamp(one.UpdatedAt), one.ID, firstOf(emails[one.UserID], one.UserID), one.Status, fmt.Sprint(one.MessageCount), one.ComputerID, one.Title})
		}
		l.json = out
		return l, err
	})
}

func (o *operator) runSessionImport(ctx context.Context, file string) error {
	data, err := o.read(file)
	if err != nil {
		return err
	}
	imports, err := exchange.ReadSessions(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return o.bring(ctx, "session", len(imports), func(s *store.Store) (int, error) { return s.ImportSessions(ctx, imports) })
}

func (o *operator) runSessionExport(ctx context.Context) error {
	return o.with(ctx, func(s *store.Store) error {
		found, emails, err := sessions(ctx, s, store.SessionQuery{Limit: store.All})
		if err != nil {
			return err
		}
		out := exchange.Sessions{Sessions: []exchange.Session{}}
		for _, one := range found {
			messages, err := s.Messages(ctx, store.MessageQuery{SessionID: one.ID, Limit: store.All})
			if err != nil {
				return err
			}
			out.Sessions = append(out.Sessions, exchange.ExportSession(one, emails[one.UserID], messages))
		}
		return render.WriteJSON(o.out, out)
	})
}
