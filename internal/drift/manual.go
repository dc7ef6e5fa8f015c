package drift

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// Manual is a declared setting that is another one. The API cannot change settings: a
// person has to, in the web application.
type Manual struct {
	Path        string         `json:"path"`
	Words       string         `json:"words"`    // where and what, one line
	Patch       []plan.PatchOp `json:"patch"`    // on the settings of Revision, by itself; empty where nobody can write one
	Revision    int64          `json:"revision"` // the newest when this was written
	Fingerprint string         `json:"fingerprint"`
	Source      *org.Source    `json:"source,omitempty"`
}

// addManual says what a person has to do about the settings that count.
func (r *Report) addManual(in Input) {
	r.Manual, r.ManualPatch = []Manual{}, []plan.PatchOp{}
	planned := map[string]plan.SettingChange{}
	for _, c := range in.Plan.Settings {
		planned[c.Pointer] = c
	}
	var wanted []org.Expectation
	for _, c := range r.Settings.Changes {
		p, ok := planned[c.Path]
		if !ok || !c.Declared() || c.Accepted != nil || c.Ignored != nil {
			continue
		}
		r.Manual = append(r.Manual, Manual{
			Path: c.Path, Words: words(p, c.Items), Patch: append([]plan.PatchOp{}, p.Patch...),
			Revision: p.Revision, Fingerprint: c.Fingerprint, Source: c.Source,
		})
		for _, e := range in.Want.Expectations {
			if e.Pointer == c.Path {
				wanted = append(wanted, e)
			}
		}
	}
	if len(wanted) > 0 {
		r.ManualPatch = append(r.ManualPatch, plan.Patch(in.Have.Newest.Settings, wanted...)...)
	}
}

// words say in one line what to change, and where it is.
func words(c plan.SettingChange, items *Items) string {
	place := fmt.Sprintf("%s (%s)", heading(c.Pointer), c.Pointer)
	is := fmt.Sprintf("it is %s in revision %d", brief(c.Before), c.Revision)
	switch {
	case c.Absent:
		return fmt.Sprintf("remove %s; %s", place, is)
	case !c.Found:
		return fmt.Sprintf("set %s to %s; nothing is there in revision %d", place, brief(c.After), c.Revision)
	case items != nil && len(items.Changed) == 0 && !items.Reordered:
		// Items lead from what is wanted to what is there.
		return strings.Join(append([]string{"in " + place}, listWords(items)...), ", ") + "; " + is
	}
	return fmt.Sprintf("set %s to %s; %s", place, brief(c.After), is)
}

func listWords(i *Items) []string {
	var out []string
	for _, v := range i.Removed {
		out = append(out, "add "+brief(v.JSON))
	}
	for _, v := range i.Added {
		out = append(out, "remove "+brief(v.JSON))
	}
	return out
}

// maxBrief is how many characters of a value stand in words; the patch has all of them.
const maxBrief = 80

// brief is a JSON value in one line, cut short.
func brief(v any) string {
	if text, secret := org.SecretText(v); secret {
		return text
	}
	data, err := json.Marshal(v)
	if err != nil {
		return "?" // never from DecodeJSON
	}
	if runes := []rune(string(data)); len(runes) > maxBrief {
		return string(runes[:maxBrief-1]) + "…"
	}
	return string(data)
}

// heading writes a pointer as people say it: "Sandbox > Network > Allowed domains". The
// names are the API's; the web application shows much the same.
func heading(pointer string) string {
	var out []string
	for _, token := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		out = append(out, title(org.Unescape(token)))
	}
	return strings.Join(out, " > ")
}

// short are the words that are written in capitals.
var short = map[string]string{
	"api": "API", "byom": "BYOM", "http": "HTTP", "id": "ID", "ids": "IDs", "ide": "IDE",
	"ip": "IP", "ips": "IPs", "mcp": "MCP", "url": "URL", "urls": "URLs",
}

// title divides a name at its capitals. What is no such name stays as it is.
func title(name string) string {
	var parts []string
	at := 0
	for i, c := range name {
		if c > unicode.MaxASCII || !unicode.IsLetter(c) {
			return name
		}
		if i > at && unicode.IsUpper(c) {
			parts, at = append(parts, name[at:i]), i
		}
	}
	parts = append(parts, name[at:])
	for i, w := range parts {
		lower := strings.ToLower(w)
		switch capital, ok := short[lower]; {
		case ok:
			parts[i] = capital
		case i == 0 && lower != "":
			parts[i] = strings.ToUpper(lower[:1]) + lower[1:]
		default:
			parts[i] = lower
		}
	}
	return strings.Join(parts, " ")
}
