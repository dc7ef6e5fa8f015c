package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"github.com/govctl/govctl/internal/ci"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/render"
)

// allFlags are the flags of commands that can do their work for many projects.
type allFlags struct {
	all          bool
	list         bool
	jobs         int
	changedSince string
}

// maxJobs bounds --jobs: every project has connections and a ledger of its own.
const maxJobs = 64

func (f *allFlags) bind(set *pflag.FlagSet) {
	set.BoolVar(&f.all, "all", false, "every project in and below DIR: each directory with a service block")
	set.BoolVar(&f.list, "list-projects", false, "with --all: only list them; -o json is a matrix for CI")
	set.IntVar(&f.jobs, "jobs", 4, "with --all: projects at once, 1 to "+strconv.Itoa(maxJobs))
	set.StringVar(&f.changedSince, "changed-since", "", "with --all: only projects that read a file changed since this git commit")
}

// given reports whether many projects are meant.
func (f *allFlags) given() bool { return f.all || f.list || f.changedSince != "" }

// check refuses flags that mean nothing.
func (f *allFlags) check() error {
	switch {
	case !f.all:
		return &hinted{errors.New("--list-projects and --changed-since are about many projects"), "add --all"}
	case f.jobs < 1 || f.jobs > maxJobs:
		return fmt.Errorf("--jobs %d is not 1 to %d", f.jobs, maxJobs)
	}
	return nil
}

// placeholder stands for the name of a project in names of files.
const placeholder = "{project}"

// subproject is one of many projects.
type subproject struct {
	name string // relative to DIR, slash-separated; "." is DIR itself
	dir  string
}

// expand puts the name of the project into the name of a file.
func (m subproject) expand(file string) string { return strings.ReplaceAll(file, placeholder, m.name) }

// expandAll is expand for a list.
func (m subproject) expandAll(files []string) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = m.expand(f)
	}
	return out
}

// work is what a command does for one project.
type work struct {
	formats   []string // that the command has
	reads     []string // files read besides those of the project; with a placeholder, one for each
	own       []string // files that are read and must be another one for each project; "" is none
	writes    []string // files written besides those of -o; "" is none
	variables func(m subproject) (map[string]string, error)
	run       func(ctx context.Context, a *app, m subproject) error
}

// forMember is p for one of many projects.
func (p planFlags) forMember(m subproject) (planFlags, error) {
	p.varFiles, p.out = m.expandAll(p.varFiles), m.expand(p.out)
	return p, p.resolve([]string{m.dir})
}

// each is the work of a command with these flags.
func (p planFlags) each(formats []string, run func(ctx context.Context, a *app, p planFlags, m subproject) error) work {
	return work{
		formats: formats, reads: p.varFiles, writes: []string{p.out},
		variables: func(m subproject) (map[string]string, error) { return variables(m.expandAll(p.varFiles), p.vars) },
		run: func(ctx context.Context, a *app, m subproject) error {
			p, err := p.forMember(m)
			if err != nil {
				return err
			}
			return run(ctx, a, p, m)
		},
	}
}

// outcome is what the work for one project came to.
type outcome struct {
	subproject
	out, err bytes.Buffer
	code     int
	failure  error
	summary  string
	told     []ci.Output // what the runner would be told of it alone
	masked   []string    // keys that a runner must hide
}

// projectResult is an outcome as JSON.
type projectResult struct {
	Project  string          `json:"project"`
	Dir      string          `json:"dir"`
	ExitCode int             `json:"exit_code"`
	Summary  string          `json:"summary"`
	Error    string          `json:"error"`
	Result   json.RawMessage `json:"result"` // what the command alone writes as JSON; null after an error
}

// eachProject does the work for every project below the directory in args. A project that
// fails is a result like any other; the exit code is the worst by the order of exit.go.
func (a *app) eachProject(ctx context.Context, flags allFlags, w work, args []string) error {
	if err := flags.check(); err != nil {
		return err
	}
	list, err := a.members(ctx, flags, w, args)
	if err != nil {
		return err
	}
	if flags.list {
		return a.listMembers(list)
	}
	outs, err := a.outputs(w.formats)
	if err != nil {
		return err
	}
	stdout, err := allOutputs(outs, w, list)
	if err != nil {
		return err
	}
	results := make([]outcome, len(list))
	g := new(errgroup.Group)
	g.SetLimit(flags.jobs)
	for i, m := range list {
		g.Go(func() error {
			results[i].subproject = m
			a.one(ctx, w, outs, &results[i])
			return nil
		})
	}
	_ = g.Wait() // every failure is in its result
	a.settle(results)
	return a.emitAll(stdout, results)
}

// settle takes over what the projects mean for the exit code and the runner.
func (a *app) settle(results []outcome) {
	told, changes := false, false
	for i := range results {
		r := &results[i]
		a.seen.projects = append(a.seen.projects, r.code)
		told = told || r.told != nil
		changes = changes || slices.Contains(r.told, ci.Bool("changes", true))
		for _, key := range r.masked {
			a.mask(key)
		}
	}
	if told {
		a.runner.outputs = []ci.Output{ci.Bool("changes", changes)}
	}
}

// one does the work for one project with streams of its own.
func (a *app) one(ctx context.Context, w work, outs []output, o *outcome) {
	b := &app{stdio: stdio{in: strings.NewReader(""), out: &o.out, err: &o.err, now: a.now, wrap: a.wrap, env: a.env}, flags: a.flags}
	b.runner.kind = ci.None // the runner is told about all of them, at the end
	b.flags.color = "never"
	if a.colour(a.out) {
		b.flags.color = "always"
	}
	b.flags.ledger = o.expand(a.flags.ledger)
	b.flags.outputs = nil
	var err error
	for _, out := range outs {
		text := out.format
		if out.file != "" {
			file := o.expand(out.file)
			err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o777))
			text += "=" + file
		}
		b.flags.outputs = append(b.flags.outputs, text)
	}
	for _, file := range w.writes {
		if strings.Contains(file, placeholder) {
			err = errors.Join(err, os.MkdirAll(filepath.Dir(o.expand(file)), 0o777))
		}
	}
	if err == nil {
		err = w.run(ctx, b, o.subproject)
	}
	b.close()
	if err != nil {
		b.printError(err)
	}
	o.masked, o.told = b.runner.masked, b.runner.outputs
	o.failure, o.summary, o.code = err, b.seen.summary, exitCode(b.seen, err, context.Cause(ctx))
}

// members finds the projects, and of them those that are affected.
func (a *app) members(ctx context.Context, flags allFlags, w work, args []string) ([]subproject, error) {
	root := firstOf(append(slices.Clone(args), ".")...)
	names, err := config.Projects(root)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &hinted{fmt.Errorf("there is no project in or below %s", root), "a project is a directory with a service block; govctl init makes one"}
	}
	list := make([]subproject, len(names))
	for i, n := range names {
		list[i] = subproject{n, filepath.Join(root, filepath.FromSlash(n))}
	}
	if flags.changedSince == "" {
		return list, nil
	}
	return a.affected(ctx, root, flags.changedSince, w, list)
}

// jobMatrix is what CI systems make jobs of.
type jobMatrix struct {
	Include []jobEntry `json:"include"`
}

type jobEntry struct {
	Project string `json:"project"`
	Dir     string `json:"dir"`
}

// listMembers names the projects; as JSON on one line, which is what step outputs take.
func (a *app) listMembers(list []subproject) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	m := jobMatrix{Include: []jobEntry{}}
	for _, p := range list {
		m.Include = append(m.Include, jobEntry{p.name, filepath.ToSlash(p.dir)})
	}
	return a.emit(outs, func(w io.Writer, format string, _ render.Options) error {
		if format == render.JSON {
			return json.NewEncoder(w).Encode(m)
		}
		for _, p := range list {
			fmt.Fprintln(w, render.Clean(p.name))
		}
		return nil
	})
}

// allOutputs checks that what projects write stays apart, and returns the format of
// stdout.
func allOutputs(outs []output, w work, list []subproject) (stdout string, err error) {
	files := slices.Clone(w.writes)
	for _, o := range outs {
		switch {
		case o.file != "":
			files = append(files, o.file)
		case o.format != render.Text && o.format != render.JSON:
			return "", &hinted{fmt.Errorf("%s of many projects does not fit on stdout", o.format), "write a file for each, as in -o " + o.format + "={project}." + o.format}
		default:
			stdout = o.format
		}
	}
	for _, f := range slices.Concat(files, w.own) {
		if f != "" && len(list) > 1 && !strings.Contains(f, placeholder) {
			return "", &hinted{fmt.Errorf("%d projects would share the file %s", len(list), f), "put {project} into its name"}
		}
	}
	taken := map[string]string{}
	for _, f := range files {
		if f == "" {
			continue
		}
		for _, m := range list {
			name := filepath.Clean(m.expand(f))
			if other, twice := taken[name]; twice {
				return "", fmt.Errorf("%s would be written twice, for project %s and for %s", name, other, m.name)
			}
			taken[name] = m.name
		}
	}
	return stdout, nil
}

// emitAll writes what all projects said, one after the other, and the summary.
func (a *app) emitAll(format string, results []outcome) error {
	if format == render.JSON {
		list := make([]projectResult, len(results))
		for i := range results {
			list[i] = results[i].json()
		}
		return render.WriteJSON(a.out, map[string]any{"format_version": "1.0", "projects": list, "exit_code": worst(a.seen.projects...)})
	}
	for i := range results {
		r := &results[i]
		if r.err.Len() > 0 {
			fmt.Fprintf(a.err, "project %s:\n%s", render.Clean(r.name), r.err.String())
		}
		if r.out.Len() > 0 {
			fmt.Fprintf(a.out, "=== project %s\n%s\n", render.Clean(r.name), r.out.String())
		}
	}
	var rows [][]string
	for i := range results {
		r := &results[i]
		rows = append(rows, []string{r.name, strconv.Itoa(r.code), firstOf(r.headline(), r.summary)})
	}
	return render.Table(a.out, []string{"project", "exit", "result"}, rows, "No project is affected.", render.Options{Color: a.colour(a.out)})
}

// headline is the first line of what went wrong, "" for nothing.
func (o *outcome) headline() string {
	var problems config.Problems
	switch {
	case o.failure == nil:
		return ""
	case errors.As(o.failure, &problems):
		return fmt.Sprintf("problems: %d in the configuration", len(problems))
	}
	line, _, _ := strings.Cut(errorText(o.failure), "\n")
	return line
}

func (o *outcome) json() projectResult {
	r := projectResult{Project: o.name, Dir: filepath.ToSlash(o.dir), ExitCode: o.code, Summary: o.summary}
	if o.failure != nil {
		r.Error = errorText(o.failure)
	}
	if text := bytes.TrimSpace(o.out.Bytes()); json.Valid(text) {
		r.Result = text
	}
	return r
}
