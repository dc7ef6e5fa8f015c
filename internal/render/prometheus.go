package render

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/org"
)

// Run is one run of a command, as metrics tell of it.
type Run struct {
	Command  string
	Project  string        // as the report calls it
	Ended    time.Time     // when it was over
	Took     time.Duration // from its begin
	ExitCode int
	Success  bool // it did what it is for, whatever it found
	// Requests counts what was asked of the API by method and class of the status, as in
	// "GET" and "2xx".
	Requests map[[2]string]int
}

// DriftMetrics writes what a run of drift found and how it went, for the textfile
// collector of a node exporter. r is nil for a run that failed before it knew anything:
// then what the file said until now is kept, because an alert that ends with the
// knowledge would be wrong, and its coverage is 0. old is that file, nil if there is
// none; the last success is kept from there, too. Series are gauges without timestamps,
// which the collector refuses; nobody's name is in a label.
func DriftMetrics(w io.Writer, r *drift.Report, run Run, old []byte, o Options) error {
	m := newDriftMetrics(o)
	m.run(run)
	before := parseMetrics(old, Clean(run.Project))
	success := float64(run.Ended.Unix())
	if !run.Success {
		success = lastSuccess(before, run.Command)
	}
	m.gauge(metricSuccess, "When a run last did what it is for, whatever it found; 0: never.", "command", "project").
		WithLabelValues(run.Command, Clean(run.Project)).Set(success)
	if r != nil {
		m.report(r)
		return m.write(w)
	}
	m.keep(before)
	m.gauge(metricCoverage, helpCoverage, "project").WithLabelValues(Clean(run.Project)).Set(0)
	return m.write(w)
}

// driftPrometheus writes what a report says, without a run.
func driftPrometheus(w io.Writer, r *drift.Report, o Options) error {
	m := newDriftMetrics(o)
	m.report(r)
	return m.write(w)
}

const (
	metricSuccess  = "govctl_run_last_success_timestamp_seconds"
	metricCoverage = "govctl_drift_coverage_ratio"
	helpCoverage   = "Share of what drift wanted to look at that could be read in the last run; 1: everything."
)

type driftMetrics struct{ registry *prometheus.Registry }

func newDriftMetrics(o Options) driftMetrics {
	m := driftMetrics{prometheus.NewRegistry()}
	m.gauge("govctl_build_info", "The program that wrote this; always 1.", "version").WithLabelValues(Clean(o.Version)).Set(1)
	return m
}

// gauge makes and registers a family; a name is used once.
func (m driftMetrics) gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(g)
	return g
}

func (m driftMetrics) run(run Run) {
	labels := []string{"command", "project"}
	values := []string{run.Command, Clean(run.Project)}
	m.gauge("govctl_run_last_timestamp_seconds", "When the last run ended.", labels...).WithLabelValues(values...).Set(float64(run.Ended.Unix()))
	m.gauge("govctl_run_duration_seconds", "How long the last run took.", labels...).WithLabelValues(values...).Set(run.Took.Seconds())
	m.gauge("govctl_run_exit_code", "How the last run ended: 0 done, 1 error, 2 drift, 6 facts missing.", labels...).WithLabelValues(values...).Set(float64(run.ExitCode))
	requests := m.gauge("govctl_api_requests", "Requests of the last run to the API, with their repetitions.", "method", "code_class")
	for k, n := range run.Requests {
		requests.WithLabelValues(k[0], k[1]).Set(float64(n))
	}
}

// driftKinds and driftStates are the labels of what drift looks at. All pairs are written,
// most of them 0, so that a rule can compare.
func driftKinds() []string { return []string{"computer", "limit", "member", "model", "setting"} }

func driftStates() []string {
	return []string{drift.InSync, drift.Drifted, drift.Missing, stateUnmanaged, drift.Unverifiable, stateIgnored, stateError}
}

func (m driftMetrics) report(r *drift.Report) {
	project := Clean(driftName(r))
	objects := m.gauge("govctl_drift_objects", "What drift looked at by state, as of the last run that could look; limits are always unverifiable.", "project", "kind", "state")
	counts := objectCounts(r)
	for _, kind := range driftKinds() {
		for _, state := range driftStates() {
			objects.WithLabelValues(project, kind, state).Set(float64(counts[[2]string{kind, state}]))
		}
	}
	if c := r.Comparison; c != nil {
		fresh := m.gauge("govctl_drift_new_objects", "Differences that the previous report did not have.", "project", "kind")
		for _, kind := range driftKinds() {
			fresh.WithLabelValues(project, kind).Set(0)
		}
		for _, ref := range c.New {
			if slices.Contains(driftKinds(), ref.Kind) {
				fresh.WithLabelValues(project, ref.Kind).Inc()
			}
		}
	}
	m.gauge(metricCoverage, helpCoverage, "project").WithLabelValues(project).Set(coverage(r))
	if len(r.Findings) > 0 {
		findings := m.gauge("govctl_policy_findings", "What policies found and nobody accepted.", "project", "severity")
		open := org.CountFindings(r.Findings, "").Open
		for _, severity := range org.Severities() {
			findings.WithLabelValues(project, severity).Set(float64(open[severity]))
		}
	}
	if s := r.Settings; s.ToRevision > 0 {
		m.gauge("govctl_settings_revision", "The newest revision of the settings.", "project").WithLabelValues(project).Set(float64(s.ToRevision))
		if at, err := time.Parse(time.RFC3339, s.AsOf); err == nil {
			m.gauge("govctl_settings_updated_timestamp_seconds", "When the newest revision of the settings was made.", "project").WithLabelValues(project).Set(float64(at.UnixMilli()) / 1000)
		}
	}
}

// write writes everything in the text format, sorted by name.
func (m driftMetrics) write(w io.Writer) error {
	families, err := m.registry.Gather()
	if err != nil {
		return fmt.Errorf("gather metrics: %w", err)
	}
	var b bytes.Buffer
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(&b, f); err != nil {
			return fmt.Errorf("write metrics: %w", err)
		}
	}
	_, err = w.Write(b.Bytes())
	return err
}
