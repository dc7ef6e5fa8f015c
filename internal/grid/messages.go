package grid

import (
	"strings"

	"github.com/govctl/govctl/internal/api"
)

// Messages are messages of a session (C147-C161). The unit of their times is not stated:
// they are shown as given, and once more as if they were milliseconds (T24).
func Messages() Of[api.Message] {
	type m = api.Message
	return Of[m]{[]cell[m]{
		brief("id", "", func(x *m) any { return text(x.ID) }),
		brief("role", "user, assistant, tool, system", func(x *m) any { return text(x.Role) }),
		wide("created_at", "as given; its unit is not stated", func(x *m) any { return x.CreatedAt }),
		brief("created_at_if_ms", "created_at, assumed to be milliseconds", func(x *m) any { return stamp(&x.CreatedAt) }),
		wide("updated_at", "as given; its unit is not stated", func(x *m) any { return x.UpdatedAt }),
		wide("parent_id", "", func(x *m) any { return optional(x.ParentID) }),
		brief("source", "userMessageSource", func(x *m) any { return optional(x.UserMessageSource) }),
		wide("visibility", "both, llm_only, user_only", func(x *m) any { return optional(x.Visibility) }),
		wide("is_user_visible", "", func(x *m) any { return flag(x.IsUserVisible) }),
		brief("is_error", "", func(x *m) any { return flag(x.IsError) }),
		brief("text", "texts of the content, a line each", func(x *m) any { return contentText(x.Content) }),
		nested("content_ids", "ids of the content", func(x *m) any { return contentIDs(x.Content) }),
		wide("vendor_a_message_id", "", func(x *m) any { return optional(x.VendorAMessageID) }),
		wide("vendor_a_phase", "commentary, final_answer", func(x *m) any { return optional(x.VendorAPhase) }),
		wide("vendor_a_encrypted_content", "", func(x *m) any { return optional(x.VendorAEncryptedContent) }),
		wide("vendor_a_reasoning_id", "", func(x *m) any { return optional(x.VendorAReasoningID) }),
		wide("vendor_a_reasoning_summary", "", func(x *m) any { return optional(x.VendorAReasoningSummary) }),
		wide("vendor_b_thought_signature", "deprecated by the service", func(x *m) any { return optional(x.VendorBThoughtSignature) }),
		wide("chat_completion_reasoning_field", "reasoning, reasoning_content", func(x *m) any { return optional(x.ChatCompletionReasoningField) }),
		wide("chat_completion_reasoning_content", "", func(x *m) any { return optional(x.ChatCompletionReasoning) }),
	}}
}

func contentText(list []api.Content) any {
	var lines []string
	for _, c := range list {
		lines = append(lines, c.Text)
	}
	return text(strings.Join(lines, "\n"))
}

func contentIDs(list []api.Content) any {
	out := make([]any, len(list))
	for i, c := range list {
		out[i] = text(c.ID)
	}
	return out
}
