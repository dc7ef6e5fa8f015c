package org

import "time"

// MaxCredits is the largest limit sent: above 2^53-1 the service may round (T8).
const MaxCredits = 1<<53 - 1

// Limit is one member's wanted credit limit.
type Limit struct {
	Email   Email  // the key
	Credits int64  // absolute number of credits, 0..MaxCredits
	Why     string // what decided it: boost, users, users_from, group "NAME", default
	Reason  string // free words of the declaration, "" if none
	Source  Source // the declaration that decided it
}

// Grade says how well a limit is known. Limits are write-only, so knowledge comes
// from the ledger alone and is never called "current" (design section 1).
type Grade string

// The grades of a limit.
const (
	NeverSet  Grade = "never_set" // govctl never had it acknowledged
	Confirmed Grade = "confirmed" // the service acknowledged it
	Unknown   Grade = "unknown"   // asked and never answered, or refused after an open ask
	Expired   Grade = "expired"   // confirmed longer ago than reassert_after
)

// KnownLimit is what the ledger knows of one member's limit.
type KnownLimit struct {
	Grade   Grade     // never Expired: age is judged by the plan
	Credits int64     // last confirmed value; meaningless unless Grade is Confirmed
	At      time.Time // when it was confirmed, UTC
	UserID  string    // the member's id when it was sent, "" if not recorded (T12, T13)
}

// Known is everything the ledger remembers about one target. The zero Known is an
// empty ledger.
type Known struct {
	Position  Position
	Limits    KnownLimits
	Stated    map[Email]string         // of confirmed limits that a person stated: who; the service acknowledged the others
	Computers map[string]KnownComputer // by declared name
}

// Position names a state of a ledger: equal positions have equal contents.
type Position struct {
	Lineage string `json:"lineage"`           // "" before the first record
	Serial  int64  `json:"serial"`            // records so far
	Records string `json:"records,omitempty"` // digest of their ids
}
