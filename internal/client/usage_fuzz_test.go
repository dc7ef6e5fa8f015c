package client

import (
	"encoding/json"
	"testing"

	"github.com/govctl/govctl/internal/api"
)

// FuzzUsageAnswer: whatever an answer of analytics or of messages is, it is decoded or
// refused; and what is accepted is accepted again in the form that this program writes.
func FuzzUsageAnswer(f *testing.F) {
	f.Add([]byte(`{"data":[{"date":"2026-11-01","input_tokens":1,"output_tokens":2,"by_user":[{"user_id":"u","by_model":[]}]}],` + usageMeta + `}`))
	f.Add([]byte(`{"data":[{"date":"2026-11-01","tool_calls":1,"tool_autonomy_level_ratio":{"auto_high":0.5}}],` + usageMeta + `}`))
	f.Add([]byte(`{"data":[` + userRow("u", "2026-11-01") + `],` + usageMeta + `}`))
	f.Add([]byte(`{"messages":[{"id":"m","role":"user","content":[{"text":"","id":""}],"createdAt":1,"updatedAt":1.5,"vendorAPhase":null}],"pagination":{"hasMore":false}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		accepted[api.TokensPage](t, body)
		accepted[api.ToolsPage](t, body)
		accepted[api.ActivityPage](t, body)
		accepted[api.ProductivityPage](t, body)
		accepted[api.UserRowsPage](t, body)
		accepted[api.MessagesPage](t, body)
	})
}

func accepted[T any](t *testing.T, body []byte) {
	t.Helper()
	var d decoder
	var v, again T
	if d.decode(body, &v) != nil {
		return
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("%T of %q: %v", v, body, err)
	}
	if err := d.decode(text, &again); err != nil {
		t.Fatalf("%T: %q was accepted, %q is not: %v", v, body, text, err)
	}
}
