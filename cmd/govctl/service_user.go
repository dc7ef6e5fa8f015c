package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

// userJSON is a member in the JSON of service user.
type userJSON struct {
	ID           string          `json:"id"`
	Email        string          `json:"email"`
	FirstName    string          `json:"first_name"`
	LastName     string          `json:"last_name"`
	Role         store.Role      `json:"role"`
	Metadata     json.RawMessage `json:"metadata"`
	CreatedAt    *string         `json:"created_at"`
	LastSignInAt *string         `json:"last_sign_in_at"`
}

type usersJSON struct {
	FormatVersion string     `json:"format_version"`
	Users         []userJSON `json:"users"`
}

// importedJSON is the answer of every import.
type importedJSON struct {
	FormatVersion string `json:"format_version"`
	Added         int    `json:"added"`
	Existing      int    `json:"existing"`
}

func (o *operator) userCommand() *cobra.Command {
	c := &cobra.Command{Use: "user", Short: "The members of the organization"}
	simple := func(use, short, example string, args int, run func(context.Context, []string) error) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: short, Example: "  govctl service user " + example, Args: cobra.ExactArgs(args),
			RunE: func(c *cobra.Command, args []string) error { return run(c.Context(), args) },
		}
	}
	c.AddCommand(
		o.userAddCommand(),
		simple("list", "List the members", "list -o json", 0, o.runUserList),
		simple("remove EMAIL", "End a membership: the keys stop working, the limit is forgotten", "remove ada@acme.example", 1, o.runUserRemove),
		simple("role EMAIL ROLE", "Change a role: owner, manager, member or guest", "role ada@acme.example manager", 2, o.runUserRole),
		simple("email EMAIL NEW", "Change an address", "email ada@acme.example ada.l@acme.example", 2, o.runUserEmail),
		simple("import FILE.csv", "Add the members of a CSV file who are new; its header names the columns", "import members.csv", 1, o.runUserImport),
		simple("export", "Write all members as CSV", "export > members.csv", 0, o.runUserExport),
	)
	return c
}

// addUserFlags are the flags of service user add.
type addUserFlags struct {
	first, last, role string
	metadata          map[string]string
}

func (o *operator) userAddCommand() *cobra.Command {
	var flags addUserFlags
	c := &cobra.Command{
		Use: "add EMAIL", Short: "Add a member",
		Example: "  govctl service user add hedy@acme.example --role manager --first-name Hedy --metadata team=ml",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return o.runUserAdd(c.Context(), args[0], flags)
		},
	}
	c.Flags().StringVar(&flags.role, "role", string(store.Member), "owner, manager, member or guest")
	c.Flags().StringVar(&flags.first, "first-name", "", "first name")
	c.Flags().StringVar(&flags.last, "last-name", "", "last name")
	c.Flags().StringToStringVar(&flags.metadata, "metadata", nil, "NAME=VALUE of the metadata; repeatable")
	return c
}

func (o *operator) runUserAdd(ctx context.Context, email string, flags addUserFlags) error {
	outs, err := o.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	role, err := store.ParseRole(flags.role)
	if err != nil {
		return fmt.Errorf("--role: %w", err)
	}
	if err := exchange.CheckEmail(email); err != nil {
		return err
	}
	u := store.User{Email: email, FirstName: flags.first, LastName: flags.last, Role: role, CreatedAt: o.time()}
	if flags.metadata != nil {
		text, err := json.Marshal(flags.metadata)
		if err != nil {
			return err
		}
		u.Metadata = string(text)
	}
	return o.with(ctx, func(s *store.Store) error {
		added, err := s.AddUser(ctx, u)
		if errors.Is(err, store.ErrExists) {
			return &hinted{fmt.Errorf("%s is a member already", email), "govctl service user role changes a role, user email an address"}
		} else if err != nil {
			return err
		}
		return o.say(outs, fmt.Sprintf("added %s, %s, %s", added.Email, added.Role, added.ID), showUser(added))
	})
}

func (o *operator) runUserList(ctx context.Context, _ []string) error {
	return o.list(ctx, func(s *store.Store) (listing, error) {
		users, err := s.AllUsers(ctx)
		l := listing{head: []string{"EMAIL", "NAME", "ROLE", "ID", "LAST SIGN-IN"}, empty: "The organization has no members."}
		all := usersJSON{"1.0", []userJSON{}}
		for _, u := range users {
			all.Users = append(all.Users, showUser(u))
			l.rows = append(l.rows, []string{u.Email, strings.TrimSpace(u.FirstName + " " + u.LastName), string(u.Role), u.ID, stamp(u.LastSignInAt)})
		}
		l.json = all
		return l, err
	})
}

func showUser(u store.User) userJSON {
	return userJSON{
		ID: u.ID, Email: u.Email, FirstName: u.FirstName, LastName: u.LastName, Role: u.Role,
		Metadata: json.RawMessage(u.Metadata), CreatedAt: stampJSON(u.CreatedAt), LastSignInAt: stampJSON(u.LastSignInAt),
	}
}

// change finds a member and changes something about it.
func (o *operator) change(ctx context.Context, email string, do func(*store.Store, store.User) error) error {
	return o.with(ctx, func(s *store.Store) error {
		u, err := member(ctx, s, email)
		if err != nil {
			return err
		}
		return do(s, u)
	})
}

func (o *operator) runUserRemove(ctx context.Context, args []string) error {
	return o.change(ctx, args[0], func(s *store.Store, u store.User) error {
		if err := s.RemoveUser(ctx, u.ID, o.time()); err != nil {
			return err
		}
		fmt.Fprintf(o.out, "removed %s\n", u.Email)
		return nil
	})
}

func (o *operator) runUserRole(ctx context.Context, args []string) error {
	role, err := store.ParseRole(args[1])
	if err != nil {
		return err
	}
	return o.change(ctx, args[0], func(s *store.Store, u store.User) error {
		if err := s.ChangeRole(ctx, u.ID, role); err != nil {
			return err
		}
		fmt.Fprintf(o.out, "%s: %s -> %s\n", u.Email, u.Role, role)
		return nil
	})
}

func (o *operator) runUserEmail(ctx context.Context, args []string) error {
	if err := exchange.CheckEmail(args[1]); err != nil {
		return err
	}
	return o.change(ctx, args[0], func(s *store.Store, u store.User) error {
		err := s.ChangeEmail(ctx, u.ID, args[1])
		if errors.Is(err, store.ErrExists) {
			return fmt.Errorf("another member has the address %s", args[1])
		} else if err != nil {
			return err
		}
		fmt.Fprintf(o.out, "%s -> %s\n", u.Email, args[1])
		return nil
	})
}

func (o *operator) runUserImport(ctx context.Context, args []string) error {
	data, err := o.read(args[0])
	if err != nil {
		return err
	}
	users, err := exchange.ReadUsers(data, o.time())
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return o.bring(ctx, "member", len(users), func(s *store.Store) (int, error) { return s.ImportUsers(ctx, users) })
}

// bring carries out an import and says what came of it.
func (o *operator) bring(ctx context.Context, noun string, n int, do func(*store.Store) (int, error)) error {
	outs, err := o.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	return o.with(ctx, func(s *store.Store) error {
		added, err := do(s)
		if err != nil {
			return err
		}
		line := "added " + many(added, noun)
		if n > added {
			line += fmt.Sprintf("; left %d as they are", n-added)
		}
		return o.say(outs, line, importedJSON{"1.0", added, n - added})
	})
}

func (o *operator) runUserExport(ctx context.Context, _ []string) error {
	return o.with(ctx, func(s *store.Store) error {
		users, err := s.AllUsers(ctx)
		if err != nil {
			return err
		}
		return exchange.WriteUsers(o.out, users)
	})
}
