package policy

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/govctl/govctl/internal/collector"
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
	r.Rules = e.describe(slices.Collect(maps.Keys(kinds)))
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
				o := b.judge(ctx, &b.watch.slots[i], j.document)
				if j.document.Locate != nil && len(o.Findings) > 0 {
					j.document.Locate(o.Findings)
				}
				j.done <- o
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
				restore = collector.Batch()
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
