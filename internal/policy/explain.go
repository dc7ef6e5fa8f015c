package policy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/govctl/govctl/internal/org"
)

// Explanation says why a rule fired on a document, or why not.
type Explanation struct {
	Rule     org.Rule        `json:"rule"`
	Subject  string          `json:"subject"`
	Outcome  string          `json:"outcome"` // fired | clean | indeterminate | errored
	Findings []org.Finding   `json:"findings"`
	Bodies   []ExplainedBody `json:"bodies"` // in the order of the files; empty when the rule was not evaluated
}

// The outcomes of an explanation.
const (
	OutcomeFired         = "fired"
	OutcomeClean         = "clean"
	OutcomeIndeterminate = "indeterminate"
	OutcomeErrored       = "errored"
)

// ExplainedBody is one definition of the rule, or of a helper in its package.
type ExplainedBody struct {
	Name   string          `json:"name"`
	Source org.Source      `json:"source"`
	True   bool            `json:"true"` // it held at least once
	Lines  []ExplainedLine `json:"lines"`
}

// ExplainedLine is one expression of a body.
type ExplainedLine struct {
	Line   int            `json:"line"`
	Text   string         `json:"text"`
	Tried  int            `json:"tried"`  // how often it was evaluated
	Failed int            `json:"failed"` // how often it was false or undefined
	Values []ExplainValue `json:"values"` // what it was about when it was last tried
}

// ExplainValue is a variable or a part of the input, as JSON.
type ExplainValue struct {
	Name  string `json:"name"`
	Value string `json:"value"` // "undefined" for nothing
}

// Explain evaluates one rule on a document and follows it.
func (e *Engine) Explain(ctx context.Context, id string, d Document) (*Explanation, error) {
	rules := e.rules(d.Kind)
	i := slices.IndexFunc(rules, func(r *rule) bool { return r.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("%s is not among the rules for %s documents", id, d.Kind)
	}
	r := rules[i]
	x := &Explanation{Rule: r.Rule, Subject: d.Subject, Outcome: OutcomeClean, Findings: []org.Finding{}, Bodies: []ExplainedBody{}}
	input, err := e.input(d)
	if err != nil {
		return nil, err
	}
	if f, missing := e.indeterminate(r, d, input.body); missing {
		x.Outcome, x.Findings = OutcomeIndeterminate, f
		return x, nil
	}
	value, err := input.term()
	if err != nil {
		return nil, err
	}
	t := newFollower(e.bodies(r), value)
	x.Findings, err = e.follow(ctx, r, d, input, t)
	if err != nil {
		return nil, err
	}
	x.Findings = append([]org.Finding{}, x.Findings...)
	for _, f := range x.Findings {
		switch {
		case f.Status == org.Errored:
			x.Outcome = OutcomeErrored
		case x.Outcome == OutcomeClean:
			x.Outcome = OutcomeFired
		}
	}
	for _, b := range t.bodies {
		x.Bodies = append(x.Bodies, b.ExplainedBody)
	}
	return x, nil
}

// follow evaluates a rule under a tracer, within the usual limits. Without the index every
// definition is tried, which is what a reader of the rule expects.
func (e *Engine) follow(ctx context.Context, r *rule, d Document, input *input, t *follower) ([]org.Finding, error) {
	w := newWatch(e.limits)
	defer w.start(ctx)()
	b := &batch{e: e, watch: w}
	answers, err := b.ask(ctx, &w.slots[0], input, []question{{rule: r}}, rego.EvalQueryTracer(t), rego.EvalRuleIndexing(false), rego.EvalEarlyExit(false))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var out []org.Finding
	if len(answers) == 1 {
		out = e.findings(nil, r, d, answers[0])
	}
	if err != nil {
		out = append(out, e.errored(d.Subject, r.ID+": "+oneLine(err)))
	}
	sortFindings(out)
	return out, nil
}

// followed is a body with where its expressions stand.
type followed struct {
	ExplainedBody
	file  string
	exprs []followedExpr
	rows  [2]int
}

type followedExpr struct {
	rows  [2]int      // first and last
	not   bool        // what it negates is an expression of its own, which may well fail
	tried map[int]int // how often each of what it was compiled into was tried
	vars  []string
	refs  []ast.Ref // parts of the input with a known path
}

// bodies lists what the package of a rule defines, as its author wrote it.
func (e *Engine) bodies(r *rule) []followed {
	var out []followed
	for _, file := range r.files {
		for _, def := range e.readUnit(r.Kind).written[file].Rules {
			for ; def != nil; def = def.Else {
				out = append(out, bodyOf(file, def))
			}
		}
	}
	return out
}

func bodyOf(file string, def *ast.Rule) followed {
	b := followed{file: file, ExplainedBody: ExplainedBody{
		Name:   def.Head.Ref().String(),
		Source: org.Source{File: file, Line: def.Location.Row, Column: max(1, def.Location.Col)},
		Lines:  []ExplainedLine{},
	}}
	b.rows = rowsOf(def.Location)
	for _, expr := range def.Body {
		if expr.Location == nil || expr.Generated || string(expr.Location.Text) == "" {
			continue
		}
		text := strings.Join(strings.Fields(string(expr.Location.Text)), " ")
		b.Lines = append(b.Lines, ExplainedLine{Line: expr.Location.Row, Text: text, Values: []ExplainValue{}})
		x := followedExpr{rows: rowsOf(expr.Location), not: expr.Negated, tried: map[int]int{}}
		ast.WalkVars(expr, func(v ast.Var) bool {
			if name := string(v); !v.IsWildcard() && !slices.Contains(x.vars, name) && name != "input" && name != "data" {
				x.vars = append(x.vars, name)
			}
			return false
		})
		ast.WalkRefs(expr, func(ref ast.Ref) bool {
			if p := ref.GroundPrefix(); len(p) > 1 && p[0].Equal(ast.InputRootDocument) {
				x.refs = append(x.refs, p)
			}
			return false
		})
		b.exprs = append(b.exprs, x)
	}
	return b
}

func rowsOf(at *ast.Location) [2]int {
	return [2]int{at.Row, at.Row + strings.Count(strings.TrimRight(string(at.Text), "\n"), "\n")}
}

// follower counts how often the expressions of some bodies were tried and failed.
type follower struct {
	bodies []followed
	input  ast.Value
}

func newFollower(bodies []followed, input ast.Value) *follower {
	return &follower{bodies: bodies, input: input}
}

// Enabled, Config and TraceEvent make it a topdown.QueryTracer.
func (*follower) Enabled() bool { return true }

// Config asks for the values of variables.
func (*follower) Config() topdown.TraceConfig { return topdown.TraceConfig{PlugLocalVars: true} }

// TraceEvent follows one step.
func (t *follower) TraceEvent(event topdown.Event) {
	if event.Location == nil {
		return
	}
	for i := range t.bodies {
		b := &t.bodies[i]
		row := event.Location.Row
		if b.file != event.Location.File || row < b.rows[0] || row > b.rows[1] {
			continue
		}
		if _, isRule := event.Node.(*ast.Rule); isRule {
			b.True = b.True || event.Op == topdown.ExitOp
			continue
		}
		for j := range b.exprs {
			if x := b.exprs[j]; row >= x.rows[0] && row <= x.rows[1] && (event.Op == topdown.EvalOp || event.Op == topdown.FailOp) {
				t.step(&b.Lines[j], x, event)
			}
		}
	}
}

// step takes one step of one expression. OPA compiles an expression into several, so what
// was tried is counted by how often the first of them was, which is the most.
func (t *follower) step(line *ExplainedLine, x followedExpr, event topdown.Event) {
	expr, ok := event.Node.(*ast.Expr)
	switch {
	case !ok || x.not && !expr.Negated:
		return
	case event.Op == topdown.FailOp:
		line.Failed++
	default:
		x.tried[expr.Index]++
		line.Tried = max(line.Tried, x.tried[expr.Index])
	}
	line.Values = line.Values[:0]
	for _, ref := range x.refs {
		value := "undefined"
		if v, err := t.input.Find(ref[1:]); err == nil {
			value = jsonText(v)
		}
		line.Values = appendValue(line.Values, ref.String(), value)
	}
	for _, name := range x.vars {
		for local, meta := range event.LocalMetadata {
			if string(meta.Name) != name || event.Locals == nil {
				continue
			}
			if v := event.Locals.Get(local); v != nil && ast.IsConstant(v) {
				line.Values = appendValue(line.Values, name, jsonText(v))
			}
		}
	}
	slices.SortStableFunc(line.Values, func(a, b ExplainValue) int { return cmp.Compare(a.Name, b.Name) })
}

func appendValue(list []ExplainValue, name, value string) []ExplainValue {
	if slices.ContainsFunc(list, func(v ExplainValue) bool { return v.Name == name }) {
		return list
	}
	return append(list, ExplainValue{name, value})
}

// maxShown is how many bytes of a value an explanation shows.
const maxShown = 400

func jsonText(v ast.Value) string {
	left := 1 << 16
	if !fits(v, &left) {
		return "(large)"
	}
	if s := v.String(); len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(v.String()[:maxShown], "") + "…"
}
