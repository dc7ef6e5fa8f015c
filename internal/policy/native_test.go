package policy

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"
	"pgregory.net/rapid"
)

// drawText draws texts in which the functions of the library have something to see.
func drawText() *rapid.Generator[*ast.Term] {
	return rapid.Map(rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "a", "A", "b c", "b  C ", "\tb\vc\n", "\u00a0x\u2003", "É", "İ", "/", "/etc", "/etc/", " /etc/** ", "/etc/x", "//etc", "a//b", "./src", "x/ *",
			"$HOME", "${HOME}/.ssh", "~", "~/.ssh/id", "x\x00/y", "git.example.com", "*.example.com", "*.com", ".com", "com.", "a..b", "EXAMPLE.com", "x\ny.z", "*",
			"10.0.0.0/8", "10.0.0.0/08", "10.0.0.0/24", "10.0.0.7", "300.1.1.1", "::1", "2001:db8::/32", "::/0", "::ffff:10.0.0.0/104", "10.0.0.0/33", "docker.sock", "/run/agent.1",
			"quote \" \\ <&>", "a~b/c", strings.Repeat("x", 80), strings.Repeat("é", 81), strings.Repeat("y", 300), "…", "\u2028", "%v",
		}),
		rapid.StringOfN(rapid.RuneFrom([]rune("aAb /*.~$-_\t\n:0")), 0, 6, -1),
	), func(s string) *ast.Term { return ast.StringTerm(s) })
}

// drawValue draws values of every type, but not 7 beside 7.0, which OPA takes for the same
// operand: what it says of the one it says of the other.
func drawValue() *rapid.Generator[*ast.Term] {
	scalar := rapid.OneOf(drawText(), rapid.SampledFrom([]*ast.Term{
		ast.NullTerm(), ast.BooleanTerm(true), ast.BooleanTerm(false), ast.NumberTerm("0"), ast.NumberTerm("7"), ast.NumberTerm("8.0"),
		ast.NumberTerm("2.5"), ast.NumberTerm("1e3"), ast.NumberTerm("-3"), ast.NumberTerm("100000000000000000000"),
	}))
	list := rapid.Map(rapid.SliceOfN(scalar, 0, 4), func(e []*ast.Term) *ast.Term { return ast.ArrayTerm(e...) })
	object := rapid.Map(rapid.MapOfN(rapid.SampledFrom([]string{"redacted", "a", "ipv4", "7"}), rapid.OneOf(scalar, list), 0, 3), func(m map[string]*ast.Term) *ast.Term {
		o := ast.NewObject()
		for _, name := range slices.Sorted(maps.Keys(m)) {
			o.Insert(ast.StringTerm(name), m[name])
		}
		return ast.NewTerm(o)
	})
	set := rapid.Map(rapid.SliceOfN(scalar, 0, 3), func(e []*ast.Term) *ast.Term { return ast.SetTerm(e...) })
	return rapid.OneOf(drawTexts(), drawTexts(), scalar, list, object, set, rapid.Map(rapid.SliceOfN(rapid.OneOf(scalar, list, object), 0, 3), func(e []*ast.Term) *ast.Term { return ast.ArrayTerm(e...) }))
}

func drawTexts() *rapid.Generator[*ast.Term] {
	return rapid.Map(rapid.SliceOfN(drawText(), 0, 6), func(e []*ast.Term) *ast.Term { return ast.ArrayTerm(e...) })
}

// operands draws what rules call a function with; anything, where there is nothing here.
func operands(path string, n int) *rapid.Generator[*ast.Term] {
	switch {
	case path == "lists.problems" && n == 1, path == "pointer.of":
		return drawTexts() // rules write these themselves
	case path == "networks.problems" && n == 1:
		length := rapid.SampledFrom([]string{"0", "8", "16", "24", "32", "64.5", "128"})
		return rapid.Custom(func(t *rapid.T) *ast.Term {
			o := ast.NewObject()
			for _, family := range []string{"ipv4", "ipv6", "ipv8"} {
				if rapid.IntRange(0, 9).Draw(t, family) > 0 {
					o.Insert(ast.StringTerm(family), ast.NumberTerm(json.Number(length.Draw(t, "length"))))
				}
			}
			return ast.NewTerm(o)
		})
	case path == "fields.of" && n == 1:
		return rapid.OneOf(drawText(), drawTexts(), rapid.SampledFrom([]*ast.Term{ast.StringTerm("a"), ast.ArrayTerm(ast.StringTerm("a")), ast.ArrayTerm(ast.StringTerm("a"), ast.NumberTerm("0"))}))
	}
	return drawValue()
}

// TestNativesSayWhatRegoSays holds every native function against its definition in the
// library: the same value, undefined, or an error.
func TestNativesSayWhatRegoSays(t *testing.T) {
	t.Parallel()
	e, err := Load(Options{Library: os.DirFS("../../policies"), plain: true})
	if err != nil {
		t.Fatal(err)
	}
	compiler := unitOf(t, e, Settings).compiler
	for path, n := range natives {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			definitions := compiler.GetRulesExact(ast.MustParseRef(libraryPackage + path))
			if len(definitions) == 0 || len(definitions[0].Head.Args) != n.arity {
				t.Fatalf("the library has no such function of %d operands", n.arity)
			}
			var args []string
			for i := range n.arity {
				args = append(args, fmt.Sprintf("input[%d]", i))
			}
			q, err := rego.New(rego.Query("x = "+libraryPackage+path+"("+strings.Join(args, ", ")+")"), rego.Compiler(compiler), rego.Store(e.store),
				rego.GenerateJSON(func(t *ast.Term, _ *rego.EvalContext) (any, error) { return t, nil })).PrepareForEval(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				var args []*ast.Term
				for i := range n.arity {
					args = append(args, operands(path, i).Draw(t, "operand"))
				}
				var failed []topdown.Error
				results, err := q.Eval(t.Context(), rego.EvalParsedInput(ast.NewArray(args...)), rego.EvalBuiltinErrorList(&failed))
				if err != nil {
					t.Fatal(err)
				}
				got, nativeErr := n.eval(nil, args)
				switch {
				case (nativeErr != nil) != (len(failed) > 0):
					t.Fatalf("%v: Go failed with %v, Rego with %v", args, nativeErr, failed)
				case nativeErr != nil:
				case (got != nil) != (len(results) == 1):
					t.Fatalf("%v: Go says %v, Rego %v", args, got, results)
				case got != nil && got.Value.Compare(results[0].Bindings["x"].(*ast.Term).Value) != 0:
					t.Fatalf("%v: Go says %v, Rego %v", args, got, results[0].Bindings["x"])
				}
			})
		})
	}
}

// TestNativesAreUsed holds that compiled rules call no function of the library that there
// is in Go, and ask for no parameter that is known, and that nobody can write such a call.
func TestNativesAreUsed(t *testing.T) {
	t.Parallel()
	e, err := Load(Options{Library: os.DirFS("../../policies")})
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for file, m := range unitOf(t, e, Settings).compiler.Modules {
		ast.WalkExprs(m, func(x *ast.Expr) bool {
			terms, ok := x.Terms.([]*ast.Term)
			if !ok {
				return false
			}
			function := terms[0].Value.String()
			used[function] = true
			if _, native := natives[strings.TrimPrefix(function, libraryPackage)]; native || function == libraryPackage+"params.value" {
				t.Errorf("%s calls %s", file, function)
			}
			return false
		})
	}
	for path := range natives {
		if !used[nativeName(path)] {
			t.Errorf("nothing calls %s", path)
		}
	}
	call := "package own\n\nx if " + nativeName("lists.only_texts") + `(["a"])`
	_, err = Load(Options{Sources: []Source{{Name: "own", FS: fstest.MapFS{"r.rego": {Data: []byte(call)}}}}})
	if err == nil || !strings.Contains(err.Error(), "undefined function govctl_") {
		t.Errorf("a call of a native function: %v", err)
	}
}

// TestNativesStop holds that a native function which may take long ends when it is told to,
// and that a rule which calls it on a huge value is stopped like any other.
func TestNativesStop(t *testing.T) {
	t.Parallel()
	told := topdown.NewCancel()
	told.Cancel()
	texts := ast.ArrayTerm(ast.StringTerm("a/b"))
	for path, n := range natives {
		if _, err := n.eval(told, slices.Repeat([]*ast.Term{texts}, n.arity)); n.long != (err != nil && topdown.IsCancel(errors.Unwrap(err))) {
			t.Errorf("%s, told to stop: %v", path, err)
		}
	}
	e, err := Load(Options{Library: os.DirFS("../../policies"), Kinds: []string{Settings}, Only: []string{"SBX006"}, Limits: Limits{Time: 50 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	var denied []any
	for i := range 100 {
		denied = append(denied, fmt.Sprintf("b%d/", i))
	}
	deep := map[string]any{"filesystem": map[string]any{"allowWrite": []any{strings.Repeat("a/", 300_000) + "a"}, "denyWrite": denied}}
	r, err := e.Check(t.Context(), Document{Kind: Settings, Subject: "s", Body: map[string]any{"settings": map[string]any{"sandbox": deep}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || !strings.HasPrefix(r.Findings[0].Message, "SBX006: stopped after ") {
		t.Errorf("got %+v", r.Findings)
	}
}

// TestNativeErrors holds that an error of a native function is an error of the rule, as one of
// a built-in function is, and never a pass.
func TestNativeErrors(t *testing.T) {
	t.Parallel()
	domains := map[string]any{"network": map[string]any{"allowedDomains": []any{"git.example.com"}}}
	for _, plain := range []bool{false, true} {
		e, err := Load(Options{
			Library: os.DirFS("../../policies"), Kinds: []string{Settings}, Only: []string{"SBX002"},
			Parameters: map[string]any{"exfiltration_domains": []any{json.Number("7")}}, plain: plain,
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Check(t.Context(), Document{Kind: Settings, Subject: "s", Body: map[string]any{"settings": map[string]any{"sandbox": domains}}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) != 1 || r.Findings[0].Rule != RuleErrored || !strings.Contains(r.Findings[0].Message, "operand") {
			t.Errorf("plain %v: got %+v", plain, r.Findings)
		}
	}
}

// TestUnknownParameter holds that a rule which asks the library for a parameter that nobody
// has is a mistake, not a rule that never fires.
func TestUnknownParameter(t *testing.T) {
	t.Parallel()
	ask := "package own\n\nimport data.govctl.lib.params\n\nx if params.value(\"min_prefix_ipv5\") > 1\n"
	_, err := Load(Options{Library: os.DirFS("../../policies"), Sources: []Source{{Name: "own", FS: fstest.MapFS{"r.rego": {Data: []byte(ask)}}}}})
	if want := `own/r.rego:5: the parameter min_prefix_ipv5 has no default`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestNativesChangeNothing holds that the library finds the same in a snapshot with native
// functions as without.
func TestNativesChangeNothing(t *testing.T) {
	t.Parallel()
	o := Options{Library: os.DirFS("../../policies"), Kinds: []string{Settings}, Extended: true, Now: time.Unix(0, 0)}
	with, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	o.plain = true
	without, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	list := rapid.Custom(func(t *rapid.T) any {
		v, err := ast.JSON(rapid.OneOf(drawTexts(), drawTexts(), drawTexts(), drawValue()).Draw(t, "list").Value)
		if err != nil {
			t.Fatal(err)
		}
		return v
	})
	rapid.Check(t, func(t *rapid.T) {
		lists := func(names ...string) map[string]any {
			out := map[string]any{}
			for _, name := range names {
				out[name] = list.Draw(t, name)
			}
			return out
		}
		settings := lists("commandAllowlist", "commandDenylist", "managedComputersAllowedEmails", "byomComputersAllowedEmails", "customModels", "strictKnownMarketplaces", "serviceRouterRules")
		settings["sandbox"] = map[string]any{"filesystem": lists("allowWrite", "denyWrite", "denyRead"), "network": lists("allowedDomains", "allowUnixSockets")}
		settings["modelPolicy"] = lists("allowedModelIds", "blockedModelIds", "allowedBaseUrls", "allowCustomModels")
		settings["mcpPolicy"] = lists("allowlist", "enabled")
		settings["networkPolicy"] = lists("allowedIps")
		d := Document{Kind: Settings, Subject: "s", Body: map[string]any{"settings": settings}}
		want, err := without.Check(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := with.Check(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Findings, got.Findings); diff != "" {
			t.Fatalf("(-Rego +Go):\n%s", diff)
		}
	})
}
