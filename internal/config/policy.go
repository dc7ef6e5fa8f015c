package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

// Policy configures the rules beside the built-in library.
type Policy struct {
	Paths      []string          // directories or files with Rego, slash-separated, relative to the project; sorted
	Disable    []string          // rule ids, sorted
	FailOn     string            // critical | high | medium | low | info; "" when not written
	Severity   map[string]string // rule id -> severity; nil when not written
	Parameters map[string]any    // JSON values, numbers as json.Number; data.params in Rego; nil when not written
	Waivers    []org.Waiver      // sorted by rule, target
	Source     org.Source        // of the first block, zero when there is none
}

func severities() []string { return []string{"critical", "high", "medium", "low", "info"} }

func (l *loader) policy(blocks []*hcl.Block) Policy {
	if len(blocks) == 0 {
		return Policy{}
	}
	s := l.section("policy", with(names("paths", "disable", "fail_on", "severity", "parameters"), "waiver", "rule"), blocks...)
	out := Policy{Source: l.place(s.where), FailOn: l.choice(l.one(s, "fail_on"), severities()...)}
	for _, w := range l.distinct(s.attrs["paths"]) {
		if l.policyPath(w) {
			out.Paths = append(out.Paths, path.Clean(w.text))
		}
	}
	slices.Sort(out.Paths)
	out.Paths = slices.Compact(out.Paths)
	for _, w := range l.distinct(s.attrs["disable"]) {
		if l.ruleID(w) {
			out.Disable = append(out.Disable, w.text)
		}
	}
	slices.Sort(out.Disable)
	for _, e := range l.entries(s.attrs["severity"]) {
		w, ok := l.asWord("the severity of "+e.key.text, e.at, e.value)
		if !l.ruleID(e.key) || !ok {
			continue
		}
		if level := l.chosen(w, "the severity of "+e.key.text, severities()); level != "" {
			if out.Severity == nil {
				out.Severity = map[string]string{}
			}
			out.Severity[e.key.text] = level
		}
	}
	out.Parameters = l.parameters(s.attrs["parameters"])
	out.Waivers = l.waivers(s.blocks["waiver"])
	return out
}

// policyPath checks that a path exists inside the project.
func (l *loader) policyPath(w word) bool {
	name := path.Clean(w.text)
	if !fs.ValidPath(name) || strings.Contains(w.text, `\`) {
		l.error(w.at, "write it relative to the project, with slashes and without ..", "the policy path %q is not inside the project", w.text)
		return false
	}
	if _, err := l.files.root.Stat(name); err != nil {
		l.error(w.at, "", "the policy path %q cannot be read: %s", w.text, plainPathError(err))
		return false
	}
	return true
}

func (l *loader) ruleID(w word) bool {
	if strings.ContainsAny(w.text, " \t\n") {
		l.error(w.at, "write one id such as PLN003", "%q is not a rule id", w.text)
		return false
	}
	return true
}

// parameters merges the parameters of several blocks by their first-level names.
func (l *loader) parameters(attrs []*hcl.Attribute) map[string]any {
	out := map[string]any{}
	first := map[string]hcl.Range{}
	add := func(key string, at hcl.Range, v any) {
		if f, twice := first[key]; twice {
			l.twice(at, f, "keep one of them", "the parameter %q is declared twice", key)
			return
		}
		first[key], out[key] = at, v
	}
	for _, a := range attrs {
		if pairs, diags := hcl.ExprMap(a.Expr); !diags.HasErrors() {
			for _, p := range pairs {
				k, ok1 := l.value(p.Key)
				v, ok2 := l.json(p.Value)
				if ok1 && ok2 {
					if key, ok := l.asWord("a name in parameters", p.Key.Range(), k); ok {
						add(key.text, key.at, v)
					}
				}
			}
			continue
		}
		v, ok := l.json(a.Expr)
		if !ok {
			continue
		}
		object, ok := v.(map[string]any)
		if !ok {
			l.error(a.Expr.Range(), "write names and values", "parameters must be an object")
			continue
		}
		for key := range object {
			add(key, a.Expr.Range(), object[key])
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (l *loader) waivers(blocks []*hcl.Block) []org.Waiver {
	var out []org.Waiver
	first := map[[2]string]hcl.Range{}
	for _, b := range blocks {
		w := l.waiver(b)
		key := [2]string{w.Rule, w.Target}
		if at, twice := first[key]; twice {
			l.twice(b.DefRange, at, "keep one of them", "the same waiver of %s is declared twice", w.Rule)
			continue
		}
		first[key] = b.DefRange
		out = append(out, w)
	}
	slices.SortFunc(out, func(a, b org.Waiver) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Target, b.Target))
	})
	return out
}

// waiver decodes one exception. It is time-boxed and says why, or it is none.
func (l *loader) waiver(b *hcl.Block) org.Waiver {
	s := l.section(fmt.Sprintf("waiver %q", b.Labels[0]), names("target", "reason", "owner", "expires"), b)
	out := org.Waiver{Rule: b.Labels[0], Source: l.place(b.DefRange)}
	l.ruleID(word{b.Labels[0], b.LabelRanges[0]})
	if w, ok := l.string(l.one(s, "target")); ok {
		out.Target = w.text
	}
	if w, ok := l.string(l.one(s, "owner")); ok {
		out.Owner = w.text
	}
	if w, ok := l.needed(s, "reason"); ok {
		out.Reason = w.text
	}
	if w, ok := l.needed(s, "expires"); ok {
		if day, ok := l.date(w, "expires"); ok {
			out.Expires = w.text
			if past(day, l.options.Now) {
				l.warn(w.at, "remove it or extend it", "the waiver of %s expired on %s", out.Rule, w.text)
			}
		}
	}
	return out
}

// past reports whether a day is over in UTC. Nothing is over at the zero time.
func past(day, now time.Time) bool {
	return !now.IsZero() && !now.UTC().Before(day.AddDate(0, 0, 1))
}

// policyDigest covers the policy files and the policy block, not where it stands.
func (l *loader) policyDigest(p Policy) string {
	sums := map[string]string{}
	for _, root := range p.Paths {
		err := fs.WalkDir(l.files.root.FS(), root, func(name string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if ext := path.Ext(name); e.IsDir() || (ext != ".rego" && ext != ".json" && ext != ".gz" && !isYAML(ext)) {
				return nil
			}
			text, err := fs.ReadFile(l.files.root.FS(), name)
			sums[name] = fmt.Sprintf("%x", sha256.Sum256(text))
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			l.add(Problem{Message: fmt.Sprintf("the policy path %q cannot be read: %s", root, plainPathError(err))})
		}
	}
	p.Source, p.Waivers = org.Source{}, slices.Clone(p.Waivers)
	for i := range p.Waivers {
		p.Waivers[i].Source = org.Source{}
	}
	// encoding/json writes maps in order of their keys.
	text, err := json.Marshal(struct {
		Policy Policy
		Files  map[string]string
	}{p, sums})
	if err != nil {
		panic(err) // decoded JSON can be encoded
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(text))
}
