package ledger

import "context"

// Import adds every record of another ledger that this one does not have yet, and one
// that says where they come from. Both histories are then one, by the time of their
// records. It reports how many records were added; none, if they all were here already.
func (j *Journal) Import(ctx context.Context, from *Log, source Imported) (int, error) {
	b, err := j.imported(from, source)
	if err == nil && b != nil {
		err = j.flush(context.WithoutCancel(ctx), b)
	}
	if err != nil {
		return 0, j.failed(err)
	}
	if b == nil {
		return 0, nil
	}
	return len(b.records) - 1, nil
}

// imported is what Import writes, nil for nothing.
func (j *Journal) imported(from *Log, source Imported) (*batch, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	here := make(map[string]bool, len(j.log.records))
	for i := range j.log.records {
		here[j.log.records[i].ID] = true
	}
	var b batch
	for i := range from.ordered {
		r := &from.ordered[i]
		if here[r.ID] {
			continue
		}
		if err := b.add(*r); err != nil {
			return nil, err
		}
		if r.At.After(j.last) {
			j.last = r.At
		}
	}
	if len(b.records) == 0 {
		return nil, nil
	}
	source.Lineage, source.Records = from.lineage, len(b.records)
	marker, err := j.stamp(Record{Kind: Import, Import: &source})
	if err != nil {
		return nil, err
	}
	return &b, b.add(marker)
}
