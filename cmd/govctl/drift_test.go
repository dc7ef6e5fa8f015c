package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/service"
)

// inSync and drifted are projects on the sample organization.
const (
	inSync  = "computer \"build-02\" {\n  provider = \"byom\"\n}\nsettings {\n  expect = { sandbox = { enabled = false } }\n}\n"
	drifted = "computer \"build-02\" {\n  provider = \"byom\"\n}\nsettings {\n  expect = { sandbox = { enabled = true } }\n}\n"
)

// quiet turns off the rules that deny the sample organization's settings.
const quiet = "policy {\n  disable = [\"KEY001\", \"SBX001\"]\n}\n"

// TestDriftExitCodes is the whole matrix: drifted or not, everything read or not, denied
// by a rule or not, an error or none, and the flags that change what it means. Whatever
// happens, nothing but GET is sent.
func TestDriftExitCodes(t *testing.T) {
	t.Parallel()
	for i := range 1 << 4 {
		differs, missing, denies, broken := i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0
		t.Run(fmt.Sprintf("drifted %v, incomplete %v, denied %v, error %v", differs, missing, denies, broken), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.write("a.hcl", inSync)
			if differs {
				b.write("a.hcl", drifted)
			}
			if !denies {
				b.write("policy.hcl", quiet)
			}
			if missing {
				b.failing("/api/v0/computers", http.StatusInternalServerError)
			}
			if broken {
				b.write("key", "wrong\n")
			}
			b.write("old.json", `{"format_version":"1.0","limits":{"verdict":"unverifiable"},"target":{"base_url":"`+b.url+`"}}`)
			for _, flags := range []string{
				"", "--strict", "--exit-zero", "--strict --exit-zero", "--since-revision 42", "--since-revision 42 --strict",
				"--fail-on critical", "--fail-on critical --strict", "--fail-on critical --exit-zero", "--no-policy --strict",
				"--previous DIR/old.json --min-consecutive 2", "--previous DIR/old.json --min-consecutive 1",
			} {
				args := append([]string{"drift", "DIR", "-o", "json"}, strings.Fields(flags)...)
				code, out, errs := b.run(t.Context(), args...)
				if want := driftExit(differs, missing, denies, broken, flags); code != want {
					t.Errorf("govctl drift %s: exit %d, want %d\n%s%s", flags, code, want, out, errs)
				}
				if !broken {
					checkVerdict(t, out, differs, missing)
				}
			}
			if n := b.written.Load(); n > 0 {
				t.Errorf("%d requests were sent that are not GET", n)
			}
		})
	}
}

// driftExit is what design section 4 says: 1 before 3 before 6 before 2.
func driftExit(differs, missing, denies, broken bool, flags string) int {
	switch {
	case broken:
		return exitError
	case denies && strings.Contains(flags, "--fail-on"):
		return exitDenied
	case missing && strings.Contains(flags, "--strict"):
		return exitIncomplete
	case differs && !strings.Contains(flags, "--exit-zero") && !strings.Contains(flags, "--min-consecutive 2"):
		return exitChanges
	}
	return exitDone
}

func checkVerdict(t *testing.T, out string, differs, missing bool) {
	t.Helper()
	r, err := drift.Decode([]byte(out))
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want := drift.InSync
	switch {
	case differs:
		want = drift.Drifted
	case missing:
		want = drift.Unknown
	}
	if r.Verdict != want || r.Coverage.Complete == missing {
		t.Errorf("verdict %s, complete %v; want %s and %v", r.Verdict, r.Coverage.Complete, want, !missing)
	}
}

// TestDriftOnlyReads runs drift and drift accept with every flag they have, on a project
// that declares something of every kind, and looks at what is sent.
func TestDriftOnlyReads(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("b.hcl", drifted+"variable \"x\" {\n  default = 1\n}\nmodels {\n  allowed  = [\"model-a\"]\n  sessions = \"reset\"\n  reset_to = \"model-a\"\n}\n")
	b.write("x.hcl.vars", "x = 2\n")
	b.write("lines", "setting/sandbox\n")
	var mu sync.Mutex
	asked := map[string]int{}
	f := func(r *http.Request) service.Fault {
		mu.Lock()
		defer mu.Unlock()
		asked[r.Method]++
		return service.Fault{}
	}
	b.fault.Store(&f)
	tried := map[string]bool{}
	for _, line := range []string{
		"drift DIR -o json=DIR/report.json",
		"drift DIR --previous DIR/report.json --strict --exit-zero --since-revision 1",
		"drift DIR --var x=3 --var-file DIR/x.hcl.vars --name p --usage-days 90 --fail-on info --min-consecutive 1",
		"drift DIR --no-policy --no-ignore",
		"drift DIR --ignore-file DIR/lines --previous DIR/report.json -o json=DIR/report.json",
		"drift accept DIR --revision 40 --reason r --var x=3 --var-file DIR/x.hcl.vars",
		"drift accept DIR --all --until 2030-01-01 --reason r",
		"drift accept DIR --fingerprint PRINT --reason r",
		"drift DIR -o markdown",
		"drift DIR --notify http://127.0.0.1:9/ --notify-on always --termination-log DIR/words",
	} {
		line = strings.ReplaceAll(line, "PRINT", firstPrint(t, filepath.Join(b.dir, "report.json")))
		for _, word := range strings.Fields(line) {
			tried[word] = true
		}
		if code, out, errs := b.run(t.Context(), strings.Fields(line)...); code != exitDone && code != exitChanges && code != exitDenied {
			t.Errorf("govctl %s: exit %d\n%s%s", line, code, out, errs)
		}
	}
	if asked[http.MethodGet] == 0 || len(asked) != 1 {
		t.Errorf("asked %v", asked)
	}
	c := (&app{}).driftCommand()
	for _, flags := range []string{c.LocalNonPersistentFlags().FlagUsages(), c.Commands()[0].LocalNonPersistentFlags().FlagUsages()} {
		for _, word := range strings.Fields(flags) {
			word = strings.TrimSuffix(word, ":")
			// Those of many projects say which: a run of one of them is a run like these.
			if strings.HasPrefix(word, "--") && !tried[word] && !slices.Contains([]string{"--all", "--changed-since", "--jobs", "--list-projects"}, word) {
				t.Errorf("%s is not tried", word)
			}
		}
	}
}

// firstPrint is the fingerprint of the first difference of a report, "" without one.
func firstPrint(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	r, err := drift.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return r.All()[0].Fingerprint
}

// TestDriftHistoryBreaks: what was seen before the history broke off is reported, and the
// rest is missing, which is never in sync.
func TestDriftHistoryBreaks(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("a.hcl", inSync)
	f := func(r *http.Request) service.Fault {
		if strings.HasSuffix(r.URL.Path, "/history") && r.URL.Query().Get("limit") != "1" {
			return service.Fault{Status: http.StatusBadGateway}
		}
		return service.Fault{}
	}
	b.fault.Store(&f)
	code, out, errs := b.run(t.Context(), "drift", "DIR", "--since-revision", "40", "--strict", "-o", "json")
	var r drift.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err, errs)
	}
	if code != exitIncomplete || r.Verdict != drift.Unknown || len(r.Coverage.Missing) != 1 || !strings.Contains(r.Coverage.Missing[0].Error, "502") {
		t.Errorf("exit %d, %s, %+v", code, r.Verdict, r.Coverage)
	}
}

// TestDriftUsageUnreadable: whoever may not ask for usage is told that it is missing, and
// may say that it is not wanted.
func TestDriftUsageUnreadable(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("a.hcl", "models {\n  allowed = [\"model-a\", \"model-b\", \"model-c\"]\n}\n")
	b.failing("/analytics/", http.StatusForbidden)
	for flags, want := range map[string]int{"": exitDone, "--strict": exitIncomplete, "--strict --usage-days 0": exitDone} {
		code, out, errs := b.run(t.Context(), append([]string{"drift", "DIR", "-o", "json"}, strings.Fields(flags)...)...)
		r, err := drift.Decode([]byte(out))
		if err != nil {
			t.Fatal(err, errs)
		}
		asked := !strings.Contains(flags, "0")
		if code != want || (len(r.Coverage.Missing) == 1) != asked || (r.Verdict == drift.Unknown) != asked {
			t.Errorf("%s: exit %d, %s, %+v", flags, code, r.Verdict, r.Coverage)
		}
	}
}

// TestDriftRequests counts what a run asks for: one page of everything it looks at, and
// nothing of what it was told not to look at.
func TestDriftRequests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("a.hcl", inSync+"models {\n  allowed = [\"model-a\", \"model-b\", \"model-c\"]\n}\n")
	var mu sync.Mutex
	asked := map[string]int{}
	f := func(r *http.Request) service.Fault {
		mu.Lock()
		defer mu.Unlock()
		asked[r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]]++
		return service.Fault{}
	}
	b.fault.Store(&f)
	for flags, want := range map[string]string{
		"--no-policy":                "map[build-02:1 history:1 sessions:1 tokens:1]",
		"--no-policy --usage-days 0": "map[build-02:1 history:1 sessions:1]",
		"":                           "map[build-02:1 history:1 sessions:1 tokens:1 users:3]", // some rules ask who is a member
	} {
		clear(asked)
		if code, out, errs := b.run(t.Context(), append([]string{"drift", "DIR"}, strings.Fields(flags)...)...); code != exitDone {
			t.Fatalf("exit %d\n%s%s", code, out, errs)
		}
		if got := fmt.Sprint(asked); got != want {
			t.Errorf("%q asked %s, want %s", flags, got, want)
		}
	}
}
