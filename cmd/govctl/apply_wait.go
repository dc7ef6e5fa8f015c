package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/render"
)

// waitFlags say whether apply waits for what only a person can do.
type waitFlags struct {
	wait     bool
	timeout  time.Duration
	interval time.Duration
}

func (w *waitFlags) bind(f *pflag.FlagSet) {
	f.BoolVar(&w.wait, "wait", false, "wait until an administrator has changed the settings of the plan in the web application")
	f.DurationVar(&w.timeout, "wait-timeout", 30*time.Minute, "give up waiting after this long (exit 4)")
	f.DurationVar(&w.interval, "wait-interval", 15*time.Second, "time between two looks at the settings history")
}

// check refuses times that mean nothing.
func (w *waitFlags) check() error {
	var bad []error
	if w.timeout <= 0 {
		bad = append(bad, fmt.Errorf("--wait-timeout %s is no time to wait", w.timeout))
	}
	if w.interval < 100*time.Millisecond {
		bad = append(bad, fmt.Errorf("--wait-interval %s is less than 100ms", w.interval))
	}
	return errors.Join(bad...)
}

// awaitManual looks at the settings history until every setting of the plan is as it
// should be, and adds to the report who did it. It only reads. The settings that are
// still open when the time is over are open in the report.
func (a *app) awaitManual(ctx context.Context, g *gathered, p *plan.Plan, w waitFlags, r *apply.Report) error {
	var list []org.Expectation
	for _, e := range g.project.Expectations {
		if slices.ContainsFunc(p.Settings, func(c plan.SettingChange) bool { return c.Pointer == e.Pointer }) {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return nil
	}
	reader, err := a.client(ctx, g.service, forReading)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.err, "waiting until %s changed in the web application, %s at most\n", settingsAre(len(list)), w.timeout)
	for _, e := range list {
		fmt.Fprintf(a.err, "  %s\n", render.Clean(e.Pointer))
	}
	waiting, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	newest, err := live.Await(waiting, reader, list, func(ctx context.Context) error { return sleep(ctx, w.interval) })
	outcomes, blameErr := a.outcomesOf(ctx, reader, newest, list)
	r.Await(outcomes)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		r.Reason = firstOf(r.Reason, fmt.Sprintf("not all settings were changed within %s", w.timeout))
		err = nil
	}
	return errors.Join(err, blameErr)
}

func settingsAre(n int) string {
	if n == 1 {
		return "1 setting is"
	}
	return fmt.Sprintf("%d settings are", n)
}

// sleep waits for d or until ctx is over.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// outcomesOf says which expectations the newest revision meets and who saw to it.
func (a *app) outcomesOf(ctx context.Context, reader live.Reader, newest *org.Revision, list []org.Expectation) ([]apply.ManualOutcome, error) {
	var met []string
	for _, e := range list {
		if newest != nil && e.Meets(newest.Settings) {
			met = append(met, e.Pointer)
		}
	}
	blame, err := closedBy(ctx, reader, newest, met)
	out := make([]apply.ManualOutcome, len(list))
	for i, e := range list {
		out[i] = apply.ManualOutcome{Path: e.Pointer, Result: apply.Open}
		if slices.Contains(met, e.Pointer) {
			b := blame[e.Pointer]
			out[i] = apply.ManualOutcome{Path: e.Pointer, Result: apply.Closed, Revision: b.Revision, Actor: b.Actor, UpdatedAt: b.UpdatedAt}
		}
	}
	return out, err
}
