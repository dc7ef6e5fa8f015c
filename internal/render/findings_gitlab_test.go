package render

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"
)

// jsonSchema reads testdata/schemas/NAME.
func jsonSchema(name string) (*jsonschema.Schema, error) {
	text, err := os.ReadFile(filepath.Join("testdata", "schemas", name))
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
}

var gitlabSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return jsonSchema("gitlab-code-quality.json") })

// checkGitLab holds what GitLab asks of a Code Quality report.
func checkGitLab(t rapid.TB, out string) {
	t.Helper()
	checkHarmless(t, out)
	schema, err := gitlabSchema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var list []gitlabIssue
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range list {
		if seen[e.Fingerprint] {
			t.Fatalf("two entries with the fingerprint of %+v", e)
		}
		seen[e.Fingerprint] = true
	}
}
