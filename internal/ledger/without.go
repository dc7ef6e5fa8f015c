package ledger

// Without is the log as it would be had the plan with this digest never been applied:
// its intentions and their outcomes are left out.
func (l *Log) Without(plan string) *Log {
	own := map[string]bool{}
	left := &Log{lineage: l.lineage}
	for _, r := range l.ordered {
		switch {
		case plan != "" && r.Kind == Intention && r.Plan == plan:
			own[r.ID] = true
		case !own[r.Of]:
			left.ordered = append(left.ordered, r)
		}
	}
	left.records = left.ordered
	return left
}
