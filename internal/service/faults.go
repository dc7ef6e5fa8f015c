package service

import (
	"net/http"
	"time"

	"golang.org/x/time/rate"
)

// fault asks what goes wrong with this request and does the parts that come first.
func (s *Service) fault(r *http.Request) Fault {
	if s.o.Fault == nil {
		return Fault{}
	}
	f := s.o.Fault(r)
	if f.Delay > 0 {
		t := time.NewTimer(f.Delay)
		defer t.Stop()
		select {
		case <-t.C:
		case <-r.Context().Done():
		}
	}
	if f.DropBefore {
		panic(http.ErrAbortHandler)
	}
	return f
}

// limiter is the allowance of one key: a minute's worth at once, refilled steadily. Only
// valid keys get here, so the map stays small.
func (s *Service) limiter(key string) *rate.Limiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	l, ok := s.rates[key]
	if !ok {
		l = rate.NewLimiter(rate.Limit(float64(s.o.RatePerMinute)/60), s.o.RatePerMinute)
		s.rates[key] = l
	}
	return l
}
