package api

import "encoding/json"

// PathTraces is where spans are sent, as OTLP over HTTP.
const PathTraces = "/v1/traces"

// TracesAnswer answers spans.
type TracesAnswer struct {
	PartialSuccess *TracesRefused `json:"partialSuccess,omitempty"` // absent when all were accepted
}

// TracesRefused says how many spans were refused and why.
type TracesRefused struct {
	RejectedSpans json.RawMessage `json:"rejectedSpans,omitempty"` // a number, as a text in the JSON of protobuf
	ErrorMessage  *string         `json:"errorMessage,omitempty"`
}
