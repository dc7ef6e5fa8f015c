package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
)

func (a *app) validateCommand() *cobra.Command {
	var flags planFlags
	var all allFlags
	c := &cobra.Command{
		Use:     "validate [DIR]",
		Short:   "Check the configuration without asking the service",
		Example: "  govctl validate examples/quickstart\n  govctl validate --all examples",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if all.given() {
				return a.eachProject(c.Context(), all, flags.each(validateFormats(), func(_ context.Context, a *app, p planFlags, _ subproject) error {
					return a.runValidate(p)
				}), args)
			}
			if err := flags.resolve(args); err != nil {
				return err
			}
			return a.runValidate(flags)
		},
	}
	flags.bindVariables(c.Flags())
	all.bind(c.Flags())
	return c
}

func validateFormats() []string { return []string{render.Text, render.JSON} }

// validation is what validate found out.
type validation struct {
	Valid     bool   `json:"valid"`
	Digest    string `json:"digest"`
	Limits    int    `json:"limits"` // addresses declared one by one
	Computers int    `json:"computers"`
	Settings  int    `json:"settings"`
	Warnings  int    `json:"warnings"`
}

func (a *app) runValidate(flags planFlags) error {
	outs, err := a.outputs(validateFormats())
	if err != nil {
		return err
	}
	p, err := a.loadProject(flags.dir, flags.request.vars)
	if err != nil {
		return err
	}
	if _, err := ignores(p, flags.dir, ""); err != nil {
		return err
	}
	v := validation{
		Valid: true, Digest: p.Digest, Limits: len(p.Declared()), Computers: len(p.Computers),
		Settings: len(p.Expectations), Warnings: len(p.Warnings),
	}
	a.seen.summary = fmt.Sprintf("The configuration is valid: %d declared addresses, %d computers, %d settings.", v.Limits, v.Computers, v.Settings)
	return a.emit(outs, func(w io.Writer, format string, _ render.Options) error {
		if format == render.JSON {
			return render.WriteJSON(w, v)
		}
		_, err := fmt.Fprintln(w, a.seen.summary)
		return err
	})
}
