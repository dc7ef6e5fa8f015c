package ci

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func env(pairs ...string) Env {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestDetect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		choice string
		env    Env
		want   Runner
		bad    bool
	}{
		{"auto", env(), None, false},
		{"", env("GITHUB_ACTIONS", "true"), GitHub, false},
		{"auto", env("GITHUB_ACTIONS", "false", "GITLAB_CI", "true"), GitLab, false},
		{"auto", env("GITLAB_CI", "false"), None, false},
		{"auto", env("JENKINS_URL", "https://ci.example"), Jenkins, false},
		{"none", env("GITHUB_ACTIONS", "true"), None, false},
		{"gitlab", env("GITHUB_ACTIONS", "true"), GitLab, false},
		{"travis", env(), None, true},
	} {
		got, err := Detect(c.choice, c.env)
		if got != c.want || (err != nil) != c.bad {
			t.Errorf("Detect(%q) = %q, %v; want %q", c.choice, got, err, c.want)
		}
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	github := []string{
		"GITHUB_REPOSITORY", "acme/gov", "GITHUB_SERVER_URL", "https://github.com", "GITHUB_SHA", "merge",
		"GITHUB_RUN_ID", "77", "GITHUB_EVENT_NAME", "pull_request",
	}
	base := Run{
		Runner: GitHub, Forge: "github", API: "https://api.github.com", Repository: "acme/gov", Head: "merge",
		Link: "https://github.com/acme/gov/actions/runs/77", Number: 77,
	}
	with := func(change func(*Run)) Run { r := base; change(&r); return r }
	pull := func(head string) string {
		return `{"pull_request":{"number":5,"head":{"sha":"abc","repo":` + head + `},"base":{"repo":{"full_name":"acme/gov"}}}}`
	}
	for name, c := range map[string]struct {
		runner Runner
		env    []string
		event  string
		want   Run
	}{
		"none":            {None, nil, "", Run{Runner: None}},
		"github push":     {GitHub, github, `{"ref":"refs/heads/main"}`, base},
		"github no event": {GitHub, append(github, "GITHUB_REF", "refs/pull/9/merge"), "", with(func(r *Run) { r.Change = 9 })},
		"github act":      {GitHub, append(github, "GITHUB_REF", "refs/pull/%!f(<nil>)/merge"), "{}", base},
		"github odd":      {GitHub, github, `{"pull_request":{"number":"x"}}`, base},
		"github pull":     {GitHub, github, pull(`{"full_name":"Acme/gov"}`), with(func(r *Run) { r.Change, r.Head = 5, "abc" })},
		"github fork":     {GitHub, github, pull(`{"full_name":"eve/gov"}`), with(func(r *Run) { r.Change, r.Head, r.Fork = 5, "abc", true })},
		"github gone":     {GitHub, github, pull(`null`), with(func(r *Run) { r.Change, r.Head, r.Fork = 5, "abc", true })},
		"github issue":    {GitHub, github, `{"issue":{"number":8,"pull_request":{}}}`, with(func(r *Run) { r.Change = 8 })},
		"gitlab": {GitLab, []string{
			"CI_API_V4_URL", "https://gitlab.example/api/v4", "CI_PROJECT_ID", "3", "CI_MERGE_REQUEST_PROJECT_ID", "3", "CI_MERGE_REQUEST_SOURCE_PROJECT_ID", "4",
			"CI_MERGE_REQUEST_IID", "12", "CI_COMMIT_SHA", "c0", "CI_JOB_URL", "https://gitlab.example/j/1", "CI_PIPELINE_ID", "50", "CI_JOB_ID", "900",
		}, "", Run{Runner: GitLab, Forge: "gitlab", API: "https://gitlab.example/api/v4", Repository: "3", Change: 12, Head: "c0", Fork: true, Link: "https://gitlab.example/j/1", Number: 50, Attempt: 900}},
		"jenkins, gitlab": {Jenkins, []string{"CHANGE_ID", "4", "CHANGE_URL", "https://gitlab.example/a/b/c/-/merge_requests/4", "BUILD_NUMBER", "6"}, "",
			Run{Runner: Jenkins, Forge: "gitlab", API: "https://gitlab.example/api/v4", Repository: "a/b/c", Change: 4, Number: 6}},
		"jenkins, github": {Jenkins, []string{"CHANGE_ID", "4", "CHANGE_URL", "https://github.com/a/b/pull/4"}, "",
			Run{Runner: Jenkins, Forge: "github", API: "https://api.github.com", Repository: "a/b", Change: 4}},
		"jenkins, own": {Jenkins, []string{"CHANGE_ID", "x", "CHANGE_URL", "https://ghe.example/a/b/pull/4"}, "",
			Run{Runner: Jenkins, Forge: "github", API: "https://ghe.example/api/v3", Repository: "a/b"}},
	} {
		if diff := cmp.Diff(c.want, Read(c.runner, env(c.env...), []byte(c.event))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// parseOutputFile is the runner's rule for $GITHUB_OUTPUT: a line is key=value if = comes
// before <<, else key<<delimiter and everything up to the delimiter on a line of its own.
func parseOutputFile(t rapid.TB, text string) []Output {
	t.Helper()
	var out []Output
	for text != "" {
		line, rest, ok := strings.Cut(text, "\n")
		if !ok {
			t.Fatalf("%q does not end its line", line)
		}
		text = rest
		equals, heredoc := strings.Index(line, "="), strings.Index(line, "<<")
		switch {
		case line == "":
		case equals >= 0 && (heredoc < 0 || equals < heredoc):
			out = append(out, Output{line[:equals], line[equals+1:]})
		case heredoc >= 0:
			end := line[heredoc+2:] + "\n"
			value, after, ok := strings.Cut("\n"+text, "\n"+end)
			if !ok {
				t.Fatalf("no delimiter after %q", line)
			}
			out, text = append(out, Output{line[:heredoc], strings.TrimPrefix(value, "\n")}), after
		default:
			t.Fatalf("invalid line %q fails the step", line)
		}
	}
	return out
}

var hostile = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
	"", "a=b", "a<<b", "x\nchanges=false", "x\r\nchanges=false\n", "::set-output name=changes::false", "##[error]x", "\n\n", "<<EOF\nEOF\n", "%0A",
}))

// TestOutputFile holds that no value can set another output.
func TestOutputFile(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var list []Output
		for _, key := range []string{"changes", "plan-file", "exitcode"} {
			list = append(list, Output{key, hostile.Draw(t, key)})
		}
		if diff := cmp.Diff(list, parseOutputFile(t, string(OutputFile(list)))); diff != "" {
			t.Fatalf("(-want +read):\n%s", diff)
		}
		lines := strings.Split(string(Dotenv(list)), "\n")
		if len(lines) != 4 || !strings.HasPrefix(lines[1], "GOVCTL_PLAN_FILE=") || lines[3] != "" || strings.ContainsAny(lines[1], "\r\x1b") {
			t.Fatalf("dotenv: %q", lines)
		}
	})
}

// runnerCommand ports the two rules by which a line is a command: its trimmed start is ::,
// or ##[ stands anywhere in it.
func runnerCommand(line string) (name string, ok bool) {
	if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "::"); ok {
		if head, _, ok := strings.Cut(rest, "::"); ok {
			name, _, _ = strings.Cut(head, " ")
			return name, true
		}
	}
	if _, rest, ok := strings.Cut(line, "##["); ok {
		if head, _, ok := strings.Cut(rest, "]"); ok {
			name, _, _ = strings.Cut(head, " ")
			return name, true
		}
	}
	return "", false
}

// TestGroupIsOneCommand holds that a title cannot bring a command of its own.
func TestGroupIsOneCommand(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		title := hostile.Draw(t, "title")
		begin, end := Group(GitHub, "plan", title, time.Unix(5, 0))
		for i, line := range strings.Split(begin+end, "\n") {
			name, is := runnerCommand(line)
			if want := []string{"group", "endgroup", ""}[i]; name != want || is != (want != "") {
				t.Fatalf("line %d of %q is %q", i, begin, name)
			}
		}
		if begin, _ = Group(GitLab, "plan", title, time.Unix(5, 0)); !strings.HasPrefix(begin, "section_start:5:plan[collapsed=true]\r\x1b[0K") || strings.Count(begin, "\n") != 1 || strings.Count(begin, "\x1b") != 1 {
			t.Fatalf("%q", begin)
		}
	})
	if b, e := Group(Jenkins, "x", "y", time.Time{}); b+e != "" {
		t.Error("Jenkins folds nothing")
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	if got := Mask(GitHub, "a%\nb"); got != "::add-mask::a%25%0Ab\n" {
		t.Errorf("got %q", got)
	}
	if Mask(GitLab, "x")+Mask(None, "x")+Mask(GitHub, " ") != "" {
		t.Error("a secret is written where no runner hides it")
	}
}

func TestAppend(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "output")
	if err := os.WriteFile(path, []byte("a=1"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"b=2\n", "c=3\n"} {
		if err := Append(path, []byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, []byte("a=1\nb=2\nc=3\n")) {
		t.Errorf("%q, %v", got, err)
	}
	if err := Append(filepath.Join(path, "x"), nil); err == nil {
		t.Error("no error where nothing can be written")
	}
	if SummaryRoom(0) != 1_000_000 || SummaryRoom(2_000_000) != 0 {
		t.Error("wrong room")
	}
}
