package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/apply"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/render"
	"github.com/govctl/govctl/internal/report"
)

func (a *app) showCommand() *cobra.Command {
	var diff bool
	c := &cobra.Command{
		Use:   "show FILE | show --diff OLD NEW",
		Short: "Show a saved plan, apply report, drift report or report in any format",
		Long: `Show writes a saved plan or report in any format that its command has. With --diff it
says what is different between two saved plans: which facts have moved, and which changes
are new, gone or other ones.`,
		Example: "  govctl show plan.json -o markdown\n  govctl show --diff reviewed.json plan.json",
		Args: func(c *cobra.Command, args []string) error {
			if diff {
				return cobra.ExactArgs(2)(c, args)
			}
			return cobra.ExactArgs(1)(c, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if diff {
				return a.runShowDiff(args[0], args[1])
			}
			return a.runShow(args[0])
		},
	}
	c.Flags().BoolVar(&diff, "diff", false, "compare two saved plans")
	return c
}

func (a *app) runShow(file string) error {
	r, err := a.readResult(file)
	if err != nil {
		return err
	}
	formats := render.DriftFormats()
	switch {
	case r.plan != nil:
		formats = render.PlanFormats()
	case r.report != nil:
		formats = render.ReportFormats()
	case r.usage != nil:
		formats = render.UsageReportFormats()
	}
	outs, err := a.outputs(formats)
	if err != nil {
		return err
	}
	switch {
	case r.plan != nil:
		return a.emitPlan(outs, r.plan)
	case r.report != nil:
		return a.emitReport(outs, r.report)
	case r.usage != nil:
		return a.emitUsageReport(outs, r.usage)
	}
	return a.emitDrift(outs, r.drift, r.drift.Project)
}

// runShowDiff says what is different between two plans.
func (a *app) runShowDiff(was, is string) error {
	outs, err := a.outputs(render.DifferenceFormats())
	if err != nil {
		return err
	}
	var plans [2]*plan.Plan
	for i, file := range []string{was, is} {
		r, err := a.readResult(file)
		if err != nil {
			return err
		}
		if r.plan == nil {
			return fmt.Errorf("%s is not a plan", file)
		}
		plans[i] = r.plan
	}
	d := plan.Between(plans[0], plans[1])
	return a.emit(outs, func(w io.Writer, format string, o render.Options) error {
		return render.Difference(w, format, d, o)
	})
}

// result is a stored plan or report: one of these is not nil.
type result struct {
	plan   *plan.Plan
	report *apply.Report
	drift  *drift.Report
	usage  *report.Report
}

// readResult reads what plan, apply, drift or report wrote as JSON.
func (a *app) readResult(file string) (r result, err error) {
	data, err := readFile(file, a.in)
	if err != nil {
		return r, err
	}
	var head struct {
		Changes  json.RawMessage `json:"changes"`
		Result   string          `json:"result"`
		Coverage json.RawMessage `json:"coverage"`
		Kind     string          `json:"kind"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return r, fmt.Errorf("%s is neither a plan nor a report: %w", file, err)
	}
	switch {
	case head.Kind == report.Kind:
		r.usage, err = report.Decode(data)
	case head.Changes != nil:
		r.plan, err = plan.Decode(data)
	case head.Result != "":
		r.report = new(apply.Report)
		err = json.Unmarshal(data, r.report)
	case head.Coverage != nil:
		r.drift, err = drift.Decode(data)
	default:
		return r, errors.New(file + " is neither a plan nor a report")
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

// readFile reads a file, or stdin for "-".
func readFile(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}
