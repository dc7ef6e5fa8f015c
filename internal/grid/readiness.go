package grid

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/govctl/govctl/internal/api"
)

// Readiness are readiness reports (C116-C123). Both scores are given: of all
// sub-applications together, and the mean over the criteria (T49).
func Readiness() Of[api.Report] {
	type r = api.Report
	return Of[r]{[]cell[r]{
		wide("report_id", "", func(x *r) any { return text(x.ReportID) }),
		brief("created_at", "", func(x *r) any { return stamp(&x.CreatedAt) }),
		brief("repository", "", func(x *r) any { return text(x.RepoURL) }),
		brief("branch", "", func(x *r) any { return optional(x.Branch) }),
		wide("commit", "", func(x *r) any { return optional(x.CommitHash) }),
		brief("passed", "sub-applications that pass, over all criteria", func(x *r) any { n, _, _ := totals(x); return n }),
		brief("evaluated", "sub-applications evaluated, over all criteria", func(x *r) any { _, d, _ := totals(x); return d }),
		brief("score", "passed / evaluated", func(x *r) any { n, d, _ := totals(x); return ratio(n, d) }),
		brief("mean_score", "mean of the criteria's own scores", func(x *r) any { _, _, mean := totals(x); return mean }),
		brief("criteria_count", "", func(x *r) any { return count(len(x.Report)) }),
		wide("has_local_changes", "the evaluated tree was not a clean commit", func(x *r) any { return flag(x.HasLocalChanges) }),
		wide("has_non_remote_commits", "the evaluated commits were not pushed", func(x *r) any { return flag(x.HasNonRemoteCommits) }),
		wide("model", "who evaluated; scores of two models are not comparable", func(x *r) any {
			if x.ModelUsed == nil {
				return nil
			}
			return text(x.ModelUsed.ID)
		}),
		wide("reasoning_effort", "low, medium, high, off", func(x *r) any {
			if x.ModelUsed == nil {
				return nil
			}
			return optional(x.ModelUsed.ReasoningEffort)
		}),
		wide("agent_version", "", func(x *r) any { return optional(x.AgentVersion) }),
		nested("apps", "evaluated applications by path", func(x *r) any { return decoded(x.Apps) }),
		nested("criteria", "numerator, denominator and rationale by criterion", func(x *r) any { return decoded(x.Report) }),
	}}
}

// totals adds the criteria of one report up. All three are nil if one of them is no
// evaluation: 0 to denominator, and at least 1 evaluated (C123).
func totals(r *api.Report) (passed, evaluated, mean any) {
	var n, d, sum float64
	for _, c := range r.Report {
		x, err1 := c.Numerator.Float64()
		y, err2 := c.Denominator.Float64()
		if err1 != nil || err2 != nil || y < 1 || x < 0 || x > y {
			return nil, nil, nil
		}
		n, d, sum = n+x, d+y, sum+x/y
	}
	if d == 0 {
		return decimal(0), decimal(0), nil
	}
	return decimal(n), decimal(d), ratio(decimal(sum), decimal(float64(len(r.Report))))
}

// ratio is a/b with four decimals, nil without one of them or for b = 0.
func ratio(a, b any) any {
	x, ok1 := a.(json.Number)
	y, ok2 := b.(json.Number)
	if !ok1 || !ok2 {
		return nil
	}
	n, _ := x.Float64()
	d, _ := y.Float64()
	if d == 0 {
		return nil
	}
	return decimal(math.Round(n/d*1e4) / 1e4)
}

func decimal(f float64) any { return json.Number(strconv.FormatFloat(f, 'f', -1, 64)) }
