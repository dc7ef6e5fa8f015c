package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/govctl/govctl/internal/api"
)

// PutLimits sets 1 to api.MaxLimits credit limits and returns what the service says of
// each; it does not compare that with what was asked. Limits are absolute, so the
// request is repeated after a passing fault. If an earlier attempt may have been carried
// out and the last one refuses entries, the answer comes together with an ambiguous
// error: what it lists as updated is set, what it refuses is unknown. With any other
// error there is no answer, not even the part of one that could be read.
func (c *Client) PutLimits(ctx context.Context, limits []api.Limit) (api.LimitsResult, error) {
	if len(limits) == 0 || len(limits) > api.MaxLimits {
		q := call{c: c, method: http.MethodPut, path: api.PathLimits}
		return api.LimitsResult{}, q.fail(fmt.Errorf("%d entries; a request takes 1 to %d", len(limits), api.MaxLimits))
	}
	var r api.LimitsResult
	err := c.do(ctx, http.MethodPut, api.PathLimits, nil, api.LimitsRequest{Users: limits}, &r)
	switch {
	case errors.Is(err, errRepeated) && len(r.Errors) == 0:
		return r, nil
	case err != nil && !errors.Is(err, errRepeated):
		return api.LimitsResult{}, err
	}
	return r, err
}
