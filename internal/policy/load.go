package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"sigs.k8s.io/yaml"
)

// LoadError is everything that is wrong with the rules, at once.
type LoadError struct{ Problems []string }

// Error lists the problems, one on a line.
func (e *LoadError) Error() string {
	if len(e.Problems) == 1 {
		return "policy: " + e.Problems[0]
	}
	return fmt.Sprintf("policy: %d problems\n  %s", len(e.Problems), strings.Join(e.Problems, "\n  "))
}

// loaded is what the files hold, before it is compiled.
type loaded struct {
	modules  map[string]*ast.Module // by file
	tests    map[string]*ast.Module // *_test.rego, read only when asked for
	own      map[string]bool        // files of the users
	data     map[string]any
	defaults map[string]any // parameters of the library and the users
	schemas  map[string]any // by name
	ids      []string       // of the whole library, compiled or not
	problems []string
}

func (l *loaded) problem(format string, args ...any) {
	l.problems = append(l.problems, fmt.Sprintf(format, args...))
}

func newLoaded() *loaded {
	return &loaded{
		modules: map[string]*ast.Module{}, tests: map[string]*ast.Module{}, own: map[string]bool{},
		data: map[string]any{}, defaults: map[string]any{}, schemas: map[string]any{},
	}
}

// load reads the library, as far as kinds need it, and the users' own rules.
func load(o Options, withTests bool) *loaded {
	l := newLoaded()
	if o.Library != nil {
		l.facts(o.Library)
		l.library(o.Library, withTests, func(dir string) bool {
			return dir == libraryDir || len(o.Kinds) == 0 || slices.Contains(o.Kinds, dir)
		})
	}
	for _, s := range o.Sources {
		if s.FS == nil {
			l.bundle(s, withTests)
			continue
		}
		l.source(s, withTests)
	}
	return l
}

// facts reads what of the library is no Rego. Ids come from the names of directories, so
// that no rule needs to be parsed to know that it exists.
func (l *loaded) facts(files fs.FS) {
	l.walk(files, "", func(name string) {
		parts := strings.Split(name, "/")
		switch {
		case name == "data.yaml":
			l.dataFile(files, "", name)
		case parts[0] == "schemas" && path.Ext(name) == ".json" && len(parts) == 2:
			l.schema(files, name)
		case isRego(parts) && parts[1] != libraryDir && len(parts) == 4 && !strings.HasSuffix(name, "_test.rego"):
			l.ids = append(l.ids, strings.ToUpper(parts[2]))
		}
	})
}

// libraryDir is the directory of the functions that rules share; beside it each kind has
// its own.
const libraryDir = "lib"

// isRego tells the Rego of the library by the parts of a path.
func isRego(parts []string) bool {
	return len(parts) > 2 && parts[0] == "govctl" && path.Ext(parts[len(parts)-1]) == ".rego"
}

// library reads the Rego of the library in the directories that are wanted.
func (l *loaded) library(files fs.FS, withTests bool, wanted func(dir string) bool) {
	l.walk(files, "", func(name string) {
		if parts := strings.Split(name, "/"); isRego(parts) && wanted(parts[1]) {
			l.rego(files, "", name, withTests)
		}
	})
}

// imported reads the modules of the library that those which are there import.
func (l *loaded) imported(files fs.FS) {
	for todo := slices.Collect(maps.Values(l.modules)); len(todo) > 0; {
		m := todo[0]
		todo = todo[1:]
		for _, i := range m.Imports {
			module, ok := strings.CutPrefix(i.Path.Value.String(), libraryPackage)
			name := path.Join("govctl", libraryDir, module+".rego")
			if !ok || l.modules[name] != nil {
				continue
			}
			if l.rego(files, "", name, false); l.modules[name] != nil {
				todo = append(todo, l.modules[name])
			}
		}
	}
}

// source reads a directory, or a single file, of somebody's own.
func (l *loaded) source(s Source, withTests bool) {
	l.walk(s.FS, s.Name, func(name string) {
		switch path.Ext(name) {
		case ".rego":
			shown := l.rego(s.FS, s.Name, name, withTests)
			l.ownModule(shown)
		case ".json", ".yaml", ".yml":
			if base := path.Base(name); base == "data.json" || base == "data.yaml" || base == "data.yml" {
				l.dataFile(s.FS, s.Name, name)
			}
		}
	})
}

// ownModule refuses a module of the users that pretends to be shipped.
func (l *loaded) ownModule(file string) {
	m := l.modules[file]
	if m == nil {
		m = l.tests[file]
	}
	if m == nil {
		return
	}
	l.own[file] = true
	if p := m.Package.Path; len(p) > 1 && p[1].Equal(ast.StringTerm("govctl")) {
		l.problem("%s: package %s belongs to the shipped rules: choose a name that does not begin with govctl", m.Package.Location, strings.TrimPrefix(p.String(), "data."))
		delete(l.modules, file)
		delete(l.tests, file)
	}
}

// walk visits the files of a tree in order of their names.
func (l *loaded) walk(files fs.FS, shown string, visit func(name string)) {
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if hidden := strings.HasPrefix(e.Name(), ".") && name != "."; hidden && e.IsDir() {
			return fs.SkipDir
		} else if !hidden && !e.IsDir() {
			visit(name)
		}
		return nil
	})
	if err != nil {
		l.problem("read %s: %v", path.Join(shown, "."), err)
	}
}

// rego reads one module and returns the name it goes by.
func (l *loaded) rego(files fs.FS, root, name string, withTests bool) string {
	shown := path.Join(root, name)
	test := strings.HasSuffix(name, "_test.rego")
	if test && !withTests {
		return shown
	}
	text, err := fs.ReadFile(files, name)
	if err != nil {
		l.problem("read %s: %v", shown, err)
		return shown
	}
	m, err := ast.ParseModuleWithOpts(shown, string(text), ast.ParserOptions{ProcessAnnotation: true, Capabilities: Capabilities(), RegoVersion: ast.RegoV1})
	if err != nil {
		l.regoErrors(err)
		return shown
	}
	if m == nil {
		return shown // a file of comments
	}
	l.add(shown, m, test)
	return shown
}

func (l *loaded) add(shown string, m *ast.Module, test bool) {
	into := l.modules
	if test {
		into = l.tests
	}
	if _, twice := into[shown]; twice {
		l.problem("%s is loaded twice", shown)
		return
	}
	into[shown] = m
}

// regoErrors takes over errors of OPA, which may be many.
func (l *loaded) regoErrors(err error) {
	var list ast.Errors
	if !errors.As(err, &list) {
		l.problem("%v", err)
		return
	}
	for _, e := range list {
		text := e.Message
		if e.Details != nil {
			text += ": " + strings.Join(strings.Fields(strings.Join(e.Details.Lines(), " ")), " ")
		}
		if e.Location != nil {
			text = e.Location.String() + ": " + text
		}
		l.problem("%s", text)
	}
}

// schema reads schemas/NAME.json, which annotations call schema.NAME.
func (l *loaded) schema(files fs.FS, name string) {
	text, err := fs.ReadFile(files, name)
	var v any
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		l.problem("read %s: %v", name, err)
		return
	}
	l.schemas[strings.TrimSuffix(path.Base(name), ".json")] = v
}

// dataFile reads data for rules: parameters under "params", anything else under its own
// names.
func (l *loaded) dataFile(files fs.FS, root, name string) {
	shown := path.Join(root, name)
	text, err := fs.ReadFile(files, name)
	var data map[string]any
	if err == nil {
		if text, err = yaml.YAMLToJSONStrict(text); err == nil {
			data, err = decodeObject(text)
		}
	}
	if err != nil {
		l.problem("read %s: %v", shown, err)
		return
	}
	l.addData(shown, data)
}

func (l *loaded) addData(shown string, data map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(data)) {
		if name == "govctl" || l.data[name] != nil {
			l.problem("%s: data.%s is there already", shown, name)
			continue
		}
		if name != "params" {
			l.data[name] = data[name]
			continue
		}
		params, ok := data[name].(map[string]any)
		if !ok {
			l.problem("%s: params must be names and values", shown)
			continue
		}
		for _, p := range slices.Sorted(maps.Keys(params)) {
			if _, twice := l.defaults[p]; twice {
				l.problem("%s: the parameter %s has a default already; set it in the policy block", shown, p)
				continue
			}
			l.defaults[p] = params[p]
		}
	}
}
