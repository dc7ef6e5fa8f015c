package policy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/govctl/govctl/internal/org"
)

// Outcome is what the rules say of one document.
type Outcome struct {
	Document Document
	Rules    int           // how many were evaluated
	Findings []org.Finding // worst first; waivers are not applied yet
}

// Check judges documents and returns a report with waivers applied. Findings are in the
// order of the documents, the worst of each first, and those of the engine last.
func (e *Engine) Check(ctx context.Context, documents ...Document) (*org.FindingsReport, error) {
	return e.CheckAll(ctx, func(yield func(Document, error) bool) {
		for _, d := range documents {
			if !yield(d, nil) {
				return
			}
		}
	})
}

// CheckAll is Check for documents that come one by one. An error among them ends it.
func (e *Engine) CheckAll(ctx context.Context, documents iter.Seq2[Document, error]) (*org.FindingsReport, error) {
	r := &org.FindingsReport{Judged: []org.Judged{}, Gaps: []org.Gap{}}
	stopped, err := e.Each(ctx, documents, func(o Outcome) error {
		r.Judged = append(r.Judged, org.Judged{Kind: o.Document.Kind, Subject: o.Document.Subject, Rules: o.Rules})
		r.Findings = append(r.Findings, o.Findings...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.Findings = append(r.Findings, stopped...)
	e.finish(r)
	return r, nil
}

// finish applies waivers and adds what the report needs besides its findings.
func (e *Engine) finish(r *org.FindingsReport) {
	kinds := map[string]bool{}
	for _, j := range r.Judged {
		kinds[j.Kind] = true
	}
	r.Findings = e.waive(r.Findings, kinds)
	if r.Findings == nil {
		r.Findings = []org.Finding{}
	}
	r.FailOn, r.Verdict = cmp.Or(e.options.FailOn, org.DefaultFailOn), "pass"
	if r.Summary = org.CountFindings(r.Findings, r.FailOn); r.Summary.Denied > 0 {
		r.Verdict = "deny"
	}
	for _, rule := range e.Rules() {
		if kinds[rule.Kind] || rule.Kind == "" {
			r.Rules = append(r.Rules, rule)
		}
	}
}

// Each judges documents on bounded workers and hands the outcomes out in the order of the
// documents. It returns a finding for every rule that had to be stopped; such a rule is
// not evaluated again.
func (e *Engine) Each(ctx context.Context, documents iter.Seq2[Document, error], handle func(Outcome) error) ([]org.Finding, error) {
	restore := func() {}
	defer func() { restore() }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	b := &batch{e: e, watch: newWatch(e.limits)}
	end := b.watch.start(ctx)
	defer end()
	type job struct {
		document Document
		done     chan Outcome
	}
	// The window bounds what is in memory: outcomes wait in it for their turn.
	jobs, window := make(chan job), make(chan job, 4*e.limits.Workers)
	var workers sync.WaitGroup
	for i := range e.limits.Workers {
		workers.Go(func() {
			for j := range jobs {
				j.done <- b.judge(ctx, &b.watch.slots[i], j.document)
			}
		})
	}
	workers.Go(func() {
		defer close(window)
		defer close(jobs)
		n := 0
		for d, err := range documents {
			if err != nil {
				cancel(err)
			}
			if ctx.Err() != nil {
				return
			}
			if n++; n == batchSize {
				restore = quietCollector()
			}
			j := job{d, make(chan Outcome, 1)}
			window <- j
			jobs <- j
		}
	})
	var failed error
	for j := range window {
		o := <-j.done
		if failed == nil && ctx.Err() == nil {
			if failed = handle(o); failed != nil {
				cancel(failed)
			}
		}
	}
	workers.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return b.stoppedRules(), nil
}

// batch is one run over documents.
type batch struct {
	e     *Engine
	watch *watch
	alone sync.RWMutex // held for writing while a rule that may have to be stopped runs by itself

	mu      sync.Mutex
	stopped map[string]stop // by rule
}

// stop is why a rule was stopped, and on which document.
type stop struct {
	subject string
	why     error
}

// judge evaluates the rules of one document.
func (b *batch) judge(ctx context.Context, s *slot, d Document) Outcome {
	out := Outcome{Document: d}
	rules := b.e.enabled(d.Kind)
	if len(rules) == 0 {
		out.Findings = []org.Finding{b.e.errored(d.Subject, fmt.Sprintf("no rule is on for documents of the kind %s", d.Kind))}
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
	out.Findings = append(out.Findings, b.evaluate(ctx, s, d, input, ready)...)
	sortFindings(out.Findings)
	return out
}

// evaluate asks all rules at once; if that fails, or any built-in function did, every
// rule by itself, so that one hides nothing of the others.
func (b *batch) evaluate(ctx context.Context, s *slot, d Document, input *input, rules []*rule) []org.Finding {
	if len(rules) == 0 || ctx.Err() != nil {
		return nil
	}
	b.alone.RLock()
	answer, err := b.ask(ctx, s, input, rules)
	b.alone.RUnlock()
	if err == nil {
		var out []org.Finding
		for _, r := range rules {
			out = append(out, b.e.findings(r, d, answer[r.ID])...)
		}
		return out
	}
	if errors.Is(err, errStopped) {
		b.alone.Lock()
		defer b.alone.Unlock()
	}
	var out []org.Finding
	for _, r := range rules {
		if ctx.Err() != nil {
			return nil
		}
		answer, err := b.ask(ctx, s, input, []*rule{r})
		out = append(out, b.e.findings(r, d, answer[r.ID])...)
		switch {
		case errors.Is(err, errStopped):
			b.stop(r.ID, stop{d.Subject, err})
		case err != nil:
			out = append(out, b.e.errored(d.Subject, r.ID+": "+oneLine(err)))
		}
	}
	return out
}

// ask evaluates rules and returns what each found. Findings may come with an error.
func (b *batch) ask(ctx context.Context, s *slot, input *input, rules []*rule, more ...rego.EvalOption) (map[string]ast.Set, error) {
	q, err := b.e.prepared(ctx, rules)
	if err != nil {
		return nil, err
	}
	var builtin []topdown.Error
	cancel := s.begin(b.e.limits.Time + time.Duration(input.values)*perValue)
	results, err := q.Eval(ctx, append(more, rego.EvalParsedInput(input.value), rego.EvalExternalCancel(cancel), rego.EvalBuiltinErrorList(&builtin))...)
	if why := s.end(); why != nil && err != nil {
		return nil, why
	}
	if err != nil {
		return nil, err
	}
	out := map[string]ast.Set{}
	if len(results) == 1 {
		if t, ok := results[0].Bindings[ruleName].(*ast.Term); ok {
			if object, ok := t.Value.(ast.Object); ok {
				object.Foreach(func(k, v *ast.Term) {
					id, _ := k.Value.(ast.String)
					out[string(id)], _ = v.Value.(ast.Set)
				})
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

// input is a document as it came, and as rules see it.
type input struct {
	body   map[string]any
	value  ast.Value
	values int // how many there are in it
}

// perValue is how much longer an evaluation may take for every value of its document.
const perValue = 20 * time.Microsecond

func (e *Engine) input(d Document) (*input, error) {
	body, ok := d.Body.(map[string]any)
	if !ok {
		return nil, errors.New("the document is not a JSON object")
	}
	left := e.limits.Input
	if !small(body, &left) {
		return nil, fmt.Errorf("the document has more than %d values, which is more than rules are given", e.limits.Input)
	}
	value, err := ast.InterfaceToValue(body)
	if err != nil {
		return nil, fmt.Errorf("the document is not JSON: %w", err)
	}
	object := value.(ast.Object)
	for name, text := range map[string]string{"kind": d.Kind, "now": e.options.Now.UTC().Format(time.RFC3339)} {
		if object.Get(ast.StringTerm(name)) == nil {
			object.Insert(ast.StringTerm(name), ast.StringTerm(text))
		}
	}
	return &input{body, object, e.limits.Input - left}, nil
}

// small counts the values of a document until none are left.
func small(v any, left *int) bool {
	*left--
	switch x := v.(type) {
	case map[string]any:
		for _, w := range x {
			if !small(w, left) {
				return false
			}
		}
	case []any:
		for _, w := range x {
			if !small(w, left) {
				return false
			}
		}
	}
	return *left >= 0
}
