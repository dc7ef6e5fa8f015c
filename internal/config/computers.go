package config

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// Bounds of what is sent when a computer is created (C167, C168).
const (
	maxRepos     = 20
	maxRepoChars = 2048
)

// computers decodes all computer blocks, sorted by name.
func (l *loader) computers(blocks []*hcl.Block) []org.Computer {
	c := computers{loader: l, names: map[string]hcl.Range{}, ids: map[string]hcl.Range{}}
	for _, b := range blocks {
		if at, twice := c.names[b.Labels[0]]; twice {
			l.twice(b.LabelRanges[0], at, "keep one of them", "computer %q is declared twice", b.Labels[0])
			continue
		}
		c.names[b.Labels[0]] = b.LabelRanges[0]
		c.list = append(c.list, c.computer(b))
	}
	c.checkRenames()
	slices.SortFunc(c.list, func(a, b org.Computer) int { return cmp.Compare(a.Name, b.Name) })
	return c.list
}

type computers struct {
	*loader
	list    []org.Computer
	names   map[string]hcl.Range
	ids     map[string]hcl.Range
	renames []rename
}

// rename is one entry of a previously list.
type rename struct {
	from word
	to   string
}

func (c *computers) computer(b *hcl.Block) org.Computer {
	schema := names("provider", "host_id", "remote_user", "id", "previously", "retry_failed_install", "allow_host_change")
	s := c.section(fmt.Sprintf("computer %q", b.Labels[0]), with(schema, "on_create"), b)
	out := org.Computer{Name: b.Labels[0], Source: c.place(b.DefRange)}
	c.computerName(word{b.Labels[0], b.LabelRanges[0]}, "the name of a computer")
	if w, ok := c.needed(s, "provider"); ok {
		out.Provider = c.chosen(w, "provider", []string{"byom", "sandbox_vendor"})
	}
	if w, ok := c.string(c.one(s, "host_id")); ok {
		if out.HostID, ok = canonicalUUID(w.text); !ok {
			c.error(w.at, "write it as 6f1c2d3e-0000-4000-8000-000000000001", "host_id is not a UUID")
		}
	}
	if w, ok := c.string(c.one(s, "remote_user")); ok && c.label(w, "remote_user") {
		out.RemoteUser = w.text
	}
	if w, ok := c.string(c.one(s, "id")); ok {
		if at, twice := c.ids[w.text]; twice {
			c.twice(w.at, at, "two names cannot mean one machine; keep one of the blocks", "the computer id %q is declared twice", w.text)
		}
		c.ids[w.text], out.ID = w.at, w.text
	}
	for _, w := range c.distinct(s.attrs["previously"]) {
		if c.computerName(w, "a previous name") {
			out.Previously = append(out.Previously, w.text)
			c.renames = append(c.renames, rename{w, out.Name})
		}
	}
	out.RetryFailedInstall, _ = c.bool(c.one(s, "retry_failed_install"))
	out.AllowHostChange, _ = c.bool(c.one(s, "allow_host_change"))
	if inner := s.blocks["on_create"]; len(inner) > 0 {
		out.OnCreate = c.onCreate(s.name, inner)
	}
	return out
}

// computerName checks a name as it will stand in a path (U43, m8).
func (c *computers) computerName(w word, what string) bool {
	if !c.label(w, what) {
		return false
	}
	switch {
	case w.text == "." || w.text == "..":
		c.error(w.at, "choose another name", "%s cannot be %q: it would change the address it is read at", what, w.text)
		return false
	case strings.ContainsAny(w.text, "/%") || strings.TrimSpace(w.text) != w.text:
		c.warn(w.at, "", "%s contains a slash, a percent sign or outer spaces; other tools may not be able to address it", what)
	}
	return true
}

func (c *computers) onCreate(owner string, blocks []*hcl.Block) *org.OnCreate {
	s := c.single("on_create of "+owner, names("repos", "auto_install_deps", "service_account_id", "source"), blocks)
	out := &org.OnCreate{}
	repos := c.distinct(s.attrs["repos"])
	if len(repos) > maxRepos {
		c.error(repos[maxRepos].at, "", "%d repos are declared; the service takes at most %d", len(repos), maxRepos)
	}
	for _, w := range repos {
		if n := len([]rune(w.text)); n > maxRepoChars {
			c.error(w.at, "", "this address has %d characters; the service takes at most %d", n, maxRepoChars)
		} else if c.absolute(w, "an element of repos") {
			out.Repos = append(out.Repos, w.text)
		}
	}
	if v, ok := c.bool(c.one(s, "auto_install_deps")); ok {
		out.AutoInstallDeps = &v
	}
	if w, ok := c.string(c.one(s, "service_account_id")); ok {
		out.ServiceAccountID = w.text
	}
	if a := c.one(s, "source"); a != nil {
		out.Source = c.computerSource(a)
	}
	return out
}

// computerSource reads free JSON that names its kind.
func (c *computers) computerSource(a *hcl.Attribute) map[string]any {
	v, ok := c.json(a.Expr)
	if !ok {
		return nil
	}
	at := a.Expr.Range()
	object, ok := v.(map[string]any)
	if !ok {
		c.error(at, `write an object like { kind = "scratch" }`, "source must be an object")
		return nil
	}
	if kind, _ := object["kind"].(string); kind == "" {
		c.error(at, `add kind, as in { kind = "scratch" }`, "source has no kind")
		return nil
	}
	if redacted := org.Redact(v); !org.EqualJSON(redacted, v) {
		c.leak(at, "let the service hold the credential", "source contains a secret; secrets never stand in configuration")
		return nil
	}
	return object
}

// checkRenames refuses former names that cannot be told apart from present ones.
func (c *computers) checkRenames() {
	claimed := map[string]rename{}
	for _, r := range c.renames {
		if first, twice := claimed[r.from.text]; twice {
			c.twice(r.from.at, first.from.at, "a machine has one new name", "%q is a previous name of two computers", r.from.text)
			continue
		}
		claimed[r.from.text] = r
	}
	for _, r := range c.renames {
		at, declared := c.names[r.from.text]
		if !declared {
			continue
		}
		back := slices.ContainsFunc(c.renames, func(o rename) bool { return o.from.text == r.to && o.to == r.from.text })
		switch {
		case r.from.text == r.to:
			c.error(r.from.at, "leave it out", "%q is the present name", r.to)
		case back:
			c.twice(r.from.at, at, "rename one of them to a third name, apply, then rename it back",
				"two names cannot be swapped: the API renames one computer at a time, and names are unique")
		default:
			c.twice(r.from.at, at, "remove it from previously, or remove the other block", "the previous name %q is declared as a computer of its own", r.from.text)
		}
	}
}

var uuidText = regexp.MustCompile(`^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$`)

// canonicalUUID accepts upper case, braces and the urn form (T17).
func canonicalUUID(s string) (string, bool) {
	s = string(org.Fold(s))
	s = strings.TrimPrefix(s, "urn:uuid:")
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		s = s[1 : len(s)-1]
	}
	if !uuidText.MatchString(s) {
		return "", false
	}
	h := strings.ReplaceAll(s, "-", "")
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:], true
}
