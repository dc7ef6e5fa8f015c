package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/scaffold"
)

// importFlags say what of the live organization to declare.
type importFlags struct {
	planFlags
	organization  string
	computers     []string
	computersFile string
	sessions      bool
	settings      string
	pointers      []string
	fallback      string
	limitsFrom    string
	readiness     bool
	partial       bool
}

func (a *app) importCommand() *cobra.Command {
	var flags importFlags
	c := &cobra.Command{
		Use:   "import [DIR]",
		Short: "Write configuration that declares the organization as it is",
		Long: `Import reads the live organization and writes files that declare it, so that a plan
has nothing to do. Without configuration in DIR it makes a project; otherwise it adds
what the project does not declare yet. It sends nothing but GET, and writes all files
or none.

The API has no list of computers: name them, or let the sessions name those they ran
on. Limits cannot be read at all: those that the ledger has confirmed are written, and
those of --limits-from. Secrets of the settings are left out.

Facts that cannot be read end it with exit code 6, unless --partial leaves them out.`,
		Example: "  govctl import governance --base-url embedded:\n  govctl import governance --computer build-01 --settings models --limits-from known.csv",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := flags.resolve(args); err != nil {
				return err
			}
			if len(flags.pointers) > 0 && !c.Flags().Changed("settings") {
				flags.settings = scaffold.NoSettings
			}
			return a.runImport(c.Context(), flags)
		},
	}
	f := c.Flags()
	flags.bindVariables(f)
	f.StringVar(&flags.organization, "organization", "", "organization of the new project, if the service does not name it")
	f.StringArrayVar(&flags.computers, "computer", nil, "id or name of a computer, or id=ID, name=NAME; repeatable")
	f.StringVar(&flags.computersFile, "computers-file", "", "file with an id or name of a computer on each line, - is stdin")
	f.BoolVar(&flags.sessions, "from-sessions", true, "also the computers that sessions mention")
	f.StringVar(&flags.settings, "settings", scaffold.AllSettings, "what of the settings to declare: all, models, none")
	f.StringArrayVar(&flags.pointers, "setting", nil, "JSON pointer of a setting to declare, by itself or besides --settings models; repeatable")
	f.StringVar(&flags.fallback, "default-limit", "", "credits of every member whose limit nobody knows")
	f.StringVar(&flags.limitsFrom, "limits-from", "", "CSV file (email,limit) for members whose limit the ledger does not know")
	f.BoolVar(&flags.readiness, "readiness", false, "ask of every repository what its newest report reaches")
	f.BoolVar(&flags.partial, "partial", false, "write what can be read when something cannot")
	return c
}

// check refuses flags that mean nothing, before anything is asked.
func (f *importFlags) check() error {
	if !oneOf(f.settings, scaffold.AllSettings, scaffold.ModelsOnly, scaffold.NoSettings) {
		return fmt.Errorf("--settings %q is not all, models or none", f.settings)
	}
	_, err := optionalCredits(f.fallback)
	return err
}

// imported is what import read and where it goes.
type imported struct {
	flags    importFlags
	project  *config.Project
	fresh    bool // there was no project
	found    []live.Found
	sessions map[string]int
	org      scaffold.Organization
}

func (a *app) runImport(ctx context.Context, flags importFlags) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	if err := flags.check(); err != nil {
		return err
	}
	m, err := a.importInto(flags)
	if err != nil {
		return err
	}
	if err := a.readOrganization(ctx, m); err != nil {
		return err
	}
	if len(m.org.Gaps) > 0 && !flags.partial {
		return incompleteImport(m.org.Gaps)
	}
	g := scaffold.Generate(m.org)
	files := g.Files
	if m.fresh {
		files = a.withIgnore(flags.dir, files, !strings.HasPrefix(m.org.Target.BaseURL, embedded))
	}
	if len(files) > 0 {
		place := newFiles{dir: flags.dir, files: files, check: a.loads}
		if !m.fresh {
			place.after = func() error { return a.loadsWith(flags.dir, flags.request.vars) }
		}
		if err := place.place(); err != nil {
			return err
		}
	}
	return a.emit(outs, func(w io.Writer, format string, _ render.Options) error {
		return writeImport(w, format, importReport(m, g, files))
	})
}

// importInto loads the project in DIR, or begins one.
func (a *app) importInto(flags importFlags) (*imported, error) {
	names, err := config.Names(flags.dir)
	if err != nil {
		return nil, err
	}
	m := &imported{flags: flags, fresh: len(names) == 0}
	m.org.At = a.now()
	if !m.fresh {
		m.project, err = a.loadProject(flags.dir, flags.request.vars)
		if err == nil && m.project.Service.Organization != "" && flags.organization != "" {
			err = fmt.Errorf("--organization: the project names its organization already, at %s", m.project.Service.OrganizationSource)
		}
		return m, err
	}
	m.project = &config.Project{Dir: flags.dir, Ledger: config.Ledger{URL: config.DefaultLedger}}
	return m, nil
}

// loadsWith checks the whole project after files were added to it.
func (a *app) loadsWith(dir string, vars map[string]string) error {
	_, err := config.Load(dir, config.Options{Vars: vars, Env: environmentVariables(os.Environ()), Now: a.now()})
	return err
}

// incompleteImport says what could not be read.
func incompleteImport(gaps []org.Gap) error {
	var b strings.Builder
	for _, g := range gaps {
		fmt.Fprintf(&b, "\n  %s", strings.TrimSpace(g.Fact+" "+g.Key+": "+g.Error))
	}
	return &hinted{fmt.Errorf("%w; nothing was written:%s", errIncomplete, b.String()), "try again, or pass --partial to leave out what cannot be read"}
}

// wantedComputers are the computers that the command line names.
func (f *importFlags) wantedComputers(stdin io.Reader) ([]live.Wanted, error) {
	names := slices.Clone(f.computers)
	if f.computersFile != "" {
		text, err := readFile(f.computersFile, stdin)
		if err != nil {
			return nil, fmt.Errorf("read the names of computers: %w", err)
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		for lines.Scan() {
			if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
				names = append(names, line)
			}
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("read the names of computers: %w", err)
		}
	}
	var out []live.Wanted
	for _, n := range names {
		w := live.Wanted{Either: n}
		if id, ok := strings.CutPrefix(n, "id="); ok {
			w = live.Wanted{ID: id}
		} else if name, ok := strings.CutPrefix(n, "name="); ok {
			w = live.Wanted{Name: name}
		}
		if w == (live.Wanted{}) {
			return nil, fmt.Errorf("--computer %q names no computer", n)
		}
		out = append(out, w)
	}
	return out, nil
}

// importResult is what import did, for people and programs.
type importResult struct {
	Dir        string              `json:"dir"`
	Files      []string            `json:"files"`
	Computers  int                 `json:"computers"`
	Settings   int                 `json:"settings"`
	Models     bool                `json:"models"`
	Limits     int                 `json:"limits"`
	Readiness  int                 `json:"readiness"`
	Omitted    []scaffold.Omission `json:"omitted"`
	Unseen     []string            `json:"unseen"` // ids that sessions mention and nobody finds
	Incomplete []org.Gap           `json:"incomplete"`
	LimitsOpen int                 `json:"limits_unknown"` // members whose limit nobody knows
}

func importReport(m *imported, g scaffold.Generated, files []scaffold.File) importResult {
	r := importResult{
		Dir: filepath.ToSlash(m.flags.dir), Files: filePaths(files), Computers: g.Computers, Settings: g.Settings, Models: g.Models,
		Limits: g.Limits, Readiness: g.Readiness, Omitted: g.Omitted, Incomplete: m.org.Gaps, Unseen: []string{},
	}
	if r.Omitted == nil {
		r.Omitted = []scaffold.Omission{}
	}
	if r.Incomplete == nil {
		r.Incomplete = []org.Gap{}
	}
	if l := m.org.Limits; l != nil && l.Fallback == nil {
		r.LimitsOpen = len(l.Members) - g.Limits
	}
	for _, f := range m.found {
		if f.Computer == nil && f.Err == nil {
			r.Unseen = append(r.Unseen, f.ID)
		}
	}
	return r
}

func writeImport(w io.Writer, format string, r importResult) error {
	if format == render.JSON {
		return render.WriteJSON(w, r)
	}
	if len(r.Files) == 0 {
		_, err := fmt.Fprintln(w, "Nothing to add: the project declares all of it.")
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Wrote in %s: %s\n", render.Clean(r.Dir), strings.Join(r.Files, ", "))
	models := ""
	if r.Models {
		models = " and the models"
	}
	fmt.Fprintf(&b, "Declared: %d computers, %d settings%s, %d limits, %d repositories.\n", r.Computers, r.Settings, models, r.Limits, r.Readiness)
	if r.LimitsOpen > 0 {
		fmt.Fprintf(&b, "Nobody knows the limits of %d members: the service does not show them.\n", r.LimitsOpen)
	}
	for _, o := range r.Omitted {
		fmt.Fprintf(&b, "Not declared: %s %s %s\n", o.Kind, render.Clean(o.Key), o.Why)
	}
	for _, id := range r.Unseen {
		fmt.Fprintf(&b, "Not found: computer %s, which sessions mention\n", render.Clean(id))
	}
	for _, g := range r.Incomplete {
		fmt.Fprintf(&b, "INCOMPLETE: %s\n", render.Clean(strings.TrimSpace(g.Fact+" "+g.Key+": "+g.Error)))
	}
	fmt.Fprintf(&b, "Next:\n  govctl plan %s\n", render.Clean(r.Dir))
	_, err := io.WriteString(w, b.String())
	return err
}
