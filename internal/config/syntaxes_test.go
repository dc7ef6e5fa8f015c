package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

// content is a random project that both syntaxes can say.
type content struct {
	fallback  int64 // 0: none
	users     map[string]int64
	groups    map[string]randomGroup
	computers map[string]string // name -> remote user
	settings  any               // tree of map[string]any, strings, int64, bools, []any
}

type randomGroup struct {
	limit   int64
	members []string
	team    string
}

func drawContent(t *rapid.T) content {
	amount := rapid.Int64Range(1, org.MaxCredits)
	email := rapid.Custom(func(t *rapid.T) string {
		return rapid.StringMatching(`[a-zA-Z0-9ä][a-z0-9+_-]{0,6}`).Draw(t, "local") + "@" + rapid.StringMatching(`[a-z]{1,5}\.(com|example)`).Draw(t, "domain")
	})
	c := content{
		users:     rapid.MapOfN(email, amount, 0, 8).Draw(t, "users"),
		groups:    map[string]randomGroup{},
		computers: rapid.MapOfN(rapid.StringMatching(`[a-z][a-z0-9 .:#-]{0,8}[a-z]`), rapid.StringMatching(`[a-z]{1,8}`), 0, 4).Draw(t, "computers"),
	}
	seen := map[org.Email]bool{}
	for _, address := range sortedKeys(c.users) {
		if key := org.Fold(address); seen[key] {
			delete(c.users, address)
		} else {
			seen[key] = true
		}
	}
	if rapid.Bool().Draw(t, "default") {
		c.fallback = amount.Draw(t, "fallback")
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zA-Z0-9_:]{1,6}`), 0, 3, rapid.ID).Draw(t, "groups") {
		c.groups[name] = randomGroup{
			limit:   1000, // the same: groups must not disagree
			members: rapid.SliceOfNDistinct(email, 0, 3, func(s string) org.Email { return org.Fold(s) }).Draw(t, "members"),
			team:    rapid.StringMatching(`[a-z'"\\ ]{1,5}`).Draw(t, "team"),
		}
	}
	c.settings = drawTree(t, 3)
	return c
}

func drawTree(t *rapid.T, depth int) map[string]any {
	tree := map[string]any{}
	text := rapid.OneOf(rapid.StringMatching(`[ -~]{0,8}`), rapid.SampledFrom([]string{"no", "007", "1e5", "null", "~", "${x}", "%{y}", "2026-01-01", "a\nb", "ä\u200d", "# x", "- y", "{", "true", "0x1F"}))
	for _, key := range rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zA-Z0-9/~ _.:-]{1,5}`), 0, 4, rapid.ID).Draw(t, "keys") {
		key = "k" + key // no key looks secret
		switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
		case kind == 0 && depth > 0:
			tree[key] = drawTree(t, depth-1)
		case kind == 1:
			tree[key] = rapid.Int64().Draw(t, "number")
		case kind == 2:
			tree[key] = rapid.Bool().Draw(t, "bool")
		case kind == 3:
			tree[key] = []any{text.Draw(t, "element"), rapid.Int64().Draw(t, "element")}
		default:
			tree[key] = text.Draw(t, "text")
		}
	}
	return tree
}

func sortedKeys[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// hcl renders the content with hclwrite, which knows how to escape.
func (c content) hcl() string {
	f := hclwrite.NewEmptyFile()
	limits := f.Body().AppendNewBlock("credit_limits", nil).Body()
	if c.fallback > 0 {
		limits.SetAttributeValue("default", cty.NumberIntVal(c.fallback))
	}
	users := map[string]cty.Value{}
	for address, n := range c.users {
		users[address] = cty.NumberIntVal(n)
	}
	limits.SetAttributeValue("users", cty.ObjectVal(users))
	for _, name := range sortedKeys(c.groups) {
		g := c.groups[name]
		b := limits.AppendNewBlock("group", []string{name}).Body()
		b.SetAttributeValue("limit", cty.NumberIntVal(g.limit))
		members := cty.ListValEmpty(cty.String)
		if len(g.members) > 0 {
			var list []cty.Value
			for _, m := range g.members {
				list = append(list, cty.StringVal(m))
			}
			members = cty.ListVal(list)
		}
		b.SetAttributeValue("members", members)
		b.SetAttributeRaw("where", hclwrite.TokensForIdentifier(g.where()))
	}
	for _, name := range sortedKeys(c.computers) {
		b := f.Body().AppendNewBlock("computer", []string{name}).Body()
		b.SetAttributeValue("provider", cty.StringVal("byom"))
		b.SetAttributeValue("remote_user", cty.StringVal(c.computers[name]))
	}
	f.Body().AppendNewBlock("settings", nil).Body().SetAttributeValue("expect", treeValue(c.settings))
	return string(f.Bytes())
}

func (g randomGroup) where() string {
	return "user.metadata.team == " + string(hclwrite.TokensForValue(cty.StringVal(g.team)).Bytes())
}

func treeValue(v any) cty.Value {
	switch x := v.(type) {
	case map[string]any:
		object := map[string]cty.Value{}
		for k := range x {
			object[k] = treeValue(x[k])
		}
		return cty.ObjectVal(object)
	case []any:
		var list []cty.Value
		for _, e := range x {
			list = append(list, treeValue(e))
		}
		return cty.TupleVal(list)
	case int64:
		return cty.NumberIntVal(x)
	case bool:
		return cty.BoolVal(x)
	default:
		return cty.StringVal(x.(string))
	}
}

// yaml renders the content by hand, in block style, with every text quoted.
func (c content) yaml() string {
	var b strings.Builder
	b.WriteString("credit_limits:\n")
	if c.fallback > 0 {
		fmt.Fprintf(&b, "  default: %d\n", c.fallback)
	}
	b.WriteString("  users:" + opening(len(c.users)))
	for _, address := range sortedKeys(c.users) {
		fmt.Fprintf(&b, "    %s: %d\n", quoteYAML(address), c.users[address])
	}
	b.WriteString("  group:" + opening(len(c.groups)))
	for _, name := range sortedKeys(c.groups) {
		g := c.groups[name]
		fmt.Fprintf(&b, "    %s:\n      limit: %d\n      members: [", quoteYAML(name), g.limit)
		for _, m := range g.members {
			b.WriteString(quoteYAML(m) + ", ")
		}
		fmt.Fprintf(&b, "]\n      where: %s\n", quoteYAML(g.where()))
	}
	b.WriteString("computer:" + opening(len(c.computers)))
	for _, name := range sortedKeys(c.computers) {
		fmt.Fprintf(&b, "  %s: {provider: byom, remote_user: %s}\n", quoteYAML(name), quoteYAML(c.computers[name]))
	}
	b.WriteString("settings:\n  expect: ")
	writeTree(&b, c.settings)
	return b.String() + "\n"
}

func opening(n int) string {
	if n == 0 {
		return " {}\n"
	}
	return "\n"
}

func quoteYAML(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

func writeTree(b *strings.Builder, v any) {
	switch x := v.(type) {
	case map[string]any:
		b.WriteByte('{')
		for _, k := range sortedKeys(x) {
			b.WriteString(quoteYAML(k) + ": ")
			writeTree(b, x[k])
			b.WriteString(", ")
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for _, e := range x {
			writeTree(b, e)
			b.WriteString(", ")
		}
		b.WriteByte(']')
	case int64:
		b.WriteString(strconv.FormatInt(x, 10))
	case bool:
		b.WriteString(strconv.FormatBool(x))
	default:
		b.WriteString(quoteYAML(x.(string)))
	}
}

// The same content means the same in HCL and in YAML.
func TestSyntaxesAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := drawContent(r)
		var members []org.Member
		for i, address := range sortedKeys(c.users) {
			members = append(members, org.Member{ID: strconv.Itoa(i), Email: org.Fold(address)})
		}
		for i, name := range sortedKeys(c.groups) {
			members = append(members, org.Member{ID: "g" + strconv.Itoa(i), Email: org.Email("team" + strconv.Itoa(i) + "@example.com"), Metadata: map[string]any{"team": c.groups[name].team}})
		}
		hcl, yaml := c.hcl(), c.yaml()
		fromHCL := decode(t, map[string]string{"a.hcl": hcl}, members...)
		fromYAML := decode(t, map[string]string{"a.yaml": yaml}, members...)
		if diff := cmp.Diff(fromHCL, fromYAML, withoutPlaces); diff != "" {
			r.Fatalf("(-hcl +yaml):\n%s\n%s\n%s", diff, hcl, yaml)
		}
		if got := len(fromHCL.Wanted.Limits); got < len(c.users) || len(fromHCL.Computers) != len(c.computers) {
			r.Fatalf("got %d limits of %d users, %d of %d computers\n%s", got, len(c.users), len(fromHCL.Computers), len(c.computers), hcl)
		}
	})
}
