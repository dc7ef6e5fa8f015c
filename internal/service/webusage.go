package service

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
	"github.com/govctl/govctl/internal/service/web"
)

// webUsage is what the usage page of the web application shows: one entry for every day
// from first to last, zero for a day without telemetry.
func (s *Service) webUsage(ctx context.Context, first, last time.Time) ([]web.Day, error) {
	if err := s.upToDate(ctx); err != nil {
		return nil, err
	}
	from, to := store.DayOf(first), store.DayOf(last)
	days := make([]web.Day, to-from+1)
	windows, err := s.store.Windows(ctx, from, to)
	if err != nil {
		return nil, err
	}
	for i := range days {
		d := from + store.Day(i)
		days[i].Date, days[i].WeeklyUsers = d.Time(), windows[d].Weekly
	}
	err = eachStored(ctx, s.store, kindTokens, from, to, func(d store.Day, r api.TokenRow) {
		if r.BillableTokens != nil {
			days[d-from].Credits, _ = r.BillableTokens.Float64() // a number we wrote
		}
	})
	if err != nil {
		return nil, err
	}
	err = eachStored(ctx, s.store, kindActivity, from, to, func(d store.Day, r api.ActivityRow) {
		one := &days[d-from]
		one.ActiveUsers, one.Sessions, one.Messages = whole(&r.DailyActiveUsers), whole(r.Sessions), whole(r.Messages)
	})
	return days, err
}

// eachStored decodes every stored row of a kind.
func eachStored[T any](ctx context.Context, s *store.Store, kind string, from, to store.Day, add func(store.Day, T)) error {
	return s.EachDay(ctx, kind, from, to, func(d store.Day, text string) error {
		var rows []T
		if err := json.Unmarshal([]byte(text), &rows); err != nil {
			return fmt.Errorf("read %s of %s: %w", kind, d.Time().Format(api.DateLayout), err)
		}
		for _, r := range rows {
			add(d, r)
		}
		return nil
	})
}

// whole is a count we wrote; 0 when it is missing.
func whole(n *json.Number) int64 {
	if n == nil {
		return 0
	}
	v, _ := n.Int64()
	return v
}
