package ledger

import (
	"context"
	"maps"
	"slices"

	"github.com/govctl/govctl/internal/org"
)

// Compact removes records that no longer say anything: requests for limits that were
// answered and whose values were all asked for and confirmed again since, or never set.
// What is known stays the same, for every target and also after records to come. The
// records that stay are the same to the byte. A copy of the ledger from before can
// still be merged; at worst, values of requests it saw begin are then unknown. Compact
// reports how many records it removed.
func (j *Journal) Compact(ctx context.Context) (int, error) {
	j.turn.Lock()
	defer j.turn.Unlock()
	log := j.Log()
	rest := compact(log.ordered)
	removed := len(log.records) - len(rest)
	if removed == 0 {
		return 0, nil
	}
	var b batch
	for i := range rest {
		if err := b.add(rest[i]); err != nil {
			return 0, j.failed(err)
		}
	}
	if err := j.store.rewrite(ctx, &b, log.lineage); err != nil {
		return 0, j.failed(err)
	}
	next := (&Log{lineage: log.lineage, last: j.header}).with(rest)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.log = next
	return removed, nil
}

// compact returns the records of a normal list that Fold needs, in their order.
func compact(records []Record) []Record {
	needed := map[string]bool{} // ids of asks
	for _, subset := range views(records) {
		replay(records, func(t Target) bool { return subset[t] }).needed(needed)
	}
	answered := map[string]bool{} // ids of asks
	for i := range records {
		answered[records[i].ask()] = true
	}
	settled := map[string]bool{} // ids of asks that nothing depends on any more
	for i := range records {
		r := &records[i]
		ask := r.Kind == Intention || r.Kind == Import
		settled[r.ID] = ask && len(r.Limits) > 0 && r.Computer == nil && r.Session == nil && answered[r.ID] && !needed[r.ID]
	}
	var rest []Record
	for i := range records {
		if r := &records[i]; !settled[r.ID] && (r.Kind != Outcome || !settled[r.Of]) {
			rest = append(rest, *r)
		}
	}
	return rest
}

// views lists the sets of stored targets that some target to come can mean: which is
// compared by organization where both sides know it and by address otherwise.
func views(records []Record) []map[Target]bool {
	var targets []Target
	for i := range records {
		if r := &records[i]; r.Kind != Outcome && !slices.Contains(targets, r.Target) {
			targets = append(targets, r.Target)
		}
	}
	const other = "\x00" // an address or an organization that no record has
	var out []map[Target]bool
	for _, base := range append(targets, Target{BaseURL: other}) {
		for _, organization := range append(targets, Target{}, Target{Organization: other}) {
			view := map[Target]bool{}
			for _, t := range targets {
				if t.is(org.Target{BaseURL: base.BaseURL, Organization: organization.Organization}) {
					view[t] = true
				}
			}
			same := func(v map[Target]bool) bool { return maps.Equal(view, v) }
			if !slices.ContainsFunc(out, same) {
				out = append(out, view)
			}
		}
	}
	return out
}

// needed adds the asks that what is known depends on, now and after answers to come.
func (f *folder) needed(ids map[string]bool) {
	for i := range f.states {
		s := &f.states[i]
		oldest := int32(0) // open ask
		for _, n := range append(f.more[int32(i)], s.open) {
			if n != 0 {
				ids[f.asks[n-1].rec.ID] = true
				if oldest == 0 || n < oldest {
					oldest = n
				}
			}
		}
		if s.by != 0 {
			ids[f.asks[s.by-1].rec.ID] = true
		}
		// An open ask whose answer comes late is compared with what was done after it.
		for _, place := range []int32{s.effect, s.before} {
			if oldest != 0 && place != 0 && !f.records[place-1].At.Before(f.asks[oldest-1].rec.At) {
				ids[f.records[place-1].ask()] = true
			}
		}
	}
}
