package policies_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/util"
	"go.yaml.in/yaml/v3"

	"github.com/govctl/govctl/policies"
)

// rule is a rule file with what its metadata says.
type rule struct {
	file        string
	dir         string // govctl/<kind>/<id lower>
	module      *ast.Module
	pkg         *ast.Annotations // of the package
	meta        *ast.Annotations // of findings
	annotations int              // on findings
}

func (r rule) custom(name string) any { return r.meta.Custom[name] }

func (r rule) id() string { return fmt.Sprint(r.custom("id")) }

// regoFiles are all files with Rego, the tests too.
func regoFiles(t *testing.T) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".rego" {
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func parse(t *testing.T, name string) *ast.Module {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ast.ParseModuleWithOpts(name, string(text), ast.ParserOptions{ProcessAnnotation: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func modules(t *testing.T) map[string]*ast.Module {
	t.Helper()
	out := map[string]*ast.Module{}
	for _, name := range regoFiles(t) {
		out[name] = parse(t, name)
	}
	return out
}

// rules are the shipped rules in the order of their files.
func rules(t *testing.T) []rule {
	t.Helper()
	var out []rule
	for name, m := range modules(t) {
		if strings.HasSuffix(name, "_test.rego") || strings.HasPrefix(name, "govctl/lib/") || strings.HasPrefix(name, "compat/") {
			continue
		}
		r := rule{file: name, dir: path.Dir(name), module: m}
		for _, a := range m.Annotations {
			switch a.Scope {
			case "package":
				r.pkg = a
			case "document", "rule":
				if def, ok := a.GetTargetPath().Ptr(); ok == nil && strings.HasSuffix(def, "/findings") {
					r.meta = a
					r.annotations++
				}
			}
		}
		if r.pkg == nil || r.meta == nil {
			t.Fatalf("%s: no METADATA on the package or on findings", name)
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b rule) int { return strings.Compare(a.file, b.file) })
	if len(out) == 0 {
		t.Fatal("no rules")
	}
	return out
}

func data(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile("data.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := util.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func schemas(t *testing.T) *ast.SchemaSet {
	t.Helper()
	set := ast.NewSchemaSet()
	names, err := fs.Glob(os.DirFS("."), "schemas/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal("no schemas", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var schema any
		if err := util.Unmarshal(text, &schema); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		set.Put(ast.MustParseRef("schema."+strings.TrimSuffix(path.Base(name), ".json")), schema)
	}
	return set
}

// TestMetadata holds that a rule says everything the engine and its readers need.
func TestMetadata(t *testing.T) {
	t.Parallel()
	kinds := []string{"settings", "history", "readiness", "plan", "usage", "hooks", "computers"}
	ids := map[string]string{}
	for _, r := range rules(t) {
		kind, low := path.Base(path.Dir(r.dir)), path.Base(r.dir)
		fail := func(format string, args ...any) { t.Errorf("%s: %s", r.file, fmt.Sprintf(format, args...)) }
		if got, want := r.module.Package.Path.String(), "data.govctl."+kind+"."+low; got != want {
			fail("package %s, want %s", got, want)
		}
		if path.Base(r.file) != low+".rego" || !slices.Contains(kinds, kind) {
			fail("is not govctl/<kind>/<id>/<id>.rego")
		}
		if strings.ToLower(r.id()) != low || !regexp.MustCompile(`^[A-Z]{3}[0-9]{3}$`).MatchString(r.id()) {
			fail("id %s does not match the directory", r.id())
		}
		if other, twice := ids[r.id()]; twice {
			fail("id %s is also in %s", r.id(), other)
		}
		ids[r.id()] = r.file
		if r.annotations != 1 || r.meta.Scope != "document" {
			fail("findings wants one METADATA of scope document")
		}
		for what, text := range map[string]string{
			"title of the package": r.pkg.Title, "description of the package": r.pkg.Description,
			"title": r.meta.Title, "description": r.meta.Description,
		} {
			if strings.TrimSpace(text) == "" {
				fail("no %s", what)
			}
		}
		if r.pkg.Title != r.meta.Title {
			fail("package and rule have different titles")
		}
		if len(r.pkg.Schemas) != 1 || r.pkg.Schemas[0].Schema.String() != "schema."+kind {
			fail("the package wants schema.%s for input", kind)
		}
		want := []string{"default", "id", "input", "remediation", "requires", "severity", "since", "tags"}
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(r.meta.Custom))); diff != "" {
			fail("custom (-want +got):\n%s", diff)
			continue
		}
		if r.custom("input") != kind {
			fail("input %v", r.custom("input"))
		}
		if s := fmt.Sprint(r.custom("severity")); !slices.Contains([]string{"critical", "high", "medium", "low", "info"}, s) {
			fail("severity %s", s)
		}
		if _, ok := r.custom("default").(bool); !ok {
			fail("default is no boolean")
		}
		for _, p := range list(r.custom("requires")) {
			if !strings.HasPrefix(p, "/") || strings.HasSuffix(p, "/") {
				fail("requires %q is no JSON pointer", p)
			}
		}
		if len(list(r.custom("requires"))) == 0 {
			fail("requires nothing, so a document that has nothing passes")
		}
		if len(list(r.custom("tags"))) == 0 {
			fail("no tags")
		}
		for _, text := range []string{r.meta.Description, fmt.Sprint(r.custom("remediation"))} {
			if !strings.HasSuffix(strings.TrimSpace(text), ".") {
				fail("%q is no sentence", text)
			}
		}
	}
}

func list(v any) []string {
	var out []string
	items, _ := v.([]any)
	for _, i := range items {
		out = append(out, fmt.Sprint(i))
	}
	return out
}

// TestStyle holds what opa fmt and opa check do not.
func TestStyle(t *testing.T) {
	t.Parallel()
	forbidden := regexp.MustCompile(`\b(rego\.metadata|time\.now_ns|http\.send|opa\.runtime|rand\.intn|uuid\.rfc4122|net\.lookup_ip_addr|print|trace)\b`)
	for name, m := range modules(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		test := strings.HasSuffix(name, "_test.rego")
		if test != strings.HasSuffix(m.Package.Path.String(), "_test") {
			t.Errorf("%s: a test is in a package of its own, and nothing else is", name)
		}
		if _, err := os.Stat(strings.TrimSuffix(name, ".rego") + "_test.rego"); !test && err != nil && name != compatRules {
			t.Errorf("%s: no test beside it", name)
		}
		for _, i := range m.Imports {
			if p := i.Path.String(); !strings.HasPrefix(p, "data.govctl.") && p != "data.main" {
				t.Errorf("%s: imports %s", name, p)
			}
		}
		for i, line := range strings.Split(string(text), "\n") {
			if test {
				continue
			}
			if len([]rune(line)) > 120 && name != compatRules {
				t.Errorf("%s:%d: %d characters", name, i+1, len([]rune(line)))
			}
			if strings.HasPrefix(line, "#") {
				continue
			}
			if found := forbidden.FindString(line); found != "" {
				t.Errorf("%s:%d: uses %s", name, i+1, found)
			}
			if strings.Contains(line, "data.params") && name != "govctl/lib/params.rego" {
				t.Errorf("%s:%d: reads data.params without params.value", name, i+1)
			}
			if strings.Contains(line, " with ") && !strings.Contains(line, `"`) {
				t.Errorf("%s:%d: with stands outside a test", name, i+1)
			}
		}
	}
}

// TestCases holds that every rule is tested where it fires, where it passes, on a
// document without what it reads, and on values of the wrong type.
func TestCases(t *testing.T) {
	t.Parallel()
	for _, r := range rules(t) {
		text, err := os.ReadFile(strings.TrimSuffix(r.file, ".rego") + "_test.rego")
		if err != nil {
			t.Error(err)
			continue
		}
		for _, sort := range []string{"fires", "passes", "missing", "wrong type"} {
			if !regexp.MustCompile(`(?m)^\t"` + sort + `: [^"]+": \{`).Match(text) {
				t.Errorf("%s: no case %q", r.file, sort)
			}
		}
	}
}

// TestParameters holds that data.yaml documents the parameters that rules read, all of
// them and no others.
func TestParameters(t *testing.T) {
	t.Parallel()
	used := map[string]bool{"waiver_max_days": true} // read by the engine
	for _, name := range regoFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`params\.value\(("?)([a-z0-9_]+)"?\)`).FindAllStringSubmatch(string(text), -1) {
			if m[1] == "" {
				t.Errorf("%s: the name of a parameter is not written out: %s", name, m[0])
			}
			if !strings.HasSuffix(name, "_test.rego") {
				used[m[2]] = true
			}
		}
	}
	params := parameters(t)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(params))); diff != "" {
		t.Errorf("parameters (-used +documented):\n%s", diff)
	}
	for name, p := range params {
		if p.words == "" {
			t.Errorf("data.yaml: %s has no words above it", name)
		}
	}
}

// parameter is a default with the words above it.
type parameter struct{ words, value string }

func parameters(t *testing.T) map[string]parameter {
	t.Helper()
	text, err := os.ReadFile("data.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	out := map[string]parameter{}
	top := doc.Content[0]
	for i := 0; i < len(top.Content); i += 2 {
		if top.Content[i].Value != "params" {
			t.Fatalf("data.yaml: %s is not params", top.Content[i].Value)
		}
		entries := top.Content[i+1].Content
		for j := 0; j < len(entries); j += 2 {
			value, err := yaml.Marshal(entries[j+1])
			if err != nil {
				t.Fatal(err)
			}
			words := strings.TrimSpace(strings.ReplaceAll(entries[j].HeadComment, "# ", ""))
			out[entries[j].Value] = parameter{words, strings.TrimSpace(string(value))}
		}
	}
	return out
}

// TestEmbedded holds that the embedded files are the rules, the helpers, the schemas
// and the parameters, without tests.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	var got []string
	err := fs.WalkDir(policies.FS, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			got = append(got, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want, err := fs.Glob(os.DirFS("."), "schemas/*.json")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, "data.yaml")
	for _, name := range regoFiles(t) {
		if !strings.HasSuffix(name, "_test.rego") && !strings.HasPrefix(name, "compat/") {
			want = append(want, name)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("embedded (-want +got):\n%s", diff)
	}
}
