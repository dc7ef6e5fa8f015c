package plan

import (
	"fmt"
	"slices"

	"github.com/govctl/govctl/internal/org"
)

// actionManual is the action of every setting: a person has to do it.
const actionManual = "manual"

// SettingChange is one difference that only an administrator can remove, in the web
// application: the API shows settings but cannot change them.
type SettingChange struct {
	Pointer  string // JSON pointer, the key
	Found    bool   // false: nothing is there, which is neither false nor null (T28)
	Before   any    // JSON value, redacted; meaningful when Found
	Absent   bool   // the value must be removed
	After    any    // JSON value; meaningful unless Absent
	Revision int64  // the revision the comparison was made against
	Blame    *org.Blame
	Patch    []PatchOp // what makes the settings of Revision so; nil where nobody can write it
	Source   org.Source
}

// addSettings compares the expectations with the newest revision.
func (p *Plan) addSettings(in Input) {
	if in.Have.Newest == nil {
		p.addUnknownSettings(in)
		return
	}
	for _, e := range in.Want.Expectations {
		if !in.Selection.Includes("setting", e.Pointer) || e.Meets(in.Have.Newest.Settings) {
			continue
		}
		c := SettingChange{
			Pointer: e.Pointer, Absent: e.Absent, After: e.Value,
			Revision: in.Have.Newest.Number, Source: e.Source,
		}
		c.Before, c.Found = org.Lookup(in.Have.Newest.Settings, e.Pointer)
		if b, ok := in.Have.Blame[e.Pointer]; ok {
			c.Blame = &b
		}
		c.Patch = Patch(in.Have.Newest.Settings, e)
		p.Settings = append(p.Settings, c)
	}
	p.Summary.Manual = len(p.Settings)
	if moot, ok := org.Lookup(in.Have.Newest.Settings, "/modelPolicy/allowAllServiceModels"); ok && moot == true && in.Want.Models != nil && len(in.Want.Models.Allowed) > 0 {
		p.note(Note{Code: "allow_all_models", Message: fmt.Sprintf(
			"modelPolicy.allowAllServiceModels is true as of revision %d: the list of allowed models has no effect", in.Have.Newest.Number)})
	}
}

// addUnknownSettings says that an empty history leaves every expectation open. A history
// that could not be read is a gap already.
func (p *Plan) addUnknownSettings(in Input) {
	var items []NoteItem
	for _, e := range in.Want.Expectations {
		if in.Selection.Includes("setting", e.Pointer) {
			items = append(items, NoteItem{Key: e.Pointer, Source: at(e.Source)})
		}
	}
	if !slices.ContainsFunc(in.Have.Gaps, func(g org.Gap) bool { return g.Fact == "settings" }) {
		p.noteItems("settings_unknown", "the settings history is empty: settings unknown", items)
	}
}
