package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// changing is what may differ from run to run in the README's sessions: digests cover
// the random lineage of the ledger.
var changing = regexp.MustCompile(`sha256:[0-9a-f]+`)

// TestReadme runs every line of the README's console blocks that starts with $ and
// compares what it prints with what the README says. Set
// UPDATE_SCRIPTS to rewrite the README.
func TestReadme(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for from, to := range map[string]string{"../../examples": "examples", "../../testdata/readme/broken": "broken"} {
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	for _, example := range []string{"quickstart", "bulk-csv"} {
		if err := os.RemoveAll(filepath.Join(dir, "examples", example, ".govctl")); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(data), "```console\n")
	for i := 1; i < len(parts); i++ {
		block, rest, _ := strings.Cut(parts[i], "```")
		got := session(t, dir, block)
		parts[i] = got + "```" + rest
		if diff := cmp.Diff(changing.ReplaceAllString(block, "sha256:…"), changing.ReplaceAllString(got, "sha256:…")); diff != "" && os.Getenv("UPDATE_SCRIPTS") == "" {
			t.Errorf("README console block %d (-README +real):\n%s", i, diff)
		}
	}
	if len(parts) < 3 {
		t.Errorf("the README has %d console blocks, want at least 2", len(parts)-1)
	}
	if os.Getenv("UPDATE_SCRIPTS") != "" {
		if err := os.WriteFile("../../README.md", []byte(strings.Join(parts, "```console\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// session runs the commands of one block and returns it as it should read. A command
// that ends with another code than 0 is followed by a line that says so.
func session(t *testing.T, dir, block string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.SplitSeq(block, "\n") {
		text, ok := strings.CutPrefix(line, "$ govctl ")
		if !ok {
			continue
		}
		cmd := command("govctl", strings.Fields(text)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		b.WriteString(line + "\n" + string(out))
		var exit *exec.ExitError
		if err != nil {
			if e, is := err.(*exec.ExitError); is {
				exit = e
			} else {
				t.Fatal(err)
			}
			b.WriteString("(" + strings.Replace(exit.Error(), "exit status", "exit code", 1) + ")\n")
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// TestContributingPaths holds the walk through the code to files that exist.
func TestContributingPaths(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../.github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	paths := regexp.MustCompile("`((?:cmd|internal|testdata|\\.ci)/[^`]*)`").FindAllStringSubmatch(string(data), -1)
	if len(paths) < 15 {
		t.Fatalf("only %d paths found", len(paths))
	}
	for _, p := range paths {
		if _, err := os.Stat(filepath.Join("../..", p[1])); err != nil {
			t.Errorf("CONTRIBUTING.md names %s: %v", p[1], err)
		}
	}
}
