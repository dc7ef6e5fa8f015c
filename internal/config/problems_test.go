package config

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

// All mistakes of several files are reported at once, each with its place, in the
// form a person reads.
func TestBrokenProjects(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob("testdata/broken/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no projects: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			_, err := Load(dir, Options{Now: today})
			if err == nil {
				t.Fatal("the project is not broken")
			}
			got := err.Error() + "\n"
			golden := filepath.Join(dir, "problems.golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Each mistake has its message and place. The first line of a text is line 1.
func TestProblems(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 64)
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"yaml octal", map[string]string{"a.yaml": "credit_limits: {default: 010}"},
			"a.yaml:1:26: a number with a leading zero means different things to different readers\n"},
		{"yaml 0o octal", map[string]string{"a.yaml": "credit_limits: {default: 0o10}"},
			"a.yaml:1:26: 0o10 is not a decimal number\n"},
		{"yaml hex", map[string]string{"a.yaml": "credit_limits: {default: 0x10}"},
			"a.yaml:1:26: 0x10 is not a decimal number\n"},
		{"yaml quoted limit", map[string]string{"a.yaml": "credit_limits: {default: \"10\"}"},
			"a.yaml:1:26: the limit of default is text\n"},
		{"yaml null limit", map[string]string{"a.yaml": "credit_limits: {default: }"},
			"a.yaml:1:26: the limit of default has no value\n"},
		{"yaml infinity", map[string]string{"a.yaml": "credit_limits: {default: .inf}"},
			"a.yaml:1:26: .inf is not a decimal number\n"},
		{"yaml switch word", map[string]string{"a.yaml": "models: {allow_custom: no}"},
			"a.yaml:1:24: the bare word no is true or false to some YAML readers\n"},
		{"hcl leading zero", map[string]string{"a.hcl": "credit_limits {\n  default = 010\n}"},
			"a.hcl:2:13: a number with a leading zero means different things to different readers\n"},
		{"hcl leading zero inside", map[string]string{"a.hcl": "credit_limits {\n  default = 2 * 010\n}"},
			"a.hcl:2:17: a number with a leading zero means different things to different readers\n"},
		{"hcl leading zero in text", map[string]string{"a.hcl": "credit_limits {\n  default = \"010\"\n}"},
			"a.hcl:2:13: the limit of default has a leading zero, which means different things to different readers\n"},
		{"hcl leading zero through tonumber", map[string]string{"a.hcl": "credit_limits {\n  default = tonumber(\"010\")\n}"},
			"a.hcl:2:23: invalid function argument: Invalid value for \"v\" parameter: \"010\" has a leading zero; it would mean different things to different readers\n"},
		{"hcl null", map[string]string{"a.hcl": "credit_limits {\n  default = null\n}"},
			"a.hcl:2:13: the limit of default has no value\n"},
		{"fraction", map[string]string{"a.hcl": "credit_limits {\n  default = 0.5\n}"},
			"a.hcl:2:13: the limit of default is a fraction\n"},
		{"negative", map[string]string{"a.hcl": "credit_limits {\n  default = -1\n}"},
			"a.hcl:2:13: the limit of default is negative\n"},
		{"rounded by the service", map[string]string{"a.hcl": "credit_limits {\n  default = 9007199254740992\n}"},
			"a.hcl:2:13: the limit of default is larger than 9007199254740991 (2^53-1); the service may round it\n"},
		{"larger than int64", map[string]string{"a.hcl": "credit_limits {\n  default = 18446744073709551616\n}"},
			"a.hcl:2:13: the limit of default is larger than 9007199254740991\n"},
		{"bool as limit", map[string]string{"a.hcl": "credit_limits {\n  default = true\n}"},
			"a.hcl:2:13: the limit of default must be a number, not true or false\n"},
		{"zero", map[string]string{"a.hcl": "credit_limits {\n  users = { \"a@example.com\" = 0 }\n}"},
			"a.hcl:2:31: the limit of a@example.com is 0\n"},
		{"folded twice", map[string]string{"a.hcl": "credit_limits {\n  users = {\n    \"Bob@Corp.com\" = 1\n    \"bob@corp.com\" = 1\n  }\n}"},
			"a.hcl:4:5: bob@corp.com is declared twice\n  also at a.hcl:3:5\n"},
		{"twice in hcl and csv", map[string]string{
			"a.hcl": "credit_limits {\n  users_from = [\"l/*.csv\"]\n  users = { \"bob@corp.com\" = 1 }\n}", "l/x.csv": "limit,email\r\n5,BOB@corp.com\r\n"},
			"l/x.csv:2:3: bob@corp.com is declared twice\n  also at a.hcl:3:13\n"},
		{"kelvin sign is not a K", map[string]string{"a.hcl": "credit_limits {\n  users = { \"\u212Aate@example.com\" = 1 }\n}"},
			"a.hcl:2:13: \"Kate@example.com\": the character U+212A looks like \"K\" but is another one\n"},
		{"display name", map[string]string{"a.yaml": "credit_limits: {users: {\"Bob <b@example.com>\": 1}}"},
			"a.yaml:1:25: \"Bob <b@example.com>\": an address has no spaces or control characters; declare one address, without a display name\n"},
		{"ignored", map[string]string{"a.hcl": "credit_limits {\n  ignore = [\"*@P.example.com\"]\n  users = { \"a@p.example.com\" = 1 }\n  group \"g\" {\n    limit = 1\n    members = [\"b@p.example.com\"]\n  }\n  boost \"c@p.example.com\" {\n    limit = 1\n    until = \"2027-01-01\"\n  }\n}"},
			"a.hcl:3:13: a@p.example.com is declared and ignored by \"*@P.example.com\"\n  also at a.hcl:2:13\n" +
				"a.hcl:6:16: b@p.example.com is declared and ignored by \"*@P.example.com\"\n  also at a.hcl:2:13\n" +
				"a.hcl:8:9: c@p.example.com is declared and ignored by \"*@P.example.com\"\n  also at a.hcl:2:13\n"},
		{"overlapping boosts", map[string]string{"a.yaml": "credit_limits:\n  boost:\n    a@example.com:\n    - {limit: 1, until: 2026-12-01}\n    - {limit: 2, from: 2026-12-01, until: 2026-12-31}\n"},
			"a.yaml:3:5: two boosts of a@example.com overlap\n  also at a.yaml:3:5\n"},
		{"merged attribute twice", map[string]string{"a.hcl": "credit_limits {\n  default = 1\n}", "b.yaml": "credit_limits: {default: 1}"},
			"b.yaml:1:17: default of credit_limits is declared twice\n  also at a.hcl:2:3\n"},
		{"attribute twice in one block", map[string]string{"a.hcl": "service {\n  organization = \"a\"\n  organization = \"b\"\n}", "b.yaml": "ledger:\n  url: file:x\n  url: file:y\n"},
			"a.hcl:3:3: attribute redefined: argument \"organization\" is declared twice\n  also at a.hcl:2:3\n" +
				"b.yaml:3:3: attribute redefined: argument \"url\" is declared twice\n  also at b.yaml:2:3\n"},
		{"yaml settings key twice", map[string]string{"a.yaml": "settings:\n  expect:\n    list:\n    - {a: 1, b: 2, a: 3}\n"},
			"a.yaml:4:20: attribute redefined: argument \"a\" is declared twice\n  also at a.yaml:4:8\n"},
		{"singleton twice", map[string]string{"a.hcl": "service {}", "b.hcl": "service {}"},
			"b.hcl:1:1: service is declared twice\n  also at a.hcl:1:1\n"},
		{"computer twice", map[string]string{"a.hcl": "computer \"x\" { provider = \"byom\" }", "b.yaml": "computer: {x: {provider: byom}}"},
			"b.yaml:1:12: computer \"x\" is declared twice\n  also at a.hcl:1:10\n"},
		{"computer id twice", map[string]string{"a.yaml": "computer:\n  x: {provider: byom, id: c1}\n  y: {provider: byom, id: c1}\n"},
			"a.yaml:3:27: the computer id \"c1\" is declared twice\n  also at a.yaml:2:27\n"},
		{"computer bounds", map[string]string{"a.yaml": "computer:\n  " + long + ": {provider: byom}\n  ..: {provider: byom, remote_user: " + long + ", host_id: 6f1c}\n  \"a\\tb\": {provider: byom, on_create: {repos: [git.example.com], source: {}}}\n"},
			"a.yaml:2:3: the name of a computer has 64 characters; the service takes 1 to 63\n" +
				"a.yaml:3:3: the name of a computer cannot be \"..\": it would change the address it is read at\n" +
				"a.yaml:3:37: remote_user has 64 characters; the service takes 1 to 63\n" +
				"a.yaml:3:112: host_id is not a UUID\n" +
				"a.yaml:4:3: the name of a computer contains a control character\n" +
				"a.yaml:4:48: an element of repos is not an absolute address\n" +
				"a.yaml:4:74: source has no kind\n"},
		{"swapped names", map[string]string{"a.hcl": "computer \"a\" {\n  provider = \"byom\"\n  previously = [\"b\"]\n}\ncomputer \"b\" {\n  provider = \"byom\"\n  previously = [\"a\"]\n}"},
			"a.hcl:3:17: two names cannot be swapped: the API renames one computer at a time, and names are unique\n  also at a.hcl:5:10\n" +
				"a.hcl:7:17: two names cannot be swapped: the API renames one computer at a time, and names are unique\n  also at a.hcl:1:10\n"},
		{"previous name is declared", map[string]string{"a.hcl": "computer \"a\" {\n  provider = \"byom\"\n  previously = [\"b\"]\n}\ncomputer \"b\" {\n  provider = \"byom\"\n}"},
			"a.hcl:3:17: the previous name \"b\" is declared as a computer of its own\n  also at a.hcl:5:10\n"},
		{"reset without target", map[string]string{"a.hcl": "models {\n  sessions = \"reset\"\n}"},
			"a.hcl:2:3: sessions = reset needs reset_to\n"},
		{"reset to a blocked model", map[string]string{"a.hcl": "models {\n  blocked = [\"m\"]\n  sessions = \"reset\"\n  reset_to = \"m\"\n}"},
			"a.hcl:4:14: reset_to names \"m\", which the models block does not permit\n"},
		{"models and settings on one pointer", map[string]string{"a.hcl": "models {\n  allow_custom = true\n}\nsettings {\n  expect = { modelPolicy = { allowCustomModels = true } }\n}"},
			"a.hcl:5:30: /modelPolicy/allowCustomModels is expected twice\n  also at a.hcl:2:3\n"},
		{"contradicting expectations", map[string]string{"a.hcl": "settings {\n  expect = { a = 1 }\n}", "b.hcl": "settings {\n  expect = { a = { b = 1 } }\n  absent = [\"/a\"]\n}"},
			"b.hcl:2:20: the expectations of /a and /a/b contradict each other\n  also at a.hcl:2:14\n" +
				"b.hcl:3:13: /a is expected twice\n  also at a.hcl:2:14\n"},
		{"bad pointer", map[string]string{"a.yaml": "settings: {absent: [customModels, /a~2]}"},
			"a.yaml:1:21: \"customModels\" is not a JSON pointer\n" +
				"a.yaml:1:35: \"/a~2\" is not a JSON pointer\n"},
		{"secrets", map[string]string{"a.hcl": "service {\n  api_key = \"sk-live-1\"\n  base_url = \"https://u:sk-live-1@example.com\"\n}\nsettings {\n  expect = { customModels = [{ apiKey = \"sk-live-1\" }] }\n}"},
			"a.hcl:2:3: \"api_key\" is a secret; secrets never stand in configuration\n" +
				"a.hcl:3:14: base_url contains credentials; secrets never stand in configuration\n" +
				"a.hcl:6:14: the expectation of /customModels is a secret; secrets never stand in configuration\n"},
		{"shares", map[string]string{"a.yaml": "readiness: {default: {min_score: 70, criteria: {lint: \"1\"}}}"},
			"a.yaml:1:34: min_score is a share, from 0 to 1\n" +
				"a.yaml:1:55: criterion lint must be a number, not text\n"},
		{"times", map[string]string{"a.yaml": "readiness: {default: {max_age: 30}}\ncredit_limits: {reassert_after: 0d, boost: {a@example.com: {limit: 1, until: 2026-2-1}}}"},
			"a.yaml:1:32: max_age must be text, not a number\n" +
				"a.yaml:2:33: reassert_after is not a length of time: \"0d\"\n" +
				"a.yaml:2:78: until is not a day: \"2026-2-1\"\n"},
		{"waiver without end", map[string]string{"a.yaml": "policy: {waiver: {KEY001: {reason: x}}}"},
			"a.yaml:1:19: waiver \"KEY001\" needs expires\n"},
		{"policy path outside", map[string]string{"a.yaml": "policy: {paths: [../x, /etc, none]}"},
			"a.yaml:1:18: the policy path \"../x\" is not inside the project\n" +
				"a.yaml:1:24: the policy path \"/etc\" is not inside the project\n" +
				"a.yaml:1:30: the policy path \"none\" cannot be read: no such file or directory\n"},
		{"local cycle", map[string]string{"a.hcl": "locals {\n  a = local.b\n  b = [local.c]\n  c = local.a\n}"},
			"a.hcl:2:3: local \"a\" refers to itself: a -> b -> c -> a\n"},
		{"variable without value", map[string]string{"a.hcl": "variable \"x\" {}\nservice {\n  organization = var.x\n}"},
			"a.hcl:1:10: variable \"x\" has no value\n"},
		{"variable with a wrong default", map[string]string{"a.hcl": "variable \"x\" {\n  type = number\n  default = \"a\"\n}"},
			"a.hcl:3:13: the value of variable \"x\" does not fit its type: a number is required\n"},
		{"users is no map", map[string]string{"a.yaml": "credit_limits: {users: [a@example.com]}", "b.hcl": "credit_limits {\n  users = [\"a@example.com\"]\n}"},
			"a.yaml:1:24: users must be a map\n" +
				"b.hcl:2:11: users must be a map, not a list\n"},
		{"pattern without files", map[string]string{"a.yaml": "credit_limits: {users_from: [l/*.csv, ../*.csv, \"[\"]}"},
			"a.yaml:1:30: \"l/*.csv\" matches no file\n" +
				"a.yaml:1:39: \"../*.csv\": only files inside the project can be read, by relative path that stays in it\n" +
				"a.yaml:1:49: \"[\" is not a pattern\n"},
		{"group that selects nobody", map[string]string{"a.hcl": "credit_limits {\n  group \"g\" { limit = 1 }\n}"},
			"a.hcl:2:3: group \"g\" selects nobody\n"},
		{"where in quotes", map[string]string{"a.hcl": "credit_limits {\n  group \"g\" {\n    limit = 1\n    where = \"user.id == 1\"\n  }\n}"},
			"a.hcl:4:13: where must be true or false, not text\n"},
		{"where names", map[string]string{"a.yaml": "credit_limits:\n  group:\n    g:\n      limit: 1\n      where: |\n\n        user.metadata.x == 1 ||\n          usr.id == uper(user.emial)\n"},
			"a.yaml:8:11: there is no variable \"usr\"\n" +
				"a.yaml:8:21: there is no function \"uper\"\n" +
				"a.yaml:8:31: a user has no attribute \"emial\"\n"},
		{"declared twice under a label", map[string]string{"a.yaml": "credit_limits: {group: [{g: {limit: 1, members: [a@example.com, A@example.com]}}, {g: {limit: 1}}]}\nreadiness: {repository: [{\"https://a.example\": {}}, {\"https://a.example\": {}}]}\npolicy: {disable: [A1, A1], severity: {A1: low, A1: high}, parameters: {p: 1, p: 2}}"},
			"a.yaml:1:65: a@example.com stands twice in members\n  also at a.yaml:1:50\n" +
				"a.yaml:1:84: group \"g\" is declared twice\n  also at a.yaml:1:26\n" +
				"a.yaml:2:54: repository \"https://a.example\" is declared twice\n  also at a.yaml:2:27\n" +
				"a.yaml:3:24: \"A1\" stands twice in the list\n  also at a.yaml:3:20\n" +
				"a.yaml:3:49: \"A1\" is declared twice\n  also at a.yaml:3:40\n" +
				"a.yaml:3:79: the parameter \"p\" is declared twice\n  also at a.yaml:3:73\n"},
		{"computed values of the wrong kind", map[string]string{"a.hcl": "locals {\n  n = 5\n}\nsettings {\n  expect = local.n\n  absent = local.n\n}\npolicy {\n  severity = local.n\n  parameters = local.n\n  disable = [local.n, \"A 1\"]\n}\nmodels {\n  allowed = concat([\"m\"], [null])\n  allow_custom = \"true\"\n}"},
			"a.hcl:5:12: expect must be an object\n" +
				"a.hcl:6:12: absent must be a list, not a number\n" +
				"a.hcl:9:14: severity must be an object, not a number\n" +
				"a.hcl:10:16: parameters must be an object\n" +
				"a.hcl:11:14: an element of disable must be text, not a number\n" +
				"a.hcl:11:23: \"A 1\" is not a rule id\n" +
				"a.hcl:14:13: an element of allowed must be text, not null\n" +
				"a.hcl:15:18: allow_custom must be true or false, not text\n"},
		{"groups", map[string]string{"a.yaml": "credit_limits:\n  group:\n    g: {match: [\"[\"], priority: 1.5}\n"},
			"a.yaml:3:5: group \"g\" needs limit\n" +
				"a.yaml:3:17: not a pattern: glob: syntax error at 1: unexpected end of input\n" +
				"a.yaml:3:33: priority must be a whole number\n"},
		{"duplicate keys inside a computed value", map[string]string{"a.hcl": "settings {\n  expect = merge({ a = 1, a = 2 }, {})\n}"},
			"a.hcl:2:27: \"a\" is declared twice\n  also at a.hcl:2:20\n"},
		{"numbers beyond all use", map[string]string{"a.hcl": "settings {\n  expect = { a = 1e9999 }\n}"},
			"a.hcl:2:18: this number is too large or too small to be written out\n"},
		{"ledger", map[string]string{"a.yaml": "ledger: {url: /var/ledger}", "b.yaml": "ledger: {url: \"file:x\"}"},
			"a.yaml:1:15: url of ledger has no scheme\n" +
				"b.yaml:1:1: ledger is declared twice\n  also at a.yaml:1:1\n"},
		{"boost", map[string]string{"a.yaml": "credit_limits: {boost: {\"a b\": {}, b@example.com: {limit: x, from: 2027-02-01, until: 2027-01-01}}}"},
			"a.yaml:1:25: \"a b\": an address has no spaces or control characters; declare one address, without a display name\n" +
				"a.yaml:1:25: boost \"a b\" needs limit\n" +
				"a.yaml:1:25: boost \"a b\" needs until\n" +
				"a.yaml:1:59: the limit of b@example.com must be a number, not text\n"},
		{"yamldecode", map[string]string{"a.hcl": "locals {\n  a = yamldecode(\"a: 010\")\n  b = yamldecode(\"[\")\n}"},
			"a.hcl:2:19: invalid function argument: Invalid value for \"src\" parameter: line 1: a number with a leading zero means different things to different readers\n" +
				"a.hcl:3:19: invalid function argument: Invalid value for \"src\" parameter: line 1: not YAML: did not find expected node content\n"},
		{"positions count bytes", map[string]string{"a.yaml": "settings: {expect: {\"größe\": {x: no}}}", "b.hcl": "settings {\n  expect = { \"größe\" = { y = 010 } }\n}"},
			"a.yaml:1:36: the bare word no is true or false to some YAML readers\n" +
				"b.hcl:2:32: a number with a leading zero means different things to different readers\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, err := load(t, test.files, Options{})
			if err == nil {
				t.Fatalf("got %+v, want problems", p)
			}
			if diff := cmp.Diff(test.want, problemLines(t, err)); diff != "" {
				t.Errorf("(-want +got):\n%s\nfiles: %q", diff, test.files)
			}
		})
	}
}

// A secret in a file never reaches an error message, not even through a snippet.
func TestProblemsShowNoSecrets(t *testing.T) {
	t.Parallel()
	for _, files := range []map[string]string{
		{"a.hcl": "service {\n  api_key = \"sk-live-1\"\n}"},
		{"a.hcl": "service {\n  api_key = sk-live-1\n}"},
		{"a.hcl": "service {\n  api_key = \"sk-live-1\n}"},
		{"a.yaml": "service:\n  token: \"sk-live-1\n"},
		{"a.yaml": "service: {base_url: \"https://me:sk-live-1@example.com\"}"},
		{"a.yaml": "ledger: {url: \"postgres://me:sk-live-1@example.com/x\"}"},
		{"a.yaml": "settings: {expect: {customModels: [{apiKey: sk-live-1}]}}"},
		{"a.yaml": "models: {allowed_base_urls: [\"https://me:sk-live-1@example.com\"]}"},
		{"a.yaml": "computer: {x: {provider: byom, on_create: {source: {kind: x, token: sk-live-1}}}}"},
		{"a.yaml": "readiness: {repository: {\"https://me:sk-live-1@example.com\": {}}}"},
	} {
		_, err := load(t, files, Options{})
		if err == nil {
			t.Errorf("no problem in %q", files)
		} else if strings.Contains(err.Error(), "sk-live-1") {
			t.Errorf("the secret shows:\n%v", err)
		}
	}
}

// Names that do not exist lead to those that do, in both syntaxes.
func TestDidYouMean(t *testing.T) {
	t.Parallel()
	tests := []struct{ file, text, name, hint string }{
		{"a.hcl", "sevice {}", "sevice", `did you mean "service"?`},
		{"a.yaml", "Service: {}", "Service", `did you mean "service"?`},
		{"a.yaml", "credit-limits: {}", "credit-limits", `did you mean "credit_limits"?`},
		{"a.hcl", "credit_limits {\n  user = {}\n}", "user", `did you mean "users"?`},
		{"a.yaml", "models: {alowed: []}", "alowed", `did you mean "allowed"?`},
		{"a.hcl", "computer \"x\" {\n  provider = \"byon\"\n}", "byon", `did you mean "byom"? (one of: byom, sandbox_vendor)`},
		{"a.hcl", "computer \"x\" {\n  provider = \"byom\"\n  on_create = {}\n}", "on_create", "write on_create { … }"},
		{"a.hcl", "settings {\n  expect {\n  }\n}", "expect", "write expect = …"},
		{"a.hcl", "variable \"credits\" { default = 1 }\ncredit_limits {\n  default = var.credit\n}", "var.credit", `did you mean "credits"?`},
		{"a.hcl", "service {\n  organization = uper(\"x\")\n}", "uper", `did you mean "upper"?`},
		{"a.hcl", "service {\n  organization = acme\n}", "acme", "quote it if it is text"},
	}
	for _, test := range tests {
		_, err := load(t, map[string]string{test.file: test.text}, Options{})
		ps, ok := err.(Problems)
		if !ok || len(ps) != 1 {
			t.Errorf("%s: got %v, want one problem", test.text, err)
			continue
		}
		if !strings.Contains(ps[0].Message, test.name) || ps[0].Hint != test.hint {
			t.Errorf("%s: got %q, hint %q; want %q, hint %q", test.text, ps[0].Message, ps[0].Hint, test.name, test.hint)
		}
	}
}

// Long lines are cut around the mistake; tabs and wide text keep carets in place.
func TestSnippets(t *testing.T) {
	t.Parallel()
	pad := strings.Repeat("ä", 300)
	tests := []struct{ text, want string }{
		{"service {\n\tunknown = 1\n}", "a.hcl:2:2: unknown name \"unknown\"\n  | \tunknown = 1\n  | \t^^^^^^^\n  hint: known here: app_url, base_url, organization"},
		{"settings {\n  expect = { \"" + pad + "\" = 010, \"" + pad + "x\" = 1 }\n}",
			"a.hcl:2:619: a number with a leading zero means different things to different readers\n  | " +
				strings.Repeat("ä", 38) + "\" = 010, \"" + strings.Repeat("ä", 37) + "\n  | " + strings.Repeat(" ", 42) + "^^^\n  hint: drop the zeros, or quote it if it is text"},
		{"service {\n  organization = \"a\x1b[31m\" + 1\n}", ""},
	}
	for _, test := range tests {
		_, err := load(t, map[string]string{"a.hcl": test.text}, Options{})
		if err == nil {
			t.Fatalf("%q: no problem", test.text)
		}
		if strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: a control character is printed", test.text)
		}
		if test.want != "" && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("got:\n%s\nwant:\n%s", err, test.want)
		}
	}
}
