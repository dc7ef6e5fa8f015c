package service_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/govctl/govctl/internal/service/servicetest"
	"github.com/govctl/govctl/internal/service/store"
	"github.com/govctl/govctl/internal/service/usage"
)

// TestKindsAreThoseOfUsage: stored numbers mean the same in both packages.
func TestKindsAreThoseOfUsage(t *testing.T) {
	t.Parallel()
	for kind, want := range map[uint8]usage.Kind{
		store.SpanSessionStart: usage.SessionStart, store.SpanMessage: usage.Message, store.SpanModelRequest: usage.ModelRequest,
		store.SpanToolCall: usage.ToolCall, store.SpanFileChange: usage.FileChange, store.SpanSkill: usage.SkillActivation,
		store.SpanSlashCommand: usage.SlashCommand, store.SpanHook: usage.HookRun, store.SpanCommit: usage.GitCommit, store.SpanPullRequest: usage.PullRequest,
	} {
		if usage.Kind(kind) != want {
			t.Errorf("%d is %v, want %v", kind, usage.Kind(kind), want)
		}
	}
}

// TestProtobufAnswers: protobuf in, protobuf out, errors included.
func TestProtobufAnswers(t *testing.T) {
	t.Parallel()
	s := bare(t)
	good := newSpan(1, "agent.git.commit", servicetest.StartTime(), map[string]any{"user.id": "u1", "session.id": "s", "agent.client": "web"})
	bad := newSpan(2, "agent.git.commit", servicetest.StartTime(), map[string]any{"session.id": "s", "agent.client": "web"})
	w := postTraces(t, s, "sesame", "application/x-protobuf", payload(t, good, bad), true)
	partial := fields(t, []byte(fields(t, w.Body.Bytes())[1]))
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/x-protobuf" || partial[1] != "1" || partial[2] != "1 refused: user.id is missing" {
		t.Errorf("%d %v %v", w.Code, w.Header(), partial)
	}
	for _, c := range []struct {
		key, kind string
		body      []byte
		status    int
		code      string
	}{
		{"sesame", "application/x-protobuf", []byte("\xff\xff"), 400, "3"},
		{"nobody", "application/x-protobuf", nil, 401, "16"},
		{"sesame", "application/x-protobuf", bytes.Repeat([]byte{0}, 16<<20+1), 413, "8"},
	} {
		w := postTraces(t, s, c.key, c.kind, c.body, false)
		status := fields(t, w.Body.Bytes())
		if w.Code != c.status || status[1] != c.code || status[2] == "" || w.Header().Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%d %v, want %d", w.Code, status, c.status)
		}
	}
	bomb := postTraces(t, s, "sesame", "application/json", bytes.Repeat([]byte(" "), 17<<20), true)
	if bomb.Code != 413 {
		t.Errorf("17 MiB in gzip: %d %s", bomb.Code, bomb.Body)
	}
}

// fields reads a flat protobuf message.
func fields(t *testing.T, text []byte) map[int]string {
	t.Helper()
	all := map[int]string{}
	for len(text) > 0 {
		n, kind, size := protowire.ConsumeTag(text)
		if size < 0 {
			t.Fatalf("no protobuf: %q", text)
		}
		text = text[size:]
		if kind == protowire.VarintType {
			v, size := protowire.ConsumeVarint(text)
			all[int(n)], text = fmt.Sprint(v), text[size:]
			continue
		}
		v, size := protowire.ConsumeBytes(text)
		all[int(n)], text = string(v), text[size:]
	}
	return all
}

// TestRefusedSpans holds the receiver rules of 5.1 one by one; what is refused never holds
// up the rest, and is counted.
func TestRefusedSpans(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	now := servicetest.StartTime()
	usual := func(more map[string]any) map[string]any {
		all := map[string]any{"user.id": "usr_003", "session.id": "s", "agent.client": "web", "agent.message.role": "user", "organization.id": "org_acme"}
		for k, v := range more {
			if all[k] = v; v == nil {
				delete(all, k)
			}
		}
		return all
	}
	for n, c := range []struct {
		why   string // "" is accepted
		name  string
		start time.Time
		more  map[string]any
	}{
		{"", "agent.message", now, nil},
		{"", "agent.message", now.Add(24 * time.Hour), nil},
		{"", "agent.message", now.AddDate(0, 0, -34).Truncate(24 * time.Hour), nil},
		{"start is more than 24 h ahead", "agent.message", now.Add(24*time.Hour + 1), nil},
		{"start is on a day that is final, 35 days or more ago", "agent.message", now.AddDate(0, 0, -34).Truncate(24 * time.Hour).Add(-1), nil},
		{"start is before 2026-01-14", "agent.message", time.Date(2026, 1, 13, 23, 59, 59, 999999999, time.UTC), nil},
		{"span name is unknown", "agent.other", now, nil},
		{"user.id is missing", "agent.message", now, map[string]any{"user.id": nil}},
		{"session.id is missing", "agent.message", now, map[string]any{"session.id": ""}},
		{"organization.id is that of another organization", "agent.message", now, map[string]any{"organization.id": "org_other"}},
		{"user.id is not that of the key", "agent.message", now, map[string]any{"user.id": "usr_001"}},
		{"a text is longer than 8192 bytes", "agent.message", now, map[string]any{"session.id": strings.Repeat("x", 8193)}},
	} {
		span := newSpan(n, c.name, c.start, usual(c.more))
		w := postTraces(t, s.Service, s.Keys.Member, "application/x-protobuf", payload(t, span), false)
		got := ""
		if w.Body.Len() > 0 {
			got = fields(t, []byte(fields(t, w.Body.Bytes())[1]))[2]
		}
		want := c.why
		if want != "" {
			want = "1 refused: " + want
		}
		if w.Code != 200 || got != want {
			t.Errorf("%q: %d %q", want, w.Code, got)
		}
	}
	counts, err := s.Service.Store().SpanCounts(t.Context())
	if err != nil || counts[store.CountAccepted] != 3 || counts["refused: user.id is missing"] != 1 || len(counts) != 10 {
		t.Errorf("%v, %v", counts, err)
	}
}

// TestWhoMayReportWhom: managers for everybody, members for themselves, service accounts
// with the Member role for whoever is no member, guests for nobody.
func TestWhoMayReportWhom(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	key := func(role store.Role) string {
		text, _, err := s.Service.Store().CreateKey(t.Context(), store.NewKey{Name: "ci", Role: role}, servicetest.StartTime())
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	n := 0
	for _, c := range []struct {
		name, key, user string
		status          int
		refused         bool
	}{
		{"manager", s.Keys.Manager, "usr_100", 200, false},
		{"owner", s.Keys.Owner, "svc", 200, false},
		{"member", s.Keys.Member, "usr_003", 200, false},
		{"member for another", s.Keys.Member, "usr_001", 200, true},
		{"guest", s.Keys.Guest, "usr_010", 403, false},
		{"member account", key(store.Member), "svc-ci", 200, false},
		{"member account for a member", key(store.Member), "usr_003", 200, true},
		{"manager account", key(store.Manager), "usr_003", 200, false},
		{"guest account", key(store.Guest), "svc", 403, false},
		{"revoked", s.Keys.Revoked, "usr_001", 401, false},
	} {
		n++
		span := newSpan(n, "agent.git.commit", servicetest.StartTime(), map[string]any{"user.id": c.user, "session.id": "s", "agent.client": "web"})
		w := postTraces(t, s.Service, c.key, "application/x-protobuf", payload(t, span), false)
		if w.Code != c.status || c.status == 200 && (w.Body.Len() > 0) != c.refused {
			t.Errorf("%s: %d %q", c.name, w.Code, w.Body)
		}
	}
}

// TestSameIDOtherContent holds the idempotency of 5.1: the first one is kept.
func TestSameIDOtherContent(t *testing.T) {
	t.Parallel()
	s := bare(t)
	span := func(user string, ago int) *tracepb.Span {
		return newSpan(7, "agent.git.commit", servicetest.StartTime().AddDate(0, 0, -ago), map[string]any{"user.id": user, "session.id": "s", "agent.client": "web"})
	}
	export(t, s, "sesame", span("u1", 1), span("u1", 1))
	export(t, s, "sesame", span("u1", 1))
	for _, other := range []*tracepb.Span{span("u2", 1), span("u1", 2)} {
		w := postTraces(t, s, "sesame", "application/x-protobuf", payload(t, other), false)
		partial := fields(t, []byte(fields(t, w.Body.Bytes())[1]))
		if partial[1] != "" || !strings.Contains(partial[2], "1 ignored") {
			t.Errorf("%v", partial)
		}
	}
	counts, err := s.Store().SpanCounts(t.Context())
	if err != nil || counts["accepted"] != 1 || counts["repeated"] != 2 || counts["conflict"] != 2 {
		t.Errorf("%v, %v", counts, err)
	}
	w := request(t, s, "sesame", "GET", "/api/v1/analytics/users?startDate=2026-11-18&endDate=2026-11-19", "")
	var p page
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || len(p.Data) != 1 || p.Data[0]["user_id"] != "u1" || p.Data[0]["git_commits"] != 1.0 {
		t.Errorf("%s", w.Body)
	}
}

// TestOtherScopes: they are accepted, counted and not looked at.
func TestOtherScopes(t *testing.T) {
	t.Parallel()
	s := bare(t)
	text, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{ScopeSpans: []*tracepb.ScopeSpans{
		{Scope: &commonpb.InstrumentationScope{Name: "net/http"}, Spans: []*tracepb.Span{newSpan(1, "GET", time.Unix(0, 0), nil)}},
		{Spans: []*tracepb.Span{newSpan(2, "x", time.Unix(0, 0), nil)}},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	w := postTraces(t, s, "sesame", "application/x-protobuf", text, false)
	counts, err := s.Store().SpanCounts(t.Context())
	if w.Code != 200 || w.Body.Len() != 0 || err != nil || counts["ignored"] != 2 {
		t.Errorf("%d %q %v %v", w.Code, w.Body, counts, err)
	}
}
