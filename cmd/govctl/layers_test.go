package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/govctl/govctl"

// std as a third-party permission means that a package may import nothing but the
// standard library and the packages of its row.
const (
	std   = false
	third = true
)

// law is the table of design section 7: what each package may import of ours, and
// whether it may use other modules. Imports go one way; widening a row is a review
// topic, not a fix for this test.
var law = map[string]struct {
	ours  []string
	third bool
}{
	"internal/org":                 {nil, std},
	"internal/api":                 {nil, std},
	"internal/config":              {[]string{"internal/org"}, third},
	"internal/plan":                {[]string{"internal/org"}, std},
	"internal/ledger":              {[]string{"internal/org"}, third},
	"internal/client":              {[]string{"internal/api"}, third},
	"internal/collector":           {nil, std},
	"internal/policy":              {[]string{"internal/collector", "internal/org"}, third},
	"internal/apply":               {[]string{"internal/plan", "internal/ledger", "internal/api", "internal/org"}, std},
	"internal/drift":               {[]string{"internal/plan", "internal/org"}, std},
	"internal/live":                {[]string{"internal/api", "internal/org"}, third},
	"internal/plot":                {nil, std},
	"internal/report":              {[]string{"internal/api", "internal/org"}, std},
	"internal/grid":                {[]string{"internal/api", "internal/org"}, std},
	"internal/jsonfile":            {[]string{"internal/org"}, third},
	"internal/hooks":               {[]string{"internal/api", "internal/jsonfile", "internal/org"}, third},
	"internal/service":             {[]string{"internal/api", "internal/service/exchange", "internal/service/openapi", "internal/service/store", "internal/service/usage", "internal/service/web"}, third},
	"internal/service/web":         {[]string{"internal/plot", "internal/org", "internal/service/store"}, std},
	"internal/service/store":       {[]string{"internal/api"}, third},
	"internal/service/exchange":    {[]string{"internal/api", "internal/service/store"}, third},
	"internal/service/usage":       {[]string{"internal/api"}, third},
	"internal/service/openapi":     {nil, third},
	"internal/service/sample":      {[]string{"internal/api", "internal/service/store"}, third},
	"internal/service/servicetest": {[]string{"internal/api", "internal/pgtest", "internal/service", "internal/service/openapi", "internal/service/sample", "internal/service/store"}, third},
	"internal/render":              {[]string{"internal/plan", "internal/apply", "internal/drift", "internal/policy", "internal/hooks", "internal/org", "internal/ledger", "internal/grid", "internal/report", "internal/plot"}, third},
	"internal/scaffold":            {[]string{"internal/org"}, third},
	"internal/notify":              {[]string{"internal/client", "internal/drift", "internal/render"}, third},
	"internal/ci":                  {nil, std},
	"internal/forge":               {nil, third},
	"internal/forge/forgetest":     {nil, std},
	"internal/bench":               {[]string{"internal/api"}, third},
	"internal/pgtest":              {nil, third},
	"internal/browsertest":         {nil, third},
	"policies":                     {nil, std},
	"cmd/govctl":                   {nil, third}, // everything: see below
}

// TestLayers holds the import law. Test files may import anything but are still kept
// from hiding a cycle by the compiler itself.
func TestLayers(t *testing.T) {
	t.Parallel()
	root := "../.."
	seen := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != root || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		seen++
		rel, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		checkImports(t, name, filepath.ToSlash(rel))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 20 {
		t.Fatalf("only %d Go files found: the walk is broken", seen)
	}
}

// checkImports compares the imports of one file with the law.
func checkImports(t *testing.T, name, pkg string) {
	t.Helper()
	row, known := law[pkg]
	if !known {
		t.Errorf("%s: package %s is not in the table: add it with what it may import", name, pkg)
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		ours, isOurs := strings.CutPrefix(imported, module+"/")
		switch {
		case isOurs && pkg == "cmd/govctl":
		case isOurs && !slices.Contains(row.ours, ours):
			t.Errorf("%s: %s may not import %s", name, pkg, ours)
		case !isOurs && strings.Contains(path.Dir(imported+"/x"), ".") && !row.third:
			t.Errorf("%s: %s may not use another module: %s", name, pkg, imported)
		}
	}
}

// TestLayersOneWay checks the table itself: no two packages may import each other,
// directly or through others.
func TestLayersOneWay(t *testing.T) {
	t.Parallel()
	var visit func(start, at string, path []string)
	visit = func(start, at string, path []string) {
		for _, next := range law[at].ours {
			if next == start {
				t.Errorf("cycle in the table: %s", strings.Join(append(path, next), " -> "))
				continue
			}
			if !slices.Contains(path, next) {
				visit(start, next, append(path, next))
			}
		}
	}
	for pkg := range law {
		visit(pkg, pkg, []string{pkg})
	}
}
