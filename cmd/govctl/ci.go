package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/ci"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
)

// runner is the CI system around a command and what it is told at the end.
type runner struct {
	kind    ci.Runner
	outputs []ci.Output // besides the exit code; nil: the command tells nothing
	masked  []string
}

// detectRunner finds out which runner there is. Only a choice that means nothing is an
// error.
func (a *app) detectRunner() error {
	a.runner.kind = ci.None
	if a.env == nil {
		return nil
	}
	kind, err := ci.Detect(firstOf(a.flags.ci, a.env("GOVCTL_CI")), a.env)
	if err != nil {
		return fmt.Errorf("--ci %w", err)
	}
	a.runner.kind = kind
	return nil
}

// ciRun is what the runner says about itself.
func (a *app) ciRun() ci.Run {
	if a.env == nil {
		return ci.Run{Runner: ci.None}
	}
	var event []byte
	if name := a.env("GITHUB_EVENT_PATH"); name != "" {
		event, _ = os.ReadFile(name) // what is not known is not used
	}
	return ci.Read(a.runner.kind, a.env, event)
}

// mask makes the runner hide a key. What it was given as a variable it hides already.
func (a *app) mask(key string) {
	if a.env == nil || slices.Contains(a.runner.masked, key) || key == a.env("GOVCTL_API_KEY") || key == a.env("GOVCTL_WRITE_API_KEY") {
		return
	}
	a.runner.masked = append(a.runner.masked, key)
	fmt.Fprint(a.err, ci.Mask(a.runner.kind, key))
}

// tellRunner writes the outputs, last of all because the exit code is one of them. What
// goes wrong here changes no exit code.
func (a *app) tellRunner(code int) {
	if a.runner.outputs == nil {
		return
	}
	list := append([]ci.Output{{Key: "exitcode", Value: strconv.Itoa(code)}}, a.runner.outputs...)
	if a.runner.kind == ci.GitHub && a.env("GITHUB_OUTPUT") != "" {
		a.warnOf("write step outputs", ci.Append(a.env("GITHUB_OUTPUT"), ci.OutputFile(list)))
	}
	if a.flags.dotenv != "" {
		a.warnOf("write outputs", os.WriteFile(a.flags.dotenv, ci.Dotenv(list), 0o600))
	}
}

// warnOf says on stderr what went wrong, if anything did.
func (a *app) warnOf(doing string, err error) {
	if err != nil {
		fmt.Fprintf(a.err, "warning: %s: %s\n", doing, render.Message(err.Error()))
	}
}

// planToRunner tells the runner about a plan.
func (a *app) planToRunner(g *gathered, outs []output) {
	p := g.plan
	failOn, denies, warns := g.project.Policy.FailOn, 0, 0
	for _, f := range p.Findings {
		switch {
		case f.Denies(failOn):
			denies++
		case f.Status == org.Open || f.Status == org.Errored:
			warns++
		}
	}
	l := p.Summary.Limits
	a.runner.outputs = []ci.Output{
		ci.Bool("changes", !p.Empty() || p.Blocked()),
		{Key: "create", Value: strconv.Itoa(p.Summary.Computers.Create)},
		{Key: "update", Value: strconv.Itoa(render.Updates(p))},
		{Key: "remove", Value: "0"}, // the API cannot
		{Key: "unverifiable", Value: strconv.Itoa(len(p.Limits) + l.Unchanged)},
		{Key: "policy-errors", Value: strconv.Itoa(denies)},
		{Key: "policy-warnings", Value: strconv.Itoa(warns)},
		ci.Bool("coverage-complete", p.Complete()),
		{Key: "plan-file", Value: fileOf(outs, render.JSON)},
		{Key: "plan-sha256", Value: p.Digest},
		{Key: "comment-file", Value: fileOf(outs, render.Markdown)},
	}
	a.showRunner(outs, func(w io.Writer, format string, o render.Options) error {
		o.Dir, o.Place = repositoryDir(g.project.Dir), findingPlace(g.project, nil)
		return render.Plan(w, format, p, o)
	})
}

// driftToRunner tells the runner about a drift report.
func (a *app) driftToRunner(r *drift.Report, outs []output) {
	a.runner.outputs = []ci.Output{
		ci.Bool("changes", r.Verdict == drift.Drifted),
		ci.Bool("drifted", r.Verdict == drift.Drifted),
		{Key: "unverifiable", Value: strconv.Itoa(r.Limits.Total())},
		ci.Bool("coverage-complete", r.Coverage.Complete),
		{Key: "comment-file", Value: fileOf(outs, render.Markdown)},
	}
	a.showRunner(outs, func(w io.Writer, format string, o render.Options) error { return render.Drift(w, format, r, o) })
}

// reportToRunner tells the runner what an apply did. There are no annotations of it: what
// went wrong is the error of the step.
func (a *app) reportToRunner(r *apply.Report, outs []output) {
	a.runner.outputs = []ci.Output{
		ci.Bool("changes", r.Result != apply.ResultNothing && r.Result != apply.ResultRefused),
		{Key: "result", Value: r.Result},
		{Key: "plan-sha256", Value: r.PlanDigest},
		{Key: "comment-file", Value: fileOf(outs, render.Markdown)},
	}
	a.showRunner(append(outs, output{format: render.GitHub}), func(w io.Writer, format string, o render.Options) error {
		return render.Report(w, format, r, o)
	})
}

// fileOf is the file that a format goes to, "" for none.
func fileOf(outs []output, format string) string {
	for _, o := range outs {
		if o.format == format && o.file != "" {
			return o.file
		}
	}
	return ""
}

// showRunner writes a result where GitHub shows it: annotations, unless they were asked
// for anyway, and the step's summary.
func (a *app) showRunner(outs []output, write func(w io.Writer, format string, o render.Options) error) {
	if a.runner.kind != ci.GitHub {
		return
	}
	if !slices.ContainsFunc(outs, func(o output) bool { return o.format == render.GitHub }) {
		a.warnOf("annotate", write(a.err, render.GitHub, render.Options{}))
	}
	a.summarize(func(w io.Writer, o render.Options) error { return write(w, render.Markdown, o) })
}

// summaryFull is what stands where a step said too much already.
const summaryFull = "## govctl\n\nThe summary of this step is full. The result is in the log and in the files of `-o`.\n"

// summarize adds to the step's summary what fits into the rest of it. The runner drops a
// summary that is too large as a whole.
func (a *app) summarize(write func(w io.Writer, o render.Options) error) {
	name := a.env("GITHUB_STEP_SUMMARY")
	if name == "" {
		return
	}
	size := int64(0)
	info, err := os.Stat(name)
	switch {
	case err == nil:
		size = info.Size()
	case !errors.Is(err, os.ErrNotExist):
		a.warnOf("write the step summary", err)
		return
	}
	var b bytes.Buffer
	room := ci.SummaryRoom(size)
	switch {
	case room >= render.MinMarkdownBudget:
		err = write(&b, render.Options{Budget: room, Head: a.ciRun().Head})
	case room >= len(summaryFull):
		b.WriteString(summaryFull)
		err = nil
	default:
		return
	}
	if err == nil {
		err = ci.Append(name, append(b.Bytes(), '\n'))
	}
	a.warnOf("write the step summary", err)
}
