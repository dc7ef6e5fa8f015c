package main

import (
	"bytes"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
)

// Every command that can be run is in one of these three lists, so that nobody adds one
// without saying what it may do to the service.

// writers may change something at the service.
var writers = map[string]string{
	"apply":       "carries out a plan",
	"set session": "changes the settings of one session",

	"hooks deliver": "sends events as spans",
	"hooks flush":   "sends the events that wait",
}

// offline never have a client of the API: they work on files, on the ledger, or on the
// embedded service's own database. A name stands for everything below it, too.
var offline = []string{
	"init", "comment", "serve", "fmt", "version", "docs", "service", "ledger compact", "ledger import", "ledger unlock",
	"policy list", "policy new", "policy schema", "policy test",
	"hooks lint", "hooks run", "hooks render",
}

// groups only say what is in them.
var groups = []string{"docs", "history", "hooks", "ledger", "policy", "get", "get usage", "set"}

// readers ask the service, or could, and never send anything but GET and HEAD. The value
// is how the test runs them; DIR is a project, PLAN a saved plan.
var readers = map[string]string{
	"plan":           "plan DIR",
	"import":         "import DIR",
	"show":           "show PLAN",
	"validate":       "validate DIR",
	"history list":   "history list DIR",
	"history show":   "history show 1 DIR",
	"history blame":  "history blame /sandbox/enabled DIR",
	"history diff":   "history diff 2 3 DIR",
	"history export": "history export DIR",
	"drift":          "drift DIR --since-revision 1 --exit-zero",
	"drift accept":   "drift accept DIR --revision 1 --reason r",
	"ledger list":    "ledger list DIR",
	"ledger show":    "ledger show ada@acme.example DIR",
	"ledger verify":  "ledger verify DIR",

	"get users":              "get users --project DIR",
	"get computers":          "get computers --project DIR",
	"get sessions":           "get sessions --project DIR",
	"get messages":           "get messages ses_1 --project DIR",
	"get readiness":          "get readiness --project DIR",
	"get history":            "get history --project DIR",
	"get usage tokens":       "get usage tokens --project DIR",
	"get usage tools":        "get usage tools --project DIR",
	"get usage activity":     "get usage activity --project DIR",
	"get usage productivity": "get usage productivity --project DIR",
	"get usage users":        "get usage users --project DIR",

	"report": "report DIR",

	"policy check":   "policy check DIR",
	"policy explain": "policy explain SBX001 DIR",
	"policy history": "policy history SBX001 DIR",
}

// runnable lists the paths of all commands that do something, without those that cobra
// brings.
func runnable(c *cobra.Command, prefix string) []string {
	var list []string
	for _, sub := range c.Commands() {
		path := strings.TrimSpace(prefix + " " + sub.Name())
		if sub.Name() == "help" || sub.Name() == "completion" {
			continue
		}
		if sub.Runnable() && !slices.Contains(groups, path) {
			list = append(list, path)
		}
		list = append(list, runnable(sub, path)...)
	}
	return list
}

// TestEveryCommandSaysWhatItMayDo fails when a command is added, renamed or removed
// without a word about it here.
func TestEveryCommandSaysWhatItMayDo(t *testing.T) {
	t.Parallel()
	all := runnable((&app{}).root(), "")
	for _, path := range all {
		n := 0
		if _, ok := writers[path]; ok {
			n++
		}
		if _, ok := readers[path]; ok {
			n++
		}
		if isOffline(path) {
			n++
		}
		if n != 1 {
			t.Errorf("govctl %s is in %d of the lists writers, readers and offline; it belongs into one", path, n)
		}
	}
	for path := range writers {
		if !slices.Contains(all, path) {
			t.Errorf("there is no writer %s", path)
		}
	}
	for path := range readers {
		if !slices.Contains(all, path) {
			t.Errorf("there is no reader %s", path)
		}
	}
}

func isOffline(path string) bool {
	return slices.ContainsFunc(offline, func(o string) bool { return path == o || strings.HasPrefix(path, o+" ") })
}

// TestReadersOnlyRead runs every reader on a project with something to change, first by
// itself and then after an apply.
func TestReadersOnlyRead(t *testing.T) {
	t.Parallel()
	for path, args := range readers {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			w := startWire(t, nil)
			m := &met{dir: t.TempDir(), url: w.url, server: w}
			m.write(t, "key", canaryKey+"\n")
			m.write(t, "a.hcl", project+"computer \"build-01\" {\n  provider = \"byom\"\n}\nsettings {\n  expect = {\n    x = true\n  }\n}\n")
			plain := func(args string) int {
				list := strings.Fields(strings.NewReplacer("DIR", m.dir, "PLAN", filepath.Join(m.dir, "plan.json")).Replace(args))
				list = append(list, "--base-url", w.url, "--api-key-file", filepath.Join(m.dir, "key"), "--max-wait", "0")
				var out bytes.Buffer
				code := run(t.Context(), list, stdio{in: strings.NewReader(""), out: &out, err: &out, now: fixedNow})
				if code == exitError {
					t.Errorf("govctl %s: exit %d\n%s", args, code, out.String())
				}
				return code
			}
			plain("plan DIR --out " + filepath.Join(m.dir, "plan.json"))
			plain("apply DIR --auto-approve")
			m.write(t, "a.hcl", strings.ReplaceAll(project, "= 5", "= 7"))
			before := len(w.seen())
			plain(args)
			for _, r := range w.seen()[before:] {
				if r.method != http.MethodGet && r.method != http.MethodHead {
					t.Errorf("govctl %s sent %s %s", args, r.method, r.uri)
				}
			}
		})
	}
}

// TestReadingClientCannotWrite proves that what readers hold refuses every write before
// a byte is sent.
func TestReadingClientCannotWrite(t *testing.T) {
	t.Parallel()
	w := startWire(t, nil)
	a := &app{stdio: stdio{err: &bytes.Buffer{}, now: fixedNow}, flags: globalFlags{logLevel: "warn"}}
	c, err := a.client(t.Context(), &connection{baseURL: w.url, appURL: w.url, ownKey: canaryKey}, forReading)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	_, create := c.CreateComputer(ctx, api.NewComputer{Name: "x"})
	_, update := c.UpdateComputer(ctx, "x", api.ComputerPatch{Name: "y"})
	_, install := c.InstallDeps(ctx, "x")
	_, session := c.UpdateSession(ctx, "x", api.SessionUpdate{})
	_, limits := c.PutLimits(ctx, []api.Limit{{Email: "a@b.c", Limit: 1}})
	for _, err := range []error{create, update, install, session, limits} {
		if !errors.Is(err, client.ErrReadOnly) {
			t.Errorf("got %v", err)
		}
	}
	if n := len(w.seen()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// TestOnlyWritersGetAWritingClient reads the source: a writing client is made in the one
// place that applies, clients are made in one place at all, and nobody talks HTTP past
// them.
func TestOnlyWritersGetAWritingClient(t *testing.T) {
	t.Parallel()
	may := map[string][]string{
		"forWriting":         {"carryOut", "apiKey", "sendSettings"},
		"client.New":         {"client"},
		"http.DefaultClient": nil, "http.Get": nil, "http.Post": nil, "http.Head": nil, "http.PostForm": nil, "http.Client": nil, "http.NewRequest": nil, "http.NewRequestWithContext": nil,
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				word := ""
				switch x := n.(type) {
				case *ast.Ident:
					word = x.Name
				case *ast.SelectorExpr:
					if p, ok := x.X.(*ast.Ident); ok {
						word = p.Name + "." + x.Sel.Name
					}
				}
				if strings.HasSuffix(word, ".client") && (strings.HasPrefix(name, "service") || strings.HasPrefix(name, "ledger")) {
					t.Errorf("%s: %s has a client, but its commands are in the list offline", name, f.Name.Name)
				}
				if where, watched := may[word]; watched {
					seen[word] = true
					if !slices.Contains(where, f.Name.Name) {
						t.Errorf("%s: %s uses %s: say so in this test, and in writers if it writes", name, f.Name.Name, word)
					}
				}
				return true
			})
		}
	}
	if !seen["forWriting"] || !seen["client.New"] {
		t.Error("the search finds nothing: it is broken")
	}
}

// TestKeysAreApart runs the real binary with a reader's and a writer's key in every form:
// only requests of apply that write carry the writer's, and a plan never does.
func TestKeysAreApart(t *testing.T) {
	t.Parallel()
	const reader, writer = "sk-reader-2b1f9c7d", "sk-writer-8e4a6d3c"
	for name, env := range map[string][]string{
		"values":        {"GOVCTL_API_KEY=" + reader, "GOVCTL_WRITE_API_KEY=" + writer},
		"files":         {"GOVCTL_API_KEY_FILE=DIR/key", "GOVCTL_WRITE_API_KEY_FILE=DIR/writekey"},
		"commands":      {"GOVCTL_API_KEY_COMMAND=cat DIR/key", "GOVCTL_WRITE_API_KEY_COMMAND=cat DIR/writekey"},
		"flag, value":   {"FLAG", "GOVCTL_WRITE_API_KEY=" + writer},
		"flag, file":    {"FLAG", "GOVCTL_WRITE_API_KEY_FILE=DIR/writekey"},
		"flag, command": {"FLAG", "GOVCTL_WRITE_API_KEY_COMMAND=cat DIR/writekey"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startWire(t, nil)
			m := &met{dir: t.TempDir()}
			m.write(t, "key", reader+"\n")
			m.write(t, "writekey", writer+"\n")
			m.write(t, "a.hcl", project)
			for _, args := range [][]string{{"plan", m.dir}, {"apply", m.dir, "--auto-approve"}} {
				args = append(args, "--base-url", w.url)
				c := exec.CommandContext(t.Context(), "govctl", args...)
				c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.dir}
				for _, e := range env {
					if e == "FLAG" {
						c.Args = append(c.Args, "--api-key-file", filepath.Join(m.dir, "key"))
						continue
					}
					c.Env = append(c.Env, strings.ReplaceAll(e, "DIR", m.dir))
				}
				out, err := c.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", args, err, out)
				}
				checkNowhere(t, m.dir, string(out), reader, writer)
			}
			if asked := askedOf(w.seen()); asked != "PUT limits 1, users 2" {
				t.Errorf("asked %s", asked)
			}
			for _, r := range w.seen() {
				want := "Bearer " + reader
				if r.method != http.MethodGet {
					want = "Bearer " + writer
				}
				if r.authorization != want {
					t.Errorf("%s %s carried %q, want %q", r.method, r.uri, r.authorization, want)
				}
			}
		})
	}
}
