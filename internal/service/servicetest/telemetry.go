package servicetest

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/govctl/govctl/internal/api"
)

// telemetrySpan is a span in the JSON of OTLP.
type telemetrySpan struct {
	TraceID    string              `json:"traceId"`
	SpanID     string              `json:"spanId"`
	Name       string              `json:"name"`
	Start      string              `json:"startTimeUnixNano"`
	Attributes []telemetryProperty `json:"attributes"`
}

type telemetryProperty struct {
	Key   string         `json:"key"`
	Value map[string]any `json:"value"`
}

// agentSpan makes a span with a new id. Attributes are texts, integers, numbers and flags.
func agentSpan(name string, start time.Time, attributes map[string]any) telemetrySpan {
	id := uuid.New()
	sp := telemetrySpan{
		TraceID: strings.ToUpper(hex.EncodeToString(id[:])), SpanID: hex.EncodeToString(id[8:]), Name: name, Start: strconv.FormatInt(start.UnixNano(), 10),
	}
	for key, v := range attributes {
		value := map[string]any{"stringValue": v}
		switch v := v.(type) {
		case int:
			value = map[string]any{"intValue": itoa(v)}
		case float64:
			value = map[string]any{"doubleValue": v}
		case bool:
			value = map[string]any{"boolValue": v}
		}
		sp.Attributes = append(sp.Attributes, telemetryProperty{key, value})
	}
	return sp
}

// traces is a request with spans of a scope.
func traces(scope string, spans ...telemetrySpan) string {
	return raw(map[string]any{"unknown": 1, "resourceSpans": []any{map[string]any{
		"scopeSpans": []any{map[string]any{"scope": map[string]string{"name": scope, "version": "1"}, "spans": spans}}}}})
}

func postTraces(body string) ask {
	return ask{Method: http.MethodPost, Path: api.PathTraces, Body: body}
}

// testTelemetry sends spans as an agent does and reads what becomes of them.
func (s *suite) testTelemetry(t *testing.T) {
	s.testTracesRequests(t)
	if s.Advance == nil {
		s.lacks(t, "the target has no clock to move: what was sent cannot be read yet")
	}
	s.testTracesCount(t)
	s.testMidnight(t)
}

// testTracesRequests holds the receiver rules of 5.1.
func (s *suite) testTracesRequests(t *testing.T) {
	one := traces("agent.usage", agentSpan("agent.git.commit", s.Now(), map[string]any{"user.id": "conform", "session.id": "x", "agent.client": "web"}))
	noUser := traces("agent.usage", agentSpan("agent.git.commit", s.Now(), map[string]any{"session.id": "x", "agent.client": "web"}))
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(one))
	_ = z.Close()
	gz := http.Header{"Content-Encoding": {"gzip"}}
	with := func(a ask, change func(*ask)) ask { change(&a); return a }
	s.rows(t, []row{
		{"5.1 JSON", postTraces(one), 200},
		{"5.1 again", postTraces(one), 200},
		{"5.1 gzip", with(postTraces(zipped.String()), func(a *ask) { a.Header = gz }), 200},
		{"5.1 charset", with(postTraces(one), func(a *ask) { a.Type = "application/json; charset=utf-8" }), 200},
		{"5.1 nothing", postTraces("{}"), 200},
		{"5.1 gzip that is none", with(postTraces(one), func(a *ask) { a.Header = gz }), 400},
		{"5.1 other compression", with(postTraces(one), func(a *ask) { a.Header = http.Header{"Content-Encoding": {"br"}} }), 415},
		{"5.1 text", with(postTraces(one), func(a *ask) { a.Type = "text/plain" }), 415},
		{"5.1 no type", with(postTraces(one), func(a *ask) { a.Type = "none" }), 415},
		{"5.1 cut", postTraces(one[:len(one)-2]), 400},
		{"5.1 names of the .proto files are unknown", postTraces(strings.Replace(one, "resourceSpans", "resource_spans", 1)), 200},
		{"5.1 trace_id is no traceId", postTraces(strings.Replace(one, "traceId", "trace_id", 1)), 400},
		{"5.1 array", postTraces("[]"), 400},
		{"5.1 short trace id", postTraces(strings.Replace(one, `"traceId":"`, `"traceId":"ab","x":"`, 1)), 400},
		{"5.1 trace id of other letters", postTraces(strings.Replace(one, `"traceId":"`, `"traceId":"zz`, 1)), 400},
		{"5.1 too large", postTraces(one + strings.Repeat(" ", 16<<20)), 413},
		{"5.1 no key", with(postTraces(one), func(a *ask) { a.Key = "none" }), 401},
		{"5.1 guest", with(postTraces(one), func(a *ask) { a.Key = "guest" }), 403},
		{"5.1 GET", ask{Path: api.PathTraces}, 405},
	})
	t.Run("5.1 answers", func(t *testing.T) {
		if got := strings.TrimSpace(string(s.send(t, postTraces(one), 200).Body)); got != "{}" {
			t.Errorf("%s, want {}", got)
		}
		member := postTraces(one)
		member.Key = "member"
		for name, a := range map[string]ask{"no user.id": postTraces(noUser), "a member for another": member} {
			partial := parse[object](t, s.send(t, a, 200).object(t)["partialSuccess"])
			if string(partial["rejectedSpans"]) != `"1"` || text(t, partial, "errorMessage") == "" {
				t.Errorf("%s: %s", name, raw(partial))
			}
		}
	})
}

// agentDay is a day of one user in 24 spans, all of them in the tables of 5.2.
func agentDay(start time.Time, mark string) []telemetrySpan {
	var spans []telemetrySpan
	add := func(times int, name string, more map[string]any) {
		for range times {
			all := map[string]any{"user.id": "u-" + mark, "session.id": "s-" + mark, "agent.client": "c-" + mark}
			for k, v := range more {
				all[k] = v
			}
			start = start.Add(time.Second)
			spans = append(spans, agentSpan(name, start, all))
		}
	}
	model := map[string]any{"gen_ai.response.model": "m-" + mark, "agent.model.tier": "thinking", "gen_ai.usage.input_tokens": 1000,
		"gen_ai.usage.output_tokens": 10, "gen_ai.usage.cache_read.input_tokens": 600, "gen_ai.usage.cache_creation.input_tokens": 50}
	add(1, "agent.session.start", map[string]any{"agent.delegation": "spec"})
	add(2, "agent.message", map[string]any{"agent.message.role": "user"})
	add(3, "agent.message", map[string]any{"agent.message.role": "assistant"})
	add(1, "agent.message", map[string]any{"agent.message.role": "tool"})
	add(1, "agent.model.request", model)
	add(1, "agent.model.request", map[string]any{"gen_ai.request.model": "m-" + mark, "agent.credits": 0.25})
	add(3, "agent.tool.call", map[string]any{"gen_ai.tool.name": "t-" + mark, "agent.delegation": "auto-low"})
	add(1, "agent.tool.call", map[string]any{"gen_ai.tool.name": "<" + mark + ">", "mcp.server.name": "M-" + mark})
	add(1, "agent.tool.call", map[string]any{"gen_ai.tool.name": "<" + mark + ">", "mcp.server.name": "m-" + mark})
	add(1, "agent.file.change", map[string]any{"agent.file.operation": "created", "agent.file.extension": ".go"})
	add(2, "agent.file.change", map[string]any{"agent.file.operation": "edited", "agent.file.language": "L-" + mark})
	add(1, "agent.skill.activate", map[string]any{"agent.skill.name": "k-" + mark})
	add(2, "agent.slash_command.run", map[string]any{"agent.slash_command.name": "/" + mark})
	add(2, "agent.hook.run", map[string]any{"agent.hook.event": "e-" + mark, "agent.hook.matcher": "", "agent.hook.command": "x", "agent.hook.exit_code": 1})
	add(1, "agent.git.commit", nil)
	add(1, "agent.git.pull_request.create", nil)
	return spans
}

// testTracesCount sends a day of a new user and wants every number of it.
func (s *suite) testTracesCount(t *testing.T) {
	mark := uuid.NewString()[:8]
	noon := s.Now().UTC().Truncate(24 * time.Hour).Add(-12 * time.Hour)
	spans := agentDay(noon, mark)
	s.send(t, postTraces(traces("agent.usage", spans...)), 200)
	s.send(t, postTraces(traces("agent.usage", spans[3:]...)), 200)
	s.send(t, postTraces(traces("other.scope", agentDay(noon, mark)...)), 200)
	s.Advance(time.Hour) // late data is aggregated with the next batch
	yesterday := s.date(-1)
	t.Run("C90 to C110 the row of the user", func(t *testing.T) {
		ask := window("users", yesterday, yesterday)
		ask.Path += "&limit=1&cursor=u-" + mark[:7]
		rows := parse[[]object](t, s.send(t, ask, 200).object(t)["data"])
		got := find(t, rows, "user_id", "u-"+mark)
		for name, value := range map[string]string{
			"user_email": "null", "date": quote(yesterday), "tool_calls": "5", "billable_tokens": "470.25", "primary_model": quote("m-" + mark),
			"primary_model_tier": `"standard"`, "files_created": "1", "files_edited": "2", "git_commits": "1", "git_prs_created": "1", "mcp_calls": "2",
			"skill_calls": "1", "slash_commands": "2", "hooks": "2", "sessions": "1", "messages": "5", "user_messages": "2", "assistant_messages": "3",
			"autonomy_ratio": "2.5", "delegation_level": `"auto-low"`, "languages": raw([]string{"L-" + mark, "Go"}),
		} {
			want(t, got, name, value)
		}
	})
	for _, c := range []struct{ name, endpoint, group, list, key, value, row string }{
		{"C48 F9", "tokens", "model", "data", "group_key", "m-" + mark,
			`{"date":"` + yesterday + `","group_key":"m-` + mark + `","billable_tokens":470.25,"input_tokens":1000,"output_tokens":10}`},
		{"C46 F7", "tokens", "", "by_model", "model_tier", "thinking", ""},
		{"C47 F8 U19", "tokens", "", "by_user", "user_id", "u-" + mark, `{"user_id":"u-` + mark + `","user_email":"","billable_tokens":470.25,"by_model":[` +
			`{"model_id":"m-` + mark + `","model_tier":"thinking","billable_tokens":470,"input_tokens":1000,"output_tokens":10},` +
			`{"model_id":"m-` + mark + `","model_tier":"standard","billable_tokens":0.25,"input_tokens":0,"output_tokens":0}]}`},
		{"C67 F27 C69", "tools", "tool_name", "data", "group_key", "<" + mark + ">", `{"date":"` + yesterday + `","group_key":"<` + mark + `>","tool_calls":2}`},
		{"C51 F11", "tools", "", "by_tool", "tool", "t-" + mark, `{"tool":"t-` + mark + `","invocations":3}`},
		{"C53 C68 F13", "tools", "", "mcp_by_server", "server", "M-" + mark, `{"server":"M-` + mark + `","invocations":1}`},
		{"C55 F15", "tools", "", "skills_by_name", "name", "k-" + mark, `{"name":"k-` + mark + `","count":1}`},
		{"C57 F17", "tools", "", "slash_commands_by_name", "name", "/" + mark, `{"name":"/` + mark + `","count":2}`},
		{"C59 F19", "tools", "", "hooks_by_event", "event", "e-" + mark, `{"event":"e-` + mark + `","matcher":"","command":"x","count":2}`},
		{"C79 F35", "activity", "client", "data", "group_key", "c-" + mark, `{"date":"` + yesterday + `","group_key":"c-` + mark + `","daily_active_users":1}`},
		{"C86 F39", "productivity", "", "by_language", "language", "L-" + mark, `{"language":"L-` + mark + `","count":2}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			ask := window(c.endpoint, yesterday, yesterday)
			if c.group != "" {
				ask.Path += "&group_by=" + c.group
			}
			data := parse[[]object](t, s.send(t, ask, 200).object(t)["data"])
			if c.list != "data" {
				data = parse[[]object](t, data[0][c.list])
			}
			if got := find(t, data, c.key, c.value); c.row != "" && raw(got) != raw(parse[object](t, []byte(c.row))) {
				t.Errorf("%s, want %s", raw(got), c.row)
			}
		})
	}
}

// find returns the item with this text, the first one.
func find(t *testing.T, items []object, key, value string) object {
	t.Helper()
	for _, item := range items {
		if string(item[key]) == quote(value) {
			return item
		}
	}
	t.Fatalf("no item with %s %q among %d", key, value, len(items))
	return nil
}

// testMidnight holds C18, I13 and I14: a session over midnight starts once and is active on
// both days; and C71 to C73: the trailing windows include the day itself.
func (s *suite) testMidnight(t *testing.T) {
	mark := uuid.NewString()[:8]
	midnight := s.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -1)
	of := func(name string) map[string]any {
		return map[string]any{"user.id": "n-" + mark, "session.id": "n-" + mark, "agent.client": "n-" + mark, "agent.message.role": name}
	}
	late := agentSpan("agent.message", midnight, of("user"))
	early := agentSpan("agent.session.start", midnight.Add(-1), of(""))
	before := s.activity(t)
	s.send(t, postTraces(traces("agent.usage", late)), 200)
	s.Advance(time.Hour)
	s.activity(t)
	s.send(t, postTraces(traces("agent.usage", early)), 200)
	s.Advance(time.Hour)
	after := s.activity(t)
	for i, c := range []struct{ daily, weekly, monthly, sessions, messages int64 }{{1, 1, 1, 1, 0}, {1, 1, 1, 0, 1}} {
		for name, n := range map[string]int64{"daily_active_users": c.daily, "weekly_active_users": c.weekly, "monthly_active_users": c.monthly,
			"sessions": c.sessions, "messages": c.messages} {
			if got := parse[int64](t, after[i][name]) - parse[int64](t, before[i][name]); got != n {
				t.Errorf("day %d: %s grew by %d, want %d", i+1, name, got, n)
			}
		}
	}
}

// activity reads the rows of the day before yesterday and of yesterday.
func (s *suite) activity(t *testing.T) []object {
	t.Helper()
	return parse[[]object](t, s.send(t, window("activity", s.date(-2), s.date(-1)), 200).object(t)["data"])
}
