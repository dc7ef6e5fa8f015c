package render

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/drift"
)

func writeMetrics(t rapid.TB, r *drift.Report, run Run, old string) string {
	t.Helper()
	var b bytes.Buffer
	if err := DriftMetrics(&b, r, run, []byte(old), Options{Version: "v0.1.0"}); err != nil {
		t.Fatal(err)
	}
	checkHarmless(t, b.String())
	return b.String()
}

// series reads metrics back, each once.
func series(t rapid.TB, text string) map[string]float64 {
	t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	out := map[string]float64{}
	for name, f := range families {
		if f.GetHelp() == "" {
			t.Fatalf("%s has no help", name)
		}
		for _, m := range f.GetMetric() {
			key := name
			for _, l := range m.GetLabel() {
				key += " " + l.GetValue()
			}
			if _, twice := out[key]; twice || m.TimestampMs != nil {
				t.Fatalf("%s twice, or with a time", key)
			}
			out[key] = m.GetGauge().GetValue()
		}
	}
	return out
}

// TestMetricsOfRuns walks through a good run, a failed one and a good one again.
func TestMetricsOfRuns(t *testing.T) {
	t.Parallel()
	r := ignoredDrift()
	run := Run{Command: "drift", Project: "acme", Ended: now, Took: 1500 * time.Millisecond, ExitCode: 2, Success: true, Requests: map[[2]string]int{{"GET", "2xx"}: 7}}
	first := writeMetrics(t, r, run, "")
	golden(t, "drift_run.prom", first)
	failed := run
	failed.Ended, failed.ExitCode, failed.Success, failed.Requests = now.Add(time.Hour), 1, false, nil
	second := writeMetrics(t, nil, failed, first)
	golden(t, "drift_run_failed.prom", second)
	a, b := series(t, first), series(t, second)
	for key, want := range map[string]float64{
		"govctl_run_exit_code drift acme":                      1,
		"govctl_run_last_timestamp_seconds drift acme":         float64(now.Add(time.Hour).Unix()),
		"govctl_run_last_success_timestamp_seconds drift acme": float64(now.Unix()),
		"govctl_drift_coverage_ratio acme":                     0,
		"govctl_drift_objects setting acme drifted":            a["govctl_drift_objects setting acme drifted"],
		"govctl_settings_revision acme":                        45,
	} {
		if got, ok := b[key]; !ok || got != want {
			t.Errorf("%s is %v (%v), want %v", key, got, ok, want)
		}
	}
	if a["govctl_drift_objects setting acme drifted"] == 0 {
		t.Error("no setting drifted")
	}
	if again := writeMetrics(t, r, run, second); again != first {
		t.Errorf("after a failure, metrics are not what they were:\n%s", again)
	}
	never := series(t, writeMetrics(t, nil, failed, "not { metrics"))
	if got, ok := never["govctl_run_last_success_timestamp_seconds drift acme"]; !ok || got != 0 {
		t.Errorf("a command that never succeeded did at %v, %v", got, ok)
	}
}

// TestMetricsAnything holds that metrics can be read and are bounded, whatever the report
// and the old file are, and that no name of anybody is in them.
func TestMetricsAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := drawDrift(t)
		run := Run{Command: "drift", Project: r.Project, Ended: now}
		first := writeMetrics(t, r, run, rapid.SampledFrom([]string{"", "x 1\n", "govctl_drift_objects 5\n", "# TYPE a histogram\na 1\n"}).Draw(t, "old"))
		got := series(t, first)
		if n := len(driftKinds()) * len(driftStates()); strings.Count(first, "\ngovctl_drift_objects{") != n {
			t.Fatalf("not %d pairs of kind and state:\n%s", n, first)
		}
		if len(got) > 70 {
			t.Fatalf("%d series", len(got))
		}
		for _, c := range r.Computers {
			if len(c.Name) > 20 && c.Name != r.Project && strings.Contains(first, c.Name) {
				t.Fatalf("the name of a computer is in the metrics: %q", c.Name)
			}
		}
		series(t, writeMetrics(t, nil, run, first))
	})
}
