package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// referencePage is the committed page of all commands.
const referencePage = "../../.github/COMMANDS.md"

// TestReferenceIsCurrent fails when a command, a flag or a word of help changes and the
// reference does not.
func TestReferenceIsCurrent(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	if code := run(t.Context(), []string{"docs", "markdown"}, stdio{in: strings.NewReader(""), out: &out, err: &said, now: fixedNow}); code != exitDone {
		t.Fatalf("exit %d: %s", code, said.String())
	}
	if !bytes.Equal(want, out.Bytes()) {
		t.Error("the reference is not current; run: go run ./cmd/govctl docs markdown > .github/COMMANDS.md")
	}
}

// elsewhereRun are examples that need what a test does not have; of them only names and
// flags are checked here.
var elsewhereRun = map[string]string{
	"https://api.example.com": "needs a service on the network",
	"/var/lib/prometheus":     "writes for the machine it is on; script drift_scheduled writes them elsewhere",
	"govctl ledger import":    "needs a database server; script ledger_shared has one",
	"postgres://":             "needs a database server; script ledger_shared has one",
	"govctl serve":            "does not end; script service_managed runs it",
	"govctl comment":          "needs a forge; TestComment has one",
	"--wait":                  "waits for a person",
	`{"Stop": `:               "is a line of hooks.json",
	"origin/main":             "needs a git repository; script plan_all_changed has one",
	"k3f7a2bq":                "needs that key; script service_managed revokes one",
	"0f3a9c41d27be865":        "needs that difference; script drift_accepted has one",
	"--resume":                "needs an apply that was interrupted; script apply_resumed has one",
	"token revoke":            "needs a token; script token_revoked has one",
}

// before is what somebody has done who comes to the examples of a command, or to a line of
// the README.
var before = map[string]string{
	"govctl service":       "rm -r .govctl",
	"govctl service init":  "rm -r .govctl",
	"govctl service check": "govctl service backup acme-2026-11-20.db",
	"govctl ledger show":   "govctl apply examples/quickstart --auto-approve",
	"govctl policy test":   "govctl policy new ACME001 --input settings",

	"govctl service key add --user eve@acme.example --name laptop": "govctl service user add eve@acme.example --role member",
}

// TestExamplesRun runs every example of every help text, in a directory like that of the
// repository with the files that examples name. None may be an error.
func TestExamplesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: runs a hundred processes (-short)")
	}
	t.Parallel()
	template := examplesDir(t)
	for path, lines := range examples((&app{}).root()) {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			dir := exampleCopy(t, template)
			mustShell(t, dir, before[path])
			for _, line := range lines {
				checkExample(t, line)
				if runElsewhere(line) == "" {
					runExample(t, dir, line)
				}
			}
		})
	}
}

// shellLines are the lines with govctl of a markdown file's sh blocks, without comments.
func shellLines(markdown string) []string {
	var out []string
	for _, block := range strings.Split(markdown, "\n```sh\n")[1:] {
		block, _, _ = strings.Cut(block, "\n```")
		for line := range strings.SplitSeq(strings.ReplaceAll(block, "\\\n", " "), "\n") {
			if line, _, _ = strings.Cut(line, " # "); strings.HasPrefix(line, "govctl ") {
				out = append(out, strings.TrimSpace(line))
			}
		}
	}
	return out
}

// TestReadmeCommandsRun runs every line of the sh blocks of the README, each in a directory
// like that of TestExamplesRun. None may be an error.
func TestReadmeCommandsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: runs twenty processes (-short)")
	}
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := shellLines(string(readme))
	if len(lines) < 20 {
		t.Fatalf("only %d lines were found", len(lines))
	}
	template := examplesDir(t)
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			checkExample(t, line)
			if runElsewhere(line) == "" {
				dir := exampleCopy(t, template)
				mustShell(t, dir, before[line])
				runExample(t, dir, line)
			}
		})
	}
}

// exampleCopy is a directory like template.
func exampleCopy(t *testing.T, template string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(template)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, ".govctl", "fingerprint.key"), 0o600); err != nil {
		t.Fatal(err) // copies are readable by everybody
	}
	return dir
}

// runExample runs a line that must not end with an error.
func runExample(t *testing.T, dir, line string) {
	t.Helper()
	out, code := runShell(t, dir, line)
	if !slices.Contains([]int{exitDone, exitChanges, exitDenied}, code) {
		t.Errorf("%s: exit %d\n%s", line, code, out)
	}
}

func runElsewhere(line string) string {
	for part, why := range elsewhereRun {
		if strings.Contains(line, part) {
			return why
		}
	}
	return ""
}

// examples collects the lines of the examples of all commands, by path.
func examples(root *cobra.Command) map[string][]string {
	all := map[string][]string{}
	for _, c := range root.Commands() {
		for line := range strings.Lines(c.Example) {
			if line = strings.TrimSpace(line); line != "" {
				all[c.CommandPath()] = append(all[c.CommandPath()], line)
			}
		}
		for path, lines := range examples(c) {
			all[path] = append(all[path], lines...)
		}
	}
	return all
}

// TestEveryCommandHasAnExample fails for a command whose help has none.
func TestEveryCommandHasAnExample(t *testing.T) {
	t.Parallel()
	with := examples((&app{}).root())
	for _, path := range runnable((&app{}).root(), "") {
		c, _, err := (&app{}).root().Find(strings.Fields(path))
		if err != nil {
			t.Fatal(err)
		}
		if len(with["govctl "+path]) == 0 && !c.HasSubCommands() {
			t.Errorf("govctl %s has no example", path)
		}
	}
}

// checkExample checks that the commands and flags of a line exist.
func checkExample(t *testing.T, line string) {
	t.Helper()
	if from, to, piped := strings.Cut(line, " | govctl "); piped {
		checkExample(t, from)
		line = "govctl " + to
	}
	_, command, ok := strings.Cut(" "+line, " govctl ")
	if !ok && !strings.HasPrefix(line, "{") {
		t.Errorf("%s: no command of govctl", line)
		return
	}
	command, _, _ = strings.Cut(command, `"`) // texts in quotes end what words can tell
	var words []string
	for _, w := range strings.Fields(command) {
		if w == ">" || w == "<" {
			break
		}
		words = append(words, strings.Trim(w, `'`))
	}
	c, rest, err := (&app{}).root().Find(words)
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	for _, w := range rest {
		name, isFlag := strings.CutPrefix(w, "--")
		if name, _, _ = strings.Cut(name, "="); isFlag && c.Flags().Lookup(name) == nil && c.InheritedFlags().Lookup(name) == nil {
			t.Errorf("%s: %s has no flag --%s", line, c.CommandPath(), name)
		}
	}
}

// mustShell runs a line that has to succeed; none is nothing to do.
func mustShell(t *testing.T, dir, line string) {
	t.Helper()
	if line == "" {
		return
	}
	if out, code := runShell(t, dir, line); code != exitDone {
		t.Fatalf("%s: exit %d\n%s", line, code, out)
	}
}

// runShell runs a line as a person would.
func runShell(t *testing.T, dir, line string) (output string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOVCTL_NOW=2026-11-20T09:00:00Z", "HOME="+dir, "XDG_STATE_HOME=", "GOVCTL_INPUT=0")
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// examplesDir makes a directory with everything examples name: a project in it and below
// examples, its service, and files that other commands have written.
func examplesDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	quickstart := os.DirFS("../../examples/quickstart")
	for _, at := range []string{dir, filepath.Join(dir, "examples", "quickstart")} {
		if err := os.CopyFS(at, quickstart); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(at, ".govctl")); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"snapshot.json":  `{"sandbox": {"enabled": false}}`,
		"exports/a.yaml": "sandbox:\n  enabled: true\n",
		"usage.json":     `{"window": {"from": "2026-11-01", "to": "2026-11-02"}}`,
		"hooks.json":     `{"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}`,
		"event.json":     `{"hook_event_name": "PostToolUse", "session_id": "ses_1"}`,
		"known.csv":      "email,limit\nada@acme.example,5\n",
		"members.csv":    "email,role\nnew@acme.example,member\n",
		"hooks.hcl":      "hooks {\n  on \"Stop\" {\n    command = \"true\"\n  }\n}\n",
		"policies/a.txt": "",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{
		"govctl plan --out plan.json && cp plan.json reviewed.json",
		"govctl plan examples/quickstart",
		"govctl drift --since-revision 40 --exit-zero -o json=drift.json",
		"govctl service readiness export > reports.json",
		"govctl service session export > sessions.json",
		"govctl service settings export > settings.json",
	} {
		mustShell(t, dir, line)
	}
	return dir
}
