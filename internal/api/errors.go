package api

import (
	"fmt"
	"strings"
)

// Error is a request that did not end as it should. Status is 0 when no usable answer
// came (transport, time-out, cut or malformed body); Err then says why.
type Error struct {
	Method    string // GET, PUT, …
	Path      string // without query and host
	Status    int
	Detail    string // one safe line from the answer, "" if none
	RequestID string
	Err       error
	// Ambiguous is true for a write that the service may have carried out although
	// this error came back: its outcome is UNKNOWN.
	Ambiguous bool
}

// Error says what was asked, what came back and which request it was.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", e.Method, e.Path)
	if e.Status != 0 {
		fmt.Fprintf(&b, ": status %d", e.Status)
	}
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	if e.RequestID != "" {
		b.WriteString(" (request " + e.RequestID + ")")
	}
	return b.String()
}

// Unwrap gives the cause, nil for a plain status.
func (e *Error) Unwrap() error { return e.Err }
