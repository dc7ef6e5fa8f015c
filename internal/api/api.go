// Package api states the wire contract of the admin API, word for word.
//
// It has no behaviour. A field without omitempty is required in an answer: the client
// refuses an object that lacks it. A pointer distinguishes absent (nil) from zero.
// Unknown fields are ignored on reading and never sent.
package api

import "encoding/json"

// Paths of the endpoints (C1, C9). Path parameters are in braces and are escaped by
// the client; Readiness lives under the application's base address, all others under
// the API's.
const (
	PathTokens         = "/api/v1/analytics/tokens"
	PathTools          = "/api/v1/analytics/tools"
	PathActivity       = "/api/v1/analytics/activity"
	PathProductivity   = "/api/v1/analytics/productivity"
	PathAnalyticsUsers = "/api/v1/analytics/users"
	PathReadiness      = "/api/organization/maturity-level-reports"
	PathSessions       = "/api/v0/sessions"
	PathSession        = "/api/v0/sessions/{sessionId}"
	PathMessages       = "/api/v0/sessions/{sessionId}/messages"
	PathMessage        = "/api/v0/sessions/{sessionId}/messages/{messageId}"
	PathComputers      = "/api/v0/computers"
	PathComputer       = "/api/v0/computers/{computerId}"
	PathComputerByName = "/api/v0/computers/name/{name}"
	PathInstallDeps    = "/api/v0/computers/{computerId}/install-deps"
	PathUsers          = "/api/v0/organization/users"
	PathHistory        = "/api/v0/organization/enterprise-controls/history"
	PathLimits         = "/api/v0/organization/usage/limits/users"
)

// Bounds of the contract.
const (
	DefaultPage    = 20           // v0 lists and analytics /users without limit (C205, C29)
	MaxPage        = 100          // largest page of those lists
	MaxLimits      = 100          // credit limit entries in one PUT (C200)
	MaxName        = 63           // code points of a computer's name and remote user (C163, C166)
	MaxRepos       = 20           // repositories of one computer (C167)
	MaxRepoLength  = 2048         // characters of one repository URL (C168)
	EarliestDate   = "2026-01-14" // first day of analytics (C22)
	DateLayout     = "2006-01-02" // how analytics dates are written (C17)
	MaxRequestBody = 1 << 20      // what the embedded service accepts (U78)
)

// Pagination ends every v0 list (C207).
type Pagination struct {
	HasMore    bool    `json:"hasMore"`
	NextCursor *string `json:"nextCursor,omitempty"` // "" or absent on the last page (U10)
}

// ErrorBody is the body of an error answer (C39, U70).
type ErrorBody struct {
	Title     string `json:"title"`
	Detail    string `json:"detail"`
	Status    int    `json:"status"`
	RequestID string `json:"requestId"`
}

// Object is any JSON object, kept as it was sent.
type Object = map[string]json.RawMessage
