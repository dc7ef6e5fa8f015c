package org

// Member is a user of the organization as the service lists it.
type Member struct {
	ID        string
	Email     Email  // folded, NFC; "" when the service shows none (U54)
	Spelling  string // the address byte for byte as the service spells it
	FirstName string // this and what follows: only if it was asked for
	LastName  string
	Metadata  map[string]any // free JSON; never printed whole (T35)
}
