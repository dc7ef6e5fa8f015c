package policies_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadme holds README.md to the metadata of the rules and to data.yaml.
// UPDATE=1 go test ./policies writes it anew.
func TestReadme(t *testing.T) {
	t.Parallel()
	want := readme(rules(t), parameters(t), readers(t))
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("README.md is not what the rules say; run UPDATE=1 go test ./policies (-want +got):\n%s", diff)
	}
}

// readers are the rules that read a parameter, by its name.
func readers(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{"waiver_max_days": {"WVR001"}}
	for _, r := range rules(t) {
		text, err := os.ReadFile(r.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`params\.value\("([a-z0-9_]+)"\)`).FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(out[m[1]], r.id()) {
				out[m[1]] = append(out[m[1]], r.id())
			}
		}
	}
	return out
}

// about says what the rules of a kind judge, in the order in which they are listed.
func about() [][2]string {
	return [][2]string{
		{"settings", "One revision of the organization's settings"},
		{"history", "Two revisions of the settings, one after the other"},
		{"readiness", "A repository with its readiness reports"},
		{"plan", "A plan, before it is applied"},
		{"usage", "Usage analytics over a window of days"},
		{"hooks", "A `hooks.json`"},
		{"computers", "The computers of the organization"},
	}
}

func readme(all []rule, params map[string]parameter, readers map[string][]string) string {
	var b strings.Builder
	on := 0
	for _, r := range all {
		if r.custom("default") == true {
			on++
		}
	}
	fmt.Fprintf(&b, `<!-- Written by UPDATE=1 go test ./policies from the METADATA of the rules and from data.yaml. -->
# The shipped rules

%d rules in Rego, %d of them on by default. Each stands in a directory of its own with its test beside it:
`+"`govctl/<kind>/<id>/<id>.rego`"+`. `+"`govctl policy check`"+` runs them, `+"`govctl policy explain ID`"+` says why one fired.

Plain OPA runs the folder too. It is a bundle, so that the schemas are not taken for data:

`+"```sh"+`
opa test --bundle policies
opa check --strict --schema policies/schemas --bundle policies
opa eval --bundle policies --input settings.json data.govctl.settings.sbx001.findings
`+"```"+`

So does conftest, by compat/conftest.rego: deny and warn of the rules that are on, for documents as the rules see them.
What cannot be judged is a warning there.

`+"```sh"+`
conftest test --policy policies --data policies/data.yaml settings.json
`+"```"+`

A rule is the set `+"`findings`"+` of objects with `+"`path`"+` (a JSON pointer into the input), `+"`message`"+` and sometimes `+"`subject`"+`. Everything
else about it is METADATA. A document that lacks a path of `+"`requires`"+` is indeterminate, which is not a pass; a value of
the wrong type is a finding where a protection hangs on it. SYS001, WVR001 and WVR002 come from govctl itself.

govctl evaluates some functions of govctl/lib in Go, because rules call them for every list of every document.
What they mean is what is written here; a test holds each against its Rego.

In the tables, rules in brackets are off by default; `+"`policy { severity = { ACC002 = \"low\" } }`"+` turns one on.
`, len(all), on)
	for _, kind := range about() {
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n| rule | severity | holds that |\n|---|---|---|\n", strings.ToUpper(kind[0][:1])+kind[0][1:], kind[1])
		for _, r := range all {
			if path.Base(path.Dir(r.dir)) != kind[0] {
				continue
			}
			id := fmt.Sprintf("[%s](%s)", r.id(), r.file)
			if r.custom("default") != true {
				id = "(" + id + ")"
			}
			fmt.Fprintf(&b, "| %s | %v | %s |\n", id, r.custom("severity"), r.meta.Title)
		}
	}
	b.WriteString("\n## Parameters\n\nA project replaces one with `policy { parameters = { max_limit = 10000000 } }`.\n\n")
	b.WriteString("| parameter | default | meaning | rules |\n|---|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(params)) {
		p := params[name]
		slices.Sort(readers[name])
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", name, p.value, p.words, strings.Join(readers[name], ", "))
	}
	return b.String()
}
