package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

// keyJSON is an API key in the JSON of service key; the key itself is not in it.
type keyJSON struct {
	Prefix    string     `json:"prefix"`
	Name      string     `json:"name"`
	User      string     `json:"user"` // "": a service account
	Role      store.Role `json:"role"`
	State     string     `json:"state"`
	CreatedAt *string    `json:"created_at"`
	ExpiresAt *string    `json:"expires_at"`
	RevokedAt *string    `json:"revoked_at"`
}

// newKeyJSON also has the key, the only time it is shown.
type newKeyJSON struct {
	FormatVersion string `json:"format_version"`
	Key           string `json:"key"`
	keyJSON
}

type keysJSON struct {
	FormatVersion string    `json:"format_version"`
	Keys          []keyJSON `json:"keys"`
}

// addKeyFlags are the flags of service key add.
type addKeyFlags struct {
	user, role, name, expires string
}

func (o *operator) keyCommand() *cobra.Command {
	c := &cobra.Command{Use: "key", Short: "The API keys of the service"}
	var flags addKeyFlags
	add := &cobra.Command{
		Use: "add", Short: "Make an API key; it goes to stdout, once",
		Long: `Add makes a key of a member (--user, with at most the member's role) or of a
service account (--role). The key cannot be shown again.`,
		Example: "  govctl service key add --user ada@acme.example --name laptop --expires 90d > ada.key",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return o.runKeyAdd(c.Context(), flags) },
	}
	add.Flags().StringVar(&flags.user, "user", "", "e-mail address of the member whose key it is")
	add.Flags().StringVar(&flags.role, "role", "", "owner, manager, member or guest")
	add.Flags().StringVar(&flags.name, "name", "", "what the key is for")
	add.Flags().StringVar(&flags.expires, "expires", "", "when it stops working: 2027-01-31, 90d, 12h or RFC 3339 (default: never)")
	_ = add.MarkFlagRequired("name")
	c.AddCommand(add,
		&cobra.Command{
			Use: "list", Short: "List the keys, without their text", Example: "  govctl service key list", Args: cobra.NoArgs,
			RunE: func(c *cobra.Command, _ []string) error { return o.runKeyList(c.Context()) },
		},
		&cobra.Command{
			Use: "revoke PREFIX", Short: "End a key for good", Example: "  govctl service key revoke k3f7a2bq", Args: cobra.ExactArgs(1),
			RunE: func(c *cobra.Command, args []string) error {
				return o.runKeyRevoke(c.Context(), store.KeyPrefix(args[0]))
			},
		},
	)
	return c
}

func (o *operator) runKeyAdd(ctx context.Context, flags addKeyFlags) error {
	outs, err := o.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	key := store.NewKey{Name: flags.name}
	if key.Role, err = askedRole(flags.user, flags.role); err != nil {
		return err
	}
	if key.ExpiresAt, err = exchange.ParseExpiry(flags.expires, o.time()); err != nil {
		return fmt.Errorf("--expires: %w", err)
	}
	return o.with(ctx, func(s *store.Store) error {
		if flags.user != "" {
			u, err := member(ctx, s, flags.user)
			if err != nil {
				return err
			}
			key.UserID, key.Role = u.ID, weaker(u.Role, key.Role)
		}
		text, made, err := s.CreateKey(ctx, key, o.time())
		if err != nil {
			return err
		}
		fmt.Fprintf(o.err, "key %s of %s with the role %s; it is shown this once\n", made.Prefix, firstOf(flags.user, "a service account"), made.Role)
		return o.say(outs, text, newKeyJSON{"1.0", text, showKey(made, flags.user, o.time())})
	})
}

// askedRole reads --user and --role of a new credential, of which one must be there; ""
// when only the user is.
func askedRole(user, role string) (store.Role, error) {
	if user == "" && role == "" {
		return "", errors.New("name whose it is with --user EMAIL, or the --role of a service account")
	}
	if role == "" {
		return "", nil
	}
	asked, err := store.ParseRole(role)
	if err != nil {
		return "", fmt.Errorf("--role: %w", err)
	}
	return asked, nil
}

// weaker is the role of a member's key: the member's own, or less if that was asked for.
func weaker(own, asked store.Role) store.Role {
	if asked == "" {
		return own
	}
	return asked.Within(own)
}

func (o *operator) runKeyList(ctx context.Context) error {
	return o.list(ctx, func(s *store.Store) (listing, error) {
		l := listing{
			head:  []string{"PREFIX", "NAME", "OF", "ROLE", "STATE", "CREATED", "EXPIRES"},
			empty: "There are no keys: govctl service key add makes one.",
		}
		keys, err := s.Keys(ctx)
		all := keysJSON{"1.0", []keyJSON{}}
		for _, k := range keys {
			one := showKey(k, "", o.time())
			if k.UserID != "" {
				u, err := s.User(ctx, k.UserID)
				switch {
				case errors.Is(err, store.ErrNotFound):
					one.User = k.UserID
					if one.State == "active" {
						one.State = "member gone"
					}
				case err != nil:
					return l, err
				default:
					one.User = u.Email
				}
			}
			all.Keys = append(all.Keys, one)
			l.rows = append(l.rows, []string{one.Prefix, one.Name, firstOf(one.User, "service account"), string(one.Role), one.State, stamp(k.CreatedAt), stamp(k.ExpiresAt)})
		}
		l.json = all
		return l, err
	})
}

func showKey(k store.Key, user string, now time.Time) keyJSON {
	state := "active"
	switch {
	case !k.RevokedAt.IsZero():
		state = "revoked"
	case !k.ExpiresAt.IsZero() && !k.ExpiresAt.After(now):
		state = "expired"
	}
	return keyJSON{
		Prefix: k.Prefix, Name: k.Name, User: user, Role: k.Role, State: state,
		CreatedAt: stampJSON(k.CreatedAt), ExpiresAt: stampJSON(k.ExpiresAt), RevokedAt: stampJSON(k.RevokedAt),
	}
}

func (o *operator) runKeyRevoke(ctx context.Context, prefix string) error {
	return o.with(ctx, func(s *store.Store) error {
		err := s.RevokeKey(ctx, prefix, o.time())
		if errors.Is(err, store.ErrNotFound) {
			return &hinted{fmt.Errorf("there is no key %q that still works", prefix), "govctl service key list shows all"}
		} else if err != nil {
			return err
		}
		fmt.Fprintf(o.out, "revoked %s\n", prefix)
		return nil
	})
}
