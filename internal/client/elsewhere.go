package client

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Elsewhere are the choices of NewElsewhere. Zero values are those of Options.
type Elsewhere struct {
	Timeout time.Duration   // of one attempt
	MaxWait time.Duration   // after which nothing is tried again
	Retries int             // after the first attempt; negative is none
	Quit    context.Context // when it ends, nothing is tried again; nil: never
}

// NewElsewhere makes an HTTP client for other services than the API, such as webhooks. It
// tries again what this package would: lost attempts, 429 and passing 5xx, after the time
// the service asks for or with the same growing waits. Redirects are not followed. It
// knows nothing of keys, and its errors hold the URL: whoever calls it with a secret one
// unwraps them.
func NewElsewhere(e Elsewhere) *http.Client {
	e.Timeout, e.MaxWait, e.Retries = cmp.Or(e.Timeout, DefaultTimeout), cmp.Or(e.MaxWait, DefaultMaxWait), max(0, cmp.Or(e.Retries, DefaultRetries))
	if e.Quit == nil {
		e.Quit = context.Background()
	}
	began := time.Now()
	c := &retryablehttp.Client{
		HTTPClient: &http.Client{Transport: pool(), Timeout: e.Timeout, CheckRedirect: stay},
		RetryMax:   e.Retries,
		CheckRetry: func(ctx context.Context, resp *http.Response, err error) (bool, error) {
			left := e.MaxWait - time.Since(began)
			again := ctx.Err() == nil && e.Quit.Err() == nil && passing(resp, err) && left > retryAfter(resp, time.Now())
			return again, nil
		},
		Backoff: func(_, _ time.Duration, attempt int, resp *http.Response) time.Duration {
			wait := jitter(min(longestWait, firstWait<<min(attempt, 20)))
			if asked := retryAfter(resp, time.Now()); asked > 0 {
				wait = asked
			}
			return min(wait, max(0, e.MaxWait-time.Since(began)))
		},
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	out := c.StandardClient()
	out.CheckRedirect = stay
	return out
}

// stay follows no redirect.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
