package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/govctl/govctl/internal/api"
)

// ExportTraces sends spans, in the JSON of OTLP, once. It returns how many of them the
// service refused, and why. The identities of spans make it harmless to send them again.
func (c *Client) ExportTraces(ctx context.Context, body []byte) (rejected int64, message string, err error) {
	var r api.TracesAnswer
	if err := c.do(ctx, http.MethodPost, api.PathTraces, nil, json.RawMessage(body), &r); err != nil {
		return 0, "", err
	}
	if r.PartialSuccess == nil {
		return 0, "", nil
	}
	if n := bytes.Trim(r.PartialSuccess.RejectedSpans, `"`); len(n) > 0 {
		if rejected, err = strconv.ParseInt(string(n), 10, 64); err != nil || rejected < 0 {
			q := call{c: c, method: http.MethodPost, path: api.PathTraces}
			return 0, "", q.fail(fmt.Errorf("rejectedSpans is %q, not a number", n))
		}
	}
	if r.PartialSuccess.ErrorMessage != nil {
		message = c.clean.line(*r.PartialSuccess.ErrorMessage)
	}
	return rejected, message, nil
}
