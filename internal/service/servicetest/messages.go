package servicetest

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// busiest is the session of the list with the most messages.
func (s *suite) busiest(t *testing.T) string {
	t.Helper()
	most, id := int64(-1), ""
	for _, one := range s.sessionList(t) {
		if n := parse[int64](t, one["messageCount"]); n > most {
			most, id = n, text(t, one, "sessionId")
		}
	}
	return id
}

func messagesOf(session, filter string) list {
	return list{sessionsPath + "/" + session + "/messages?" + filter, "messages", "id"}
}

// messageLists are lists of messages with and without a filter, for testPages.
func (s *suite) messageLists(t *testing.T) []list {
	t.Helper()
	id := s.busiest(t)
	return []list{messagesOf(id, ""), messagesOf(id, "role=assistant&"), messagesOf(id, "role=user&")}
}

func (s *suite) testMessages(t *testing.T) {
	sessions := s.sessionList(t)
	busy := s.busiest(t)
	path := sessionsPath + "/" + busy + "/messages"
	at := func(query string) ask { return ask{Path: path + query} }
	s.rows(t, []row{
		{"C144 U36 system", at("?role=system"), 400},
		{"C144 unknown role", at("?role=robot"), 400},
		{"C144 other case", at("?role=User"), 400},
		{"C144 empty role", at("?role="), 400},
		{"C144 two roles", at("?role=user&role=tool"), 400},
		{"two computers", at("?computerId=a&computerId=b"), 400},
		{"U35 other computer", at("?computerId=other"), 404},
		{"U71 unknown session", ask{Path: sessionsPath + "/nowhere/messages"}, 404},
		{"U71 400 before 404", ask{Path: sessionsPath + "/nowhere/messages?role=system"}, 400},
		{"U71 limit before 404", ask{Path: sessionsPath + "/nowhere/messages?limit=0"}, 400},
		{"C146 unknown message", at("/nowhere"), 404},
		{"C146 unknown session", ask{Path: sessionsPath + "/nowhere/messages/x"}, 404},
		{"U70 slash at the end", at("/"), 404},
		{"C8 messages are read-only", ask{Method: http.MethodPost, Path: path, Body: "{}"}, 405},
		{"C8 a message is read-only", ask{Method: http.MethodPatch, Path: path + "/x", Body: "{}"}, 405},
		{"no key", ask{Path: path, Key: "none"}, 401},
	})
	t.Run("C143 C147-C161 fields, U31 order", func(t *testing.T) {
		for _, one := range sessions[:min(len(sessions), 12)] {
			s.checkMessages(t, text(t, one, "sessionId"))
		}
		s.checkMessages(t, busy)
	})
	t.Run("C145 role", func(t *testing.T) { s.testMessageRole(t, busy) })
	t.Run("C146 get", func(t *testing.T) {
		items, _ := s.page(t, messagesOf(busy, ""), "", "limit=100")
		for _, item := range items[:min(len(items), 10)] {
			one := s.send(t, at("/"+text(t, item, "id")), 200).object(t)
			if raw(one) != raw(item) {
				t.Errorf("get %s, list %s", raw(one), raw(item))
			}
			s.send(t, at("/"+text(t, item, "id")+"?computerId=other"), 404)
		}
	})
	t.Run("U35 computer", func(t *testing.T) { s.testMessageComputer(t, sessions) })
	t.Run("U11 a cursor belongs to its session", func(t *testing.T) { s.testMessageCursor(t, sessions, busy) })
	t.Run("U37 messages are seen by whom sees the session", func(t *testing.T) { s.testOwnMessages(t, sessions) })
}

func (s *suite) checkMessages(t *testing.T, session string) {
	t.Helper()
	items, _ := s.page(t, messagesOf(session, ""), "", "limit=100")
	for _, m := range items {
		text(t, m, "id")
		checkEnum(t, m, "C148", "role", "user", "assistant", "tool", "system")
		if m["role"] == nil {
			t.Errorf("C148 no role: %s", raw(m))
		}
		for _, c := range parse[[]object](t, m["content"]) {
			text(t, c, "text")
			text(t, c, "id")
		}
		if parse[int64](t, m["createdAt"]) > parse[int64](t, m["updatedAt"]) {
			t.Errorf("C150 C151 updated before it was created: %s", raw(m))
		}
		checkOptional(t, m, "C152 C155 C157 C158 C160 C161", []string{
			"parentId", "vendorAMessageId", "vendorAEncryptedContent", "vendorAReasoningId", "vendorAReasoningSummary",
			"vendorBThoughtSignature", "chatCompletionReasoningContent",
		}, []string{"isUserVisible", "isError"})
		checkEnum(t, m, "C153", "userMessageSource", "web", "desktop", "cli_tui", "cli_exec", "cli_acp", "messaging_app", "tracker_app",
			"sessions_api", "api", "automation", "readiness-remediation", "readiness-evaluation", "wiki-generation", "wiki-ci-setup")
		checkEnum(t, m, "C154", "visibility", "both", "llm_only", "user_only")
		if string(m["vendorAPhase"]) != "null" {
			checkEnum(t, m, "C156", "vendorAPhase", "commentary", "final_answer")
		}
		checkEnum(t, m, "C159", "chatCompletionReasoningField", "reasoning", "reasoning_content")
	}
	if !slices.IsSortedFunc(items, func(a, b object) int {
		if d := parse[int64](t, a["createdAt"]) - parse[int64](t, b["createdAt"]); d != 0 {
			return int(d / max(d, -d))
		}
		return strings.Compare(text(t, a, "id"), text(t, b, "id"))
	}) {
		t.Errorf("U31 %s: not oldest first", session)
	}
}

func (s *suite) testMessageRole(t *testing.T, session string) {
	var filtered, every []string
	for _, role := range []string{"user", "assistant", "tool"} {
		items, _ := s.page(t, messagesOf(session, "role="+role+"&"), "", "limit=100")
		for _, m := range items {
			want(t, m, "role", quote(role))
		}
		filtered = append(filtered, ids(t, items, "id")...)
	}
	items, next := s.page(t, messagesOf(session, ""), "", "limit=100")
	if next != "" {
		s.lacks(t, "the session has too many messages to compare")
	}
	for _, m := range items {
		if string(m["role"]) != `"system"` {
			every = append(every, text(t, m, "id"))
		}
	}
	slices.Sort(filtered)
	slices.Sort(every)
	if !slices.Equal(filtered, every) {
		t.Errorf("the three roles give %v, all messages are %v", filtered, every)
	}
}

func (s *suite) testMessageComputer(t *testing.T, sessions []object) {
	for _, one := range sessions {
		if one["computerId"] == nil {
			continue
		}
		path := sessionsPath + "/" + text(t, one, "sessionId") + "/messages"
		computer := text(t, one, "computerId")
		plain, _ := s.page(t, list{path + "?", "messages", "id"}, "", "")
		same, _ := s.page(t, list{path + "?computerId=" + computer + "&", "messages", "id"}, "", "")
		if raw(plain) != raw(same) {
			t.Error("naming the computer changes the answer")
		}
		for _, m := range plain[:min(len(plain), 1)] {
			s.send(t, ask{Path: path + "/" + text(t, m, "id") + "?computerId=" + computer}, 200)
		}
		return
	}
	s.lacks(t, "no session has a computer")
}

func (s *suite) testMessageCursor(t *testing.T, sessions []object, busy string) {
	_, next := s.page(t, messagesOf(busy, ""), "", "limit=1")
	for _, one := range sessions {
		if id := text(t, one, "sessionId"); id != busy && next != "" {
			s.send(t, ask{Path: messagesOf(id, "").path + "cursor=" + next}, 400)
			return
		}
	}
	s.lacks(t, "there is no other session")
}

func (s *suite) testOwnMessages(t *testing.T, sessions []object) {
	own := s.all(t, lists()[2], "member", 100)
	for _, one := range sessions {
		id := text(t, one, "sessionId")
		status := http.StatusNotFound
		if slices.Contains(own, quote(id)) {
			status = http.StatusOK
		}
		path := sessionsPath + "/" + id + "/messages"
		s.send(t, ask{Path: path, Key: "member"}, status)
		items, _ := s.page(t, list{path + "?", "messages", "id"}, "", "limit=1")
		for _, m := range items {
			s.send(t, ask{Path: path + "/" + text(t, m, "id"), Key: "member"}, status)
		}
	}
}
