package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/govctl/govctl/internal/ci"
	"github.com/govctl/govctl/internal/render"
)

// app is one command line: its flags, its streams and what it met.
type app struct {
	stdio
	flags   globalFlags
	runner  runner
	seen    seen
	asked   requestCounts
	closers []func()
}

// globalFlags are the flags every command has.
type globalFlags struct {
	baseURL    string
	appURL     string
	apiKeyFile string
	ledger     string
	outputs    []string
	color      string
	logLevel   string
	logFormat  string
	timeout    time.Duration
	maxWait    time.Duration
	now        string
	insecure   bool
	ci         string
	dotenv     string
}

// exitHelp ends the help of every command.
const exitHelp = `
Exit codes:
  0  done
  1  error, never a finding
  2  changes (plan --detailed-exitcode) or drift
  3  policy denies
  4  apply partly done; the ledger knows what, plan again to go on
  5  refused: stale plan, wrong digest, wrong organization, guardrail
  6  incomplete facts (plan and drift --strict; apply always refuses on them)
  7  ledger locked by another run
  130, 143  SIGINT, SIGTERM
`

// root builds the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "govctl",
		Short: "Policy as code for an organization that runs an AI coding agent",
		Long: `govctl declares in HCL or YAML what should be true of an organization (credit
limits, computers, models, settings), shows what would change, and applies it.

Example:
  govctl plan examples/quickstart
`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if c.Parent() != nil && !c.Parent().HasParent() && oneOf(c.Name(), "plan", "apply", "drift") {
				a.runner.outputs = []ci.Output{}
			}
			return a.checkGlobals()
		},
	}
	f := root.PersistentFlags()
	f.StringVar(&a.flags.baseURL, "base-url", "", "API base address, or embedded: (GOVCTL_BASE_URL)")
	f.StringVar(&a.flags.appURL, "app-url", "", "application base address (GOVCTL_APP_URL; default: the base address)")
	f.StringVar(&a.flags.apiKeyFile, "api-key-file", "", "file with the API key (GOVCTL_API_KEY, _FILE, _COMMAND)")
	f.StringVar(&a.flags.ledger, "ledger", "", "ledger URL or file (GOVCTL_LEDGER)")
	f.StringArrayVarP(&a.flags.outputs, "output", "o", nil, "FORMAT or FORMAT=FILE; repeatable")
	f.StringVar(&a.flags.color, "color", "auto", "colours on stdout: auto, always, never")
	f.StringVar(&a.flags.logLevel, "log-level", "warn", "messages on stderr: debug, info, warn, error")
	f.StringVar(&a.flags.logFormat, "log-format", "text", "text or json")
	f.DurationVar(&a.flags.timeout, "timeout", 30*time.Second, "time one request may take")
	f.DurationVar(&a.flags.maxWait, "max-wait", 2*time.Minute, "time one request may take with its retries; 0: no retries")
	f.StringVar(&a.flags.now, "now", "", "pretend that it is this time, RFC 3339 (for tests)")
	f.BoolVar(&a.flags.insecure, "insecure-http", false, "allow plain http to another machine")
	f.StringVar(&a.flags.ci, "ci", "", "runner to speak to: auto, none, github, gitlab, jenkins (GOVCTL_CI)")
	f.StringVar(&a.flags.dotenv, "dotenv", "", "file for what plan, apply and drift tell later steps, as GOVCTL_KEY=value lines")
	_ = f.MarkHidden("now")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpTemplate(root.HelpTemplate() + exitHelp)
	root.AddCommand(
		a.initCommand(), a.importCommand(),
		a.planCommand(), a.applyCommand(), a.showCommand(), a.getCommand(), a.setCommand(), a.validateCommand(), a.fmtCommand(),
		a.ledgerCommand(), a.historyCommand(), a.driftCommand(), a.serveCommand(), a.versionCommand(),
		a.serviceCommand(), a.policyCommand(), a.hooksCommand(), a.docsCommand(), a.commentCommand(), a.reportCommand(),
	)
	refuseUnknown(root)
	return root
}

// refuseUnknown makes every group of commands answer a name it does not have with an
// error. Of itself cobra prints the help of a group below the first one and succeeds, so
// that a mistyped step of a pipeline would pass.
func refuseUnknown(group *cobra.Command) {
	for _, c := range group.Commands() {
		if !c.HasSubCommands() {
			continue
		}
		refuseUnknown(c)
		if c.Runnable() {
			continue
		}
		c.RunE = func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			c.SuggestionsMinimumDistance = 2 // cobra's own default is set where it finds no command itself
			err := fmt.Errorf("unknown command %q for %q", args[0], c.CommandPath())
			if near := c.SuggestionsFor(args[0]); len(near) > 0 {
				return &hinted{err, "did you mean " + near[0] + "?"}
			}
			return &hinted{err, c.CommandPath() + " --help lists its commands"}
		}
	}
}

// checkGlobals refuses global flags that mean nothing.
func (a *app) checkGlobals() error {
	var bad []error
	if !oneOf(a.flags.color, "auto", "always", "never") {
		bad = append(bad, fmt.Errorf("--color %q is not auto, always or never", a.flags.color))
	}
	if !oneOf(a.flags.logFormat, "text", "json") {
		bad = append(bad, fmt.Errorf("--log-format %q is not text or json", a.flags.logFormat))
	}
	if err := new(slog.Level).UnmarshalText([]byte(a.flags.logLevel)); err != nil {
		bad = append(bad, fmt.Errorf("--log-level %q is not debug, info, warn or error", a.flags.logLevel))
	}
	if err := a.detectRunner(); err != nil {
		bad = append(bad, err)
	}
	if at := firstOf(a.flags.now, os.Getenv("GOVCTL_NOW")); at != "" {
		t, err := time.Parse(time.RFC3339, at)
		if err != nil {
			bad = append(bad, fmt.Errorf("--now %q is not RFC 3339, as in 2026-11-20T09:00:00Z", at))
		}
		a.now = func() time.Time { return t }
	}
	return errors.Join(bad...)
}

// flagError adds a did-you-mean to an unknown flag.
func flagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name, best, at := unknown.GetSpecifiedName(), "", 3
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if d := levenshtein.Distance(name, f.Name, nil); d < at && !f.Hidden {
			best, at = f.Name, d
		}
	})
	if single := strings.TrimPrefix(unknown.GetSpecifiedShortnames(), "-"); single != "" && c.Flags().Lookup(single) != nil {
		best = single // -out, as in Terraform
	}
	if best == "" {
		return fmt.Errorf("%w; see %s --help", err, c.CommandPath())
	}
	return fmt.Errorf("%w; did you mean --%s?", err, best)
}

// logger writes to stderr.
func (a *app) logger() *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(a.flags.logLevel)) // checked before
	o := &slog.HandlerOptions{Level: level}
	if a.flags.logFormat == "text" && a.journalled() {
		return slog.New(newJournalHandler(a.err, *o))
	}
	if a.flags.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(a.err, o))
	}
	return slog.New(slog.NewTextHandler(a.err, o))
}

// close undoes what the command opened, last first.
func (a *app) close() {
	for i := len(a.closers) - 1; i >= 0; i-- {
		a.closers[i]()
	}
	a.closers = nil
}

// colour reports whether ANSI colours belong on w (gitops.md c.1).
func (a *app) colour(w any) bool {
	force := func(name string) bool { v := os.Getenv(name); return v != "" && v != "0" }
	switch {
	case a.flags.color == "always":
		return true
	case a.flags.color == "never", os.Getenv("NO_COLOR") != "":
		return false
	case force("CLICOLOR_FORCE"), force("FORCE_COLOR"):
		return true
	case os.Getenv("TERM") == "dumb", os.Getenv("CLICOLOR") == "0":
		return false
	}
	return terminal(w)
}

// terminal reports whether w is a terminal.
func terminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// interactive reports whether a person can be asked.
func (a *app) interactive() bool {
	ci := os.Getenv("CI")
	return (ci == "" || ci == "false" || ci == "0") && os.Getenv("GOVCTL_INPUT") != "0" &&
		terminal(a.in) && terminal(a.err)
}

func (a *app) paint(s string) string {
	return render.Red(s, a.colour(a.err))
}

// hint is the next command to type for errors that have one.
func hint(err error) string {
	var h *hinted
	if errors.As(err, &h) {
		return h.hint
	}
	return ""
}

// hinted is an error with advice.
type hinted struct {
	err  error
	hint string
}

func (h *hinted) Error() string { return h.err.Error() }
func (h *hinted) Unwrap() error { return h.err }

// errorText is the text of err without what only repeats a signal.
func errorText(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted: " + err.Error()
	}
	return err.Error()
}

func oneOf(s string, list ...string) bool {
	for _, l := range list {
		if s == l {
			return true
		}
	}
	return false
}

// firstOf is the first string that is not empty.
func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
