package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/scaffold"
	"github.com/govctl/govctl/internal/service/sample"
)

// starterFlags say what a new project begins with.
type starterFlags struct {
	organization string
	embedded     bool
	fallback     string
	format       string
	commit       bool
	commitSaid   bool
	yes          bool
	force        bool
}

func (a *app) initCommand() *cobra.Command {
	var flags starterFlags
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a commented starter project",
		Long: `Init writes a project to go on from into DIR: where the service is, a limit for
everybody, and examples in comments. On a terminal it asks what no flag says; with
--yes it does not. Nothing is overwritten without --force.

The .gitignore it writes leaves out what belongs to this copy alone. The ledger is
committed with the project unless --commit-ledger=false, the service is the embedded
one, or the ledger is in PostgreSQL.`,
		Example: "  govctl init --embedded governance\n  govctl init governance --base-url https://api.example.com --organization org_acme --default-limit 1000000",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			flags.commitSaid = c.Flags().Changed("commit-ledger")
			return a.runInit(args, flags)
		},
	}
	f := c.Flags()
	f.StringVar(&flags.organization, "organization", "", "organization that apply may write to")
	f.BoolVar(&flags.embedded, "embedded", false, "use the service inside the binary (same as --base-url embedded:)")
	f.StringVar(&flags.fallback, "default-limit", "", "credits of every member nothing else names")
	f.StringVar(&flags.format, "format", "hcl", "syntax of the project: hcl or yaml")
	f.BoolVar(&flags.commit, "commit-ledger", true, "let git keep the ledger")
	f.BoolVar(&flags.yes, "yes", false, "ask nothing; without --base-url the service is the embedded one")
	f.BoolVar(&flags.force, "force", false, "replace files that are there already")
	return c
}

func (a *app) runInit(args []string, flags starterFlags) error {
	outs, err := a.outputs([]string{render.Text, render.JSON})
	if err != nil {
		return err
	}
	dir := firstOf(append(args, ".")...)
	if !oneOf(flags.format, "hcl", "yaml") {
		return fmt.Errorf("--format %q is not hcl or yaml", flags.format)
	}
	if err := refuseProject(dir, flags.force); err != nil {
		return err
	}
	s, keepLedger, err := a.answers(scaffold.Starter{YAML: flags.format == "yaml"}, flags, !flags.yes && a.interactive())
	if err != nil {
		return err
	}
	files := a.withIgnore(dir, []scaffold.File{scaffold.Start(s)}, keepLedger)
	err = newFiles{dir: dir, files: files, replace: flags.force, check: a.loads}.place()
	if err != nil {
		return err
	}
	next := []string{"govctl plan " + dir, "govctl apply " + dir}
	if !strings.HasPrefix(s.BaseURL, embedded) {
		next = []string{"export GOVCTL_API_KEY_FILE=…", "govctl plan " + dir}
	}
	return a.emit(outs, func(w io.Writer, format string, _ render.Options) error {
		if format == render.JSON {
			return render.WriteJSON(w, map[string]any{"dir": dir, "files": filePaths(files), "next": next})
		}
		sayWritten(w, dir, files)
		_, err := fmt.Fprintf(w, "Next:\n  %s\n  %s\n", render.Clean(next[0]), render.Clean(next[1]))
		return err
	})
}

// refuseProject refuses a directory that has configuration already.
func refuseProject(dir string, force bool) error {
	there, err := config.Names(dir)
	if err != nil {
		return err
	}
	if len(there) > 0 && !force {
		return &hinted{fmt.Errorf("%s has configuration already: %s; nothing was written", dir, strings.Join(there, ", ")),
			"choose another directory, or pass --force to replace what init writes"}
	}
	return nil
}

// loads is the check of generated files: they are a project.
func (a *app) loads(dir string) error {
	_, err := config.Load(dir, config.Options{Now: a.now()})
	return err
}

// answers completes a starter by flags and questions, and says whether git keeps the
// ledger. ask says whether somebody can be asked.
func (a *app) answers(s scaffold.Starter, flags starterFlags, ask bool) (_ scaffold.Starter, keepLedger bool, err error) {
	if s.BaseURL, err = a.startAddress(flags, ask); err != nil {
		return s, false, err
	}
	isEmbedded := strings.HasPrefix(s.BaseURL, embedded)
	s.AppURL = firstOf(a.flags.appURL, os.Getenv("GOVCTL_APP_URL"))
	organization, fallback := "", ""
	if isEmbedded {
		organization, fallback = sample.OrganizationID, "1000000"
	}
	if s.Organization = firstOf(flags.organization, organization); ask && flags.organization == "" {
		if s.Organization, err = a.prompt("Organization that apply may write to, - for none yet", organization); err != nil {
			return s, false, err
		}
	}
	limit := firstOf(flags.fallback, fallback)
	if ask && flags.fallback == "" {
		if limit, err = a.prompt("Credits of every member nothing else names, - for no opinion", fallback); err != nil {
			return s, false, err
		}
	}
	if s.Default, err = optionalCredits(limit); err != nil {
		return s, false, err
	}
	if s.Ledger, err = newLedgerURL(a.flags.ledger); err != nil {
		return s, false, err
	}
	switch {
	case isEmbedded || s.Ledger != "":
		return s, flags.commit && flags.commitSaid, nil
	case ask && !flags.commitSaid:
		keepLedger, err = a.ask("Let git keep the ledger, the only memory of which limits were set?")
		return s, keepLedger, err
	}
	return s, flags.commit, nil
}

// startAddress is where the service of the new project is.
func (a *app) startAddress(flags starterFlags, ask bool) (string, error) {
	base := firstOf(a.flags.baseURL, os.Getenv("GOVCTL_BASE_URL"))
	switch {
	case flags.embedded && a.flags.baseURL != "":
		return "", errors.New("--embedded and --base-url say different things")
	case flags.embedded:
		return embedded, nil
	case base != "":
		return base, nil
	case flags.yes:
		return embedded, nil
	case !ask:
		return "", &hinted{errors.New("where is the service? Nobody can be asked here"), "pass --base-url, or --embedded to try govctl without an account"}
	}
	return a.prompt("Address of the API, embedded: for the service inside the binary", embedded)
}

// prompt asks for a line; an empty one means preset, and "-" nothing. The caller knows
// that somebody is there.
func (a *app) prompt(question, preset string) (string, error) {
	fmt.Fprint(a.err, question)
	if preset != "" {
		fmt.Fprintf(a.err, " [%s]", preset)
	}
	fmt.Fprint(a.err, ": ")
	line, err := bufio.NewReader(a.in).ReadString('\n')
	if err != nil && (!errors.Is(err, io.EOF) || line == "") {
		return "", fmt.Errorf("read the answer: %w", err)
	}
	switch line = strings.TrimSpace(line); line {
	case "":
		return preset, nil
	case "-":
		return "", nil
	}
	return line, nil
}

// creditsText is how credits are written: 010 means different things to different readers.
var creditsText = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)

// optionalCredits reads a number of credits from the command line, nil for none.
func optionalCredits(s string) (*int64, error) {
	if s == "" {
		return nil, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || !creditsText.MatchString(s) || n > org.MaxCredits {
		return nil, fmt.Errorf("%q is not a number of credits, 0 to %d", s, int64(org.MaxCredits))
	}
	return &n, nil
}

// newLedgerURL is the ledger that a new project names: only a shared one needs to be.
func newLedgerURL(url string) (string, error) {
	if url == "" {
		return "", nil
	}
	if _, err := argument(url); err != nil {
		return "", err
	}
	if !strings.HasPrefix(url, "postgres") {
		return "", &hinted{errors.New("--ledger names a file"), "a project keeps its ledger in .govctl/ledger.jsonl; name a shared one as postgres://HOST/DATABASE"}
	}
	return url, nil
}
