package service_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
	"github.com/govctl/govctl/internal/service/store"
)

// attributes makes OTLP attributes of strings, ints, floats and bools.
func attributes(all map[string]any) []*commonpb.KeyValue {
	var list []*commonpb.KeyValue
	for key, v := range all {
		value := &commonpb.AnyValue{}
		switch v := v.(type) {
		case string:
			value.Value = &commonpb.AnyValue_StringValue{StringValue: v}
		case int:
			value.Value = &commonpb.AnyValue_IntValue{IntValue: int64(v)}
		case float64:
			value.Value = &commonpb.AnyValue_DoubleValue{DoubleValue: v}
		case bool:
			value.Value = &commonpb.AnyValue_BoolValue{BoolValue: v}
		}
		list = append(list, &commonpb.KeyValue{Key: key, Value: value})
	}
	return list
}

// newSpan makes a span of the scope agent.usage with an id made of n.
func newSpan(n int, name string, start time.Time, all map[string]any) *tracepb.Span {
	trace, id := make([]byte, 16), make([]byte, 8)
	binary.BigEndian.PutUint64(trace[8:], uint64(n)/7+1)
	binary.BigEndian.PutUint64(id, uint64(n)+1)
	return &tracepb.Span{
		TraceId: trace, SpanId: id, Name: name, Attributes: attributes(all),
		StartTimeUnixNano: uint64(start.UnixNano()), EndTimeUnixNano: uint64(start.UnixNano()),
	}
}

// payload is a protobuf request with spans of the scope.
func payload(t testing.TB, spans ...*tracepb.Span) []byte {
	t.Helper()
	text, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource:   &resourcepb.Resource{Attributes: attributes(map[string]any{"service.name": "agent-cli"})},
		ScopeSpans: []*tracepb.ScopeSpans{{Scope: &commonpb.InstrumentationScope{Name: "agent.usage", Version: "1"}, Spans: spans}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// export posts a protobuf request and wants it accepted as a whole.
func export(t testing.TB, h http.Handler, key string, spans ...*tracepb.Span) {
	t.Helper()
	w := postTraces(t, h, key, "application/x-protobuf", payload(t, spans...), false)
	if w.Code != 200 || w.Body.Len() != 0 {
		t.Fatalf("%d %q", w.Code, w.Body)
	}
}

func postTraces(t testing.TB, h http.Handler, key, kind string, body []byte, zip bool) *httptest.ResponseRecorder {
	t.Helper()
	if zip {
		var text bytes.Buffer
		z := gzip.NewWriter(&text)
		_, _ = z.Write(body)
		_ = z.Close()
		body = text.Bytes()
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/traces", bytes.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", kind)
	if zip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// openBare opens a service with an organization, ten members and nothing else, at noon of
// 2026-11-20. Its owner key is sesame. The days that its start builds are built, so that
// none are in the middle of what a test sends.
func openBare(t testing.TB, path string, opts ...func(*service.Options)) *service.Service {
	t.Helper()
	o := service.Options{Database: path, OwnerKey: "sesame", Now: servicetest.StartTime}
	for _, opt := range opts {
		opt(&o)
	}
	s, err := service.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	at := servicetest.StartTime()
	if _, err := s.Store().Organization(t.Context()); err == nil {
		return s
	}
	if err := s.Store().CreateOrganization(t.Context(), store.Organization{ID: "org_t", CreatedAt: at}); err != nil {
		t.Fatal(err)
	}
	for n := range 5 {
		u := store.User{ID: fmt.Sprintf("u%d", n), Email: fmt.Sprintf("u%d@acme.example", n), CreatedAt: at}
		if _, err := s.Store().AddUser(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.BuildDays(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

func bare(t testing.TB, opts ...func(*service.Options)) *service.Service {
	t.Helper()
	s := openBare(t, pgtest.Database(t), opts...)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// randomSpans makes n spans of a few users, sessions and names over ten days.
func randomSpans(random *rand.Rand, n int) []*tracepb.Span {
	pick := func(values ...string) string { return values[random.IntN(len(values))] }
	first := time.Date(2026, 11, 10, 0, 0, 0, 0, time.UTC)
	var spans []*tracepb.Span
	for i := range n {
		start := first.AddDate(0, 0, random.IntN(10)).Add(time.Duration(random.Int64N(int64(24 * time.Hour))))
		if random.IntN(10) == 0 { // the edges of a day (I13)
			start = start.Truncate(24 * time.Hour).Add(-time.Duration(random.IntN(2)))
		}
		all := map[string]any{
			"user.id": fmt.Sprintf("u%d", random.IntN(8)), "session.id": fmt.Sprintf("s%d", random.IntN(12)),
			"agent.client": pick("terminal-ui", "web", "non-interactive-cli", "odd"),
		}
		if random.IntN(3) == 0 {
			all["user.email"] = pick("a@x.example", "b@x.example")
		}
		name := pick("agent.session.start", "agent.message", "agent.model.request", "agent.tool.call", "agent.file.change",
			"agent.skill.activate", "agent.slash_command.run", "agent.hook.run", "agent.git.commit", "agent.git.pull_request.create",
			"agent.message", "agent.tool.call", "agent.model.request")
		fill(random, name, all, pick)
		spans = append(spans, newSpan(i, name, start, all))
	}
	return spans
}

func fill(random *rand.Rand, name string, all map[string]any, pick func(...string) string) {
	switch name {
	case "agent.session.start":
		all["agent.session.resumed"] = random.IntN(3) == 0
		all["agent.delegation"] = pick("auto-high", "manual", "spec")
	case "agent.message":
		all["agent.message.role"] = pick("user", "user", "assistant", "tool", "system")
	case "agent.model.request":
		all["gen_ai.response.model"] = pick("m1", "m2", "m3")
		all["agent.model.tier"] = pick("standard", "thinking")
		all["gen_ai.usage.input_tokens"] = random.IntN(5000)
		all["gen_ai.usage.output_tokens"] = random.IntN(500)
		all["gen_ai.usage.cache_read.input_tokens"] = random.IntN(5000)
		all["gen_ai.usage.cache_creation.input_tokens"] = random.IntN(500)
		if random.IntN(3) == 0 {
			all["agent.credits"] = random.Float64() * 100
		}
	case "agent.tool.call":
		all["gen_ai.tool.name"] = pick("read", "edit", "run", "Edit")
		all["agent.delegation"] = pick("auto-high", "auto-medium", "auto-low", "spec", "manual", "other", "")
		if random.IntN(3) == 0 {
			all["mcp.server.name"] = pick("Tracker", "tracker", "")
		}
	case "agent.file.change":
		all["agent.file.operation"] = pick("created", "edited")
		all["agent.file.extension"] = pick(".go", ".ts", "", ".weird")
	case "agent.hook.run":
		all["agent.hook.event"], all["agent.hook.matcher"], all["agent.hook.command"] = pick("Stop", "PostToolUse"), pick("", "edit"), pick("x", "y <&>")
	case "agent.skill.activate":
		all["agent.skill.name"] = pick("k1", "k2")
	case "agent.slash_command.run":
		all["agent.slash_command.name"] = pick("/a", "/b")
	}
}

// answers are what the five endpoints say, whole, grouped, and page by page.
func answers(t testing.TB, h http.Handler, from, to string) map[string]string {
	t.Helper()
	got := map[string]string{}
	for _, path := range []string{"tokens?", "tokens?group_by=model&", "tools?", "tools?group_by=tool_name&", "activity?", "activity?group_by=client&", "productivity?", "users?limit=100&"} {
		w := request(t, h, "sesame", "GET", "/api/v1/analytics/"+path+"startDate="+from+"&endDate="+to, "")
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		got[path] = w.Body.String()
	}
	return got
}
