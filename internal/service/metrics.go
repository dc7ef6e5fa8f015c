package service

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// metrics counts requests for Prometheus in its text format. It is written by hand, as
// three families of numbers need no library: a counter, a histogram and a gauge. Labels
// have few values, whoever sends what: a method is one of those HTTP defines, a route is
// the pattern that matched and never a path, and a code is its class.
type metrics struct {
	version, goVersion string

	mu       sync.Mutex
	inFlight int
	requests map[requestLabels]int64
	took     map[routeLabels]*histogram
}

type routeLabels struct{ method, route string }

type requestLabels struct {
	routeLabels
	code string // 2xx, 4xx …, or aborted
}

// histogram counts durations up to each of buckets.
type histogram struct {
	counts []int64 // by bucket, not cumulative; the last one is +Inf
	sum    float64 // seconds
	n      int64
}

// buckets are upper bounds in seconds: a read of SQLite takes a millisecond, a month of
// analytics some seconds.
func buckets() []float64 {
	return []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}
}

func newMetrics(version, goVersion string) *metrics {
	return &metrics{
		version: version, goVersion: goVersion,
		requests: map[requestLabels]int64{}, took: map[routeLabels]*histogram{},
	}
}

// begin counts a request that is under way.
func (m *metrics) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight++
}

// end counts a request that is over. Status 0 is one that was never answered.
func (m *metrics) end(method, route string, status int, took time.Duration) {
	at := routeLabels{knownMethod(method), route}
	code := "aborted"
	if status > 0 {
		code = fmt.Sprintf("%dxx", status/100)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inFlight--
	m.requests[requestLabels{at, code}]++
	h := m.took[at]
	if h == nil {
		h = &histogram{counts: make([]int64, len(buckets())+1)}
		m.took[at] = h
	}
	i, _ := slices.BinarySearch(buckets(), took.Seconds())
	h.counts[i]++
	h.sum += took.Seconds()
	h.n++
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
func (m *metrics) write(w io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	family(w, "govctl_build_info", "gauge", "The running program; always 1.")
	fmt.Fprintf(w, "govctl_build_info{goversion=%q,version=%q} 1\n", label(m.goVersion), label(m.version))
	family(w, "govctl_http_requests_in_flight", "gauge", "Requests that are being answered.")
	fmt.Fprintf(w, "govctl_http_requests_in_flight %d\n", m.inFlight)
	family(w, "govctl_http_requests_total", "counter", "Requests by method, route and class of the status.")
	for _, l := range sortedKeys(m.requests, func(l requestLabels) string { return l.route + " " + l.method + " " + l.code }) {
		fmt.Fprintf(w, "govctl_http_requests_total{code=%q,method=%q,route=%q} %d\n", l.code, l.method, label(l.route), m.requests[l])
	}
	family(w, "govctl_http_request_duration_seconds", "histogram", "Time from the first byte of a request to its answer.")
	for _, l := range sortedKeys(m.took, func(l routeLabels) string { return l.route + " " + l.method }) {
		m.took[l].write(w, l)
	}
}

func (h *histogram) write(w io.Writer, l routeLabels) {
	const name = "govctl_http_request_duration_seconds"
	labels := fmt.Sprintf("method=%q,route=%q", l.method, label(l.route))
	below := int64(0)
	for i, le := range buckets() {
		below += h.counts[i]
		fmt.Fprintf(w, "%s_bucket{%s,le=\"%g\"} %d\n", name, labels, le, below)
	}
	fmt.Fprintf(w, "%s_bucket{%s,le=\"+Inf\"} %d\n", name, labels, h.n)
	fmt.Fprintf(w, "%s_sum{%s} %g\n", name, labels, h.sum)
	fmt.Fprintf(w, "%s_count{%s} %d\n", name, labels, h.n)
}

func family(w io.Writer, name, kind, help string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// label keeps to characters that %q and Prometheus escape alike.
func label(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
}

func sortedKeys[K comparable, V any](m map[K]V, name func(K) string) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b K) int { return cmp.Compare(name(a), name(b)) })
	return keys
}
