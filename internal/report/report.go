// Package report makes one page's worth of facts about an organization: who used what,
// against which declared limits, with which models and tools, how ready its repositories
// are, and who changed its settings.
//
// It folds rows of the API as they come, so that a million of them need no memory, into a
// value that every output format replays. Nothing is summed that must not be: people and
// ratios of several days are shown as series (T40), what does not add up is said (T41), and
// a fact that could not be read is a nil section with a gap, never zero.
package report

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/govctl/govctl/internal/org"
)

// FormatVersion is the version of the JSON form; Kind tells it from other reports.
const (
	FormatVersion = "1.0"
	Kind          = "usage_report"
)

// Sections of a report, by the names that gaps and flags have for them.
const (
	SectionCredits      = "credits"
	SectionPeople       = "people"
	SectionTools        = "tools"
	SectionActivity     = "activity"
	SectionProductivity = "productivity"
	SectionReadiness    = "readiness"
	SectionSettings     = "settings"
	SectionDrift        = "drift"
	SectionPolicy       = "policy"
)

// FactLimits is the gap of declared limits that nobody could work out.
const FactLimits = "declared limits"

// Sections lists the sections in the order in which they are shown. Models are part of
// credits, autonomy of tools and of people.
func Sections() []string {
	return []string{SectionCredits, SectionPeople, SectionTools, SectionActivity, SectionProductivity, SectionReadiness, SectionSettings, SectionDrift, SectionPolicy}
}

// Report is what one page shows. A nil section was not asked for, or could not be read:
// then Missing says why.
type Report struct {
	FormatVersion string        `json:"format_version"`
	Kind          string        `json:"kind"`
	CreatedAt     time.Time     `json:"created_at"`
	Name          string        `json:"name"` // what the project is called
	Target        org.Target    `json:"target"`
	Window        Window        `json:"window"`
	Complete      bool          `json:"complete"`
	Missing       []org.Gap     `json:"incomplete"`
	Notes         []Note        `json:"notes"` // what does not add up, or must be known to read the numbers
	Credits       *Credits      `json:"credits,omitempty"`
	People        *People       `json:"people,omitempty"`
	Models        *Models       `json:"models,omitempty"`
	Tools         *Tools        `json:"tools,omitempty"`
	Autonomy      *Autonomy     `json:"autonomy,omitempty"`
	Activity      *Activity     `json:"activity,omitempty"`
	Productivity  *Productivity `json:"productivity,omitempty"`
	Readiness     *Readiness    `json:"readiness,omitempty"`
	Settings      *Settings     `json:"settings,omitempty"`
	Drift         *Line         `json:"drift,omitempty"`
	Policy        *Line         `json:"policy,omitempty"`
}

// Window is the run of UTC days a report is about, both ends included.
type Window struct {
	From string `json:"from"` // YYYY-MM-DD
	To   string `json:"to"`
	Days int    `json:"days"`
}

// Note is something a reader of the numbers has to know.
type Note struct {
	Section string `json:"section"`
	Warning bool   `json:"warning"` // the numbers contradict each other
	Text    string `json:"text"`
}

// Line is what another command says, in one line.
type Line struct {
	Verdict string `json:"verdict"` // drift: in_sync | drifted | unknown; policy: pass | deny
	Summary string `json:"summary"` // harmless words
	Command string `json:"command"` // that says more
}

// Decode reads what Encode of a report wrote.
func Decode(data []byte) (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	if r.Kind != Kind {
		return nil, fmt.Errorf("kind %q is not %s", r.Kind, Kind)
	}
	if r.FormatVersion != FormatVersion {
		return nil, fmt.Errorf("format_version %q is not %s", r.FormatVersion, FormatVersion)
	}
	return r, nil
}
