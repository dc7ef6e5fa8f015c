package config

import (
	"errors"
	"testing"
)

func TestFormat(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "",
		"service{\nbase_url=\"embedded:\"\n organization  =  \"o\"}":   "service {\n  base_url = \"embedded:\"\n organization  =  \"o\" }\n",
		"service {\nbase_url=\"embedded:\"\norganization=\"o\" # x\n}": "service {\n  base_url     = \"embedded:\"\n  organization = \"o\" # x\n}\n",
		"\xef\xbb\xbfledger {}": "ledger {}\n",
	} {
		got, err := Format([]byte(in), "a.hcl")
		var ps Problems
		if errors.As(err, &ps) {
			if in[:7] != "service" || len(ps) == 0 {
				t.Errorf("%q: %v", in, err)
			}
			continue
		}
		if err != nil || string(got) != want {
			t.Errorf("%q: got %q, %v; want %q", in, got, err, want)
		}
		if again, err := Format(got, "a.hcl"); err != nil || string(again) != want {
			t.Errorf("%q: formatting twice gives %q, %v", in, again, err)
		}
	}
	if _, err := Format([]byte("service: {}"), "a.yaml"); err == nil {
		t.Error("YAML was formatted")
	}
	_, err := Format([]byte("a {\n  b = \n}"), "dir/a.hcl")
	if got := problemLines(t, err); got != "dir/a.hcl:2:7: invalid expression: Expected the start of an expression, but found an invalid expression token\n" {
		t.Errorf("got %s", got)
	}
}
