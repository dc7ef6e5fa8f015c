package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

const csvProject = "credit_limits {\n  users_from = [\"limits/**/*.csv\", \"limits/a.csv\"]\n}\n"

// Byte order marks, CRLF, empty lines, quotes and any order of columns are fine, and
// places are those of the file.
func TestCSV(t *testing.T) {
	t.Parallel()
	p := mustLoad(t, map[string]string{
		"a.hcl":             csvProject,
		"limits/a.csv":      "\xef\xbb\xbfreason,limit,email\r\n\r\n\"on call,\r\nalways\",5,B@example.com\r\n,9007199254740991,a@example.com\r\n",
		"limits/deep/b.csv": "email,limit\n\"c@example.com\",\"7\"",
		"limits/none.csv":   "email,limit\n",
		"limits/x.txt":      "not read",
	})
	w, err := p.Resolve(nil, today)
	if err != nil {
		t.Fatal(err)
	}
	want := []org.Limit{
		{Email: "a@example.com", Credits: org.MaxCredits, Why: "users_from", Source: org.Source{File: "limits/a.csv", Line: 5, Column: 19}},
		{Email: "b@example.com", Credits: 5, Why: "users_from", Reason: "on call,\nalways", Source: org.Source{File: "limits/a.csv", Line: 4, Column: 11}},
		{Email: "c@example.com", Credits: 7, Why: "users_from", Source: org.Source{File: "limits/deep/b.csv", Line: 2, Column: 1}},
	}
	if diff := cmp.Diff(want, w.Limits); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(p.Declared()) != 3 {
		t.Errorf("%d declared", len(p.Declared()))
	}
}

func TestCSVProblems(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"empty":             {"", "limits/a.csv:1:1: the file has no header\n"},
		"no header":         {"a@example.com,5\n", "limits/a.csv:1:1: unknown column \"a@example.com\"\nlimits/a.csv:1:15: unknown column \"5\"\n"},
		"misspelt column":   {"email,limits\n", "limits/a.csv:1:7: unknown column \"limits\"\n"},
		"column twice":      {"email,limit,email\n", "limits/a.csv:1:13: the column \"email\" stands twice\n"},
		"column missing":    {"email,reason\n", "limits/a.csv:1:1: the column \"limit\" is missing\n"},
		"semicolons":        {"email;limit\n", "limits/a.csv:1:1: unknown column \"email;limit\"\n"},
		"rows":              {"email,limit\na@example.com\nb@example.com,1,2\n", "limits/a.csv:2:1: the row has 1 fields, the header 2\nlimits/a.csv:3:15: the row has 3 fields, the header 2\n"},
		"stray quote":       {"email,limit\na\"b@example.com,1\nc@example,1\n", "limits/a.csv:2:2: not CSV: bare \" in non-quoted-field\nlimits/a.csv:3:1: \"c@example\": the domain must be a full name like example.com\n"},
		"open quote":        {"email,limit\n\"a@example.com,1\n", "limits/a.csv:2:18: not CSV: extraneous or missing \" in quoted-field\n"},
		"underscore":        {"email,limit\na@example.com,1_000\n", "limits/a.csv:2:15: the limit of a@example.com is not a whole number\n"},
		"spaces":            {"email,limit\na@example.com, 5\n", "limits/a.csv:2:15: the limit of a@example.com has spaces around it\n"},
		"leading zero":      {"email,limit\na@example.com,05\n", "limits/a.csv:2:15: the limit of a@example.com has a leading zero, which means different things to different readers\n"},
		"zero":              {"email,limit\na@example.com,0\n", "limits/a.csv:2:15: the limit of a@example.com is 0\n"},
		"negative":          {"email,limit\na@example.com,-5\n", "limits/a.csv:2:15: the limit of a@example.com is negative\n"},
		"fraction":          {"email,limit\na@example.com,5.0\n", "limits/a.csv:2:15: the limit of a@example.com is not a whole number\n"},
		"exponent":          {"email,limit\na@example.com,1e6\n", "limits/a.csv:2:15: the limit of a@example.com is not a whole number\n"},
		"too large":         {"email,limit\na@example.com,9007199254740992\n", "limits/a.csv:2:15: the limit of a@example.com is larger than 9007199254740991 (2^53-1); the service may round it\n"},
		"larger than int64": {"email,limit\na@example.com,99999999999999999999\n", "limits/a.csv:2:15: the limit of a@example.com is larger than 9007199254740991 (2^53-1); the service may round it\n"},
		"no limit":          {"email,limit\na@example.com,\n", "limits/a.csv:2:15: the limit of a@example.com has no value\n"},
		"full-width digits": {"email,limit\na@example.com,５\n", "limits/a.csv:2:15: the limit of a@example.com is not a whole number\n"},
		"twice":             {"email,limit\na@example.com,5\nA@example.com,5\n", "limits/a.csv:3:1: a@example.com is declared twice\n  also at limits/a.csv:2:1\n"},
		"column in bytes":   {"reason,email,limit\nä,a@example.com,x\n", "limits/a.csv:2:18: the limit of a@example.com is not a whole number\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, map[string]string{"a.hcl": csvProject, "limits/a.csv": test.text}, Options{})
			if err == nil {
				t.Fatalf("no problem in %q", test.text)
			}
			if diff := cmp.Diff(test.want, problemLines(t, err)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

// A problem in a streamed file still shows its line.
func TestCSVSnippet(t *testing.T) {
	t.Parallel()
	_, err := load(t, map[string]string{"a.hcl": csvProject, "limits/a.csv": "\xef\xbb\xbfemail,limit\r\na@example.com,x1\r\n"}, Options{})
	want := "limits/a.csv:2:15: the limit of a@example.com is not a whole number\n  | a@example.com,x1\n  |               ^^\n  hint: write digits only"
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
}
