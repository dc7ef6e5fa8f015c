package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
)

func (a *app) validateCommand() *cobra.Command {
	var flags planFlags
	c := &cobra.Command{
		Use:     "validate [DIR]",
		Short:   "Check the configuration without asking the service",
		Example: "  govctl validate examples/quickstart",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := flags.resolve(args); err != nil {
				return err
			}
			return a.runValidate(flags)
		},
	}
	flags.bindVariables(c.Flags())
	return c
}

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
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	p, err := a.loadProject(flags.dir, flags.request.vars)
	if err != nil {
		return err
	}
	v := validation{
		Valid: true, Digest: p.Digest, Limits: len(p.Declared()), Computers: len(p.Computers),
		Settings: len(p.Expectations), Warnings: len(p.Warnings),
	}
	return a.emit(outs, func(w io.Writer, format string, _ render.Options) error {
		if format == render.JSON {
			return render.WriteJSON(w, v)
		}
		_, err := fmt.Fprintf(w, "The configuration is valid: %d declared addresses, %d computers, %d settings.\n",
			v.Limits, v.Computers, v.Settings)
		return err
	})
}
