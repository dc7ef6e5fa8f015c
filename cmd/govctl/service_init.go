package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

// initFlags are the flags of service init.
type initFlags struct {
	id, name, owner string
}

func (o *operator) initCommand() *cobra.Command {
	var flags initFlags
	c := &cobra.Command{
		Use: "init", Short: "Make an organization and the key of its first owner",
		Long: `Init makes the database if it is missing and the organization in it. The API key
goes to stdout, once: it cannot be shown again. Without --owner it belongs to a
service account with the role of an owner.`,
		Example: "  govctl service init --organization org_acme --name Acme --owner ada@acme.example > owner.key",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return o.runInit(c.Context(), flags) },
	}
	c.Flags().StringVar(&flags.id, "organization", "", "id of the organization, as in org_acme")
	c.Flags().StringVar(&flags.name, "name", "", "name of the organization (default: the id)")
	c.Flags().StringVar(&flags.owner, "owner", "", "e-mail address of the first member, an owner")
	_ = c.MarkFlagRequired("organization")
	return c
}

func (o *operator) runInit(ctx context.Context, flags initFlags) (err error) {
	outs, err := o.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	if flags.id == "" || strings.ContainsFunc(flags.id, func(r rune) bool { return r <= ' ' }) {
		return fmt.Errorf("--organization %q must be a name without spaces", flags.id)
	}
	if flags.owner != "" {
		if err := exchange.CheckEmail(flags.owner); err != nil {
			return fmt.Errorf("--owner: %w", err)
		}
	}
	path, err := o.path()
	if err != nil {
		return err
	}
	s, err := store.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	text, k, err := o.found(ctx, s, flags)
	path = store.Name(path)
	if errors.Is(err, store.ErrExists) {
		return &hinted{fmt.Errorf("%s has an organization already", path),
			"for another key: govctl service key add --role owner --name NAME --database " + path}
	} else if err != nil {
		return err
	}
	fmt.Fprintf(o.err, "organization %s in %s; the owner's key %s is shown this once\n", flags.id, path, k.Prefix)
	return o.say(outs, text, newKeyJSON{"1.0", text, showKey(k, flags.owner, o.time())})
}

// found makes the organization with its owner, and then the key.
func (o *operator) found(ctx context.Context, s *store.Store, flags initFlags) (string, store.Key, error) {
	seed := store.Seed{Organization: store.Organization{ID: flags.id, Name: firstOf(flags.name, flags.id), CreatedAt: o.time()}}
	key := store.NewKey{Name: "first key", Role: store.Owner}
	if flags.owner != "" {
		seed.Users = []store.User{{Email: flags.owner, Role: store.Owner, CreatedAt: o.time()}}
	}
	if err := s.Plant(ctx, seed); err != nil {
		return "", store.Key{}, err
	}
	if flags.owner != "" {
		u, err := s.UserByEmail(ctx, flags.owner)
		if err != nil {
			return "", store.Key{}, err
		}
		key.UserID = u.ID
	}
	return s.CreateKey(ctx, key, o.time())
}
