package render

import (
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// PlanSummary is the last line of a plan: what would be done.
func PlanSummary(p *plan.Plan) string { return planSummary(p) }

// FindingsSummary is the last line of what policies say.
func FindingsSummary(r *org.FindingsReport) string { return findingsSummary(r) }
