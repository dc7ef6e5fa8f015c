package policy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/policy"
)

const ruleOfDeferred = `# METADATA
# title: T
# description: D
# custom:
#   id: NAME
#   severity: low
#   input: plan
#   remediation: R
package own.NAME

import data.own.shared

findings contains {"path": "/list", "message": "two are long"} if {
	input.short == 1
	count(shared.list) == 2
}
`

// TestDeferred holds that a deferred part is made for rules that reach it and for no
// others, and that one too large to be made hides nothing that other rules find.
func TestDeferred(t *testing.T) {
	t.Parallel()
	e := load(t, policy.Options{Limits: policy.Limits{Input: 100}, Sources: []policy.Source{own(map[string]string{
		"shared.rego": "package own.shared\n\nlist := input.list\n",
		"lazy.rego":   text(ruleOfDeferred, "NAME", "LZY001"),
		"plain.rego": text(`# METADATA
# title: T
# description: D
# custom:
#   id: PLA001
#   severity: low
#   input: plan
#   remediation: R
package own.plain

findings contains {"path": "/short", "message": "it is there"} if input.short
`),
	})}})
	for name, c := range map[string]struct {
		short, values int
		made          int
		want          []string
	}{
		"read":      {1, 2, 1, []string{"LZY001 | low | open | plan | /list | two are long", "PLA001 | low | open | plan | /short | it is there"}},
		"not read":  {2, 2, 0, []string{"PLA001 | low | open | plan | /short | it is there"}},
		"too large": {1, 1000, 0, []string{"PLA001 | low | open | plan | /short | it is there", "SYS001 | high | errored | plan |  | LZY001: the document has more than 97 values, which is more than rules are given"}},
	} {
		made := 0
		list := policy.Deferred{Values: c.values, JSON: func() ([]byte, error) { made++; return []byte(`["a","b"]`), nil }}
		got := check(t, e, policy.Document{Kind: policy.PlanKind, Subject: "plan", Body: map[string]any{"short": c.short, "list": list}})
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if made != c.made {
			t.Errorf("%s: made %d times, want %d", name, made, c.made)
		}
	}
}

// text replaces words.
func text(s string, oldnew ...string) string { return strings.NewReplacer(oldnew...).Replace(s) }
