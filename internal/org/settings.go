package org

import "time"

// Revision is one entry of the enterprise-control history. Settings is generic JSON
// as decoded with json.Decoder.UseNumber, with secrets already redacted.
type Revision struct {
	Number    int64
	Settings  map[string]any
	Actor     Actor
	UpdatedAt string // as the service wrote it
}

// Actor is who made a change; every field may be "" (U58).
type Actor struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

// Blame names the revision in which a value became what it is.
type Blame struct {
	Revision  int64  `json:"revision"`
	Actor     Actor  `json:"actor"`
	UpdatedAt string `json:"updated_at"`
	// AtOrBefore is true when older revisions could not be read, so the change may be older.
	AtOrBefore bool `json:"at_or_before,omitempty"`
}

// Expectation is one declared fact about the settings snapshot.
type Expectation struct {
	Pointer string // JSON pointer (RFC 6901), the key
	Value   any    // JSON value, numbers as json.Number; ignored when Absent
	Absent  bool   // the pointer must lead nowhere
	AsSet   bool   // compare arrays without regard to order (T30)
	Source  Source
}

// Wanted is what a project declares, resolved against the organization's members.
type Wanted struct {
	Limits         []Limit // sorted by Email, one per address
	LimitsDeclared bool    // a credit_limits block exists
	Unlisted       []Email // members without a declared limit, sorted; nil when not asked for
	UnlistedMode   string  // ignore | report | error
	Ignored        int     // members left alone by ignore patterns
	ReassertAfter  time.Duration
	Computers      []Computer    // sorted by Name
	Expectations   []Expectation // sorted by Pointer
	Models         *Models       // nil when not declared
}

// Live is what was true when it was read.
type Live struct {
	Organization string // "" unless the service named it
	Members      []Member
	MembersRead  bool                 // false: not asked for, or a Gap says why
	ByName       map[string]*Computer // answers to look-ups by name; nil value: not found
	ByID         map[string]*Computer // answers to look-ups by id; nil value: not found
	Newest       *Revision            // nil: not asked for, unreadable, or empty history
	Blame        map[string]Blame     // by expectation pointer, for unmet expectations
	Sessions     []Session            // sessions whose model is not permitted
	Gaps         []Gap                // sorted by Fact, Key
}
