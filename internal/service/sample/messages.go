package sample

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// messageCount is how many messages the n-th session has: ses_001 has more than two pages
// of 20, the others 3 to 13.
func messageCount(n int) int {
	if n == 1 {
		return 45
	}
	return 3 + n*7%11
}

// Messages are the messages of all sessions, msg_001_01 and so on. Sessions whose number
// can be divided by 9 begin with a system message; then a user asks and the assistant
// and its tools take turns.
func Messages() []store.Message {
	var all []store.Message
	for i, s := range Sessions() {
		all = append(all, sessionMessages(i+1, s)...)
	}
	return all
}

func sessionMessages(n int, s store.Session) []store.Message {
	all := make([]store.Message, s.MessageCount)
	pause := s.UpdatedAt.Sub(s.CreatedAt).Truncate(time.Millisecond) / time.Duration(len(all))
	for i := range all {
		id := fmt.Sprintf("msg_%03d_%02d", n, i+1)
		role := messageRole(n, i)
		at := s.CreatedAt.Add(time.Duration(i) * pause).Truncate(time.Millisecond)
		all[i] = store.Message{
			SessionID: s.ID, ID: id, Role: role, CreatedAt: at, UpdatedAt: at.Add(1200 * time.Millisecond),
			Content: content(id, messageText(role, s.Title, i)), Extra: messageExtra(n, i, len(all), role),
		}
	}
	return all
}

func messageRole(n, i int) string {
	if n%9 == 0 {
		if i == 0 {
			return "system"
		}
		i--
	}
	return []string{"user", "assistant", "tool", "assistant"}[i%4]
}

func messageText(role, title string, i int) string {
	switch role {
	case "system":
		return "Follow the conventions of the repository."
	case "tool":
		return []string{"ok  \t12 tests passed", "exit status 1: 2 of 12 tests failed", "3 files changed"}[i%3]
	case "assistant":
		return []string{"I will look at the code first.", "The tests show where it goes wrong.", "Done; the change is on a branch of its own."}[i%3]
	}
	if i <= 1 {
		return title + "."
	}
	return []string{"Please add a test.", "Looks good, go on.", "Keep the public API as it is."}[i%3]
}

// content is one block of text; texts of this package need no escaping but for the tab.
func content(id, text string) string {
	return `[{"text":"` + strings.ReplaceAll(text, "\t", `\t`) + `","id":"` + id + `_c1"}]`
}

// messageExtra are the optional fields; the second message of ses_001 has them all.
func messageExtra(n, i, count int, role string) string {
	fields := []string{}
	add := func(name, value string) { fields = append(fields, `"`+name+`":`+value) }
	if i > 0 {
		add("parentId", fmt.Sprintf(`"msg_%03d_%02d"`, n, i))
	}
	if n == 1 && i == 1 {
		return allExtras()
	}
	switch role {
	case "user":
		add("userMessageSource", []string{`"cli_tui"`, `"web"`, `"cli_exec"`, `"automation"`, `"desktop"`}[n%5])
		add("visibility", `"both"`)
	case "assistant":
		phase := "null"
		if i >= count-2 {
			phase = `"final_answer"`
		}
		add("vendorAPhase", phase)
	case "tool":
		add("visibility", `"llm_only"`)
		add("isUserVisible", "false")
		add("isError", fmt.Sprint(i%3 == 1))
	case "system":
		add("visibility", `"llm_only"`)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

func allExtras() string {
	text, err := json.Marshal(struct {
		ParentID          string `json:"parentId"`
		UserMessageSource string `json:"userMessageSource"`
		Visibility        string `json:"visibility"`
		MessageID         string `json:"vendorAMessageId"`
		Phase             string `json:"vendorAPhase"`
		Encrypted         string `json:"vendorAEncryptedContent"`
		ReasoningID       string `json:"vendorAReasoningId"`
		ReasoningSummary  string `json:"vendorAReasoningSummary"`
		Signature         string `json:"vendorBThoughtSignature"`
		ReasoningField    string `json:"chatCompletionReasoningField"`
		Reasoning         string `json:"chatCompletionReasoningContent"`
		IsUserVisible     bool   `json:"isUserVisible"`
		IsError           bool   `json:"isError"`
	}{
		"msg_001_01", "cli_tui", "both", "va_msg_1", "commentary", "c2FtcGxl", "va_rs_1", "Read before changing.",
		"c2FtcGxl", "reasoning_content", "The test waits for a timer.", true, false,
	})
	if err != nil {
		panic(err) // plain values
	}
	return string(text)
}
