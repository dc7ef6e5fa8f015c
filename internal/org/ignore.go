package org

// IgnoreRule leaves differences out of the count of a drift report, and out of nothing
// else: plan and apply do not know it.
type IgnoreRule struct {
	Pattern string `json:"pattern"` // KIND/NAME[#/JSON/POINTER]
	Reason  string `json:"reason,omitempty"`
	Owner   string `json:"owner,omitempty"`
	Expires string `json:"expires,omitempty"` // YYYY-MM-DD, inclusive, UTC; "" for no end
	Negates bool   `json:"negates,omitempty"` // what it matches counts, whatever rules before it say
	Source  Source `json:"source"`
}
