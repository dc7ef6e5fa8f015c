package main

import (
	"slices"

	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/plan"
)

// makePlan plans. With --only-drift it leaves the computers alone whose difference
// somebody accepted: that is no drift.
func (a *app) makePlan(dir string, in plan.Input) (*plan.Plan, error) {
	if in.Selection.Accepted = nil; !in.Selection.OnlyDrift {
		return plan.Make(in), nil
	}
	baseline, err := readBaseline(dir)
	if err != nil {
		return nil, err
	}
	p := plan.Make(in)
	r := drift.Make(drift.Input{Plan: p, Want: in.Want, Have: in.Have, Last: in.Last, Baseline: baseline, Now: in.Now})
	for _, c := range r.Computers {
		if c.Accepted != nil {
			in.Selection.Accepted = append(in.Selection.Accepted, c.Name)
		}
	}
	if len(in.Selection.Accepted) == 0 {
		return p, nil
	}
	slices.Sort(in.Selection.Accepted)
	return plan.Make(in), nil
}
