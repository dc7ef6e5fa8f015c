// Package policy evaluates Rego rules on JSON documents and returns findings.
//
// # The library
//
// The engine takes the shipped rules as a file system whose root holds
//
//	govctl/<kind>/<id lower>/<id lower>.rego       package govctl.<kind>.<id lower>
//	govctl/<kind>/<id lower>/<id lower>_test.rego  package govctl.<kind>.<id lower>_test
//	govctl/lib/…                                   helpers
//	schemas/<name>.json                            schema.<name> of annotations
//	data.yaml                                      params: the parameters and their defaults
//
// A rule is the partial set
//
//	findings contains {"path": <JSON pointer>, "message": <text>} if { … }
//
// whose members may also name a "subject". Everything else about it is METADATA on the
// rule or its package: title, description, and custom {id, severity, input, default,
// remediation, requires, tags, since}. The engine joins the two by rule, so that no rule
// needs rego.metadata and a finding costs one small object.
//
// # The documents
//
// Every document has "kind" and "now" (RFC 3339, UTC); the engine adds them. The kinds:
//
//	settings   {revision, updated_at, actor: {id, email, name}, settings, members?}
//	history    {from: {revision, updated_at, actor, settings}, to: the same}
//	readiness  {repository: {url, branch?, min_score?, max_age_days?, criteria?}, reports: newest first, complete}
//	plan       {plan: the plan's JSON, overview?, members?, settings?, usage?}
//	usage      {window: {from, to}, users, tools, tokens, activity, limits: [{email, limit}], settings?}
//	hooks      {hooks: the hooks.json}
//	computers  {computers, settings?}
//
// where members is {complete, emails: folded addresses, ids}, and overview says what the
// limits of a plan amount to, because plan.changes and the lists of members may be long:
// they are Deferred, made only for rules that reach them. Documents must have had
// their secrets replaced (org.Redact) before they come here: messages, prints and traces
// of rules can show any value of their input.
//
// # What a rule may not do
//
// Rules read their input and data.params, and nothing else: the capabilities hold no
// network, clock, randomness, environment or file access, neither for shipped rules nor
// for anybody's own, nor for tests. A misspelt path of a rule with a schema, a misspelt
// parameter and a package named govctl outside the library are errors at load. A rule
// that runs too long, fills the memory or fails is reported as SYS001 and hides no other
// rule's findings.
//
// # Undefined is not clean
//
// In Rego a comparison with a missing value is undefined, which looks like a pass. So a
// rule names the paths it cannot do without (requires); a document without one of them
// makes the rule indeterminate, and its body is not evaluated.
package policy

import (
	"io/fs"
	"runtime"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// The kinds of documents.
const (
	Settings  = "settings"
	History   = "history"
	Readiness = "readiness"
	PlanKind  = "plan"
	Usage     = "usage"
	Hooks     = "hooks"
	Computers = "computers"
)

// Kinds lists the kinds of documents in the order in which they are reported.
func Kinds() []string {
	return []string{Settings, History, Readiness, PlanKind, Usage, Hooks, Computers}
}

// Document is something to judge.
type Document struct {
	Kind    string
	Subject string // how findings name it, as in settings@r42
	Body    any    // a JSON object as org.DecodeJSON gives it, secrets replaced
	// Before is the body of the document before this one, for hints about renamed
	// properties; nil when there is none.
	Before any
	// Base is the pointer of the subject inside the body. Findings name paths from there:
	// with Base "/settings", "/settings/sandbox" is shown as "/sandbox".
	Base string
	// Locate sets the Source of findings of the document, whose paths are as Base says; nil
	// where the document stands in no file. It is called by any goroutine, and once.
	Locate func([]org.Finding)
}

// Source is somebody's own rules.
type Source struct {
	Name    string // how the place is named in messages; files are named below it
	FS      fs.FS  // *.rego, *.json and *.yaml at any depth; nil for a bundle
	Archive []byte // an OPA bundle (.tar.gz); used when FS is nil
	Key     *Key   // who must have signed the bundle; nil: it must not be signed
}

// Key is what signatures of bundles are verified with.
type Key struct {
	PEM       string // public key in PEM, or a shared secret for HMAC
	Algorithm string // as JWS names it; "" is RS256
	Scope     string // scope the signature must have; "" is any
}

// Options chooses what is loaded and how it is judged.
type Options struct {
	Library    fs.FS    // nil: no shipped rules
	Sources    []Source // beside the library
	Kinds      []string // only rules of these kinds are compiled; none: all
	Only       []string // only these rules, whether on by default or not; none: all that are on
	Extended   bool     // also those that are off by default
	Disable    []string
	Severity   map[string]string // id -> severity; naming a rule here turns it on
	Parameters map[string]any    // over the defaults
	Waivers    []org.Waiver
	FailOn     string    // the lowest severity that denies; "" is org.DefaultFailOn
	Now        time.Time // "now" of documents, and what waivers expire by
	Limits     Limits

	// Shared is for a library known to have no mistakes, as that of this program has none:
	// each kind of rules is then compiled when its first document comes, and once for all
	// engines that share it and ask for the same. nil: everything is compiled by Load.
	Shared *Shared

	plain bool // the library is evaluated as it is written, without native functions
}

// Limits bounds what rules may use. A zero field is the default.
type Limits struct {
	Time     time.Duration // one evaluation of one document; default 10 s
	Memory   int64         // bytes above what was in use before; default 1 GiB
	Input    int           // values (scalars, members, elements) in one document; default 8 million
	Findings int           // findings of one rule in one document; default 10,000
	Text     int           // bytes of one text in a finding; default 16 KiB
	Workers  int           // default: one for each processor
}

func (l Limits) orDefault() Limits {
	set := func(field *int, value int) {
		if *field <= 0 {
			*field = value
		}
	}
	if l.Time <= 0 {
		l.Time = 10 * time.Second
	}
	if l.Memory <= 0 {
		l.Memory = 1 << 30
	}
	set(&l.Input, 8_000_000)
	set(&l.Findings, 10_000)
	set(&l.Text, 16<<10)
	set(&l.Workers, runtime.GOMAXPROCS(0))
	return l
}
