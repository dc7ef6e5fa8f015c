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

// revisionJSON is a settings revision, without its settings.
type revisionJSON struct {
	Revision  int64   `json:"revision"`
	UpdatedAt *string `json:"updated_at"`
	Actor     struct {
		ID    string `json:"id"`
		Email string `json:"email"`
		Name  string `json:"name"`
	} `json:"actor"`
}

type revisionsJSON struct {
	FormatVersion string         `json:"format_version"`
	Revisions     []revisionJSON `json:"revisions"`
}

type appliedJSON struct {
	FormatVersion string `json:"format_version"`
	Revision      int64  `json:"revision"`
	Made          bool   `json:"made"` // false: the newest revision says the same already
}

func (o *operator) settingsCommand() *cobra.Command {
	c := &cobra.Command{Use: "settings", Short: "The enterprise settings and their history"}
	actor := ""
	apply := &cobra.Command{
		Use: "apply FILE", Short: "Make a revision of a whole settings snapshot in JSON or YAML",
		Long: `Apply makes the file the settings of the organization, whole: what it does not
name is no longer set. A file that says what the newest revision says makes none.`,
		Example: "  govctl service settings export > settings.json\n  govctl service settings apply settings.json --actor ada@acme.example",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return o.runSettingsApply(c.Context(), args[0], actor)
		},
	}
	apply.Flags().StringVar(&actor, "actor", "", "e-mail address of the member who makes the change")
	_ = apply.MarkFlagRequired("actor")
	limit := 20
	list := &cobra.Command{
		Use: "list", Short: "List the revisions, newest first", Example: "  govctl service settings list", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runSettingsList(c.Context(), limit) },
	}
	list.Flags().IntVar(&limit, "limit", limit, "how many; 0 is all")
	var revision int64
	export := &cobra.Command{
		Use: "export", Short: "Write a settings snapshot as JSON, with the secrets in it",
		Example: "  govctl service settings export --revision 3", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return o.runSettingsExport(c.Context(), revision) },
	}
	export.Flags().Int64Var(&revision, "revision", 0, "number of the revision (default: the newest)")
	c.AddCommand(apply, list, export)
	return c
}

func (o *operator) runSettingsApply(ctx context.Context, file, actor string) error {
	outs, err := o.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	data, err := o.read(file)
	if err != nil {
		return err
	}
	settings, err := exchange.ReadSettings(data)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return o.with(ctx, func(s *store.Store) error {
		u, err := member(ctx, s, actor)
		if err != nil {
			return err
		}
		by := store.Actor{ID: u.ID, Email: u.Email, Name: strings.TrimSpace(u.FirstName + " " + u.LastName)}
		n, made, err := s.ApplySettings(ctx, settings, by, o.time())
		if err != nil {
			return err
		}
		line := fmt.Sprintf("revision %d", n)
		if !made {
			line += " says so already"
		}
		return o.say(outs, line, appliedJSON{"1.0", n, made})
	})
}

func (o *operator) runSettingsList(ctx context.Context, limit int) error {
	if limit <= 0 {
		limit = -1
	}
	return o.list(ctx, func(s *store.Store) (listing, error) {
		l := listing{head: []string{"REVISION", "AT", "BY"}, empty: "The settings have no history."}
		revisions, err := s.Revisions(ctx, 0, limit)
		all := revisionsJSON{"1.0", []revisionJSON{}}
		for _, r := range revisions {
			one := revisionJSON{Revision: r.Number, UpdatedAt: stampJSON(r.UpdatedAt)}
			one.Actor.ID, one.Actor.Email, one.Actor.Name = r.Actor.ID, r.Actor.Email, r.Actor.Name
			all.Revisions = append(all.Revisions, one)
			l.rows = append(l.rows, []string{fmt.Sprint(r.Number), stamp(r.UpdatedAt), firstOf(r.Actor.Email, r.Actor.Name, r.Actor.ID)})
		}
		l.json = all
		return l, err
	})
}

func (o *operator) runSettingsExport(ctx context.Context, number int64) error {
	return o.with(ctx, func(s *store.Store) error {
		r, err := s.Revision(ctx, number)
		switch {
		case errors.Is(err, store.ErrNotFound) && number == 0:
			return &hinted{errors.New("the settings have no history"), "govctl service settings apply FILE --actor EMAIL makes the first revision"}
		case errors.Is(err, store.ErrNotFound):
			return &hinted{fmt.Errorf("there is no revision %d", number), "govctl service settings list shows all"}
		case err != nil:
			return err
		}
		return render.WriteJSON(o.out, json.RawMessage(r.Settings))
	})
}
