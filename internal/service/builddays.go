package service

import (
	"context"
	"log/slog"

	"github.com/govctl/govctl/internal/service/store"
	"github.com/govctl/govctl/internal/service/usage"
)

const (
	// analyticsSchema is the version of the stored rows. Whoever changes what is counted or
	// how it is stored makes it one more.
	analyticsSchema = 1
	// sealedDays after a day its rows are final: later spans are refused (5.6).
	sealedDays = 35
	// keptDays is how long spans are kept; a day that can still change has all its spans.
	keptDays = sealedDays + 2
	// putBytes of rows are stored in one transaction. It is more than any usual batch has,
	// and keeps the first batch over months of telemetry within bounds.
	putBytes = 64 << 20
)

// outdateDays has the days built again that an older program built, as far as their spans
// are still there.
func (s *Service) outdateDays(ctx context.Context) error {
	n, err := s.store.OutdateDays(ctx, analyticsSchema)
	if err == nil && n > 0 {
		s.o.Logger.Info("days of an older version are built again", "days", n)
	}
	return err
}

// buildDirty aggregates every dirty day before today. The marks are read before the spans:
// a span that arrives in between makes its day dirty again.
func (s *Service) buildDirty(ctx context.Context) error {
	today := store.DayOf(s.now())
	dirty, err := s.store.DirtyDays(ctx, today-1)
	if err != nil {
		return s.broken(ctx, err)
	}
	var days []store.BuiltDay
	size, emails := 0, map[string]string{}
	for i, d := range dirty {
		started := s.o.Now()
		one, err := s.buildDay(ctx, d, emails)
		if err != nil {
			return s.broken(ctx, err)
		}
		s.o.Logger.Info("aggregated", "day", d.Day.String(), "spans", one.Spans, "users", len(one.Users), "duration", s.o.Now().Sub(started))
		days, size = append(days, one), size+sizeOf(one)
		if i < len(dirty)-1 && size < putBytes {
			continue
		}
		if err := s.store.PutDays(ctx, days, analyticsSchema, s.now()); err != nil {
			return s.broken(ctx, err)
		}
		days, size = nil, 0
	}
	return s.broken(ctx, s.store.DropSpans(ctx, today-keptDays))
}

// broken logs what a reader of analytics gets only as an internal error.
func (s *Service) broken(ctx context.Context, err error) error {
	if err != nil && ctx.Err() == nil {
		s.o.Logger.LogAttrs(ctx, slog.LevelError, "analytics were not built", slog.Any("error", err))
	}
	return err
}

func sizeOf(d store.BuiltDay) int {
	n := 0
	for _, rows := range d.Rows {
		n += len(rows)
	}
	for _, u := range d.Users {
		n += len(u.UserID) + len(u.Body)
	}
	return n
}

// buildDay counts the spans of a day and makes its rows. Memory follows users and
// sessions, never spans. emails are addresses asked for already, "" of who has none.
func (s *Service) buildDay(ctx context.Context, d store.DirtyDay, emails map[string]string) (store.BuiltDay, error) {
	day := usage.NewDay(d.Day.Time(), usage.DefaultPricing())
	built := store.BuiltDay{DirtyDay: d}
	err := s.store.EachSpan(ctx, d.Day, func(sp *store.Span) error {
		built.Spans++
		day.Add(fromStore(sp))
		return nil
	})
	if err != nil {
		return built, err
	}
	if err := s.addEmails(ctx, day.Users(), emails); err != nil {
		return built, err
	}
	states, err := s.store.SessionStates(ctx, day.Sessions())
	if err != nil {
		return built, err
	}
	result := day.Result(usage.Facts{
		Email: func(id string) string { return emails[id] },
		Session: func(id string) usage.SessionState {
			state, ok := states[id]
			if !ok {
				return usage.SessionState{}
			}
			return usage.SessionState{FirstDay: state.First.String(), HasStart: state.HasStart}
		},
	})
	built.Rows = map[string]string{}
	for _, kind := range dayKinds() {
		if built.Rows[kind], err = dayBody(kind, result); err != nil {
			return built, err
		}
	}
	built.Users, err = userBodies(result.Users)
	return built, err
}

// addEmails asks for the addresses of users nobody asked about yet.
func (s *Service) addEmails(ctx context.Context, users []string, emails map[string]string) error {
	var ask []string
	for _, id := range users {
		if _, asked := emails[id]; !asked {
			ask = append(ask, id)
		}
	}
	found, err := s.store.Emails(ctx, ask)
	for _, id := range ask {
		emails[id] = found[id]
	}
	return err
}

func fromStore(sp *store.Span) usage.Span {
	return usage.Span{
		Kind: usage.Kind(sp.Kind), Start: sp.Start,
		UserID: sp.UserID, UserEmail: sp.UserEmail, SessionID: sp.SessionID, Client: sp.Client,
		Name: sp.Name, Detail: sp.Detail, Command: sp.Command, Delegation: sp.Delegation,
		Resumed: sp.Resumed, Created: sp.Created, Priced: sp.Priced,
		Credits: sp.Credits, Input: sp.Input, Output: sp.Output, CacheRead: sp.CacheRead, CacheWrite: sp.CacheWrite,
	}
}

func toStore(sp usage.Span) store.Span {
	return store.Span{
		Kind: uint8(sp.Kind), Start: sp.Start,
		UserID: sp.UserID, UserEmail: sp.UserEmail, SessionID: sp.SessionID, Client: sp.Client,
		Name: sp.Name, Detail: sp.Detail, Command: sp.Command, Delegation: sp.Delegation,
		Resumed: sp.Resumed, Created: sp.Created, Priced: sp.Priced,
		Credits: sp.Credits, Input: sp.Input, Output: sp.Output, CacheRead: sp.CacheRead, CacheWrite: sp.CacheWrite,
	}
}
