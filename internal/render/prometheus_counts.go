package render

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/govctl/govctl/internal/drift"
)

// States of objects besides the verdicts of drift.
const (
	stateUnmanaged = "unmanaged" // seen, and nothing governs it
	stateIgnored   = "ignored"   // differs, and somebody accepted that
	stateError     = "error"     // could not be read
)

// objectCounts counts what a report is about by kind and state. A declared setting is an
// object; everything undeclared is one more, as it is compared as a whole.
func objectCounts(r *drift.Report) map[[2]string]int {
	out := map[[2]string]int{}
	add := func(kind, state string, n int) { out[[2]string{kind, state}] += n }
	settings := r.Summary.Checked
	for _, m := range r.Computers {
		if m.Verdict != drift.Unreadable {
			settings--
		}
		add("computer", computerState(m), 1)
	}
	undeclared := false
	for _, c := range r.Settings.Changes {
		switch {
		case c.Accepted != nil || c.Ignored != nil:
			add("setting", stateIgnored, 1)
		case !c.Transient:
			add("setting", drift.Drifted, 1)
		}
		if !c.Transient && c.Declared() {
			settings--
		} else if !c.Transient {
			undeclared = true
		}
	}
	if undeclared {
		settings--
	}
	add("setting", drift.InSync, max(0, settings))
	for _, g := range r.Coverage.Missing {
		switch g.Fact {
		case "settings":
			add("setting", stateError, 1)
		case "members":
			add("member", stateError, 1)
		case "sessions", "usage":
			add("model", stateError, 1)
		}
	}
	add("limit", drift.Unverifiable, r.Limits.Total())
	seen := func(ignored *drift.Ignored) string {
		if ignored != nil {
			return stateIgnored
		}
		return stateUnmanaged
	}
	for _, m := range r.Unmanaged.Members {
		add("member", seen(m.Ignored), 1)
	}
	for _, c := range r.Unmanaged.Computers {
		add("computer", seen(c.Ignored), 1)
	}
	for _, m := range r.Unmanaged.Models {
		add("model", seen(m.Ignored), 1)
	}
	return out
}

func computerState(m drift.Computer) string {
	switch {
	case m.Verdict == drift.Unreadable:
		return stateError
	case m.Accepted != nil || m.Ignored != nil:
		return stateIgnored
	case m.Verdict == drift.InSync, m.Verdict == drift.Missing:
		return m.Verdict
	}
	return drift.Drifted // a conflict differs, too
}

// coverage is the share of what was to be compared that could be. Where nothing could be,
// it is 0, whatever the reason.
func coverage(r *drift.Report) float64 {
	switch all := r.Summary.Checked + len(r.Coverage.Missing); {
	case all == 0:
		return 0
	case r.Coverage.Complete:
		return 1
	default:
		return float64(r.Summary.Checked) / float64(all)
	}
}

// sample is one series of an earlier file.
type sample struct {
	name, help string
	labels     prometheus.Labels
	value      float64
}

// parseMetrics reads the series of a project in an earlier file, sorted by name. A file
// that cannot be read says nothing: it is replaced.
func parseMetrics(data []byte, project string) []sample {
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	var out []sample
	for _, name := range slices.Sorted(maps.Keys(families)) {
		f := families[name]
		for _, m := range f.GetMetric() {
			s := sample{name: name, help: f.GetHelp(), labels: prometheus.Labels{}, value: m.GetGauge().GetValue()}
			for _, l := range m.GetLabel() {
				s.labels[l.GetName()] = l.GetValue()
			}
			if s.labels["project"] == project && m.GetGauge() != nil {
				out = append(out, s)
			}
		}
	}
	return out
}

// lastSuccess is when a command last succeeded, 0 for never.
func lastSuccess(before []sample, command string) float64 {
	for _, s := range before {
		if s.name == metricSuccess && s.labels["command"] == command {
			return s.value
		}
	}
	return 0
}

// keep repeats what an earlier file knew of the organization.
func (m driftMetrics) keep(before []sample) {
	gauges := map[string]*prometheus.GaugeVec{}
	for _, s := range before {
		known := strings.HasPrefix(s.name, "govctl_drift_") || strings.HasPrefix(s.name, "govctl_settings_") || s.name == "govctl_policy_findings"
		if !known || s.name == metricCoverage {
			continue
		}
		g := gauges[s.name]
		if g == nil {
			g = m.gauge(s.name, s.help, slices.Sorted(maps.Keys(s.labels))...)
			gauges[s.name] = g
		}
		if one, err := g.GetMetricWith(s.labels); err == nil { // other labels than the first: not ours
			one.Set(s.value)
		}
	}
}
