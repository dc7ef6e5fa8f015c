package render

import (
	"io"
	"testing"

	"github.com/govctl/govctl/internal/plan"
)

func BenchmarkPlan(b *testing.B) {
	for _, c := range []struct {
		name string
		plan *plan.Plan
	}{{"groups", groups(100000)}, {"distinct", distinct(100000)}} {
		for _, format := range PlanFormats() {
			b.Run(c.name+"/"+format, func(b *testing.B) {
				for b.Loop() {
					if err := Plan(io.Discard, format, c.plan, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
