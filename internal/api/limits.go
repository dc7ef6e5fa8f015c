package api

// Limit is one credit limit entry: as asked and as acknowledged (C201, C202).
type Limit struct {
	Email string `json:"email"`
	Limit int64  `json:"limit"`
}

// LimitError is one entry that could not be set (C203).
type LimitError struct {
	Email string `json:"email"`
	Error string `json:"error"`
}

// LimitsRequest is the body of PUT limits: 1 to MaxLimits entries (C199, C200).
type LimitsRequest struct {
	Users []Limit `json:"users"`
}

// LimitsResult is the answer to PUT limits (C204).
type LimitsResult struct {
	Updated []Limit      `json:"updated"`
	Errors  []LimitError `json:"errors"`
}
