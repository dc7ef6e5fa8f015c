package servicetest

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

const sessionsPath = "/api/v0/sessions"

func (s *suite) sessionList(t *testing.T) []object {
	t.Helper()
	items, _ := s.page(t, lists()[2], "", "limit=100")
	if len(items) == 0 {
		s.lacks(t, "there are no sessions")
	}
	return items
}

func (s *suite) testSessions(t *testing.T) {
	items := s.sessionList(t)
	t.Run("C125 C129 C138 U32 list items", func(t *testing.T) {
		for _, one := range items {
			text(t, one, "sessionId")
			want(t, one, "status", "")
			for _, name := range []string{"messageCount", "createdAt", "updatedAt"} {
				parse[int64](t, one[name])
			}
		}
	})
	t.Run("U31 latest update first", func(t *testing.T) {
		newer := func(a, b object) int {
			if d := parse[int64](t, b["updatedAt"]) - parse[int64](t, a["updatedAt"]); d != 0 {
				return int(d / max(d, -d))
			}
			return strings.Compare(text(t, b, "sessionId"), text(t, a, "sessionId"))
		}
		if !slices.IsSortedFunc(items, newer) {
			t.Error("not in order")
		}
	})
	t.Run("C127 C130 C141 get", func(t *testing.T) {
		for _, item := range items[:min(len(items), 20)] {
			one := s.send(t, ask{Path: sessionsPath + "/" + text(t, item, "sessionId")}, 200).object(t)
			if status := text(t, one, "status"); status != "idle" && status != "pending" && status != "running" {
				t.Errorf("status %q", status)
			}
			delete(one, "status")
			if raw(one) != raw(item) {
				t.Errorf("get %s, list %s", raw(one), raw(item))
			}
		}
	})
	s.rows(t, []row{
		{"U71 unknown session", ask{Path: sessionsPath + "/nowhere"}, 404},
		{"C126 unknown computer", ask{Path: sessionsPath + "?computerId=nowhere"}, 200},
		{"two computers", ask{Path: sessionsPath + "?computerId=a&computerId=b"}, 400},
	})
	t.Run("C126 U35 computer", func(t *testing.T) { s.testSessionComputer(t, items) })
	t.Run("U37 a member sees own sessions only", func(t *testing.T) { s.testOwnSessions(t, items) })
}

func (s *suite) testSessionComputer(t *testing.T, items []object) {
	for _, item := range items {
		if item["computerId"] == nil {
			continue
		}
		id, computer := text(t, item, "sessionId"), text(t, item, "computerId")
		s.send(t, ask{Path: sessionsPath + "/" + id + "?computerId=" + computer}, 200)
		s.send(t, ask{Path: sessionsPath + "/" + id + "?computerId=other"}, 404)
		l := list{sessionsPath + "?computerId=" + computer + "&", "sessions", "sessionId"}
		of, _ := s.page(t, l, "", "limit=100")
		for _, one := range of {
			want(t, one, "computerId", quote(computer))
		}
		if len(of) == 0 {
			t.Error("the filter lost the session")
		}
		return
	}
	s.lacks(t, "no session has a computer")
}

func (s *suite) testOwnSessions(t *testing.T, items []object) {
	own := s.all(t, lists()[2], "member", 100)
	for _, item := range items {
		id := text(t, item, "sessionId")
		status := http.StatusNotFound
		if slices.Contains(own, quote(id)) {
			status = http.StatusOK
		}
		s.send(t, ask{Path: sessionsPath + "/" + id, Key: "member"}, status)
		if status == http.StatusNotFound && !s.ReadOnly {
			s.send(t, ask{Method: http.MethodPatch, Path: sessionsPath + "/" + id, Key: "member", Body: `{"sessionSettings":{}}`}, 404)
		}
	}
}

// patched sends a settings patch and returns the settings in the answer.
func (s *suite) patched(t *testing.T, id, settings string) object {
	t.Helper()
	one := s.send(t, patchSession(id, `{"sessionSettings":`+settings+`}`), 200).object(t)
	text(t, one, "status")
	if again := s.send(t, ask{Path: sessionsPath + "/" + id}, 200).object(t); raw(again) != raw(one) {
		t.Errorf("C128 the answer %s is not what is stored, %s", raw(one), raw(again))
	}
	return parse[object](t, one["sessionSettings"])
}

func patchSession(id, body string) ask {
	return ask{Method: http.MethodPatch, Path: sessionsPath + "/" + id, Body: body}
}

func (s *suite) testSessionSettings(t *testing.T) {
	items := s.sessionList(t)
	id := text(t, items[len(items)-1], "sessionId")
	values := map[string]string{
		"model": `"m<1>"`, "specModeModel": `"m2"`, "runInWorktree": `true`, "providerLockTimestamp": `"t"`, "assistantActiveTimeMs": `12.5`,
		"childInclusiveTokenUsageBySessionId": `{"ses_x":{"inputTokens":1}}`, "archivedAt": `"2026-11-01T00:00:00Z"`,
		"tags": `[{"name":"a","metadata":{"k":[1,2]}},{"name":"b<c>","metadata":{}},{"name":"d"}]`, "enabledToolIds": `["x","y"]`, "disabledToolIds": `[]`,
		"compactionThresholdCheckEnabled": `false`,
	}
	for name, value := range values {
		t.Run("C139 U33 "+name, func(t *testing.T) {
			before := s.patched(t, id, `{}`)
			after := s.patched(t, id, `{"`+name+`":`+value+`}`)
			want(t, after, name, value)
			for other := range before {
				if other != name {
					want(t, after, other, string(before[other]))
				}
			}
			want(t, s.patched(t, id, `{"`+name+`":null}`), name, "")
			want(t, s.patched(t, id, `{"`+name+`":null}`), name, "")
			want(t, s.patched(t, id, `{"`+name+`":`+value+`}`), name, value)
		})
	}
	t.Run("U33 unknown fields are not stored", func(t *testing.T) {
		before := s.patched(t, id, `{}`)
		if after := s.patched(t, id, `{"shade":"red","Model":"x"}`); raw(after) != raw(before) {
			t.Errorf("%s, want %s", raw(after), raw(before))
		}
	})
	t.Run("C142 updatedAt", func(t *testing.T) {
		before := s.send(t, ask{Path: sessionsPath + "/" + id}, 200).object(t)
		if s.Advance != nil {
			s.Advance(time.Second)
		}
		same := s.send(t, patchSession(id, `{"sessionSettings":{}}`), 200).object(t)
		want(t, same, "updatedAt", string(before["updatedAt"]))
		after := s.send(t, patchSession(id, `{"sessionSettings":{"model":"moved"}}`), 200).object(t)
		if parse[int64](t, after["updatedAt"]) <= parse[int64](t, before["updatedAt"]) {
			t.Errorf("updatedAt %s after %s", after["updatedAt"], before["updatedAt"])
		}
		want(t, after, "status", string(before["status"]))
	})
	s.testRefusedSettings(t, id)
}

func (s *suite) testRefusedSettings(t *testing.T, id string) {
	before := s.patched(t, id, `{}`)
	bad := []string{
		`{"model":5}`, `{"model":"x","runInWorktree":"true"}`, `{"runInWorktree":1}`, `{"assistantActiveTimeMs":"5"}`,
		`{"childInclusiveTokenUsageBySessionId":[]}`, `{"archivedAt":false}`, `{"tags":{}}`, `{"tags":["a"]}`, `{"tags":[{}]}`,
		`{"tags":[{"name":5}]}`, `{"tags":[{"name":"a","metadata":5}]}`, `{"tags":[null]}`, `{"enabledToolIds":"x"}`, `{"enabledToolIds":[5]}`,
		`{"disabledToolIds":[null]}`, `{"compactionThresholdCheckEnabled":0}`, `{"providerLockTimestamp":{}}`, `{"specModeModel":["x"]}`,
		`{"model":"x","tokenUsage":{"inputTokens":-1}}`, `{"inclusiveTokenUsage":{"inputTokens":1e999999999}}`, `null`, `[]`, `"x"`,
	}
	var rows []row
	for _, settings := range bad {
		rows = append(rows, row{"U33 U34 " + settings, patchSession(id, `{"sessionSettings":`+settings+`}`), 400})
	}
	rows = append(rows,
		row{"U33 sessionSettings missing", patchSession(id, `{}`), 400},
		row{"U33 other case", patchSession(id, `{"SessionSettings":{}}`), 400},
		row{"U71 unknown session", patchSession("nowhere", `{"sessionSettings":{}}`), 404},
		row{"U71 400 before 404", patchSession("nowhere", `{"sessionSettings":5}`), 400},
	)
	s.rows(t, rows)
	if after := s.patched(t, id, `{}`); raw(after) != raw(before) {
		t.Errorf("a refused patch changed %s to %s", raw(before), raw(after))
	}
	t.Run("U34 settings may be sent back as they were read", func(t *testing.T) {
		if after := s.patched(t, id, raw(before)); raw(after) != raw(before) {
			t.Errorf("%s, want %s", raw(after), raw(before))
		}
	})
	t.Run("C140 U34 read-only usage with other spelling of the numbers", func(t *testing.T) {
		usage, ok := before["tokenUsage"]
		if !ok {
			s.lacks(t, "the session has no token usage")
		}
		spelled := parse[map[string]float64](t, usage)
		var parts []string
		for name, n := range spelled {
			parts = append(parts, quote(name)+":"+itoa(int(n))+".0e0")
		}
		s.patched(t, id, `{"tokenUsage":{`+strings.Join(parts, ",")+`}}`)
	})
}
