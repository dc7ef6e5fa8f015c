package service

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"
)

func TestPanicCostsOneAnswer(t *testing.T) {
	t.Parallel()
	s := &Service{o: Options{Now: time.Now, Logger: slog.New(slog.DiscardHandler)}, metrics: newMetrics("", "")} // no store: every look-up panics
	r := httptest.NewRequestWithContext(t.Context(), "GET", "/api/v0/sessions", nil)
	r.Header.Set("Authorization", "Bearer gk_a_b")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != 500 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
