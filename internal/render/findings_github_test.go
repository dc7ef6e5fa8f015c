package render

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

// runnerCommand is a line as GitHub's runner understands it.
type runnerCommand struct {
	name       string
	properties map[string]string
	data       string
}

// parseCommand does what the runner does with a line that starts with two colons.
func parseCommand(line string) (runnerCommand, bool) {
	line = strings.TrimSpace(line)
	rest, ok := strings.CutPrefix(line, "::")
	if !ok {
		return runnerCommand{}, false
	}
	head, data, ok := strings.Cut(rest, "::")
	if !ok {
		return runnerCommand{}, false
	}
	c := runnerCommand{properties: map[string]string{}, data: unescape(data)}
	name, list, _ := strings.Cut(head, " ")
	c.name = name
	for _, p := range strings.Split(list, ",") {
		if k, v, ok := strings.Cut(strings.TrimSpace(p), "="); ok {
			c.properties[k] = unescape(v)
		}
	}
	return c, true
}

func unescape(s string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(s)
}

var positive = regexp.MustCompile(`^[1-9][0-9]*$`)

// checkGitHub holds that the runner sees annotations and nothing else, and drops none.
func checkGitHub(t rapid.TB, out string) {
	t.Helper()
	if out != "" && !strings.HasSuffix(out, "\n") {
		t.Fatal("the last line has no end")
	}
	kept := map[string]int{}
	for _, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		if out == "" {
			break
		}
		checkHarmless(t, strings.TrimPrefix(line, "::"))
		c, ok := parseCommand(line)
		if !ok || !slices.Contains([]string{"error", "warning", "notice"}, c.name) {
			t.Fatalf("no annotation: %q", line)
		}
		for k, v := range c.properties {
			switch k {
			case "title":
			case "file":
				if v == "" || strings.HasPrefix(v, "/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") {
					t.Fatalf("file %q in %q", v, line)
				}
			case "line", "endLine", "col":
				if !positive.MatchString(v) {
					t.Fatalf("%s %q in %q", k, v, line)
				}
			default:
				t.Fatalf("a property %q in %q", k, line)
			}
		}
		if n := len(utf16.Encode([]rune(c.data))); n > 4096 || strings.TrimSpace(c.data) == "" || c.properties["title"] == "" {
			t.Fatalf("%d units of text in %q", n, line)
		}
		if kept[c.name]++; kept[c.name] > 10 {
			t.Fatalf("the runner drops %q", line)
		}
	}
}

func TestGitHubEscapes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.StringMatching("[%:,=\r\nA0-9 a-zDé]{0,12}"), rapid.SampledFrom([]string{"%0A", "%250A", "a::b", "x,line=9"})).Draw(t, "s")
		want := breakCommands(s)
		c, ok := parseCommand("::error title=" + inProperty(s) + ",line=1::" + inData(s) + "|")
		if !ok || c.properties["line"] != "1" || len(c.properties) != 2 || strings.TrimSpace(c.properties["title"]) != strings.TrimSpace(want) || c.data != want+"|" {
			t.Fatalf("%q is understood as %+v", s, c)
		}
	})
}

// TestGitHubLimits holds that what the runner would drop is counted instead.
func TestGitHubLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		errors, warnings, notices int
		want                      []string // lines by their command and the start of their text
	}{
		{1, 0, 0, []string{"1 error", "1 notice"}},
		{10, 10, 9, []string{"10 error", "10 warning", "10 notice"}},
		{11, 12, 10, []string{"9 error", "2 more", "9 warning", "3 more", "8 notice", "2 more", "1 notice"}},
		{2000, 0, 0, []string{"9 error", "1,991 more", "1 notice"}},
	} {
		var list []org.Finding
		for level, n := range []int{c.errors, c.warnings, c.notices} {
			for i := range n {
				list = append(list, org.Finding{Rule: "R", Status: org.Open, Severity: []string{"high", "medium", "low"}[level], Title: "t", Message: fmt.Sprint("m", i)})
			}
		}
		out := writeFindings(t, GitHub, policyReport(nil, nil, list...), Options{})
		checkGitHub(t, out)
		var got []string
		last, n := "", 0
		flush := func() {
			if n > 0 {
				got = append(got, fmt.Sprintf("%d %s", n, last))
			}
			n = 0
		}
		for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
			cmd, _ := parseCommand(line)
			if more, _, ok := strings.Cut(cmd.data, " more of this level"); ok {
				flush()
				got = append(got, more+" more")
				continue
			}
			if cmd.name != last {
				flush()
			}
			last = cmd.name
			n++
		}
		flush()
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c, diff)
		}
	}
}

// TestGitHubLongText holds that a text of characters that are two units each is cut by
// us, at its end, and not by the runner.
func TestGitHubLongText(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("😀", 3000)
	out := writeFindings(t, GitHub, policyReport(nil, nil, org.Finding{Rule: "R", Severity: "high", Status: org.Open, Title: long, Subject: long, Path: long, Message: long, Remediation: long}), Options{})
	checkGitHub(t, out)
	if line, _, _ := strings.Cut(out, "\n"); !strings.HasSuffix(line, "😀…") {
		t.Errorf("the end is %q", line[len(line)-20:])
	}
}
