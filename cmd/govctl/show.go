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
)

func (a *app) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "show FILE",
		Short:   "Show a saved plan, apply report or drift report in any format",
		Example: "  govctl show plan.json -o markdown",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.runShow(args[0])
		},
	}
}

func (a *app) runShow(file string) error {
	data, err := readFile(file, a.in)
	if err != nil {
		return err
	}
	var head struct {
		Changes  json.RawMessage `json:"changes"`
		Result   string          `json:"result"`
		Coverage json.RawMessage `json:"coverage"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("%s is neither a plan nor a report: %w", file, err)
	}
	switch {
	case head.Changes != nil:
		outs, err := a.outputs(render.PlanFormats())
		if err != nil {
			return err
		}
		p, err := plan.Decode(data)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return a.emitPlan(outs, p)
	case head.Result != "":
		outs, err := a.outputs(render.ReportFormats())
		if err != nil {
			return err
		}
		r := new(apply.Report)
		if err := json.Unmarshal(data, r); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return a.emitReport(outs, r)
	case head.Coverage != nil:
		outs, err := a.outputs(render.DriftFormats())
		if err != nil {
			return err
		}
		r, err := drift.Decode(data)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return a.emitDrift(outs, r)
	}
	return errors.New(file + " is neither a plan nor a report")
}

// readFile reads a file, or stdin for "-".
func readFile(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}
