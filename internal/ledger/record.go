package ledger

import (
	"time"

	"github.com/govctl/govctl/internal/org"
)

// FormatVersion is the version of the stored lines; Read refuses any other.
const FormatVersion = 1

// Kind tells the two records of an act, and imports, apart. Other kinds are kept, counted and
// ignored, so that a newer govctl may add some.
type Kind string

// The kinds of a record.
const (
	Intention Kind = "intention" // written before a request is sent
	Outcome   Kind = "outcome"   // written after its answer, or the lack of one
	Import    Kind = "import"    // what a person states to be so, or records of another ledger
)

// Result is how one computer or session request ended.
type Result string

// The results of an outcome.
const (
	Done    Result = "done"     // the service acknowledged it
	Failed  Result = "failed"   // the service definitely did not do it
	Unknown Result = "unknown"  // nobody knows
	NotSent Result = "not_sent" // the request never left
)

// Record is one line of a ledger: the intention to send one request, or its outcome.
// It is the stored form; its JSON names are fixed by FormatVersion.
type Record struct {
	ID     string    `json:"id"` // UUID version 7, filled by Append
	At     time.Time `json:"at"` // UTC, filled by Append, strictly increasing in one file
	Kind   Kind      `json:"kind"`
	Of     string    `json:"of,omitempty"`     // outcome: the id of its intention
	Target Target    `json:"target,omitzero"`  // intention, import: where the request goes
	Plan   string    `json:"plan,omitempty"`   // intention: digest of the plan
	Limits []Limit   `json:"limits,omitempty"` // intention of a limits request, or what is imported

	Set     []org.Email `json:"set,omitempty"`      // outcome: acknowledged
	Refused []Refused   `json:"refused,omitempty"`  // outcome: definitely not set
	Unknown []org.Email `json:"unknown,omitempty"`  // outcome: perhaps set, perhaps not
	NotSent []org.Email `json:"not_sent,omitempty"` // outcome: never left

	RequestID string  `json:"request_id,omitempty"` // outcome: what the service calls the request
	Computer  *Object `json:"computer,omitempty"`   // intention or outcome of a computer request
	Session   *Object `json:"session,omitempty"`    // intention or outcome of a session request

	Import *Imported `json:"import,omitempty"` // import: by whom and from where
}

// Target is where a request goes, in stored form.
type Target struct {
	BaseURL      string `json:"base_url"`
	Organization string `json:"organization,omitempty"`
}

// Limit is one entry of an intended limits request.
type Limit struct {
	Email   org.Email `json:"email"`             // the folded key
	SendAs  string    `json:"send_as,omitempty"` // the spelling sent, "" if it is the key
	Credits int64     `json:"credits"`
	UserID  string    `json:"user_id,omitempty"`
}

// Refused is one entry the service would not set.
type Refused struct {
	Email org.Email `json:"email"`
	Error string    `json:"error"`
}

// Object is the intended or finished change of one computer or session.
type Object struct {
	Action string   `json:"action"`           // create | update | retry_install
	Name   string   `json:"name,omitempty"`   // declared name of a computer
	ID     string   `json:"id,omitempty"`     // "" while not known
	Fields []string `json:"fields,omitempty"` // names of the fields sent, sorted
	Result Result   `json:"result,omitempty"` // outcome only
	Error  string   `json:"error,omitempty"`  // outcome only
}

// Imported says where the limits of an import, or records of another ledger, come from.
// The service did not acknowledge imported limits to govctl: a person answers for them.
type Imported struct {
	By      string `json:"by"`                // USER@HOST
	Source  string `json:"source"`            // name of the file
	Lineage string `json:"lineage,omitempty"` // of another ledger
	Records int    `json:"records,omitempty"` // how many came from it
}

// TargetOf makes the stored form of t.
func TargetOf(t org.Target) Target {
	return Target{BaseURL: t.BaseURL, Organization: t.Organization}
}
