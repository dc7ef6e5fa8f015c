package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/yaml"
)

// ReadSettings reads a whole settings snapshot in JSON or YAML. JSON stays as it is
// written; YAML with a name twice or a second document is refused.
func ReadSettings(data []byte) (json.RawMessage, error) {
	if !json.Valid(data) {
		if line := secondDocument(data); line > 0 {
			return nil, fmt.Errorf("line %d: a second YAML document; settings are one", line)
		}
		text, err := yaml.YAMLToJSONStrict(data)
		if err != nil {
			return nil, fmt.Errorf("neither JSON nor YAML: %w", err)
		}
		if name := boolName(text); name != "" {
			return nil, fmt.Errorf("a name is read as %s: YAML takes y, n, yes, no, on and off for it; write the settings as JSON", name)
		}
		data = text
	}
	var o map[string]json.RawMessage
	if err := json.Unmarshal(data, &o); err != nil || o == nil {
		return nil, errors.New("settings are not an object")
	}
	return data, nil
}

// boolName finds a name that YAML made of a boolean, at any depth; "" is none. No setting
// is called true or false.
func boolName(text []byte) string {
	var list []json.RawMessage
	var o map[string]json.RawMessage
	if json.Unmarshal(text, &list) != nil && json.Unmarshal(text, &o) != nil {
		return ""
	}
	for _, name := range []string{"true", "false"} {
		if _, ok := o[name]; ok {
			return name
		}
	}
	for _, value := range slices.AppendSeq(list, maps.Values(o)) {
		if name := boolName(value); name != "" {
			return name
		}
	}
	return ""
}

// secondDocument is the line at which one begins, 0 for none. The YAML library would
// silently leave it out.
func secondDocument(data []byte) int {
	content := false
	for i, line := range bytes.Split(data, []byte("\n")) {
		line = bytes.TrimRight(line, " \t\r")
		switch {
		case bytes.Equal(line, []byte("---")) && content:
			return i + 1
		case len(line) > 0 && line[0] != '#' && !bytes.Equal(line, []byte("---")):
			content = true
		}
	}
	return 0
}
