package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/store"
)

// tokenFlags are the flags of service token.
type tokenFlags struct {
	user, role, name string
	ttl              time.Duration
}

// tokenJSON is a new token in JSON.
type tokenJSON struct {
	FormatVersion string     `json:"format_version"`
	ID            string     `json:"id"`
	Token         string     `json:"token"`
	User          string     `json:"user"` // "": a service account
	Role          store.Role `json:"role"`
	ExpiresAt     *string    `json:"expires_at"`
}

func (o *operator) tokenCommand() *cobra.Command {
	var flags tokenFlags
	c := &cobra.Command{
		Use: "token", Short: "Make a JSON Web Token; it goes to stdout",
		Long: `Token makes a short-lived credential of a member (--user, with at most the member's
role) or of a service account (--role). It is accepted wherever an API key is, until it
expires or the membership ends. "token revoke" makes one worthless, "token end" all of
them. Tokens are not kept: note the id on stderr to revoke one without having it.`,
		Example: "  govctl service token --user ada@acme.example --ttl 1h > ada.token",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return o.runToken(c.Context(), flags) },
	}
	c.Flags().StringVar(&flags.user, "user", "", "e-mail address of the member")
	c.Flags().StringVar(&flags.role, "role", "", "owner, manager, member or guest")
	c.Flags().StringVar(&flags.name, "name", "cli", "name of the service account, for the records of what it does")
	c.Flags().DurationVar(&flags.ttl, "ttl", time.Hour, fmt.Sprintf("how long it is valid, at most %s", service.MaxTokenTTL))
	c.AddCommand(&cobra.Command{
		Use: "revoke ID", Short: "Make one token worthless",
		Long: `Revoke takes the id of a token, which is no secret, or - to read the id or the whole
token from stdin. A whole token is not accepted as an argument: others could see it.`,
		Example: "  govctl service token revoke - < ada.token",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return o.runTokenRevoke(c.Context(), args[0]) },
	}, &cobra.Command{
		Use: "end", Short: "Make every token that was made so far worthless",
		Example: "  govctl service token end", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runTokenEnd(c.Context()) },
	})
	return c
}

func (o *operator) runToken(ctx context.Context, flags tokenFlags) error {
	outs, err := o.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	n := service.NewToken{TTL: flags.ttl, Account: flags.name}
	if n.Role, err = askedRole(flags.user, flags.role); err != nil {
		return err
	}
	return o.with(ctx, func(s *store.Store) error {
		if flags.user != "" {
			u, err := member(ctx, s, flags.user)
			if err != nil {
				return err
			}
			n.UserID, n.Role = u.ID, weaker(u.Role, n.Role)
		}
		made, err := service.IssueToken(ctx, s, n, o.time())
		if err != nil {
			return err
		}
		until := o.time().Add(flags.ttl)
		fmt.Fprintf(o.err, "token %s of %s with the role %s, valid until %s\n", made.ID, firstOf(flags.user, "service account "+flags.name), n.Role, stamp(until))
		return o.say(outs, made.Text, tokenJSON{"1.0", made.ID, made.Text, flags.user, n.Role, stampJSON(until)})
	})
}

func (o *operator) runTokenRevoke(ctx context.Context, token string) error {
	switch {
	case token == "-":
		text, err := o.read(token)
		if err != nil {
			return fmt.Errorf("read the token: %w", err)
		}
		token = strings.TrimSpace(string(text))
	case service.LooksLikeToken(token):
		return &hinted{errors.New("a token among the arguments can be seen by others on this machine"), "hand it in: govctl service token revoke - < FILE"}
	}
	return o.with(ctx, func(s *store.Store) error {
		id, err := service.RevokeToken(ctx, s, token, o.time())
		if err != nil {
			return err
		}
		fmt.Fprintf(o.out, "revoked %s\n", id)
		return nil
	})
}

func (o *operator) runTokenEnd(ctx context.Context) error {
	return o.with(ctx, func(s *store.Store) error {
		if err := service.EndTokens(ctx, s, o.time()); err != nil {
			return err
		}
		fmt.Fprintln(o.err, "every token made so far is worthless now; API keys are as they were")
		return nil
	})
}
