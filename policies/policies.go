// Package policies holds the shipped rules of govctl: Rego that judges settings, their
// history, readiness reports, plans, usage, hooks and computers.
//
// The folder is one that plain OPA can check and run; README.md lists the rules. The
// package only embeds it, so that it has no dependency and costs nothing at start-up.
package policies

import "embed"

// FS holds the rules and their helpers below govctl, the JSON schemas of their inputs
// in schemas, and the parameters with their defaults in data.yaml. The patterns leave the
// tests out by their last letter: a rule ends in a digit and a helper not in t.
//
//go:embed data.yaml schemas/*.json govctl/*/*/*[0-9].rego govctl/lib/*[^t].rego
var FS embed.FS
