package drift

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// BaselineFile is where a project keeps what is accepted, beside its configuration.
const BaselineFile = "drift.baseline.json"

// Baseline is what people accepted of a project. The zero Baseline accepts nothing.
type Baseline struct {
	FormatVersion string            `json:"format_version"`
	Organization  string            `json:"organization,omitempty"` // "" when it was not known
	Revision      *AcceptedRevision `json:"revision,omitempty"`     // undeclared changes up to here are accepted
	Accepted      []Acceptance      `json:"accepted"`               // sorted by kind, key and fingerprint
}

// AcceptedRevision is a revision whose undeclared settings are as somebody wants them.
type AcceptedRevision struct {
	Number    int64     `json:"number"`
	UpdatedAt string    `json:"updated_at"` // as the service wrote it; another one means another history
	Reason    string    `json:"reason"`
	At        time.Time `json:"accepted_at"`
}

// Acceptance is one difference that somebody accepted: that one, with these values.
type Acceptance struct {
	Fingerprint string    `json:"fingerprint"`
	Kind        string    `json:"kind"` // setting | computer
	Key         string    `json:"key"`
	Reason      string    `json:"reason"`
	Until       string    `json:"until,omitempty"` // YYYY-MM-DD, inclusive, UTC; "" for no end
	At          time.Time `json:"accepted_at"`
}

// Accepted is why a difference does not count.
type Accepted struct {
	Reason string `json:"reason"`
	Until  string `json:"until,omitempty"`
}

// ErrOtherHistory means that the accepted revision is not of the history that is live:
// it was reset, or this is another organization (T37).
var ErrOtherHistory = errors.New("the history was reset, or this is another organization")

// DecodeBaseline reads a stored baseline and refuses whatever it does not understand,
// because something accepted by mistake would be hidden.
func DecodeBaseline(data []byte) (Baseline, error) {
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	var b Baseline
	if err := d.Decode(&b); err != nil {
		return Baseline{}, err
	}
	if d.More() {
		return Baseline{}, errors.New("text after the JSON value")
	}
	if b.FormatVersion != FormatVersion {
		return Baseline{}, fmt.Errorf("format %q is not known to this govctl (it writes %s)", b.FormatVersion, FormatVersion)
	}
	if r := b.Revision; r != nil && (r.Number < 0 || strings.TrimSpace(r.Reason) == "") {
		return Baseline{}, errors.New("the accepted revision needs a number and a reason")
	}
	for i, a := range b.Accepted {
		if a.Fingerprint == "" || strings.TrimSpace(a.Reason) == "" {
			return Baseline{}, fmt.Errorf("acceptance %d needs a fingerprint and a reason", i+1)
		}
		if err := CheckDate(a.Until); a.Until != "" && err != nil {
			return Baseline{}, fmt.Errorf("acceptance %d: %w", i+1, err)
		}
	}
	return b, nil
}

// CheckDate says what is wrong with a date, nil for YYYY-MM-DD.
func CheckDate(s string) error {
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return fmt.Errorf("%q is not a date like 2026-12-31", s)
	}
	return nil
}

// Check reports ErrOtherHistory if the history that ends in revision newest cannot be
// the one that was accepted from.
func (b Baseline) Check(organization string, newest int64) error {
	if b.Organization != "" && organization != "" && b.Organization != organization {
		return fmt.Errorf("%s was written for organization %s, this is %s: %w", BaselineFile, b.Organization, organization, ErrOtherHistory)
	}
	if r := b.Revision; r != nil && newest < r.Number {
		return fmt.Errorf("revision %d was accepted, but the newest is %d: %w", r.Number, newest, ErrOtherHistory)
	}
	return nil
}

// Same reports ErrOtherHistory if the accepted revision, as the fold met it, is another.
func (b Baseline) Same(h *History) error {
	r := b.Revision
	if r == nil || !h.Whole() || h.last.Number != r.Number || h.last.UpdatedAt == r.UpdatedAt {
		return nil
	}
	return fmt.Errorf("revision %d was accepted as made at %s, now it is of %s: %w", r.Number, r.UpdatedAt, h.last.UpdatedAt, ErrOtherHistory)
}

// Oldest is the oldest revision that the fold has seen.
func (h *History) Oldest() org.Revision { return h.last.Revision }

// Accept is the oldest revision that the fold has seen, as somebody accepts it.
func (h *History) Accept(reason string, now time.Time) AcceptedRevision {
	return AcceptedRevision{Number: h.last.Number, UpdatedAt: h.last.UpdatedAt, Reason: reason, At: now.UTC()}
}

// Accept adds acceptances; one of the same fingerprint is replaced.
func (b *Baseline) Accept(list ...Acceptance) {
	for _, a := range list {
		b.Accepted = slices.DeleteFunc(b.Accepted, func(old Acceptance) bool { return old.Fingerprint == a.Fingerprint })
		b.Accepted = append(b.Accepted, a)
	}
	slices.SortFunc(b.Accepted, func(x, y Acceptance) int {
		return strings.Compare(x.Kind+"\x00"+x.Key+"\x00"+x.Fingerprint, y.Kind+"\x00"+y.Key+"\x00"+y.Fingerprint)
	})
}

// expired reports whether the date of a has passed.
func (a Acceptance) expired(now time.Time) bool {
	return a.Until != "" && now.UTC().Format(time.DateOnly) > a.Until
}

// accept marks the differences that the baseline covers.
func (r *Report) accept(b Baseline, now time.Time) {
	r.Expired, r.Unused = []Acceptance{}, []Acceptance{}
	for _, a := range b.Accepted {
		why := &Accepted{Reason: a.Reason, Until: a.Until}
		switch {
		case a.expired(now):
			r.Expired = append(r.Expired, a)
		case !r.cover(a.Fingerprint, why):
			r.Unused = append(r.Unused, a)
		}
	}
}

func (r *Report) cover(fingerprint string, why *Accepted) bool {
	found := false
	for i := range r.Settings.Changes {
		if c := &r.Settings.Changes[i]; c.Fingerprint == fingerprint {
			c.Accepted, found = why, true
		}
	}
	for i := range r.Computers {
		if c := &r.Computers[i]; c.Fingerprint == fingerprint {
			c.Accepted, found = why, true
		}
	}
	return found
}

// Open lists the differences that are neither accepted nor ignored, as acceptances that
// wait for a reason.
func (r *Report) Open() []Acceptance { return r.list(difference.counts) }

// All lists every difference, as Open does.
func (r *Report) All() []Acceptance { return r.list(func(difference) bool { return true }) }

func (r *Report) list(which func(difference) bool) []Acceptance {
	var out []Acceptance
	for _, d := range r.differences() {
		if which(d) {
			out = append(out, Acceptance{Fingerprint: d.fingerprint, Kind: d.kind, Key: d.key})
		}
	}
	return out
}

// print gives every difference its fingerprint.
func (r *Report) print() {
	for i := range r.Settings.Changes {
		c := &r.Settings.Changes[i]
		c.Fingerprint = c.print()
	}
	for i := range r.Computers {
		if c := &r.Computers[i]; c.differs() {
			c.Fingerprint = c.print()
		}
	}
}

// print identifies a difference: the place, what is there and what should be. A value
// that hides a secret, and one that came and went, also need the revision, or the next
// one would pass as the same. What a key made of a secret is left out: the baseline is for
// everybody, the key is not.
func (c Change) print() string {
	after, parts := canonical(org.Redact(c.After.JSON)), []string{kindSetting, c.Path, c.Change}
	if c.After.Found {
		parts = append(parts, after)
	}
	if c.Declared() {
		parts = append(parts, fmt.Sprint("expected ", c.ExpectedAbsent), canonical(c.Expected.JSON))
	}
	if c.Transient || c.Secret || strings.Contains(after, "redacted") {
		parts = append(parts, fmt.Sprint("revision ", c.Revision))
	}
	if c.Began != nil {
		parts = append(parts, fmt.Sprint("began ", c.Began.Revision))
	}
	return fingerprint(parts)
}

func (c Computer) print() string {
	parts := []string{kindComputer, c.Name, c.Verdict, c.Detail}
	for _, f := range c.Fields {
		parts = append(parts, f.Name, f.Before, f.After)
	}
	return fingerprint(parts)
}

// fingerprint is short enough to be typed, and 64 bits are enough among a few thousand.
func fingerprint(parts []string) string {
	data, err := json.Marshal(parts)
	if err != nil {
		panic("drift: strings are JSON: " + err.Error())
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
