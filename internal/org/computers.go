package org

import "strings"

// Computer is a machine on which sessions run, declared, live or last known.
// An empty field of a declaration means "not managed"; an empty field of a live
// computer means the service does not show it.
type Computer struct {
	ID         string
	Name       string
	Provider   string // byom | sandbox_vendor; cannot change after creation (T18)
	HostID     string // UUID, compared without regard to case (U46)
	RemoteUser string

	// Declared only.
	Previously         []string  // former names: rename by PATCH instead of creating
	RetryFailedInstall bool      // retry the install step of a computer in error
	AllowHostChange    bool      // permit re-binding to another host (T17)
	OnCreate           *OnCreate // sent at creation; cannot be compared later
	Source             Source

	// Live only.
	Status string // provisioning | active | error, or whatever the service says
	Steps  []Step
}

// OnCreate is what the service takes at creation and never shows again.
type OnCreate struct {
	Repos            []string
	AutoInstallDeps  *bool
	ServiceAccountID string
	Source           map[string]any // free JSON with a "kind"
}

// Step is one provisioning step of a live computer.
type Step struct {
	ID               string
	Name             string
	Status           string
	Error            string
	InstallSessionID string
}

// KnownComputer is what the ledger remembers of a computer that govctl created or
// changed.
type KnownComputer struct {
	ID      string // "" when the id was never learned
	Unknown bool   // a write to it was never answered
}

// SameHost compares two host ids: UUIDs in any case, also in braces or as a URN (T17).
func SameHost(a, b string) bool { return bareUUID(a) == bareUUID(b) }

func bareUUID(s string) string {
	s = strings.TrimPrefix(strings.ToLower(s), "urn:uuid:")
	return strings.TrimSuffix(strings.TrimPrefix(s, "{"), "}")
}
