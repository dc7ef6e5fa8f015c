package config

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"
)

// yamlBody is a YAML map read as the body of a block. A null is an empty body.
type yamlBody struct {
	file   *yamlFile
	node   *yaml.Node // nil for an empty file
	header hcl.Range  // of the name the map stands under
	hidden map[string]bool
}

// Content implements hcl.Body.
func (b *yamlBody) Content(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Diagnostics) {
	content, remain, diags := b.PartialContent(schema)
	rest := remain.(*yamlBody)
	pairs, _ := rest.pairs()
	for _, p := range pairs {
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagError,
			Summary:  unknownAttribute,
			Detail:   fmt.Sprintf("The name %q is not expected here.", p.key.Value),
			Subject:  b.file.at(p.key).Ptr(),
		})
	}
	return content, diags
}

// PartialContent implements hcl.Body.
func (b *yamlBody) PartialContent(schema *hcl.BodySchema) (*hcl.BodyContent, hcl.Body, hcl.Diagnostics) {
	content := &hcl.BodyContent{Attributes: hcl.Attributes{}, MissingItemRange: b.MissingItemRange()}
	remain := &yamlBody{file: b.file, node: b.node, header: b.header, hidden: map[string]bool{}}
	for k := range b.hidden {
		remain.hidden[k] = true
	}
	pairs, diags := b.pairs()
	found := map[string]hcl.Range{}
	for _, p := range pairs {
		name := p.key.Value
		attribute, blockSchema := named(schema, name)
		if !attribute && blockSchema == nil {
			continue
		}
		at := b.file.at(p.key)
		if first, twice := found[name]; twice {
			diags = append(diags, yamlTwice(name, at, first))
			continue
		}
		found[name] = at
		remain.hidden[name] = true
		if attribute {
			content.Attributes[name] = b.attribute(p)
			continue
		}
		u := yamlBlocks{file: b.file, name: name, at: at}
		u.unpack(p.value, blockSchema.LabelNames, hcl.Block{DefRange: at})
		content.Blocks = append(content.Blocks, u.blocks...)
		diags = append(diags, u.diags...)
	}
	return content, remain, diags
}

// JustAttributes implements hcl.Body.
func (b *yamlBody) JustAttributes() (hcl.Attributes, hcl.Diagnostics) {
	attrs := hcl.Attributes{}
	pairs, diags := b.pairs()
	for _, p := range pairs {
		if first, twice := attrs[p.key.Value]; twice {
			diags = append(diags, yamlTwice(p.key.Value, b.file.at(p.key), first.NameRange))
			continue
		}
		attrs[p.key.Value] = b.attribute(p)
	}
	return attrs, diags
}

// MissingItemRange implements hcl.Body.
func (b *yamlBody) MissingItemRange() hcl.Range { return b.header }

func (b *yamlBody) attribute(p yamlPair) *hcl.Attribute {
	at := b.file.at(p.key)
	expr := &yamlExpr{file: b.file, node: p.value}
	return &hcl.Attribute{Name: p.key.Value, Expr: expr, NameRange: at, Range: hcl.RangeBetween(at, expr.Range())}
}

type yamlPair struct{ key, value *yaml.Node }

// pairs lists the keys that are not hidden.
func (b *yamlBody) pairs() ([]yamlPair, hcl.Diagnostics) {
	if b.node == nil || isNull(b.node) {
		return nil, nil
	}
	if b.node.Kind != yaml.MappingNode {
		return nil, hcl.Diagnostics{{
			Severity: hcl.DiagError,
			Summary:  "A map is needed here",
			Extra:    hint("write names and values below this name"),
			Subject:  b.file.at(b.node).Ptr(),
		}}
	}
	var list []yamlPair
	for i := 0; i+1 < len(b.node.Content); i += 2 {
		if !b.hidden[b.node.Content[i].Value] {
			list = append(list, yamlPair{b.node.Content[i], b.node.Content[i+1]})
		}
	}
	return list, nil
}

// yamlBlocks turns a map of labels to bodies into blocks. A list of maps stands for
// several maps, so that blocks with the same label can be written.
type yamlBlocks struct {
	file   *yamlFile
	name   string
	at     hcl.Range
	blocks hcl.Blocks
	diags  hcl.Diagnostics
}

func (u *yamlBlocks) unpack(n *yaml.Node, labels []string, block hcl.Block) {
	if n.Kind == yaml.SequenceNode {
		for _, item := range n.Content {
			if item.Kind == yaml.SequenceNode {
				u.fail("write one list of maps", "A list in a list", item)
				continue
			}
			u.unpack(item, labels, block)
		}
		return
	}
	if len(labels) == 0 {
		block.Type, block.TypeRange = u.name, u.at
		block.Body = &yamlBody{file: u.file, node: n, header: block.DefRange}
		u.blocks = append(u.blocks, &block)
		return
	}
	if isNull(n) {
		return // nothing declared
	}
	if n.Kind != yaml.MappingNode {
		u.fail(fmt.Sprintf("write a map of each %s to what is declared", labels[0]), "A "+labels[0]+" is missing", n)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		labelled := block
		labelled.DefRange = u.file.at(n.Content[i])
		labelled.Labels = append(block.Labels[:len(block.Labels):len(block.Labels)], n.Content[i].Value)
		labelled.LabelRanges = append(block.LabelRanges[:len(block.LabelRanges):len(block.LabelRanges)], labelled.DefRange)
		u.unpack(n.Content[i+1], labels[1:], labelled)
	}
}

func (u *yamlBlocks) fail(advice, summary string, n *yaml.Node) {
	u.diags = append(u.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Extra: hint(advice), Subject: u.file.at(n).Ptr()})
}

func named(schema *hcl.BodySchema, name string) (attribute bool, block *hcl.BlockHeaderSchema) {
	for _, a := range schema.Attributes {
		if a.Name == name {
			return true, nil
		}
	}
	for i := range schema.Blocks {
		if schema.Blocks[i].Type == name {
			return false, &schema.Blocks[i]
		}
	}
	return false, nil
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// yamlTwice says the same as the HCL parser does for an attribute written twice.
func yamlTwice(name string, at, first hcl.Range) *hcl.Diagnostic {
	return &hcl.Diagnostic{
		Severity: hcl.DiagError,
		Summary:  attributeRedefined,
		Detail:   fmt.Sprintf("The argument %q was already set at %s.", name, first.String()),
		Subject:  at.Ptr(),
	}
}

// Summaries of hclsyntax that are recognised and reworded.
const (
	unknownAttribute   = "Unsupported argument"
	unknownBlock       = "Unsupported block type"
	attributeRedefined = "Attribute redefined"
	unknownVariable    = "Unknown variable"
)
