package exchange_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/exchange"
)

// TestMessageRoundTrip holds C147-C161: every field of the contract is kept, null too.
func TestMessageRoundTrip(t *testing.T) {
	t.Parallel()
	read, err := exchange.ReadSessions([]byte(session(`,"messageCount":7,"messages":[` + goodMessage + `,{"id":"n","role":"system","content":[],"createdAt":1,"updatedAt":2,"unknown":5}]`)))
	if err != nil {
		t.Fatal(err)
	}
	if s := read[0].Session; s.MessageCount != 2 || s.Settings != "{}" || s.Status != "running" {
		t.Errorf("%+v", s)
	}
	var message api.Message
	var want, got map[string]any
	shown := exchange.ShowMessage(read[0].Messages[0])
	if err := json.Unmarshal(shown, &message); err != nil || message.ChatCompletionReasoning == nil {
		t.Fatal(err)
	}
	if json.Unmarshal([]byte(goodMessage), &want) != nil || json.Unmarshal(shown, &got) != nil {
		t.Fatal(string(shown))
	}
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 18 {
		t.Errorf("%d fields: %s", len(got), diff)
	}
	if shown := string(exchange.ShowMessage(read[0].Messages[1])); shown != `{"id":"n","role":"system","content":[],"createdAt":1,"updatedAt":2}` {
		t.Error(shown)
	}
	export := exchange.ExportSession(read[0].Session, "ada@x.example", read[0].Messages)
	file, err := json.Marshal(exchange.Sessions{Sessions: []exchange.Session{export}})
	if err != nil {
		t.Fatal(err)
	}
	again, err := exchange.ReadSessions(file)
	if diff := cmp.Diff(read, again); diff != "" || err != nil {
		t.Errorf("export and import: %s %v", diff, err)
	}
}

func TestSessionsRefused(t *testing.T) {
	t.Parallel()
	with := func(old, new string) string {
		return session(`,"messages":[` + goodMessage + `,` + strings.Replace(goodMessage, old, new, 1) + `]`)
	}
	for text, want := range map[string]string{
		strings.Replace(session(""), `"s"`, `""`, 1):                "sessionId is missing",
		strings.Replace(session(""), `"ada@x.example"`, `""`, 1):    "userEmail is missing",
		strings.Replace(session(""), `"running"`, `"done"`, 1):      `status "done"`,
		strings.Replace(session(""), `"updatedAt"`, `"x"`, 1):       "updatedAt is missing",
		session(`,"messageCount":-1`):                               "messageCount",
		session(`,"messageCount":1.5`):                              "messageCount",
		session(`,"sessionSettings":[]`):                            "sessionSettings",
		session(`,"sessionSettings":{"model":5}`):                   "sessionSettings",
		session(`,"completedAt":"x"`):                               "session 1",
		with(`"m"`, `""`):                                           "session 1, message 2: id is missing",
		with(`"assistant"`, `"robot"`):                              `message 2: role "robot"`,
		with(`"content":[{"text":"<t>","id":"c"}],`, ``):            "message 2: content is missing",
		with(`"content":[{"text":"<t>","id":"c"}]`, `"content":5`):  "message 2",
		with(`"user_only"`, `"nobody"`):                             "message 2: visibility is not one of both",
		with(`"vendorAPhase":null`, `"vendorAPhase":"x"`):           "vendorAPhase is not one of",
		with(`"parentId":"p"`, `"parentId":null`):                   "parentId is null",
		with(`"parentId":"p"`, `"parentId":5`):                      "parentId is not a string",
		with(`"isError":false`, `"isError":null`):                   "isError is not a boolean",
		with(`"readiness-remediation"`, `"readiness_remediation"`):  "userMessageSource",
		with(`"updatedAt":1795176000001`, `"updatedAt":"tomorrow"`): "message 2",
		session(`,"messages":[null]`):                               "message 1",
	} {
		if _, err := exchange.ReadSessions([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
