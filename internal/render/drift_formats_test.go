package render

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
)

func writeDriftIn(t rapid.TB, format string, r *drift.Report, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Drift(&b, format, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// ignoredDrift is a report with what rules leave out, what a person has to do, and what
// policies say.
func ignoredDrift() *drift.Report {
	r := driftReports()["drift_full"]
	src := at(".govctlignore", 2)
	why := drift.Ignored{Rule: "setting/commandDenylist", Reason: "owned by another team", Owner: "sec@example.com", Expires: "2026-12-31", Source: &src}
	r.Name, r.MinConsecutive = "acme", 2
	r.Summary.Ignored, r.Summary.Pending = 2, 1
	r.Settings.Changes[0].Ignored = &why
	r.Computers[2].Ignored, r.Computers[2].IgnoredFields = &why, []drift.IgnoredField{{Field: r.Computers[2].Fields[0], Ignored: why}}
	r.Computers[2].Fields = nil
	r.Unmanaged.Members[0].Ignored = &why
	r.Unmanaged.Window = &drift.Window{From: "2026-11-12", To: "2026-11-18"}
	r.Unmanaged.Models = append(r.Unmanaged.Models, drift.SeenThing{Name: "model-y", Tokens: &drift.Tokens{Input: "12000", Output: "800", Days: 3, LastDay: "2026-11-18"}})
	r.Manual = []drift.Manual{{Path: "/sandbox/enabled", Words: "set Sandbox > Enabled (/sandbox/enabled) to true; it is false in revision 45", Revision: 45, Fingerprint: "00000000000000ad", Source: new(at("settings.hcl", 4))}}
	ru := org.Rule{ID: "SBX001", Kind: "settings", Severity: "critical", Title: "The sandbox is on", Enabled: true}
	r.Rules = []org.Rule{ru}
	r.Findings = []org.Finding{found(ru, org.Open, "settings@r45", "/sandbox/enabled", "the sandbox is off")}
	return r
}

// TestDriftFormatsGoldens holds every format of a report that machines read.
func TestDriftFormatsGoldens(t *testing.T) {
	t.Parallel()
	reports := driftReports()
	reports["drift_ignored"] = ignoredDrift()
	for name, r := range reports {
		for _, f := range hostFormats {
			out := writeDriftIn(t, f.format, r, acme)
			f.check(t, out)
			golden(t, name+f.file, out)
		}
		out := writeDriftIn(t, Prometheus, r, acme)
		checkHarmless(t, out)
		golden(t, name+".prom", out)
		if err := validSARIF(writeDriftIn(t, SARIF, r, acme)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	golden(t, "drift_ignored.txt", writeDrift(t, Text, reports["drift_ignored"]))
	golden(t, "drift_ignored.md", writeDrift(t, Markdown, reports["drift_ignored"]))
	golden(t, "drift_ignored.html", writeDriftIn(t, HTML, reports["drift_ignored"], acme))
}

// TestDriftFormatsAnything holds what the machines' formats promise, whatever the report is.
func TestDriftFormatsAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawDrift(t)
		for _, f := range hostFormats {
			f.check(t, writeDriftIn(t, f.format, r, acme))
		}
		if err := validSARIF(writeDriftIn(t, SARIF, r, acme)); err != nil {
			t.Fatal(err)
		}
	})
}

// TestDriftJUnitSchemas asks the two schemas themselves.
func TestDriftJUnitSchemas(t *testing.T) {
	t.Parallel()
	reports := driftReports()
	reports["drift_ignored"] = ignoredDrift()
	for name, r := range reports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			validJUnit(t, writeDriftIn(t, JUnit, r, acme))
		})
	}
}

// TestDriftFindings holds which rule and which status stands for what.
func TestDriftFindings(t *testing.T) {
	t.Parallel()
	var got []string
	for _, f := range findingsOf(ignoredDrift()).Findings {
		got = append(got, strings.Join([]string{f.Rule, f.Status, f.Severity, f.Subject, f.Path}, " "))
	}
	golden(t, "drift_findings.txt", strings.Join(got, "\n")+"\n")
	limits := 0
	for _, f := range findingsOf(ignoredDrift()).Findings {
		if f.Rule == ruleLimits {
			limits++
		}
	}
	if limits > 0 {
		t.Error("limits are a finding: they are neither in sync nor drifted")
	}
	if out := writeDrift(t, JUnit, ignoredDrift()); !strings.Contains(out, "not checkable (write-only)") {
		t.Error("a list of tests is silent about limits")
	}
}
