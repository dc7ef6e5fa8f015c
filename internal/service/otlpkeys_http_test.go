package service_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/service/servicetest"
)

// TestSnakeCaseIsUnknown: OTLP in JSON has lowerCamelCase names only. The names of the
// .proto files are unknown fields: they are ignored, and nothing is refused for them.
func TestSnakeCaseIsUnknown(t *testing.T) {
	t.Parallel()
	good := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"agent.usage"},"spans":[{
		"traceId":"0123456789abcdef0123456789abcdef","spanId":"0123456789abcdef","name":"agent.git.commit","startTimeUnixNano":"%d",
		"attributes":[{"key":"user.id","value":{"stringValue":"u_1"}},{"key":"session.id","value":{"stringValue":"s"}},{"key":"agent.client","value":{"stringValue":"web"}}]
	}]}]}]}`, servicetest.StartTime().UnixNano())
	for name, c := range map[string]struct {
		from, to string // what is replaced in the good request
		status   int
		says     string
		accepted int64
	}{
		"as it is":        {"", "", 200, `{}`, 1},
		"resource_spans":  {`"resourceSpans"`, `"resource_spans"`, 200, `{}`, 0},
		"escaped":         {`"resourceSpans"`, `"resource\u005fspans"`, 200, `{}`, 0},
		"scope_spans":     {`"scopeSpans"`, `"scope_spans"`, 200, `{}`, 0},
		"trace_id":        {`"traceId"`, `"trace_id"`, 400, `traceId is not 16 bytes`, 0},
		"start_time":      {`"startTimeUnixNano"`, `"start_time_unix_nano"`, 200, `1 refused: start is before 2026-01-14`, 0},
		"string_value":    {`"stringValue":"u_1"`, `"string_value":"u_1"`, 200, `1 refused: user.id is missing`, 0},
		"of another type": {`"spanId"`, `"span_id":[{}],"trace_state":5,"parent_span_id":null,"spanId"`, 200, `{}`, 1},
		"both":            {`"traceId"`, `"trace_id":"ffffffffffffffffffffffffffffffff","trace_id":1,"traceId"`, 200, `{}`, 1},
		"camelCase twice": {`"traceId"`, `"traceId":"ffffffffffffffffffffffffffffffff","traceId"`, 400, `no OTLP trace request`, 0},
		"other unknown":   {`"traceId"`, `"x-y":1,"xY":{"z_":[1]},"traceId"`, 200, `{}`, 1},
		"cut":             {`}]}]}]}`, `}]}]}`, 400, `no OTLP trace request`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := bare(t)
			w := postTraces(t, s, "sesame", "application/json", []byte(strings.Replace(good, c.from, c.to, 1)), false)
			counts, err := s.Store().SpanCounts(t.Context())
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) || err != nil || counts["accepted"] != c.accepted {
				t.Errorf("%d %s, %d accepted, %v", w.Code, w.Body, counts["accepted"], err)
			}
		})
	}
}
