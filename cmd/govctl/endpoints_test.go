package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/openapi"
)

// endpointRow is a row of the README's table of endpoints.
var endpointRow = regexp.MustCompile("(?m)^\\| `([A-Z]+ /[^`]*)` \\| (.*) \\|$")

// TestEveryEndpointHasACommand walks the README's table: it has every endpoint of the
// contract once and no other, and the commands that it names exist.
func TestEveryEndpointHasACommand(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range endpointRow.FindAllStringSubmatch(string(readme), -1) {
		got = append(got, row[1])
		commands := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[2], -1)
		if len(commands) == 0 {
			t.Errorf("%s has no command", row[1])
		}
		for _, c := range commands {
			checkCommand(t, row[1], c[1])
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(contractEndpoints(t), got); diff != "" {
		t.Errorf("the README's table of endpoints (-openapi.yaml +README):\n%s", diff)
	}
}

// checkCommand looks a command line of the table up, with its flags. A command that writes
// must be there for an endpoint that is written.
func checkCommand(t *testing.T, endpoint, line string) {
	t.Helper()
	words := strings.Fields(line)
	root := (&app{}).root()
	c, rest, err := root.Find(words)
	if err != nil || c == root || !c.Runnable() {
		t.Errorf("%s: there is no command %q", endpoint, line)
		return
	}
	for _, flag := range rest {
		if c.Flags().Lookup(strings.TrimPrefix(flag, "--")) == nil {
			t.Errorf("%s: %q has no flag %s", endpoint, c.CommandPath(), flag)
		}
	}
	path := strings.TrimPrefix(c.CommandPath(), "govctl ")
	if _, writes := writers[path]; !writes && !strings.HasPrefix(endpoint, "GET ") {
		t.Errorf("%s: %q does not write", endpoint, path)
	}
}

// contractEndpoints are the operations of openapi.yaml that belong to the admin API.
func contractEndpoints(t *testing.T) []string {
	t.Helper()
	text, err := openapi.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var out []string
	for path, operations := range doc.Paths {
		for method := range operations {
			if slices.Contains([]string{"get", "put", "post", "patch", "delete"}, method) && strings.HasPrefix(path, "/api/") {
				out = append(out, strings.ToUpper(method)+" "+path)
			}
		}
	}
	slices.Sort(out)
	return out
}
