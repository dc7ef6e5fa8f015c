package config

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVariables(t *testing.T) {
	t.Parallel()
	tests := []struct {
		declaration, given string // given "-": none
		want               any    // nil: a problem
	}{
		{`default = 5`, "-", json.Number("5")},
		{`default = 5`, "9007199254740993", json.Number("9007199254740993")},
		{`default = 5`, "2 * 3", json.Number("6")},
		{`default = 5`, "five", nil},
		{`default = 5`, "010", nil},
		{`default = "a"`, "5", "5"},
		{`default = "a"`, "${x", "${x"},
		{`default = true`, "false", false},
		{`default = []`, `["a", 1]`, []any{"a", json.Number("1")}},
		{`default = { a = 1 }`, `{ b = "x" }`, map[string]any{"b": "x"}},
		{`type = number`, "7", json.Number("7")},
		{`type = list(string)`, `["a"]`, []any{"a"}},
		{`type = number`, `"x"`, nil},
		{`type = string`, "007", "007"},
		{``, "5", "5"},
		{``, "-", nil},
		{"default = 5\n description = \"credits\"", "6", json.Number("6")},
	}
	for _, test := range tests {
		o := Options{}
		if test.given != "-" {
			o.Vars = map[string]string{"x": test.given}
		}
		p, err := load(t, map[string]string{"a.hcl": "variable \"x\" {\n" + test.declaration + "\n}\nsettings {\n  expect = { list = [var.x] }\n}\n"}, o)
		if test.want == nil {
			if _, ok := err.(Problems); !ok {
				t.Errorf("%s with %q: got %v, want a problem", test.declaration, test.given, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s with %q: %v", test.declaration, test.given, err)
			continue
		}
		if diff := cmp.Diff([]any{test.want}, p.Expectations[0].Value); diff != "" {
			t.Errorf("%s with %q (-want +got):\n%s", test.declaration, test.given, diff)
		}
	}
}

func TestGivenVariables(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.hcl": "variable \"base\" { default = 5 }\nvariable \"other\" { default = \"\" }"}
	p, err := load(t, files, Options{Vars: map[string]string{"base": "6"}, Env: map[string]string{"base": "7", "other": "o", "HOME": "x"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"base": "6", "other": "o"}, p.Vars); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = load(t, files, Options{Vars: map[string]string{"bas": "6"}})
	if ps, ok := err.(Problems); !ok || len(ps) != 1 || ps[0].Hint != `did you mean "base"?` {
		t.Errorf("got %v, want a suggestion", err)
	}
}

// Every function works under its name; what each does is go-cty's affair.
func TestFunctions(t *testing.T) {
	t.Parallel()
	calls := map[string]string{
		"abs": `abs(-1) == 1`, "ceil": `ceil(1.2) == 2`, "floor": `floor(1.8) == 1`, "log": `log(8, 2) == 3`,
		"max": `max(1, 2) == 2`, "min": `min(1, 2) == 1`, "parseint": `parseint("ff", 16) == 255`, "pow": `pow(2, 3) == 8`,
		"signum": `signum(-3) == -1`, "chomp": `chomp("a\n") == "a"`, "format": `format("%03d", 7) == "007"`,
		"formatlist": `formatlist("%s!", ["a"])[0] == "a!"`, "indent": `indent(1, "a\nb") == "a\n b"`,
		"join": `join("-", ["a", "b"]) == "a-b"`, "lower": `lower("A") == "a"`, "regex": `regex("[0-9]+", "a12") == "12"`,
		"regexall": `length(regexall("[0-9]", "a12")) == 2`, "regexreplace": `regexreplace("a1", "[0-9]", "x") == "ax"`,
		"replace": `replace("aXb", "X", "-") == "a-b"`, "split": `split(",", "a,b")[1] == "b"`, "strlen": `strlen("äb") == 2`,
		"strrev": `strrev("ab") == "ba"`, "substr": `substr("abc", 1, 1) == "b"`, "title": `title("ab") == "Ab"`,
		"trim": `trim("xax", "x") == "a"`, "trimprefix": `trimprefix("xa", "x") == "a"`, "trimspace": `trimspace(" a ") == "a"`,
		"trimsuffix": `trimsuffix("ax", "x") == "a"`, "upper": `upper("a") == "A"`, "startswith": `startswith("ab", "a")`,
		"endswith": `endswith("ab", "b")`, "chunklist": `length(chunklist([1, 2, 3], 2)) == 2`, "coalesce": `coalesce(null, "a") == "a"`,
		"coalescelist": `coalescelist([], ["a"])[0] == "a"`, "compact": `length(compact(["", "a"])) == 1`,
		"concat": `concat(["a"], ["b"])[1] == "b"`, "contains": `contains(["a"], "a")`, "distinct": `length(distinct(["a", "a"])) == 1`,
		"element": `element(["a", "b"], 3) == "b"`, "flatten": `flatten([["a"], ["b"]])[1] == "b"`, "keys": `keys({ b = 1, a = 2 })[0] == "a"`,
		"length": `length("äb") + length([1]) + length({ a = 1 }) == 4`, "lookup": `lookup({ a = 1 }, "b", 2) == 2`,
		"merge": `merge({ a = 1 }, { a = 2 }).a == 2`, "range": `range(3)[2] == 2`, "reverse": `reverse(["a", "b"])[0] == "b"`,
		"setintersection": `length(setintersection(["a"], ["a", "b"])) == 1`, "setproduct": `length(setproduct(["a"], ["b", "c"])) == 2`,
		"setsubtract": `length(setsubtract(["a", "b"], ["a"])) == 1`, "setunion": `length(setunion(["a"], ["b"])) == 2`,
		"slice": `slice(["a", "b"], 1, 2)[0] == "b"`, "sort": `sort(["b", "a"])[0] == "a"`, "values": `values({ a = 1 })[0] == 1`,
		"zipmap": `zipmap(["a"], [1]).a == 1`, "csvdecode": `csvdecode("a,b\n1,2")[0].b == "2"`, "jsondecode": `jsondecode("[9007199254740993]")[0] == 9007199254740993`,
		"jsonencode": `jsonencode({ a = 1 }) == "{\"a\":1}"`,
		"yamldecode": `yamldecode("a: [9007199254740993, \"no\"]").a[0] == 9007199254740993`,
		"yamlencode": `yamldecode(yamlencode({ a = [1, "no", 0.1] })).a[1] == "no"`, "formatdate": `formatdate("YYYY", "2026-01-01T00:00:00Z") == "2026"`,
		"timeadd": `timeadd("2026-01-01T00:00:00Z", "1h") == "2026-01-01T01:00:00Z"`, "tobool": `tobool("true")`, "tostring": `tostring(1) == "1"`,
		"tonumber": `tonumber("1e3") == 1000`, "tolist": `tolist(["a"])[0] == "a"`, "toset": `length(toset(["a", "a"])) == 1`,
		"tomap": `tomap({ a = 1 }).a == 1`, "can": `!can({}.x)`, "try": `try({}.x, 1) == 1`, "file": `file("a.txt") == "hi"`,
		"fileexists": `fileexists("a.txt") && !fileexists("b.txt")`,
	}
	all := functions(nil)
	for name := range all {
		call, tested := calls[name]
		if !tested {
			t.Errorf("%s is not tested", name)
			continue
		}
		text := fmt.Sprintf("settings {\n  expect = { x = %s }\n}\n", call)
		p, err := load(t, map[string]string{"a.hcl": text, "a.txt": "hi"}, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if p.Expectations[0].Value != true {
			t.Errorf("%s: got %v", call, p.Expectations[0].Value)
		}
	}
	for _, name := range []string{"timestamp", "uuid", "env", "bcrypt", "plantimestamp"} {
		if _, ok := all[name]; ok {
			t.Errorf("%s would make a plan depend on more than its files", name)
		}
	}
}
