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

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
	"github.com/govctl/govctl/internal/render"
)

// policyFlags choose rules and what they judge.
type policyFlags struct {
	planFlags
	project  string
	inputs   []string
	paths    []string
	kinds    []string
	rules    []string
	extended bool
	failOn   string
	strict   bool
	usage    bool
}

func (p *policyFlags) bindRules(f *pflag.FlagSet) {
	f.StringArrayVar(&p.paths, "policy", nil, "directory, file or bundle with rules besides those of the configuration; repeatable")
	f.StringVar(&p.project, "project", "", "directory whose policy block counts when files are given")
}

func (p *policyFlags) bindInputs(f *pflag.FlagSet) {
	f.StringArrayVar(&p.inputs, "input", nil, "KIND=FILE to judge instead of the service, - is stdin; repeatable")
	p.bindVariables(f)
}

func (a *app) policyCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "policy", Short: "Rules over settings, readiness, plans and usage",
		Long: `Policies are Rego rules. govctl ships a library of them; a project adds its own
(policy { paths = ["policies"] }), turns rules off, changes their severity and
parameters, and accepts findings for a time (waiver).

Rules are read from directories, .rego files and OPA bundles (.tar.gz). With
GOVCTL_POLICY_KEY_FILE, a public key in PEM, every bundle must be signed by it
(GOVCTL_POLICY_KEY_ALGORITHM, default RS256; GOVCTL_POLICY_KEY_SCOPE).`,
	}
	c.AddCommand(a.policyCheckCommand(), a.policyTestCommand(), a.policyListCommand(), a.policyExplainCommand(),
		a.policyHistoryCommand(), a.policySchemaCommand(), a.policyNewCommand())
	return c
}

func (a *app) policyCheckCommand() *cobra.Command {
	var flags policyFlags
	var all allFlags
	c := &cobra.Command{
		Use:   "check [DIR | FILE...]",
		Short: "Judge the live organization, or files",
		Long: `Check judges what the project in DIR is about: the newest settings and what they
changed, readiness reports, the plan, and computers. Files are judged instead when
they are given: settings snapshots or revisions, answers of the API, saved plans,
hooks.json, or documents as the rules see them. They are JSON, YAML (.yaml, .yml) or, as
"govctl history export" writes them, JSON lines (.ndjson, .jsonl, stdin).`,
		Example: "  govctl policy check examples/quickstart\n  govctl policy check snapshot.json\n  govctl policy check --input usage=usage.json --input hooks=hooks.json",
		RunE: func(c *cobra.Command, args []string) error {
			if all.given() {
				return a.eachProject(c.Context(), all, flags.each(), args)
			}
			return a.runPolicyCheck(c.Context(), flags, args)
		},
	}
	flags.bindRules(c.Flags())
	flags.bindInputs(c.Flags())
	all.bind(c.Flags())
	c.Flags().StringArrayVar(&flags.kinds, "kind", nil, "only documents of this kind; repeatable")
	c.Flags().StringArrayVar(&flags.rules, "rule", nil, "only this rule, whether on or off; repeatable")
	c.Flags().BoolVar(&flags.extended, "extended", false, "also the rules that are off by default")
	c.Flags().StringVar(&flags.failOn, "fail-on", "", "lowest severity that denies (default: of the policy block, or high)")
	c.Flags().BoolVar(&flags.strict, "strict", false, "exit 6 when something could not be judged or read")
	c.Flags().BoolVar(&flags.usage, "usage", false, "also judge the usage of the last 30 available days, and the plan by it; needs a key of a Manager")
	return c
}

// each is the work of policy check for one of many projects.
func (p policyFlags) each() work {
	w := p.planFlags.each(render.FindingsFormats(), func(ctx context.Context, a *app, own planFlags, m subproject) error {
		if p.project != "" || len(p.inputs) > 0 {
			return errors.New("--project and --input are about one project; leave out --all")
		}
		p := p
		p.planFlags = own
		return a.runPolicyCheck(ctx, p, []string{m.dir})
	})
	w.reads = append(w.reads, p.paths...)
	return w
}

// checkTarget is what a command line asks about: files, or a directory.
func (p *policyFlags) checkTarget(args []string) (files []policyInput, dir string, err error) {
	dir = firstOf(p.project, ".")
	if len(args) > 0 {
		if info, statErr := os.Stat(args[0]); statErr == nil && info.IsDir() {
			if len(args) > 1 || p.project != "" {
				return nil, "", errors.New("give one directory, or files")
			}
			dir, args = args[0], nil
		}
	}
	if files, err = policyInputs(p.inputs, args); err != nil {
		return nil, "", err
	}
	for _, k := range p.kinds {
		if !slices.Contains(policy.Kinds(), k) {
			return nil, "", fmt.Errorf("--kind %q is not one of %s", k, strings.Join(policy.Kinds(), ", "))
		}
	}
	if p.failOn != "" && !slices.Contains(org.Severities(), p.failOn) {
		return nil, "", fmt.Errorf("--fail-on %q is not one of %s", p.failOn, strings.Join(org.Severities(), ", "))
	}
	p.request.vars, err = variables(p.varFiles, p.vars)
	return files, dir, err
}

// engine loads the rules a command asks for. Files need no project: dir counts then only
// if it was named.
func (a *app) engine(p *policyFlags, project *config.Project, kinds ...string) (*policy.Engine, error) {
	o, err := a.policyOptions(project, kinds...)
	if err != nil {
		return nil, err
	}
	for _, path := range p.paths {
		s, err := a.policySource(path, filepath.ToSlash(path))
		if err != nil {
			return nil, err
		}
		o.Sources = append(o.Sources, s)
	}
	o.Only, o.Extended = p.rules, p.extended
	o.FailOn = firstOf(p.failOn, o.FailOn)
	return policy.Load(o)
}

// policyProject is the project whose policy block counts; an empty one for files alone.
func (a *app) policyProject(p *policyFlags, files []policyInput, dir string) (*config.Project, error) {
	if len(files) > 0 && p.project == "" && dir == "." {
		return &config.Project{Dir: "."}, nil
	}
	return a.loadProject(dir, p.request.vars)
}

func (a *app) runPolicyCheck(ctx context.Context, flags policyFlags, args []string) error {
	outs, err := a.outputs(render.FindingsFormats())
	if err != nil {
		return err
	}
	files, dir, err := flags.checkTarget(args)
	if err != nil {
		return err
	}
	project, err := a.policyProject(&flags, files, dir)
	if err != nil {
		return err
	}
	e, err := a.engine(&flags, project, flags.kinds...)
	if err != nil {
		return err
	}
	var report *org.FindingsReport
	if len(files) > 0 {
		report, err = a.checkFiles(ctx, flags, files, project.Dir, e)
	} else {
		report, err = a.checkLive(ctx, flags, dir, e)
	}
	if err != nil {
		return err
	}
	if err := a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Findings(w, format, report, a.hostOptions(o, project, files))
	}); err != nil {
		return err
	}
	a.seen.summary = render.FindingsSummary(report)
	a.seen.denied = report.Summary.Denied > 0
	a.seen.incomplete = flags.strict && (report.Summary.Indeterminate > 0 || len(report.Gaps) > 0)
	return nil
}

// checkFiles judges files; places are named from dir.
func (a *app) checkFiles(ctx context.Context, flags policyFlags, files []policyInput, dir string, e *policy.Engine) (*org.FindingsReport, error) {
	var gaps []org.Gap
	report, err := e.CheckAll(ctx, ofKinds(a.documents(files, dir, &gaps), flags.kinds))
	if err != nil {
		return nil, err
	}
	report.Gaps = append(report.Gaps, gaps...)
	return report, nil
}

// checkLive judges what the project in dir is about.
func (a *app) checkLive(ctx context.Context, flags policyFlags, dir string, e *policy.Engine) (*org.FindingsReport, error) {
	kinds := flags.kinds
	if len(kinds) == 0 {
		kinds = e.EnabledKinds()
	}
	facts, err := a.readFacts(ctx, dir, flags.request.vars, kinds, e)
	if err != nil {
		return nil, err
	}
	if flags.usage || slices.Contains(flags.kinds, policy.Usage) {
		if err := a.addUsage(ctx, facts, kinds, e); err != nil {
			return nil, err
		}
	}
	report, err := e.Check(ctx, facts.documents...)
	if err != nil {
		return nil, err
	}
	if err := facts.explainFindings(ctx, report); err != nil {
		return nil, err
	}
	report.Gaps = append(report.Gaps, facts.gaps...)
	return report, nil
}

func (a *app) policyListCommand() *cobra.Command {
	var flags policyFlags
	c := &cobra.Command{
		Use: "list [DIR]", Short: "List the rules: severity, kind of document, on or off",
		Example: "  govctl policy list\n  govctl policy list examples/quickstart -o json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			outs, err := a.outputs(render.RulesFormats())
			if err != nil {
				return err
			}
			project, err := a.optionalProject(&flags, args)
			if err != nil {
				return err
			}
			e, err := a.engine(&flags, project, flags.kinds...)
			if err != nil {
				return err
			}
			return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
				return render.Rules(w, format, e.Rules(), o)
			})
		},
	}
	flags.bindRules(c.Flags())
	c.Flags().StringArrayVar(&flags.kinds, "kind", nil, "only rules for documents of this kind; repeatable")
	return c
}

// optionalProject is the project in DIR; without DIR and --project, none.
func (a *app) optionalProject(p *policyFlags, args []string) (*config.Project, error) {
	dir := p.project
	if len(args) > 0 {
		dir = args[0]
	}
	if dir == "" {
		return &config.Project{Dir: "."}, nil
	}
	return a.loadProject(dir, p.request.vars)
}

func (a *app) policyTestCommand() *cobra.Command {
	var flags policyFlags
	var library, filter string
	var least float64
	c := &cobra.Command{
		Use: "test [PATH...]", Short: "Run the tests of rules, with coverage",
		Long: `Test runs the tests (test_… in *_test.rego) of the rules in each PATH, or of those
that the project in --project adds, beside the library, and with exactly what rules
may do: a test cannot reach the network either.`,
		Example: "  govctl policy test policies\n  govctl policy test policies --threshold 100",
		RunE: func(c *cobra.Command, args []string) error {
			flags.paths = append(flags.paths, args...)
			return a.runPolicyTest(c.Context(), &flags, library, filter, least)
		},
	}
	flags.bindRules(c.Flags())
	c.Flags().StringVar(&library, "library", "", "directory with a copy of the shipped rules to use and test instead of them")
	c.Flags().StringVar(&filter, "run", "", "only tests whose package.name matches this regular expression")
	c.Flags().Float64Var(&least, "threshold", 0, "fail when less than this percentage is covered")
	return c
}

func (a *app) runPolicyTest(ctx context.Context, flags *policyFlags, library, filter string, least float64) error {
	outs, err := a.outputs(render.TestsFormats())
	if err != nil {
		return err
	}
	project, err := a.optionalProject(flags, nil)
	if err != nil {
		return err
	}
	o, err := a.policyOptions(project)
	if err != nil {
		return err
	}
	for _, path := range flags.paths {
		s, err := a.policySource(path, filepath.ToSlash(filepath.Clean(path)))
		if err != nil {
			return err
		}
		o.Sources = append(o.Sources, s)
	}
	if library != "" {
		o.Library = os.DirFS(library)
	} else if len(o.Sources) == 0 {
		return &hinted{errors.New("no rules of your own to test"), "name their directory, as in govctl policy test policies"}
	}
	report, err := policy.Test(ctx, o, policy.TestOptions{Library: library != "", Filter: filter})
	if err != nil {
		return err
	}
	if err := a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Tests(w, format, report, o)
	}); err != nil {
		return err
	}
	switch {
	case report.Failed+report.Errored > 0:
		return fmt.Errorf("%d of %d tests failed", report.Failed+report.Errored, len(report.Tests))
	case len(report.Tests) == 0:
		return errors.New("no tests found")
	case report.Coverage.Percent < least:
		return fmt.Errorf("coverage is %.2f %%, less than %.2f %%", report.Coverage.Percent, least)
	}
	return nil
}
