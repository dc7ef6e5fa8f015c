// Package org names the nouns of a governed organization.
//
// Wanted, live and last-known facts use the same types here, so that
// comparing them is dull. The package does no I/O and imports only the standard
// library; normalisation that needs Unicode tables (NFC) is done by the packages
// that read addresses from files or the network before they call Fold.
package org

import "fmt"

// Source is a place in a configuration file. The zero Source means "no file".
type Source struct {
	File   string `json:"file"`   // slash-separated, relative to the project directory
	Line   int    `json:"line"`   // from 1
	Column int    `json:"column"` // from 1, counted in bytes
}

// IsZero reports whether s names no place.
func (s Source) IsZero() bool { return s.File == "" }

// String renders s as file:line:column, the form editors and CI systems link.
func (s Source) String() string {
	if s.IsZero() {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Column)
}

// Target is where a plan is meant to be applied.
type Target struct {
	BaseURL              string `json:"base_url"`              // as configured: "embedded:" stays "embedded:"
	Organization         string `json:"organization"`          // "" when neither declared nor learned
	OrganizationVerified bool   `json:"organization_verified"` // the service itself named the organization (U82)
}

// Gap is one fact that could not be read; any gap makes a plan INCOMPLETE.
type Gap struct {
	Fact  string `json:"fact"`  // members, computer, settings, sessions, organization
	Key   string `json:"key"`   // which one, "" for all of the kind
	Error string `json:"error"` // what went wrong, one line, no secrets
}

// Finding is what a policy rule says about one subject (design section 5).
type Finding struct {
	Rule        string  `json:"rule"`
	Severity    string  `json:"severity"` // critical | high | medium | low | info
	Status      string  `json:"status"`   // open | waived | indeterminate | errored
	Title       string  `json:"title"`
	Message     string  `json:"message"`
	Subject     string  `json:"subject"`
	Path        string  `json:"path"`
	Remediation string  `json:"remediation"`
	Source      *Source `json:"source,omitempty"` // the declaration it concerns
	Blame       *Blame  `json:"blame,omitempty"`  // who made the value at Path what it is, and when
	Waiver      *Waiver `json:"waiver,omitempty"`
}

// Waiver is an accepted, time-boxed exception from a rule.
type Waiver struct {
	Rule    string `json:"rule"`
	Target  string `json:"target"`
	Reason  string `json:"reason"`
	Owner   string `json:"owner"`
	Expires string `json:"expires"` // YYYY-MM-DD, inclusive, UTC
	Source  Source `json:"source"`
}
