package exchange

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseExpiry reads when something ends: a date (its end, UTC), a time in RFC 3339, or a
// number of days or a duration from now, as in 90d or 12h. "" is never, the zero time.
// What is over already is refused.
func ParseExpiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := expiry(text, now)
	switch {
	case err != nil || at.UnixMilli() > lastTime:
		return time.Time{}, fmt.Errorf("%.40q is not a date, a time in RFC 3339, a number of days as in 90d or a duration as in 12h", text)
	case !at.After(now):
		return time.Time{}, fmt.Errorf("%s is over already", text)
	}
	return at.UTC().Truncate(time.Millisecond), nil
}

func expiry(text string, now time.Time) (time.Time, error) {
	if date, err := time.Parse(time.DateOnly, text); err == nil {
		return date.AddDate(0, 0, 1), nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		return now.AddDate(0, 0, int(n)), err
	}
	d, err := time.ParseDuration(text)
	return now.Add(d), err
}
