package config

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Load reads the project in dir: every *.hcl, *.yaml and *.yml file directly in it
// that is not hidden. Their order and number do not matter. The error is Problems
// when the files are wrong, with all that is wrong with them; any other error is one
// of input and output.
func Load(dir string, o Options) (*Project, error) {
	f, err := openFiles(dir)
	if err != nil {
		return nil, err
	}
	defer f.root.Close()
	r := newReport()
	r.reread = f.read
	paths, err := f.names()
	if err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		return nil, Problems{{
			Severity: SeverityError,
			Message:  fmt.Sprintf("no *.hcl, *.yaml or *.yml files in %s", dir),
			Hint:     "write a govctl.hcl; examples/quickstart has a whole project to copy",
		}}
	}
	d := &decoder{report: r, ctx: &hcl.EvalContext{Variables: map[string]cty.Value{}, Functions: functions(f)}}
	blocks := map[string][]*hcl.Block{}
	for _, name := range paths {
		if err := d.file(f, name, blocks); err != nil {
			return nil, err
		}
	}
	l := loader{decoder: d, files: f, options: o, project: &Project{Dir: dir}}
	l.decode(blocks)
	problems := r.all()
	if problems.hasErrors() {
		return nil, problems
	}
	l.project.Warnings = problems
	return l.project, nil
}

// topLevel is what may stand in a file; YAML has no variables and locals.
func topLevel() *hcl.BodySchema {
	s := &hcl.BodySchema{}
	for _, name := range []string{"service", "ledger", "locals", "credit_limits", "models", "settings", "readiness", "policy", "hooks", "drift"} {
		with(s, name)
	}
	with(s, "variable", "name")
	with(s, "computer", "name")
	return s
}

// file reads one file and sorts its blocks by name. Of a file that does not parse
// only the declarations others may refer to are kept: the rest would add noise.
func (d *decoder) file(f *files, name string, blocks map[string][]*hcl.Block) error {
	src, err := f.read(name)
	if err != nil {
		return err
	}
	src = bytes.TrimPrefix(src, utf8BOM)
	var body hcl.Body
	before := len(d.problems)
	if isYAML(path.Ext(name)) {
		if y := parseYAML(d.report, name, src); y != nil {
			body = &yamlBody{file: y, node: y.root, header: y.span(0, 0)}
		}
	} else {
		d.keep(name, src)
		if h := parseHCL(d.report, name, src); h != nil {
			body = h.Body
		}
	}
	whole := !d.problems[before:].hasErrors()
	d.broken = d.broken || !whole
	switch {
	case body == nil:
	case whole:
		for _, b := range d.content(body, topLevel()).Blocks {
			if _, yaml := b.Body.(*yamlBody); yaml && (b.Type == "variable" || b.Type == "locals") {
				d.error(b.TypeRange, b.Type+" is HCL only; move it to a *.hcl file, or write the values out", "YAML is literal and has no %s", b.Type)
				continue
			}
			blocks[b.Type] = append(blocks[b.Type], b)
		}
	default:
		content, _, _ := body.PartialContent(topLevel())
		for _, b := range content.Blocks {
			if b.Type == "variable" || b.Type == "locals" {
				blocks[b.Type] = append(blocks[b.Type], b)
			}
		}
	}
	return nil
}

// loader decodes the blocks of a project.
type loader struct {
	*decoder
	files   *files
	options Options
	project *Project
}

func (l *loader) decode(blocks map[string][]*hcl.Block) {
	p := l.project
	p.Vars = l.decodeVariables(blocks["variable"], l.options)
	l.decodeLocals(blocks["locals"])

	p.Service = l.service(blocks["service"])
	p.Ledger = l.ledger(blocks["ledger"])
	p.Limits = l.limits(blocks["credit_limits"])
	p.Computers = l.computers(blocks["computer"])
	var facts []fact
	p.Models, facts = l.models(blocks["models"])
	p.Expectations = l.expectations(append(facts, l.settings(blocks["settings"])...))
	p.Readiness = l.readiness(blocks["readiness"])
	p.Policy = l.policy(blocks["policy"])
	p.Ignores = l.driftBlock(blocks["drift"])
	p.Hooks = l.hooks(blocks["hooks"])

	var vars []string
	for _, name := range slices.Sorted(maps.Keys(p.Vars)) {
		vars = append(vars, fmt.Sprintf("var %q %q", name, p.Vars[name]))
	}
	p.Digest = l.files.digest(vars...)
	p.PolicyDigest = l.policyDigest(p.Policy)
	p.Reads = l.reads()
}
