package policy

import (
	"fmt"
	"regexp"
	"strings"
)

// File is a file to be written.
type File struct{ Name, Text string }

// newID is what the id of a new rule looks like: it becomes the name of a package.
var newID = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// Skeleton is a new rule and its test, which passes.
func Skeleton(id, kind string) ([]File, error) {
	if !newID.MatchString(id) {
		return nil, fmt.Errorf("%q is no id: write letters and digits, such as ACME001", id)
	}
	example, ok := examples()[kind]
	if !ok {
		return nil, fmt.Errorf("%q is no kind of document: %s", kind, didYouMean(kind, Kinds()))
	}
	id, name := strings.ToUpper(id), strings.ToLower(id)
	rename := strings.NewReplacer("ID", id, "NAME", name, "KIND", kind, "POINTER", example.pointer, "REF", example.ref, "GOOD", example.good, "BAD", example.bad)
	return []File{
		{name + "/" + name + ".rego", rename.Replace(ruleSkeleton)},
		{name + "/" + name + "_test.rego", rename.Replace(testSkeleton)},
	}, nil
}

// example is something a rule of a kind can look at.
type example struct{ pointer, ref, good, bad string }

func examples() map[string]example {
	list := map[string]example{
		Settings:  {"/settings/sandbox/enabled", "settings.sandbox.enabled", `{"settings": {"sandbox": {"enabled": true}}}`, `{"settings": {"sandbox": {"enabled": false}}}`},
		History:   {"/to/settings/sandbox/enabled", "to.settings.sandbox.enabled", `{"to": {"settings": {"sandbox": {"enabled": true}}}}`, `{"to": {"settings": {"sandbox": {"enabled": false}}}}`},
		Readiness: {"/complete", "complete", `{"complete": true}`, `{"complete": false}`},
		PlanKind:  {"/plan/complete", "plan.complete", `{"plan": {"complete": true}}`, `{"plan": {"complete": false}}`},
	}
	for _, kind := range Kinds() {
		if _, ok := list[kind]; !ok {
			field := map[string]string{Usage: "window", Hooks: "hooks", Computers: "computers"}[kind]
			list[kind] = example{"/" + field, field, fmt.Sprintf(`{"%s": true}`, field), fmt.Sprintf(`{"%s": false}`, field)}
		}
	}
	return list
}

const ruleSkeleton = `# METADATA
# title: Say what should be true
# description: Say why, and what happens otherwise.
# scope: package
# custom:
#   id: ID
#   severity: medium
#   input: KIND
#   remediation: Say what to do about it.
#   requires: [POINTER]
package rules.NAME

findings contains {
	"path": "POINTER",
	"message": sprintf("REF is %v", [input.REF]),
} if {
	input.REF != true
}
`

const testSkeleton = `package rules.NAME_test

import data.rules.NAME

test_fires if {
	count(NAME.findings) == 1 with input as BAD
}

test_passes if {
	count(NAME.findings) == 0 with input as GOOD
}
`
