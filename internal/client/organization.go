package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/govctl/govctl/internal/api"
)

// OrganizationID names the organization the key belongs to. Analytics is the only place
// that tells it (U82), so the day before day (UTC) is asked for; a role below Manager
// gets an *api.Error with status 403 (C36).
func (c *Client) OrganizationID(ctx context.Context, day time.Time) (string, error) {
	date := day.UTC().AddDate(0, 0, -1).Format(api.DateLayout)
	var page struct {
		Meta struct {
			OrgID string `json:"org_id"`
		} `json:"meta"`
	}
	err := c.do(ctx, http.MethodGet, api.PathActivity, url.Values{"startDate": {date}, "endDate": {date}}, nil, &page)
	return page.Meta.OrgID, err
}
