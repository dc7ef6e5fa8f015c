package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/govctl/govctl/internal/org"
)

// ruleName is the name every rule has in its package.
const ruleName = "findings"

// rule is a Rule with what evaluates it.
type rule struct {
	org.Rule
	ref   ast.Ref       // data.….findings
	files []string      // modules of its package, for traces
	path  []string      // of the package below data
	where *ast.Location // of its first definition
	reads []int         // which of its unit's parts of the input it depends on
	name  *ast.Term     // its id
}

// EngineRules are the findings that come from the engine itself.
func EngineRules() []org.Rule {
	return []org.Rule{
		{
			ID: RuleErrored, Title: "A policy could not be evaluated", Severity: "high", Default: true, Enabled: true,
			Description: "A rule failed, was stopped, or there was no rule at all for a document. Nothing is known of what it would have found.",
			Remediation: "Correct the rule, or the document it was evaluated on.",
		},
		{
			ID: RuleWaiverRot, Title: "A waiver is no longer in force", Severity: "high", Default: true, Enabled: true,
			Description: "A waiver that has expired, that nobody owns, or that runs longer than the parameter waiver_max_days permits.",
			Remediation: "Correct what it waives, or agree on a new date with its owner.",
		},
		{
			ID: RuleWaiverIdle, Title: "A waiver matches nothing", Severity: "low", Default: true, Enabled: true,
			Description: "A waiver that no finding of this run needed.",
			Remediation: "Remove it, or correct its rule and target.",
		},
	}
}

// The ids of findings that come from the engine itself.
const (
	RuleErrored    = "SYS001"
	RuleWaiverRot  = "WVR001"
	RuleWaiverIdle = "WVR002"
)

// describe reads the metadata of the rule that starts with def. Of several annotations
// the closest to the rule wins, name by name.
func describe(set *ast.AnnotationSet, def *ast.Rule, file string) (*rule, error) {
	r := &rule{
		ref:   def.Module.Package.Path.Append(ast.StringTerm(ruleName)),
		where: def.Location,
	}
	for _, t := range def.Module.Package.Path[1:] {
		r.path = append(r.path, string(t.Value.(ast.String)))
	}
	r.Package = strings.Join(r.path, ".")
	r.Default = true
	r.Source = org.Source{File: file, Line: def.Location.Row, Column: max(1, def.Location.Col)}
	for _, a := range slices.Backward(set.Chain(def)) {
		if a.Annotations == nil || a.Annotations.Scope == "subpackages" {
			continue
		}
		r.Title = cmp.Or(a.Annotations.Title, r.Title)
		r.Description = cmp.Or(strings.TrimSpace(a.Annotations.Description), r.Description)
		if err := r.custom(a.Annotations.Custom); err != nil {
			return nil, fmt.Errorf("%s: %w", def.Location, err)
		}
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", def.Location, err)
	}
	return r, nil
}

func (r *rule) custom(values map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if err := r.set(name, values[name]); err != nil {
			return err
		}
	}
	return nil
}

func (r *rule) set(name string, value any) error {
	texts := map[string]*string{
		"id": &r.ID, "severity": &r.Severity, "input": &r.Kind, "remediation": &r.Remediation, "since": &r.Since,
	}
	if field, ok := texts[name]; ok {
		s, ok := value.(string)
		if !ok {
			return fmt.Errorf("metadata: custom.%s must be a text; quote it", name)
		}
		*field = strings.TrimSpace(s)
		return nil
	}
	switch name {
	case "default":
		on, ok := value.(bool)
		if !ok {
			return fmt.Errorf("metadata: custom.default must be true or false")
		}
		r.Default = on
	case "requires", "tags":
		list, ok := textList(value)
		if !ok {
			return fmt.Errorf("metadata: custom.%s must be a list of texts", name)
		}
		if name == "tags" {
			r.Tags = list
		} else {
			r.Requires = list
		}
	}
	return nil // other names are the author's own
}

// textList is a list of texts, false for anything else.
func textList(v any) ([]string, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	out := make([]string, len(list))
	for i, e := range list {
		if out[i], ok = e.(string); !ok {
			return nil, false
		}
	}
	return out, true
}

// check says what is missing in the metadata.
func (r *rule) check() error {
	var missing []string
	for name, value := range map[string]string{"title": r.Title, "custom.id": r.ID, "custom.severity": r.Severity, "custom.input": r.Kind, "custom.remediation": r.Remediation} {
		if value == "" {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	switch {
	case len(missing) > 0:
		return fmt.Errorf("the metadata of this rule has no %s", strings.Join(missing, ", no "))
	case strings.ContainsAny(r.ID, " \t\r\n"):
		return fmt.Errorf("%q is no id: write one such as ACME001", r.ID)
	case !slices.Contains(org.Severities(), r.Severity):
		return fmt.Errorf("severity %q is none of %s", r.Severity, strings.Join(org.Severities(), ", "))
	case !slices.Contains(Kinds(), r.Kind):
		return fmt.Errorf("input %q is no kind of document: %s", r.Kind, didYouMean(r.Kind, Kinds()))
	}
	for _, p := range r.Requires {
		if !strings.HasPrefix(p, "/") {
			return fmt.Errorf("requires: %q is not a JSON pointer", p)
		}
	}
	return nil
}
