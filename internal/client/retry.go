package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// The waits between attempts: they double from the first to the longest and are
// shortened at random by up to a half, so that clients do not return in step.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 30 * time.Second

	longestAsked = 24 * time.Hour // of Retry-After; a service that asks for more means never
)

// client gives q its own rules of trying again; the connections belong to all. The wait
// is in turn, where it can be cut short.
func (q *call) client() *retryablehttp.Client {
	return &retryablehttp.Client{
		HTTPClient:   q.c.http,
		RetryMax:     q.c.o.Retries,
		CheckRetry:   q.again,
		Backoff:      func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return 0 },
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
}

// turn waits until an attempt may be sent. Waits before a repetition end with Quit: who
// wants to stop must not wait for a service that does not answer. A first attempt is
// made all the same, because it may be what tells the outcome of the one before.
func (q *call) turn(ctx context.Context) error {
	if q.attempt > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(q.c.o.Quit, cancel)()
	}
	if q.wait > 0 {
		if err := sleep(ctx, q.wait); err != nil {
			return err
		}
	}
	return q.c.pace.wait(ctx)
}

// again decides whether q is sent once more and how long to wait before.
func (q *call) again(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if !q.repeat || ctx.Err() != nil || q.c.o.Quit.Err() != nil || !passing(resp, err) {
		return false, nil
	}
	now := q.c.o.Now()
	left := q.c.o.MaxWait - now.Sub(q.began)
	if left <= 0 {
		return false, nil
	}
	q.wait = jitter(min(longestWait, firstWait<<min(q.attempt-1, 20)))
	if asked := retryAfter(resp, now); asked > 0 {
		q.wait = asked + rand.N(firstWait)
	}
	q.wait = min(q.wait, left)
	return true, nil
}

func jitter(d time.Duration) time.Duration { return d - rand.N(d/2+1) }

// passing reports whether another attempt may fare better.
func passing(resp *http.Response, err error) bool {
	if err != nil {
		var certificate *tls.CertificateVerificationError
		var authority x509.UnknownAuthorityError
		return !errors.Is(err, errTooLarge) && !errors.Is(err, errEncoded) && !errors.Is(err, ErrReadOnly) &&
			!errors.As(err, &certificate) && !errors.As(err, &authority)
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// retryAfter reads the Retry-After header: seconds, or a date relative to the answer's
// own Date, because the clocks may differ. It is 0 when nothing sensible is asked, and
// never more than longestAsked.
func retryAfter(resp *http.Response, now time.Time) time.Duration {
	if resp == nil {
		return 0
	}
	value := resp.Header.Get("Retry-After")
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(seconds, uint64(longestAsked/time.Second))) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		now = date
	}
	return min(max(0, at.Sub(now)), longestAsked)
}
