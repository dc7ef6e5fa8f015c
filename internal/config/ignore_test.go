package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

func TestIgnorePatterns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern            string
		kind, key, pointer string
		want               bool
	}{
		{"setting/sandbox", "setting", "/sandbox", "", true},
		{"setting/sandbox", "setting", "/sandbox/enabled", "", true},
		{"setting/sandbox", "setting", "/sandboxes", "", false},
		{"setting/sandbox/enabled", "setting", "/sandbox", "", false},
		{"setting//sandbox", "setting", "/sandbox/enabled", "", true},
		{"setting#/sandbox/enabled", "setting", "/sandbox/enabled", "", true},
		{"setting#/sandbox/enabled", "setting", "/sandbox/network", "", false},
		{"setting/*/enabled", "setting", "/sandbox/enabled", "", true},
		{"setting/*/enabled", "setting", "/a/b/enabled", "", false},
		{"setting/**/enabled", "setting", "/a/b/enabled", "", true},
		{"setting/**", "setting", "/a/b", "", true},
		{"setting/a/**", "setting", "/a", "", true},
		{"setting/a~1b", "setting", "/a~1b/c", "", true},
		{"setting/{a,b}", "setting", "/b", "", true},
		{"setting/sandbox", "computer", "sandbox", "", false},
		{"computer/build-*", "computer", "build-01", "/host_id", true},
		{"computer/build-*", "computer", "build-01", "", true},
		{"computer/build-*", "computer", "other", "", false},
		{"computer/build-*#/host_id", "computer", "build-01", "/host_id", true},
		{"computer/build-*#/host_id", "computer", "build-01", "/name", false},
		{"computer/build-*#/host_id", "computer", "build-01", "", false},
		{"computer/*#/*", "computer", "build-01", "/name", true},
		{"computer/Build", "computer", "build", "", false},
		{`computer/\*`, "computer", "*", "", true},
		{`computer/\*`, "computer", "x", "", false},
		{"computer/a#b", "computer", "a#b", "", true},
		{"member/*@Partner.example.com", "member", "ada@partner.example.com", "", true},
		{"member/*@partner.example.com", "member", "ada@other.example.com", "", false},
		{"model/lab/*", "model", "lab/x-1", "", true},
		{"model/*", "model", "lab/x-1", "", true},
		{"model/x", "model", "", "", false},
	} {
		i := NewIgnores([]org.IgnoreRule{{Pattern: c.pattern}})
		if problem, _ := ignorable(c.pattern); problem != "" {
			t.Errorf("%s: %s", c.pattern, problem)
		}
		if got := i.Matches(0, c.kind, c.key, c.pointer); got != c.want {
			t.Errorf("%s matches %s %s %s: %t", c.pattern, c.kind, c.key, c.pointer, got)
		}
	}
}

func TestReadIgnores(t *testing.T) {
	t.Parallel()
	text := "\xef\xbb\xbf# noise\r\n\nsetting/wikiCloudSync  \r\n!setting/wikiCloudSync/x\n\\!setting/a\n \ncomputer/a\\ \ncomputer/b\t"
	got, err := parseIgnores("x/.govctlignore", []byte(text))
	var problems Problems
	if !errors.As(err, &problems) {
		t.Fatal(err)
	}
	for _, want := range []string{`x/.govctlignore:5:1: the ignore rule "!setting/a" means nothing: it must begin with computer, member, model, setting`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if len(problems) != 1 {
		t.Errorf("%d problems: %v", len(problems), err)
	}
	source := func(line int) org.Source { return org.Source{File: "x/.govctlignore", Line: line, Column: 1} }
	want := []org.IgnoreRule{
		{Pattern: "setting/wikiCloudSync", Source: source(3)}, {Pattern: "setting/wikiCloudSync/x", Negates: true, Source: source(4)},
		{Pattern: `computer/a\ `, Source: source(7)}, {Pattern: "computer/b", Source: source(8)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if _, err := ReadIgnores(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestIgnoreProblems(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"limit/ada@example.com":  "limits cannot be read",
		"settings/x":             `did you mean "setting"?`,
		"setting":                "write setting/** for all of them",
		"setting/":               "it names no setting",
		"computer/[":             "it is not a pattern",
		"computer/a#/[":          "it is not a pattern",
		"member/a@b#/x":          "a member has no parts",
		"*":                      "it must begin with",
		"computer/a\n\xff":       "not valid UTF-8",
		"model/x#/y\nmodel/ok\n": ":1:1: the ignore rule",
	} {
		if _, err := parseIgnores("f", []byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want something with %q", line, err, want)
		}
	}
}

func TestIgnoreBlocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	load := func(name, text string) (*Project, error) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(filepath.Join(dir, name))
		return Load(dir, Options{})
	}
	want := []org.IgnoreRule{
		{Pattern: "computer/build-*#/host_id", Reason: "re-imaged weekly", Owner: "ops@example.com", Expires: "2026-12-31"},
		{Pattern: "setting/wikiCloudSync", Reason: "nobody cares"},
	}
	for name, text := range map[string]string{
		"a.hcl":  "drift {\n  ignore \"setting/wikiCloudSync\" {\n    reason = \"nobody cares\"\n  }\n}\ndrift {\n  ignore \"computer/build-*#/host_id\" {\n    reason  = \"re-imaged weekly\"\n    owner   = \"ops@example.com\"\n    expires = \"2026-12-31\"\n  }\n}\n",
		"a.yaml": "drift:\n  ignore:\n    setting/wikiCloudSync: {reason: nobody cares}\n    \"computer/build-*#/host_id\":\n      reason: re-imaged weekly\n      owner: ops@example.com\n      expires: \"2026-12-31\"\n",
	} {
		p, err := load(name, text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range p.Ignores {
			if p.Ignores[i].Source.File != name || p.Ignores[i].Source.Line == 0 {
				t.Errorf("%s: %+v", name, p.Ignores[i].Source)
			}
			p.Ignores[i].Source = org.Source{}
		}
		if diff := cmp.Diff(want, p.Ignores); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	_, err := load("a.hcl", "drift {\n  ignore \"!setting/x\" {\n    reason = \"r\"\n  }\n  ignore \"seting/x\" {\n    reason = \"r\"\n    expires = \"soon\"\n    why = 1\n  }\n  ignore \"model/x\" {\n  }\n  ignore \"model/x\" {\n    reason = \"r\"\n  }\n}\n")
	if err == nil {
		t.Fatal("no problems")
	}
	for _, want := range []string{
		"a.hcl:2:10: an ignore rule of the configuration cannot be a negation", `a.hcl:5:10: the ignore rule "seting/x" means nothing`,
		`did you mean "setting"?`, "a.hcl:7:15: ", `unknown name "why"`, "a.hcl:10:3: ignore needs reason", "a.hcl:12:3: the same ignore rule is declared twice",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// FuzzIgnores reads any file: what is taken as a rule matches without fault and is the
// same rule when it is written as a line of its own.
func FuzzIgnores(f *testing.F) {
	f.Add([]byte("# c\nsetting/a/**\n!computer/b-*#/host_id\n\\#x\nmember/*@x  \n"))
	f.Add([]byte("setting/{a,b}[c-d]\\*\r\nmodel/**/x\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := parseIgnores("f", text)
		if err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
		i := NewIgnores(list)
		for n, r := range list {
			for _, kind := range ignoreKinds() {
				i.Matches(n, kind, "/a/b~1c", "")
				i.Matches(n, kind, "b-1@x", "/host_id")
			}
			line := r.Pattern
			if r.Negates {
				line = "!" + line
			}
			again, err := parseIgnores("f", []byte(line+"\n"))
			if err != nil || len(again) != 1 || again[0].Pattern != r.Pattern || again[0].Negates != r.Negates {
				t.Errorf("%q read again is %+v, %v", line, again, err)
			}
		}
	})
}
