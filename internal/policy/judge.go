package policy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/govctl/govctl/internal/org"
)

// batch is one run over documents.
type batch struct {
	e     *Engine
	watch *watch
	alone sync.RWMutex // held for writing while a rule that may have to be stopped runs by itself

	mu       sync.Mutex
	memories map[*unit]*memory
	stopped  map[string]stop // by rule
}

// stop is why a rule was stopped, and on which document.
type stop struct {
	subject string
	why     error
}

// question is a rule that a document is to be judged by.
type question struct {
	*rule
	key string // of what the rule reads in it, "" if that is not remembered
}

// judge evaluates the rules of one document.
func (b *batch) judge(ctx context.Context, s *slot, d Document) Outcome {
	out := Outcome{Document: d}
	rules := b.e.enabled(d.Kind)
	if len(rules) == 0 {
		out.Findings = []org.Finding{b.e.errored(d.Subject, fmt.Sprintf("no rule is on for documents of the kind %s", d.Kind))}
		return out
	}
	u, err := b.e.unit(d.Kind)
	if err != nil {
		out.Findings = []org.Finding{b.e.errored(d.Subject, err.Error())}
		return out
	}
	input, err := b.e.input(d)
	if err != nil {
		out.Findings = []org.Finding{b.e.errored(d.Subject, err.Error())}
		return out
	}
	rules = slices.DeleteFunc(rules, func(r *rule) bool { return b.isStopped(r.ID) })
	out.Rules = len(rules)
	var ready []*rule
	for _, r := range rules {
		if f, missing := b.e.indeterminate(r, d, input.body); missing {
			out.Findings = append(out.Findings, f...)
			continue
		}
		ready = append(ready, r)
	}
	m := b.memory(u)
	asked := b.remember(m, &out, input, ready)
	for _, questions := range u.together(asked) {
		b.evaluate(ctx, s, m, &out, input, questions)
	}
	sortFindings(out.Findings)
	return out
}

// memory is what the rules of a unit said so far.
func (b *batch) memory(u *unit) *memory {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.memories[u]
	if m == nil {
		m = newMemory(u.parts)
		if b.memories == nil {
			b.memories = map[*unit]*memory{}
		}
		b.memories[u] = m
	}
	return m
}

// remember answers for the rules that read nothing in the document that they have not read
// in one before it. It returns the others.
func (b *batch) remember(m *memory, out *Outcome, input *input, rules []*rule) (asked []question) {
	keys := m.keys(input, rules)
	for i, r := range rules {
		if a, ok := m.answer(keys[i]); ok {
			out.Findings = b.e.findings(out.Findings, r, out.Document, a)
			continue
		}
		asked = append(asked, question{r, keys[i]})
	}
	return asked
}

// fewRules is up to how many rules are asked one by one: a query costs little beside a
// rule, but every combination of rules has to be prepared before it can be asked.
const fewRules = 8

// together divides what is asked into queries.
func (u *unit) together(asked []question) [][]question {
	if len(asked) > fewRules && u.mayPrepare(asked) {
		return [][]question{asked}
	}
	var out [][]question
	for i := range asked {
		out = append(out, asked[i:i+1])
	}
	return out
}

// evaluate asks all rules at once; if that fails, or any built-in function did, every
// rule by itself, so that one hides nothing of the others.
func (b *batch) evaluate(ctx context.Context, s *slot, m *memory, out *Outcome, input *input, asked []question) {
	if ctx.Err() != nil {
		return
	}
	d := out.Document
	b.alone.RLock()
	answers, err := b.ask(ctx, s, input, asked)
	b.alone.RUnlock()
	if err == nil {
		for i, q := range asked {
			m.keep(q.key, answers[i])
			out.Findings = b.e.findings(out.Findings, q.rule, d, answers[i])
		}
		return
	}
	if errors.Is(err, errStopped) {
		b.alone.Lock()
		defer b.alone.Unlock()
	}
	for _, q := range asked {
		if ctx.Err() != nil {
			return
		}
		answers, err := b.ask(ctx, s, input, []question{q})
		if len(answers) == 1 {
			out.Findings = b.e.findings(out.Findings, q.rule, d, answers[0])
		}
		switch {
		case errors.Is(err, errStopped):
			b.stop(q.ID, stop{d.Subject, err})
		case err != nil:
			out.Findings = append(out.Findings, b.e.errored(d.Subject, q.ID+": "+oneLine(err)))
		}
	}
}

// ask evaluates rules and returns what each found, in their order. Answers may come with
// an error.
func (b *batch) ask(ctx context.Context, s *slot, input *input, asked []question, more ...rego.EvalOption) ([]answer, error) {
	u, err := b.e.unit(asked[0].Kind)
	if err != nil {
		return nil, err
	}
	q, err := u.prepared(ctx, b.e.store, asked)
	if err != nil {
		return nil, err
	}
	value, err := input.term()
	if err != nil {
		return nil, err
	}
	var builtin []topdown.Error
	cancel := s.begin(b.e.limits.Time + time.Duration(input.values)*perValue)
	results, err := eval(ctx, q, append(more, rego.EvalParsedInput(value), rego.EvalExternalCancel(cancel), rego.EvalBuiltinErrorList(&builtin))...)
	if why := s.end(); why != nil && err != nil {
		return nil, why
	}
	if err != nil {
		return nil, err
	}
	out := make([]answer, len(asked))
	if len(results) == 1 {
		if t, ok := results[0].Bindings[ruleName].(*ast.Term); ok {
			if object, ok := t.Value.(ast.Object); ok {
				for i, q := range asked {
					if found := object.Get(q.name); found != nil {
						set, _ := found.Value.(ast.Set)
						out[i] = b.e.read(set)
					}
				}
			}
		}
	}
	if len(builtin) > 0 {
		return out, &builtin[0]
	}
	return out, nil
}

func (b *batch) isStopped(id string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.stopped[id]
	return ok
}

func (b *batch) stop(id string, s stop) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped == nil {
		b.stopped = map[string]stop{}
	}
	b.stopped[id] = s
}

// stoppedRules says which rules were stopped, sorted.
func (b *batch) stoppedRules() []org.Finding {
	var out []org.Finding
	for id, s := range b.stopped {
		out = append(out, b.e.errored(s.subject, fmt.Sprintf("%s: %v; it was not evaluated again", id, s.why)))
	}
	sortFindings(out)
	return out
}
