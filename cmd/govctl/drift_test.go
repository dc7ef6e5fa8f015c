package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
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

// TestDriftExitCodes is the whole matrix: drifted or not, everything read or not, an
// error or none, and the flags that change what it means. Whatever happens, nothing but
// GET is sent.
func TestDriftExitCodes(t *testing.T) {
	t.Parallel()
	for _, differs := range []bool{false, true} {
		for _, missing := range []bool{false, true} {
			for _, broken := range []bool{false, true} {
				t.Run(fmt.Sprintf("drifted %v, incomplete %v, error %v", differs, missing, broken), func(t *testing.T) {
					t.Parallel()
					b := newBench(t)
					b.write("a.hcl", inSync)
					if differs {
						b.write("a.hcl", drifted)
					}
					if missing {
						b.failing("/api/v0/computers", http.StatusInternalServerError)
					}
					if broken {
						b.write("key", "wrong\n")
					}
					for _, flags := range []string{"", "--strict", "--exit-zero", "--strict --exit-zero", "--since-revision 42", "--since-revision 42 --strict"} {
						args := append([]string{"drift", "DIR", "-o", "json"}, strings.Fields(flags)...)
						code, out, errs := b.run(t.Context(), args...)
						if want := driftExit(differs, missing, broken, flags); code != want {
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
	}
}

// driftExit is what design section 4 says: 1 before 6 before 2.
func driftExit(differs, missing, broken bool, flags string) int {
	switch {
	case broken:
		return exitError
	case missing && strings.Contains(flags, "--strict"):
		return exitIncomplete
	case differs && !strings.Contains(flags, "--exit-zero"):
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
		"drift DIR --var x=3 --var-file DIR/x.hcl.vars",
		"drift accept DIR --revision 40 --reason r --var x=3 --var-file DIR/x.hcl.vars",
		"drift accept DIR --all --until 2030-01-01 --reason r",
		"drift accept DIR --fingerprint PRINT --reason r",
		"drift DIR -o markdown",
	} {
		line = strings.ReplaceAll(line, "PRINT", firstPrint(t, filepath.Join(b.dir, "report.json")))
		for _, word := range strings.Fields(line) {
			tried[word] = true
		}
		if code, out, errs := b.run(t.Context(), strings.Fields(line)...); code != exitDone && code != exitChanges {
			t.Errorf("govctl %s: exit %d\n%s%s", line, code, out, errs)
		}
	}
	if asked[http.MethodGet] == 0 || len(asked) != 1 {
		t.Errorf("asked %v", asked)
	}
	c := (&app{}).driftCommand()
	for _, flags := range []string{c.LocalNonPersistentFlags().FlagUsages(), c.Commands()[0].LocalNonPersistentFlags().FlagUsages()} {
		for _, word := range strings.Fields(flags) {
			if strings.HasPrefix(word, "--") && !tried[word] {
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
