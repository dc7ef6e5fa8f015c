package service

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"
)

// metrics counts requests in a registry of its own. Labels have few values, whoever sends
// what: a method is one of those HTTP defines, a route is the pattern that matched and
// never a path, and a code is its class.
type metrics struct {
	registry *prometheus.Registry
	inFlight prometheus.Gauge
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
}

func newMetrics(version, goVersion string) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "govctl_http_requests_in_flight", Help: "Requests that are being answered.",
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "govctl_http_requests_total", Help: "Requests by method, route and class of the status.",
		}, []string{"method", "route", "code"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "govctl_http_request_duration_seconds", Help: "Time from the first byte of a request to its answer.",
			// A read of SQLite takes a millisecond, a month of analytics some seconds.
			Buckets: []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10},
		}, []string{"method", "route"}),
	}
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "govctl_build_info", Help: "The running program; always 1.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": goVersion},
	})
	info.Set(1)
	m.registry.MustRegister(m.inFlight, m.requests, m.took, info)
	return m
}

// begin counts a request that is under way.
func (m *metrics) begin() { m.inFlight.Inc() }

// end counts a request that is over. Status 0 is one that was never answered.
func (m *metrics) end(method, route string, status int, took time.Duration) {
	method = knownMethod(method)
	code := "aborted"
	if status > 0 {
		code = fmt.Sprintf("%dxx", status/100)
	}
	m.inFlight.Dec()
	m.requests.WithLabelValues(method, route, code).Inc()
	m.took.WithLabelValues(method, route).Observe(took.Seconds())
}

// knownMethod keeps senders from making up label values.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions, http.MethodConnect, http.MethodTrace:
		return method
	}
	return "other"
}

// write writes everything in the text format 0.0.4, sorted.
func (m *metrics) write(w io.Writer) error {
	families, err := m.registry.Gather()
	if err != nil {
		return fmt.Errorf("gather metrics: %w", err)
	}
	for _, f := range families {
		if _, err := expfmt.MetricFamilyToText(w, f); err != nil {
			return fmt.Errorf("write metrics: %w", err)
		}
	}
	return nil
}
