package service_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
)

// TestSDKExporter sends with the OpenTelemetry SDK as an agent would: protobuf and gzip.
func TestSDKExporter(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	ctx := t.Context()
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(s.BaseURL+"/v1/traces"), otlptracehttp.WithCompression(otlptracehttp.GzipCompression),
		otlptracehttp.WithHeaders(map[string]string{"Authorization": "Bearer " + s.Keys.Member}))
	if err != nil {
		t.Fatal(err)
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter))
	tracer := provider.Tracer("agent.usage", trace.WithInstrumentationVersion("1"))
	at := trace.WithTimestamp(time.Date(2026, 11, 19, 9, 0, 0, 0, time.UTC))
	for range 600 { // more than one batch
		_, span := tracer.Start(ctx, "agent.tool.call", at, trace.WithAttributes(
			attribute.String("user.id", "usr_003"), attribute.String("session.id", "sdk"), attribute.String("agent.client", "terminal-ui"),
			attribute.String("gen_ai.tool.name", "sdk_tool"), attribute.StringSlice("other", []string{"x"})))
		span.End()
	}
	if err := provider.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	w := request(t, s.Service, s.Keys.Owner, "GET", "/api/v1/analytics/tools?group_by=tool_name&startDate=2026-11-19&endDate=2026-11-19", "")
	if want := `{"date":"2026-11-19","group_key":"sdk_tool","tool_calls":600}`; !strings.Contains(w.Body.String(), want) {
		t.Errorf("%s is missing in %d %s", want, w.Code, w.Body)
	}
}

// FuzzTraces sends any bytes as spans, in both encodings: never a 5xx.
func FuzzTraces(f *testing.F) {
	s := bare(f)
	span := newSpan(1, "agent.model.request", servicetest.StartTime(), map[string]any{"user.id": "u", "session.id": "s", "agent.client": "c", "agent.credits": 0.5})
	f.Add(payload(f, span))
	f.Add([]byte(`{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"agent.usage"},"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"agent.git.commit","startTimeUnixNano":"1763553600000000000","attributes":[{"key":"user.id","value":{"stringValue":"u"}},{"key":"session.id","value":{"arrayValue":{"values":[{"intValue":"1"}]}}}]}]}]}]}`))
	f.Add([]byte(`{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"agent.usage"},"spans":[{}]}]}]}`))
	f.Add([]byte("\n\x00"))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, kind := range []string{"application/json", "application/x-protobuf"} {
			w := postTraces(t, s, "sesame", kind, body, false)
			if w.Code != 200 && w.Code != 400 {
				t.Errorf("%s %q: %d %q", kind, body, w.Code, w.Body)
			}
			if kind == "application/json" && !json.Valid(w.Body.Bytes()) {
				t.Errorf("%q: %q", body, w.Body)
			}
		}
	})
}

// TestHideCredits holds U15.
func TestHideCredits(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t, func(o *service.Options) { o.HideCredits = true })
	for _, path := range []string{"tokens?", "tokens?group_by=model&", "users?limit=100&"} {
		w := request(t, s.Service, s.Keys.Owner, http.MethodGet, "/api/v1/analytics/"+path+"startDate=2026-11-10&endDate=2026-11-19", "")
		if w.Code != 200 || strings.Contains(w.Body.String(), "billable") || !strings.Contains(w.Body.String(), "2026-11-10") {
			t.Errorf("%s: %d %.300s", path, w.Code, w.Body)
		}
	}
}
