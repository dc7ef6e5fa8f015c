package render

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// settingChange says what is and what should be; absent is a third value.
func settingChange(s plan.SettingChange) string {
	before, after := "(absent)", "(absent)"
	if s.Found {
		before = jsonValue(s.Before)
	}
	if !s.Absent {
		after = jsonValue(s.After)
	}
	return before + " -> " + after
}

// blameLine names who made a setting what it is.
func blameLine(s plan.SettingChange) string { return blameText(s.Blame) }

func blameText(b *org.Blame) string {
	if b == nil {
		return ""
	}
	since := "since"
	if b.AtOrBefore {
		since = "at or before"
	}
	return fmt.Sprintf("%s revision %d by %s, %s", since, b.Revision, actorName(b.Actor), Clean(b.UpdatedAt))
}

// jsonValue shows a value on one line, secrets in words.
func jsonValue(v any) string {
	if text, ok := org.SecretText(v); ok {
		return text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(worded(v)); err != nil {
		return "?"
	}
	return Clean(string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))))
}

// worded is a value with the secrets inside of it in words.
func worded(v any) any {
	if text, ok := org.SecretText(v); ok {
		return text
	}
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, w := range x {
			out[k] = worded(w)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, w := range x {
			out[i] = worded(w)
		}
		return out
	}
	return v
}
