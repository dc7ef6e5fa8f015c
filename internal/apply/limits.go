package apply

import (
	"context"
	"slices"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// limits sends the limits in batches of at most api.MaxLimits. The plan's limits are
// sorted and unique, so batches are disjoint. One failed batch stops the rest.
func (x *run) limits() {
	for batch := range slices.Chunk(x.plan.Limits, api.MaxLimits) {
		if !x.going() || !x.putLimits(batch) {
			x.report.Limits.NotAttempted = append(x.report.Limits.NotAttempted, all(batch, "")...)
		}
	}
}

// putLimits sends one batch and records what became of it. It reports whether the
// batch was attempted.
func (x *run) putLimits(batch []plan.LimitChange) bool {
	intent := ledger.Record{Limits: make([]ledger.Limit, len(batch))}
	body := make([]api.Limit, len(batch))
	for i, c := range batch {
		body[i] = api.Limit{Email: c.SendAs, Limit: c.After}
		intent.Limits[i] = ledger.Limit{Email: c.Email, Credits: c.After, UserID: c.UserID}
		if c.SendAs != string(c.Email) {
			intent.Limits[i].SendAs = c.SendAs
		}
	}
	return x.step(intent, func(ctx context.Context) ledger.Record {
		answer, err := x.writer.PutLimits(ctx, body)
		v := judge(batch, answer)
		if err != nil {
			v = verdict{unknown: all(batch, err.Error())}
			if definite(err) {
				v = verdict{refused: all(batch, err.Error())}
			}
			x.stop(err)
		}
		l := &x.report.Limits
		l.Set = append(l.Set, v.set...)
		l.Refused = append(l.Refused, v.refused...)
		l.Unknown = append(l.Unknown, v.unknown...)
		x.report.Warnings = append(x.report.Warnings, v.warnings...)
		x.settle(len(batch))
		return v.record(requestID(err))
	})
}

// record is the outcome to keep of a verdict.
func (v verdict) record(requestID string) ledger.Record {
	r := ledger.Record{Set: emails(v.set), Unknown: emails(v.unknown), RequestID: requestID}
	for _, o := range v.refused {
		r.Refused = append(r.Refused, ledger.Refused{Email: org.Email(o.Email), Error: o.Error})
	}
	return r
}

func emails(list []LimitOutcome) []org.Email {
	var out []org.Email
	for _, o := range list {
		out = append(out, org.Email(o.Email))
	}
	return out
}
