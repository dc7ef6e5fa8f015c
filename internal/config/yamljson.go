package config

import (
	"encoding/json"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"
	sigs "sigs.k8s.io/yaml"

	"github.com/govctl/govctl/internal/org"
)

// json gives a subtree the meaning the Kubernetes world gives it, through
// sigs.k8s.io/yaml. What that reader would guess at or round is settled before and
// after: Value refuses doubtful scalars, text is passed in quotes, and numbers are
// put back digit by digit.
func (e *yamlExpr) json() (any, hcl.Diagnostics) {
	if _, diags := e.Value(nil); diags.HasErrors() {
		return nil, diags
	}
	text, err := yaml.Marshal(quoted(e.node))
	if err == nil {
		text, err = sigs.YAMLToJSONStrict(text)
	}
	var v any
	if err == nil {
		v, err = org.DecodeJSON(text)
	}
	if err != nil {
		return nil, e.fail("this value has no form in JSON", err.Error())
	}
	return exactNumbers(v, e.node), nil
}

// quoted copies a subtree with every text and key in quotes and without numbers: that
// reader takes a bare y for true, and large numbers through float64.
func quoted(n *yaml.Node) *yaml.Node {
	c := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value}
	if n.Kind == yaml.ScalarNode && (n.Tag == "!!str" || n.Tag == "!!timestamp") {
		c.Tag, c.Style = "!!str", yaml.DoubleQuotedStyle
	}
	if n.Tag == "!!int" || n.Tag == "!!float" {
		c.Tag, c.Value = "!!int", "0" // exactNumbers puts the digits back
	}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			c.Content = append(c.Content, &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle, Tag: "!!str", Value: child.Value})
			continue
		}
		c.Content = append(c.Content, quoted(child))
	}
	return c
}

// exactNumbers replaces the numbers of v by the digits that stand in the file.
func exactNumbers(v any, n *yaml.Node) any {
	switch x := v.(type) {
	case map[string]any:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			x[key] = exactNumbers(x[key], n.Content[i+1])
		}
		return x
	case []any:
		for i := range x {
			x[i] = exactNumbers(x[i], n.Content[i])
		}
		return x
	}
	if n.Tag == "!!int" || n.Tag == "!!float" {
		if digits, err := yamlNumber(n.Value); err == nil {
			return json.Number(digits)
		}
	}
	return v
}

// yamlText reads text with the same rules as a file, for yamldecode().
func yamlText(text string) (any, error) {
	r := newReport()
	f := parseYAML(r, "yaml", []byte(text))
	if f == nil {
		return nil, problemText(r)
	}
	if f.root == nil {
		return nil, nil
	}
	v, diags := (&yamlExpr{file: f, node: f.root}).json()
	if diags.HasErrors() {
		r.diagnostics(diags)
		return nil, problemText(r)
	}
	return v, nil
}

// problemText is the first problem in one line: function errors have no places.
func problemText(r *report) error {
	p := r.problems[0]
	return fmt.Errorf("line %d: %s", p.Source.Line, p.Message)
}

// numberNodes prepares decoded JSON for yaml.Marshal, which would quote json.Number.
func numberNodes(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k := range x {
			x[k] = numberNodes(x[k])
		}
	case []any:
		for i := range x {
			x[i] = numberNodes(x[i])
		}
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: string(x)}
	}
	return v
}
