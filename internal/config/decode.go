package config

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// decoder turns blocks into nouns and reports what is wrong with them. The methods
// that read a value return false after they have reported why there is none.
type decoder struct {
	*report
	ctx    *hcl.EvalContext
	broken bool // a file did not parse, so a missing name may stand there

	variables []string // declared names, for suggestions
	locals    []string
}

// section is all blocks of one kind, read as one.
type section struct {
	name   string
	where  hcl.Range // header of the first block; something missing is reported here
	attrs  map[string][]*hcl.Attribute
	blocks map[string][]*hcl.Block
}

// names builds a schema of attributes without labels.
func names(attributes ...string) *hcl.BodySchema {
	s := &hcl.BodySchema{}
	for _, a := range attributes {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: a})
	}
	return s
}

// with adds a block type to a schema.
func with(s *hcl.BodySchema, name string, labels ...string) *hcl.BodySchema {
	s.Blocks = append(s.Blocks, hcl.BlockHeaderSchema{Type: name, LabelNames: labels})
	return s
}

// section reads blocks by a schema. Unknown names are reported.
func (d *decoder) section(name string, schema *hcl.BodySchema, blocks ...*hcl.Block) *section {
	s := &section{name: name, attrs: map[string][]*hcl.Attribute{}, blocks: map[string][]*hcl.Block{}}
	for i, b := range blocks {
		if i == 0 {
			s.where = b.DefRange
		}
		content := d.content(b.Body, schema)
		for _, a := range schema.Attributes {
			if attr := content.Attributes[a.Name]; attr != nil {
				s.attrs[a.Name] = append(s.attrs[a.Name], attr)
			}
		}
		for _, inner := range content.Blocks {
			s.blocks[inner.Type] = append(s.blocks[inner.Type], inner)
		}
	}
	return s
}

func (d *decoder) content(body hcl.Body, schema *hcl.BodySchema) *hcl.BodyContent {
	content, diags := body.Content(schema)
	for _, diag := range diags {
		if diag.Summary == unknownAttribute || diag.Summary == unknownBlock {
			d.unknown(*diag.Subject, schema)
			continue
		}
		d.diagnostic(diag, "")
	}
	return content
}

// unknown reports a name that the schema does not have.
func (d *decoder) unknown(at hcl.Range, schema *hcl.BodySchema) {
	name := strings.Trim(string(d.text(at)), `"'`)
	attribute, block := named(schema, name)
	switch {
	case attribute:
		d.error(at, "write "+name+" = …", "%q is a value, not a block", name)
		return
	case block != nil:
		d.error(at, "write "+name+strings.Repeat(` "…"`, len(block.LabelNames))+" { … }", "%q is a block, not a value", name)
		return
	case secretName(name):
		d.leak(at, secretHint, "%q is a secret; secrets never stand in configuration", name)
		return
	}
	var known []string
	for _, a := range schema.Attributes {
		known = append(known, a.Name)
	}
	for _, b := range schema.Blocks {
		known = append(known, b.Type)
	}
	slices.Sort(known)
	d.error(at, didYouMean(name, known), "unknown name %q", name)
}

// secretHint tells where a credential comes from instead.
const secretHint = "the key comes from GOVCTL_API_KEY, GOVCTL_API_KEY_FILE or GOVCTL_API_KEY_COMMAND"

func secretName(name string) bool {
	plain := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
	for _, word := range []string{"apikey", "token", "secret", "password", "credential", "authorization", "bearer", "privatekey", "writekey"} {
		if strings.Contains(plain, word) {
			return true
		}
	}
	return plain == "key"
}

// single makes a section of the one block that may exist.
func (d *decoder) single(name string, schema *hcl.BodySchema, blocks []*hcl.Block) *section {
	for _, b := range blocks[1:] {
		d.twice(b.DefRange, blocks[0].DefRange, "keep one of them", "%s is declared twice", name)
	}
	return d.section(name, schema, blocks[0])
}

// one is the attribute of that name, nil if it was not written. Written in several
// blocks it is a problem.
func (d *decoder) one(s *section, name string) *hcl.Attribute {
	list := s.attrs[name]
	if len(list) == 0 {
		return nil
	}
	for _, a := range list[1:] {
		d.twice(a.NameRange, list[0].NameRange, "keep one of them", "%s of %s is declared twice", name, s.name)
	}
	return list[0]
}
