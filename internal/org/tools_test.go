package org_test

import (
	"strings"
	"testing"

	"github.com/govctl/govctl/internal/org"
)

// TestToolNames: the artefacts of parsing that the contract promises (C69, T43).
func TestToolNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"read_file": true, "mcp:git.status-2": true, "R": true, strings.Repeat("x", 128): true,
		"": false, strings.Repeat("x", 129): false, "2fast": false, "_x": false, "read file": false, `{"name":"x"}`: false, "é": false, "aé": false,
	} {
		if got := org.IsToolName(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}
