package org_test

import (
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/org"
)

func TestRedactCommand(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"go test ./...":                            "go test ./...",
		"API_TOKEN=abc ./notify":                   "API_TOKEN=redacted ./notify",
		"notify --password 'a b' --to x":           "notify --password redacted --to x",
		"curl -H 'Authorization: Bearer abcdefgh'": "curl -H 'Authorization: Bearer redacted'",
		"curl https://u:p@h/?key=1":                "curl https://redacted@h/?key=redacted",
		"post xoxb-1234567890":                     "post redacted",
		"use sk-1234567890abc; echo":               "use redacted; echo",
		"curl -u \"basic dXNlcjpwYXNz\"":           "curl -u \"basic redacted\"",
	} {
		if got := org.RedactCommand(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// FuzzRedactCommand: a token that stands where tokens stand is never seen again, whatever
// is around it, and what was redacted stays as it is.
func FuzzRedactCommand(f *testing.F) {
	f.Add("curl -X POST ", " https://a@b/")
	f.Add("--token x ", "; echo 'y'")
	f.Fuzz(func(t *testing.T, before, after string) {
		const token = "c4n4ryc4n4ry"
		got := org.RedactCommand(before + " --api-key=" + token + " " + after)
		if strings.Contains(got, token) && !strings.Contains(before+after, token) {
			t.Errorf("%q: %q", before+"…"+after, got)
		}
	})
}
