package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/govctl/govctl/internal/render"
)

func (a *app) docsCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "docs", Short: "Write the reference of all commands",
	}
	markdown := &cobra.Command{
		Use: "markdown", Short: "Write every command with its flags as one Markdown page",
		Example: "  govctl docs markdown -o markdown=COMMANDS.md",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			outs, err := a.outputs([]string{render.Markdown})
			if err != nil {
				return err
			}
			return a.emit(outs, func(w io.Writer, _ string, _ render.Options) error {
				return reference(w, c.Root())
			})
		},
	}
	man := &cobra.Command{
		Use: "man DIR", Short: "Write a man page for every command",
		Example: "  govctl docs man man1",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil { //nolint:gosec // man pages are for everybody
				return fmt.Errorf("write man pages: %w", err)
			}
			now := a.now()
			return doc.GenManTree(documented(c.Root()), &doc.GenManHeader{Section: "1", Source: "govctl " + buildInfo().Version, Manual: "govctl", Date: &now}, args[0])
		},
	}
	c.AddCommand(markdown, man)
	return c
}

// documented leaves out of a document what is the same for every program, and the day on
// which it is made.
func documented(root *cobra.Command) *cobra.Command {
	root.DisableAutoGenTag = true
	for _, c := range root.Commands() {
		c.Hidden = c.Hidden || c.Name() == "completion" || c.Name() == "help"
		documented(c)
	}
	return root
}

// reference writes all commands below root, each under a heading of its own. Flags that
// every command has stand with the first one only.
func reference(w io.Writer, root *cobra.Command) error {
	out := bytes.NewBufferString("# Commands\n\nThis page is what `govctl docs markdown` writes. Every command also has the options of govctl itself.\n")
	link := func(file string) string {
		return "#" + strings.ReplaceAll(strings.TrimSuffix(file, ".md"), "_", "-")
	}
	var bad []error
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		out.WriteString("\n")
		bad = append(bad, doc.GenMarkdownCustom(c, out, link))
		c.PersistentFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = true })
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				add(sub)
			}
		}
	}
	add(documented(root))
	if err := errors.Join(bad...); err != nil {
		return err
	}
	_, err := w.Write(append(bytes.TrimRight(out.Bytes(), "\n"), '\n'))
	return err
}
