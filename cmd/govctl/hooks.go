package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/hooks"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
	"github.com/govctl/govctl/internal/render"
)

// hooksFile is where the agent keeps its hooks.
const hooksFile = "hooks.json"

func (a *app) hooksCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "hooks", Short: "Check, try, write and deliver the hooks of the agent",
		Long: `A hook is a command that the agent runs when an event fires: Notification, Stop,
SubagentStop, SessionEnd, PostToolUse. It is declared in hooks.json.`,
	}
	c.AddCommand(a.hooksLintCommand(), a.hooksRunCommand(), a.hooksRenderCommand(), a.hooksDeliverCommand(), a.hooksFlushCommand())
	return c
}

func (a *app) hooksLintCommand() *cobra.Command {
	var flags policyFlags
	c := &cobra.Command{
		Use: "lint [FILE...]", Short: "Find what keeps hooks from running, or makes them dangerous",
		Long: `Lint reads hooks.json (or each FILE; - is stdin) and judges it by the rules for hooks,
those of the project in --project, too. Each finding has its line.`,
		Example: "  govctl hooks lint hooks.json",
		RunE: func(c *cobra.Command, args []string) error {
			return a.runHooksLint(c.Context(), &flags, args)
		},
	}
	flags.bindRules(c.Flags())
	c.Flags().StringVar(&flags.failOn, "fail-on", "", "lowest severity that denies (default: of the policy block, or medium)")
	return c
}

func (a *app) runHooksLint(ctx context.Context, flags *policyFlags, args []string) error {
	outs, err := a.outputs(render.FindingsFormats())
	if err != nil {
		return err
	}
	if flags.failOn != "" && !oneOf(flags.failOn, org.Severities()...) {
		return fmt.Errorf("--fail-on %q is not one of %s", flags.failOn, strings.Join(org.Severities(), ", "))
	}
	if len(args) == 0 {
		args = []string{hooksFile}
	}
	project, err := a.optionalProject(flags, nil)
	if err != nil {
		return err
	}
	flags.failOn = firstOf(flags.failOn, project.Policy.FailOn, "medium")
	e, err := a.engine(flags, project, policy.Hooks)
	if err != nil {
		return err
	}
	var documents []policy.Document
	var inputs []policyInput
	for _, name := range args {
		f, err := a.readHooks(name)
		if err != nil {
			return err
		}
		documents = append(documents, policy.Document{
			Kind: policy.Hooks, Subject: policy.Hooks + "@" + filepath.ToSlash(name),
			Body: map[string]any{"hooks": org.Redact(f.Value)}, Locate: locateHooks(f, placed(project.Dir, name)),
		})
		inputs = append(inputs, policyInput{policy.Hooks, name})
	}
	report, err := e.Check(ctx, documents...)
	if err != nil {
		return err
	}
	a.seen.denied = report.Summary.Denied > 0
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Findings(w, format, report, a.hostOptions(o, project, inputs))
	})
}

// locateHooks places findings in a file of hooks, which places name so.
func locateHooks(file *hooks.File, name string) func([]org.Finding) {
	return func(findings []org.Finding) {
		for i := range findings {
			at := file.Place(strings.TrimPrefix(findings[i].Path, "/hooks"))
			at.File = name
			findings[i].Source = &at
		}
	}
}

// readHooks reads a hooks.json; "-" is stdin.
func (a *app) readHooks(name string) (*hooks.File, error) {
	data, err := readFile(name, io.LimitReader(a.in, hooks.MaxInput+1))
	if err != nil {
		return nil, fmt.Errorf("read the hooks: %w", err)
	}
	if len(data) > hooks.MaxInput {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, hooks.MaxInput)
	}
	return hooks.Parse(filepath.ToSlash(name), data)
}

// hooksRunFlags say what happened, for the hooks to hear of.
type hooksRunFlags struct {
	file, input, tool                   string
	session, cwd, message, reason, unit string
	limit                               time.Duration
}

func (a *app) hooksRunCommand() *cobra.Command {
	var f hooksRunFlags
	c := &cobra.Command{
		Use: "run EVENT", Short: "Run the hooks of an event, as the agent would",
		Long: `Run gives one JSON object to every hook of the event on standard input, in parallel,
and reports how each one ended. The timeouts of the file count only with
--timeout-unit, because the service does not say what they mean.`,
		Example: "  govctl hooks run Stop --file hooks.json\n  govctl hooks run PostToolUse --tool Edit --input event.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.runHooksRun(c.Context(), args[0], f)
		},
	}
	c.Flags().StringVar(&f.file, "file", hooksFile, "the hooks; - is stdin")
	c.Flags().StringVar(&f.input, "input", "", "file with the JSON object of the event, instead of one made of flags; - is stdin")
	c.Flags().StringVar(&f.tool, "tool", "", "name of the tool that was used, compared with matchers")
	c.Flags().StringVar(&f.session, "session", "ses_hooks_run", "session_id of the event")
	c.Flags().StringVar(&f.cwd, "cwd", "", "directory of the event, where the commands run (default: the working directory)")
	c.Flags().StringVar(&f.message, "message", "", "message of a Notification")
	c.Flags().StringVar(&f.reason, "reason", "", "reason of a SessionEnd; error and other are failures")
	c.Flags().DurationVar(&f.limit, "limit", hooks.DefaultLimit, "time one command may take")
	c.Flags().StringVar(&f.unit, "timeout-unit", "", "s or ms: what the timeouts of the file are in; they then shorten --limit")
	return c
}

func (a *app) runHooksRun(ctx context.Context, event string, f hooksRunFlags) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	units := map[string]time.Duration{"": 0, "s": time.Second, "ms": time.Millisecond}
	unit, ok := units[f.unit]
	switch {
	case !ok:
		return fmt.Errorf("--timeout-unit %q is not s or ms", f.unit)
	case f.limit <= 0:
		return fmt.Errorf("--limit %s is not above zero", f.limit)
	}
	file, err := a.readHooks(f.file)
	if err != nil {
		return err
	}
	list, err := file.Hooks()
	if err != nil {
		return &hinted{err, "govctl hooks lint " + f.file + " says more"}
	}
	if err := knownEvent(event, list); err != nil {
		return err
	}
	input, dir, err := a.hookInput(event, f)
	if err != nil {
		return err
	}
	report, err := hooks.Run(ctx, hooks.RunOptions{
		Hooks: list, Event: event, Tool: f.tool, Input: input, Dir: dir, Limit: f.limit, Unit: unit, Now: a.now,
	})
	if err != nil {
		return err
	}
	if err := a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.HookRun(w, format, report, o)
	}); err != nil {
		return err
	}
	if n := report.Failed(); n > 0 {
		return fmt.Errorf("%d of %d hooks did not end with exit code 0", n, len(report.Commands))
	}
	return nil
}

// knownEvent refuses an event that nobody documents and the file does not have.
func knownEvent(event string, list []hooks.Hook) error {
	if slices.Contains(org.HookEvents(), event) || slices.ContainsFunc(list, func(h hooks.Hook) bool { return h.Event == event }) {
		return nil
	}
	return &hinted{fmt.Errorf("%q is no event", event), "one of " + strings.Join(org.HookEvents(), ", ")}
}

// hookInput is what the hooks read on standard input, and where they run.
func (a *app) hookInput(event string, f hooksRunFlags) (input []byte, dir string, err error) {
	if f.input != "" {
		if f.input == "-" && f.file == "-" {
			return nil, "", errors.New("--file and --input cannot both be stdin")
		}
		input, err = readFile(f.input, io.LimitReader(a.in, hooks.MaxInput+1))
		if err != nil {
			return nil, "", fmt.Errorf("read the event: %w", err)
		}
		e, err := hooks.ParseEvent(input)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", f.input, err)
		}
		if e.HookEventName != event {
			return nil, "", fmt.Errorf("%s is an event %q, not %q", f.input, e.HookEventName, event)
		}
		if e.Cwd != nil {
			dir = *e.Cwd
		}
		return input, firstOf(f.cwd, dir), nil
	}
	if dir = f.cwd; dir == "" {
		if dir, err = os.Getwd(); err != nil {
			return nil, "", fmt.Errorf("find the working directory: %w", err)
		}
	}
	e := api.HookInput{HookEventName: event, SessionID: &f.session, Cwd: &dir}
	if f.message != "" {
		e.Message = &f.message
	}
	if f.reason != "" {
		e.Reason = &f.reason
	}
	return hooks.Encode(e), dir, nil
}

func (a *app) hooksRenderCommand() *cobra.Command {
	var flags planFlags
	var check string
	c := &cobra.Command{
		Use: "render [DIR]", Short: "Write hooks.json from the hooks block of a project",
		Long: `Render writes the hooks that the project declares, in the form the agent reads. With
--check it compares a file with them instead; exit code 2 means that they differ.

  hooks {
    on "PostToolUse" {
      matcher = "Edit"
      command = "scripts/audit"
    }
  }

A timeout is never written: its unit is not stated.`,
		Example: "  govctl hooks render . > hooks.json\n  govctl hooks render --check hooks.json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := flags.resolve(args); err != nil {
				return err
			}
			return a.runHooksRender(flags, check)
		},
	}
	flags.bindVariables(c.Flags())
	c.Flags().StringVar(&check, "check", "", "write nothing; compare this file with what is declared; - is stdin")
	return c
}

func (a *app) runHooksRender(flags planFlags, check string) error {
	formats := []string{render.JSON}
	if check != "" {
		formats = []string{render.Text, render.JSON}
	}
	outs, err := a.outputs(formats)
	if err != nil {
		return err
	}
	p, err := a.loadProject(flags.dir, flags.request.vars)
	if err != nil {
		return err
	}
	if p.Hooks == nil {
		return noHooks(p)
	}
	if check == "" {
		return a.emit(outs, func(w io.Writer, _ string, _ render.Options) error {
			_, err := w.Write(hooks.Render(p.Hooks))
			return err
		})
	}
	file, err := a.readHooks(check)
	if err != nil {
		return err
	}
	list, err := file.Hooks()
	if err != nil {
		return &hinted{err, "govctl hooks lint " + check + " says more"}
	}
	differences := hooks.Compare(p.Hooks, list)
	a.seen.changes = len(differences) > 0
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.HookDifferences(w, format, check, differences, o)
	})
}

func noHooks(p *config.Project) error {
	return &hinted{fmt.Errorf("the project in %s declares no hooks", p.Dir), `write hooks { on "Stop" { command = "…" } }`}
}
