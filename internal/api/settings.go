package api

import "encoding/json"

// Change is one revision of the enterprise controls (C191). Settings stays text: its
// properties come and go between API versions (C192).
type Change struct {
	Revision  int64           `json:"revision"`
	Settings  json.RawMessage `json:"settings"`
	User      *Actor          `json:"user,omitempty"`
	UpdatedAt string          `json:"updatedAt"`
}

// Actor is who made a change; any part may be missing (U58).
type Actor struct {
	ID    *string `json:"id,omitempty"`
	Email *string `json:"email,omitempty"`
	Name  *string `json:"name,omitempty"`
}

// HistoryPage is one page of GET history, newest revision first (C189, C190).
type HistoryPage struct {
	Changes    []Change   `json:"changes"`
	Pagination Pagination `json:"pagination"`
}
