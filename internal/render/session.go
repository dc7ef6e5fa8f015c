package render

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// What became of a session's settings.
const (
	SessionNothing     = "nothing"     // they are as asked for
	SessionPlanned     = "planned"     // nothing was sent
	SessionDone        = "done"        // the answer shows every field
	SessionUnconfirmed = "unconfirmed" // the answer shows a field otherwise
	SessionUnknown     = "unknown"     // no usable answer came
)

// SessionReport says what was asked of one session and what became of it.
type SessionReport struct {
	FormatVersion string         `json:"format_version"`
	SessionID     string         `json:"session_id"`
	Status        string         `json:"status,omitempty"` // of the session, when it was read
	Result        string         `json:"result"`
	Fields        []SessionField `json:"fields"`                // that differ, by name
	Unconfirmed   []string       `json:"unconfirmed,omitempty"` // names of fields
	Error         string         `json:"error,omitempty"`
}

// SessionField is one setting; nil is absent. Metadata of tags is left out of outputs (T35).
type SessionField struct {
	Name   string
	Before json.RawMessage
	After  json.RawMessage
}

// MarshalJSON writes the values without secrets and without the metadata of tags.
func (f SessionField) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name   string `json:"name"`
		Before any    `json:"before"`
		After  any    `json:"after"`
	}{f.Name, shownSetting(f.Name, f.Before), shownSetting(f.Name, f.After)})
}

func shownSetting(name string, raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	v, err := org.DecodeJSON(raw)
	if err != nil {
		return nil
	}
	if list, ok := v.([]any); ok && name == "tags" {
		names := make([]any, len(list))
		for i, t := range list {
			tag, _ := t.(map[string]any)
			names[i] = tag["name"]
		}
		v = names
	}
	return org.Redactor{}.Redact(v)
}

// Session writes what became of a session's settings.
func Session(w io.Writer, format string, r SessionReport, o Options) error {
	if format == JSON {
		if r.Fields == nil {
			r.Fields = []SessionField{}
		}
		return WriteJSON(w, r)
	}
	out, c := &printer{w: w}, newPalette(o.Color)
	id := Clean(r.SessionID)
	if r.Status != "" {
		id += " (" + Clean(r.Status) + ")"
	}
	for _, f := range r.Fields {
		out.f("  ~ %s  %s -> %s\n", Clean(f.Name), settingText(f.Name, f.Before), settingText(f.Name, f.After))
	}
	switch r.Result {
	case SessionNothing:
		out.f("session %s is as asked for; nothing was sent\n", id)
	case SessionPlanned:
		out.f("%s\n", c.bold("session "+id+" would be changed; nothing was sent"))
	case SessionDone:
		out.f("%s session %s; the answer shows every field\n", c.green("done"), id)
	case SessionUnconfirmed:
		out.f("%s session %s: the answer does not show %s as asked for\n", c.red("unconfirmed"), id, Clean(strings.Join(r.Unconfirmed, ", ")))
	case SessionUnknown:
		out.f("%s session %s: the change may be done or not: %s\n", c.red("unknown"), id, reason(r.Error))
	}
	return out.err
}

func settingText(name string, raw json.RawMessage) string {
	if v := shownSetting(name, raw); v != nil {
		return jsonValue(v)
	}
	return "(absent)"
}
