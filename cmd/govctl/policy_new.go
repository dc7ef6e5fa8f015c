package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/policy"
)

func (a *app) policyNewCommand() *cobra.Command {
	var kind, dir string
	c := &cobra.Command{
		Use:   "new ID --input KIND",
		Short: "Write the skeleton of a rule and of its test",
		Long: `New writes DIR/<id>/<id>.rego and its test, which passes. Name DIR in the policy
block (policy { paths = ["policies"] }) to put the rule in force.`,
		Example: "  govctl policy new ACME001 --input settings",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files, err := policy.Skeleton(args[0], kind)
			if err != nil {
				return err
			}
			for _, f := range files {
				if err := a.writeNew(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Text); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&kind, "input", policy.Settings, "kind of document the rule judges")
	c.Flags().StringVar(&dir, "dir", "policies", "directory of your rules")
	return c
}

// writeNew writes a file that must not be there yet.
func (a *app) writeNew(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write the rule: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already", path)
	}
	if err != nil {
		return fmt.Errorf("write the rule: %w", err)
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the rule: %w", err)
	}
	fmt.Fprintln(a.out, filepath.ToSlash(path))
	return nil
}
