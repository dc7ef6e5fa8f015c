package hooks

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/govctl/govctl/internal/api"
)

// Record is one event that is on its way to the service. It holds no more than what the
// service counts: neither the message nor the directory of the event, which may say what
// people work on.
type Record struct {
	Version   int       `json:"version"` // 1
	ID        uuid.UUID `json:"id"`      // the same for every attempt, so that it is counted once
	At        time.Time `json:"at"`
	Event     string    `json:"event"`
	Matcher   string    `json:"matcher"`
	Command   string    `json:"command"`
	SessionID string    `json:"session_id"`
	UserID    string    `json:"user_id"` // "" when it was not known; who delivers it says then
	Client    string    `json:"client"`
}

// recordVersion is the format of records on disk.
const recordVersion = 1

// Sender is what an event does not say of itself.
type Sender struct {
	UserID  string // id of the person in the organization; "" when it is not known
	Client  string // terminal-ui | web | non-interactive-cli | unknown
	Matcher string // of the hook that delivers
	Command string // of the hook that delivers
}

// NewRecord makes the record of an event at a time. Without a session the service would
// refuse it for ever, so that is an error.
func NewRecord(e api.HookInput, s Sender, at time.Time) (Record, error) {
	if e.SessionID == nil || *e.SessionID == "" {
		return Record{}, errors.New("the event has no session_id, so it cannot be counted")
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Record{}, fmt.Errorf("make an identity: %w", err)
	}
	return Record{
		Version: recordVersion, ID: id, At: at.UTC(), Event: e.HookEventName, Matcher: s.Matcher, Command: s.Command,
		SessionID: *e.SessionID, UserID: s.UserID, Client: s.Client,
	}, nil
}

// decodeRecord reads a record from disk.
func decodeRecord(data []byte) (Record, error) {
	var r Record
	if err := json.Unmarshal(data, &r); err != nil {
		return r, err
	}
	switch {
	case r.Version != recordVersion:
		return r, fmt.Errorf("format version %d is not known", r.Version)
	case r.ID == uuid.Nil || r.Event == "" || r.SessionID == "" || r.At.IsZero() || r.At.Unix() < 0:
		return r, errors.New("a field is missing")
	}
	return r, nil
}

// The JSON of OTLP over HTTP, as far as it is needed; ids are hexadecimal there.
type (
	otlpTraces struct {
		ResourceSpans []otlpResource `json:"resourceSpans"`
	}
	otlpResource struct {
		Resource   otlpAttributes `json:"resource"`
		ScopeSpans []otlpScope    `json:"scopeSpans"`
	}
	otlpAttributes struct {
		Attributes []otlpAttribute `json:"attributes"`
	}
	otlpScope struct {
		Scope otlpName   `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpName struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	otlpSpan struct {
		TraceID    string          `json:"traceId"`
		SpanID     string          `json:"spanId"`
		Name       string          `json:"name"`
		Start      string          `json:"startTimeUnixNano"`
		End        string          `json:"endTimeUnixNano"`
		Attributes []otlpAttribute `json:"attributes"`
	}
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpValue struct {
		String *string `json:"stringValue,omitempty"`
		Int    *string `json:"intValue,omitempty"`
	}
)

func text(key, value string) otlpAttribute { return otlpAttribute{key, otlpValue{String: &value}} }

// traces is the request that reports records, with the user who delivers them where they
// name none.
func traces(records []Record, user string) []byte {
	spans := make([]otlpSpan, len(records))
	zero := "0" // the delivering hook itself ends with 0, whatever happens (T47)
	for i, r := range records {
		if r.UserID == "" {
			r.UserID = user
		}
		at := fmt.Sprint(r.At.UnixNano())
		spans[i] = otlpSpan{
			TraceID: hex.EncodeToString(r.ID[:]), SpanID: hex.EncodeToString(r.ID[8:]),
			Name: "agent.hook.run", Start: at, End: at,
			Attributes: []otlpAttribute{
				text("user.id", r.UserID), text("session.id", r.SessionID), text("agent.client", r.Client),
				text("agent.hook.event", r.Event), text("agent.hook.matcher", r.Matcher), text("agent.hook.command", r.Command),
				{"agent.hook.exit_code", otlpValue{Int: &zero}},
			},
		}
	}
	b, err := json.Marshal(otlpTraces{[]otlpResource{{
		Resource:   otlpAttributes{[]otlpAttribute{text("service.name", "agent-cli")}},
		ScopeSpans: []otlpScope{{Scope: otlpName{"agent.usage", "1"}, Spans: spans}},
	}}})
	if err != nil {
		panic(err) // texts can be encoded
	}
	return b
}
