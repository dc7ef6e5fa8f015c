package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/forge/forgetest"
)

// workflows is a repository with the example workflows, the service they govern and the
// code host they comment on. What stands for the artifact store is two actions that copy.
type workflows struct {
	act, repo, dir string
	args           []string
	forge          *forgetest.Server
}

const artifactAction = `name: artifact
description: keeps files
inputs: {name: {required: true}, path: {}, retention-days: {}, if-no-files-found: {}}
runs:
  using: composite
  steps:
    - shell: bash
      run: |
        `

func startWorkflows(t *testing.T) *workflows {
	t.Helper()
	act := os.Getenv("GOVCTL_ACT")
	if act == "" {
		t.Skip("SKIPPED: GOVCTL_ACT does not name the program act; .ci/verify-formats installs it")
	}
	dir := t.TempDir()
	w := &workflows{act: act, dir: dir, repo: filepath.Join(dir, "repo"), forge: forgetest.Start("github")}
	t.Cleanup(w.forge.Close)
	w.forge.Login, w.forge.Hidden = "github-actions[bot]", true
	url, key := w.serve(t)
	for from, to := range map[string]string{"plan.yml": "workflows", "apply.yml": "workflows", "drift.yml": "workflows", "action.yml": "actions/govctl"} {
		data, err := os.ReadFile(filepath.Join("../../examples/ci/github", from))
		if err != nil {
			t.Fatal(err)
		}
		w.write(t, filepath.Join("repo/.github", to, from), string(data))
	}
	w.write(t, "repo/governance/govctl.hcl", "service {\n  base_url = \""+url+"\"\n}\ncredit_limits {\n  unlisted = \"ignore\"\n  users = {\n    \"ada@acme.example\" = 7\n  }\n}\nsettings {\n  expect = { sandbox = { enabled = true } }\n}\n")
	w.write(t, "up/action.yml", artifactAction+`if [ -e "${{ inputs.path }}" ]; then mkdir -p "$ARTIFACTS" && cp "${{ inputs.path }}" "$ARTIFACTS/"; fi`)
	w.write(t, "down/action.yml", artifactAction+`cp "$ARTIFACTS"/* .`)
	pull := `{"number": 5, "head": {"sha": "0a1b2c3d4e5f", "repo": {"full_name": "acme/gov"}}, "base": {"repo": {"full_name": "acme/gov"}}}`
	w.write(t, "pull.json", `{"pull_request": `+pull+`, "repository": {"full_name": "acme/gov"}}`)
	w.write(t, "other.json", `{"ref": "refs/heads/main", "repository": {"full_name": "acme/gov"}}`)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "first"}} {
		c := exec.CommandContext(t.Context(), "git", args...)
		c.Dir = w.repo
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	w.args = []string{
		"-P", "ubuntu-latest=-self-hosted", "--pull=false", "--no-recurse",
		"--env", "ARTIFACTS=" + filepath.Join(dir, "artifacts"), "--env", "GITHUB_REPOSITORY=acme/gov", "--env", "GITHUB_API_URL=" + w.forge.API(),
		"-s", "GITHUB_TOKEN=ghs-secret", "-s", "GOVCTL_READER_KEY=" + key, "-s", "GOVCTL_WRITER_KEY=" + key,
		"-s", "GOVCTL_LEDGER=file:" + filepath.ToSlash(filepath.Join(dir, "ledger.jsonl")),
		"--local-repository", "actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02=" + filepath.Join(dir, "up"),
		"--local-repository", "actions/download-artifact@d3f86a106a0bac45b974a628896c90dbdf5c8093=" + filepath.Join(dir, "down"),
	}
	return w
}

func (w *workflows) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// serve starts the embedded service as a server and returns its address and a key.
func (w *workflows) serve(t *testing.T) (url, key string) {
	t.Helper()
	c := command("govctl", "serve", "--sample", "--listen", "127.0.0.1:0", "--database", filepath.Join(w.dir, "service.db"))
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan() && (url == "" || key == ""); {
		if s, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			url = s
		}
		if _, s, ok := strings.Cut(lines.Text(), "key (shown once): "); ok {
			key = strings.TrimSpace(s)
		}
	}
	return url, key
}

// run runs a workflow and returns its log and whether it succeeded.
func (w *workflows) run(t *testing.T, event, file, payload string) (log string, ok bool) {
	t.Helper()
	args := append([]string{event, "-W", ".github/workflows/" + file, "-e", filepath.Join(w.dir, payload)}, w.args...)
	c := exec.CommandContext(t.Context(), w.act, args...)
	c.Dir = w.repo
	path, err := exec.LookPath("govctl")
	if err != nil {
		t.Fatal(err)
	}
	c.Env = append(os.Environ(), "HOME="+w.dir, "XDG_CACHE_HOME="+filepath.Join(w.dir, "cache"), "PATH="+filepath.Dir(path)+":"+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	return string(out), err == nil
}

// TestActRunsTheWorkflows runs the example workflows by a runner, without containers,
// against the embedded service: a pull request is planned and commented, a merge applied as
// it was planned, and drift is exit 2 and an issue.
func TestActRunsTheWorkflows(t *testing.T) {
	t.Parallel()
	w := startWorkflows(t)
	wants := func(log string, texts ...string) {
		t.Helper()
		for _, s := range texts {
			if !strings.Contains(log, s) {
				t.Errorf("no %q in:\n%s", s, log)
			}
		}
	}
	log, ok := w.run(t, "pull_request", "plan.yml", "pull.json")
	wants(log, "::set-output:: changes=true", "::set-output:: plan-sha256=sha256:", "Summary - ## govctl plan: `governance`", "| created  "+w.forge.URL+"/pull/5#issuecomment-1")
	if list := w.forge.Comments(); !ok || len(list) != 1 || !strings.Contains(list[0].Body, "--approved-digest sha256:") {
		t.Fatalf("%v, comments %+v\n%s", ok, list, log)
	}
	log, _ = w.run(t, "pull_request", "plan.yml", "pull.json")
	wants(log, "| unchanged  ")

	log, ok = w.run(t, "push", "apply.yml", "other.json")
	wants(log, "Summary - ## govctl apply", "::set-output:: result=applied")
	data, err := os.ReadFile(filepath.Join(w.dir, "artifacts", "report.json"))
	var report struct{ Result string }
	if err == nil {
		err = json.Unmarshal(data, &report)
	}
	if !ok || err != nil || report.Result != "applied" {
		t.Fatalf("%v, %v, %+v\n%s", ok, err, report, log)
	}
	log, _ = w.run(t, "pull_request", "plan.yml", "pull.json")
	wants(log, "::set-output:: changes=false", "| edited  ")

	log, ok = w.run(t, "workflow_dispatch", "drift.yml", "other.json")
	wants(log, "::set-output:: exitcode=2", "::set-output:: drifted=true", "| created  "+w.forge.URL+"/issues/1")
	if list := w.forge.Issues(); ok || len(list) != 1 || list[0].Title != "Drift: governance" {
		t.Fatalf("%v, issues %+v\n%s", ok, list, log)
	}
	for _, secret := range []string{"ghs-secret"} {
		if strings.Contains(log, secret) {
			t.Errorf("%s is in the log", secret)
		}
	}
}
