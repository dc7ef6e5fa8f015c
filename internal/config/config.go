// Package config turns the files of a project into wanted state, or names every
// problem in them at once.
//
// One decoder reads both syntaxes: YAML is given to it as hcl.Body and
// hcl.Expression over yaml.v3 nodes (the way HCL reads its own JSON), so that a
// name, a check and a message exist once. Positions are byte ranges of the file
// until they leave the package as org.Source. Numbers are decimal text or exact
// integers throughout; nothing passes through float64 except readiness scores.
//
// Bulk limits are walked as syntax nodes or streamed from CSV, never evaluated as
// one cty object: that is what keeps 100,000 limits near the cost of parsing them.
// They are kept sorted by address, so that duplicates are neighbours and resolving
// against the members is one merge.
//
// Nothing read here depends on the clock, the environment or the network: there is
// no timestamp() and no env(); variables come in through Options.
package config

import (
	"slices"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// Options is what a project needs besides its files.
type Options struct {
	// Vars are values somebody gave on purpose (--var, --var-file): name -> text. The
	// text is taken as it is when the variable is a string (by its type, its default,
	// or for want of both) and read as an HCL expression otherwise. A name that no
	// file declares is a problem.
	Vars map[string]string
	// Env are values found in the environment, used where Vars has none. Names that
	// no file declares are ignored.
	Env map[string]string
	// Now decides which boosts and waivers have expired. The zero time expires none.
	Now time.Time
}

// Project is a decoded directory of configuration.
type Project struct {
	Dir          string            // as given to Load
	Service      Service           // where the API is
	Ledger       Ledger            // where govctl remembers
	Limits       *Limits           // nil when there is no credit_limits block
	Computers    []org.Computer    // sorted by name
	Models       *org.Models       // nil when there is no models block
	Expectations []org.Expectation // of settings and models, sorted by pointer
	Readiness    *Readiness        // nil when there is no readiness block
	Policy       Policy            // zero when there is no policy block
	Hooks        []org.Hook        // sorted by event and matcher; nil when there is no hooks block
	Ignores      []org.IgnoreRule  // of drift blocks, sorted by pattern; nil when there are none
	Vars         map[string]string // the given values of declared variables, as given
	Digest       string            // "sha256:…" over every file read and Vars
	PolicyDigest string            // "sha256:…" over policy files and the policy block
	Reads        []string          // files looked at, also those not there, and policy paths: slash-separated, relative, sorted
	Warnings     Problems          // sorted; never errors
}

// NeedsMembers reports whether Resolve needs the organization's members.
func (p *Project) NeedsMembers() bool { return p.Limits != nil }

// NeedsProfiles reports whether a condition reads names or metadata of members.
func (p *Project) NeedsProfiles() bool {
	return p.Limits != nil && slices.ContainsFunc(p.Limits.groups, func(g group) bool {
		return g.where != nil && g.where.reads.profile()
	})
}

// Service says where the API is. Empty fields were not written; each has its place.
type Service struct {
	BaseURL      string // absolute http(s) address or "embedded:"
	AppURL       string
	Organization string

	BaseURLSource      org.Source
	AppURLSource       org.Source
	OrganizationSource org.Source
	Source             org.Source // of the block
}

// DefaultLedger is used when no ledger block names another.
const DefaultLedger = "file:.govctl/ledger.jsonl"

// Ledger says where the memory of limits is kept.
type Ledger struct {
	URL    string     // never empty
	Source org.Source // zero for the default
}
