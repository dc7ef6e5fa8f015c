package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/govctl/govctl/internal/api"
)

// maxBody is the largest answer read, decompressed (U78).
const maxBody = 64 << 20

// call is one request with all its attempts.
type call struct {
	c      *Client
	method string
	path   string // escaped, without query and host
	repeat bool   // may be sent again

	attempt int
	began   time.Time     // of the first attempt
	wait    time.Duration // before the next one
	doubt   bool          // an attempt may have been carried out without saying so

	body     []byte // of the newest answer, in buffer
	buffer   *bytes.Buffer
	location string // where a redirect would lead
}

type callKey struct{}

// do sends one request and decodes its answer into out. Its errors are *api.Error.
func (c *Client) do(ctx context.Context, method, path string, query url.Values, body, out any) error {
	q := &call{c: c, method: method, path: path, buffer: buffers.Get().(*bytes.Buffer)}
	defer q.release()
	q.repeat = method == http.MethodGet || method == http.MethodPut && path == api.PathLimits
	req, err := q.request(ctx, query, body)
	if err != nil {
		return q.fail(err)
	}
	resp, err := q.client().Do(req) //nolint:bodyclose // once has read and closed it
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return q.ambiguous(q.fail(err))
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return q.ambiguous(q.refused(resp))
	}
	if err := c.decoder.decode(c.clean.body(q.body), out); err != nil {
		q.doubt = true
		e := q.fail(fmt.Errorf("answer with status %d: %w", resp.StatusCode, err))
		e.RequestID = c.clean.id(resp.Header.Get("X-Request-Id"))
		return q.ambiguous(e)
	}
	if q.doubt && q.method != http.MethodGet {
		return q.ambiguous(q.fail(errRepeated))
	}
	return nil
}

// errRepeated comes with a good answer to a request that was sent twice, because the
// first attempt was never answered.
var errRepeated = errors.New("an earlier attempt was not answered and may have been carried out")

// request builds the HTTP request. The key is in the header and nowhere else.
func (q *call) request(ctx context.Context, query url.Values, body any) (*retryablehttp.Request, error) {
	target := q.c.base + q.path
	if q.path == api.PathReadiness {
		target = q.c.app + q.path
	}
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	var data any
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("encode request: %w", err)
		}
		data = b
	}
	req, err := retryablehttp.NewRequestWithContext(context.WithValue(ctx, callKey{}, q), q.method, target, data)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+q.c.o.Key)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", q.c.o.UserAgent)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req, nil
}

// attempts is the transport of one attempt and the only way to the network: it refuses
// what a reader may not send, waits for its turn, reads the whole answer within the
// time-out (m3) and notes what happened.
type attempts struct{ c *Client }

// RoundTrip sends one attempt. A redirect loses its Location, so that nobody follows it
// (m1, m2).
func (a attempts) RoundTrip(req *http.Request) (*http.Response, error) {
	q := req.Context().Value(callKey{}).(*call)
	if a.c.o.ReadOnly && req.Method != http.MethodGet && req.Method != http.MethodHead {
		closeBody(req)
		return nil, ErrReadOnly
	}
	if err := q.turn(req.Context()); err != nil {
		closeBody(req)
		return nil, err
	}
	began := a.c.o.Now()
	if q.attempt++; q.attempt == 1 {
		q.began = began
	} else {
		a.c.retries.Add(1)
	}
	a.c.sent.Add(1)
	resp, err := q.once(a.c.o.Transport, req)
	status := 0
	if err == nil {
		status = resp.StatusCode
		q.location = resp.Header.Get("Location")
		resp.Header.Del("Location")
	}
	q.doubt = q.doubt || mayHappen(status, err)
	a.c.pace.note(status, retryAfter(resp, a.c.o.Now()), a.c.o.MaxWait)
	if a.c.o.OnRequest != nil {
		a.c.o.OnRequest(Event{Method: q.method, Path: q.path, Status: status, Attempt: q.attempt, Duration: a.c.o.Now().Sub(began)})
	}
	return resp, err
}

func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close() // nothing was written to it
	}
}

// once sends one attempt and reads its answer whole.
func (q *call) once(t http.RoundTripper, req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), q.c.o.Timeout)
	defer cancel()
	connected := false
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected = true }}
	resp, err := t.RoundTrip(req.WithContext(httptrace.WithClientTrace(ctx, trace)))
	if err != nil {
		_, traced := t.(*http.Transport)
		return nil, &lostError{cause: q.late(ctx, req, err), unsent: traced && !connected || dialed(err)}
	}
	if why := unreadable(resp); why != nil {
		_ = resp.Body.Close() // nothing of it is wanted
		return nil, &lostError{cause: why}
	}
	body := q.buffer
	body.Reset()
	body.Grow(int(min(max(resp.ContentLength, 0), 1<<20)) + bytes.MinRead)
	_, err = body.ReadFrom(io.LimitReader(resp.Body, maxBody+1))
	_ = resp.Body.Close() // what matters is whether it could be read
	if err != nil {
		return nil, &lostError{cause: fmt.Errorf("read answer with status %d: %w", resp.StatusCode, q.late(ctx, req, err))}
	}
	if body.Len() > maxBody {
		return nil, &lostError{cause: errTooLarge}
	}
	q.body, resp.Body = body.Bytes(), http.NoBody
	return resp, nil
}

// buffers hold bodies, which are alike in size and decoded before the next one comes.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// release gives the buffer back; nothing may use body any more. A huge one would stay.
func (q *call) release() {
	if q.buffer.Cap() <= 1<<20 {
		buffers.Put(q.buffer)
	}
	q.body, q.buffer = nil, nil
}

// late says that the attempt took too long, if that is what happened.
func (q *call) late(ctx context.Context, req *http.Request, err error) error {
	if ctx.Err() != nil && req.Context().Err() == nil {
		return fmt.Errorf("no whole answer within %s: %w", q.c.o.Timeout, os.ErrDeadlineExceeded)
	}
	return err
}

var errTooLarge = fmt.Errorf("the answer is larger than %d MiB", maxBody>>20)

// errEncoded is the cause of an answer in a form nobody asked for.
var errEncoded = errors.New("the answer is not plain")

// unreadable says why a body is not worth reading: after a switch to another protocol it
// never ends, and in an encoding nobody asked for it cannot be understood (m7).
func unreadable(resp *http.Response) error {
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return fmt.Errorf("%w: the service switches to protocol %q", errEncoded, resp.Header.Get("Upgrade"))
	}
	if e := resp.Header.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return fmt.Errorf("%w: content encoding %q with status %d", errEncoded, e, resp.StatusCode)
	}
	return nil
}

// lostError is an attempt without a usable answer.
type lostError struct {
	cause  error
	unsent bool // not a byte of it reached the service
}

func (e *lostError) Error() string { return e.cause.Error() }
func (e *lostError) Unwrap() error { return e.cause }

// dialed reports whether err says that no connection was made.
func dialed(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &dns)
}

// mayHappen reports whether the service may have carried out an attempt that ended so.
// A redirect of 301, 307 or 308 asks to repeat the request elsewhere; 302 and 303 may
// also lead away from work that is done.
func mayHappen(status int, err error) bool {
	var lost *lostError
	if errors.As(err, &lost) {
		return !lost.unsent
	}
	switch {
	case err != nil:
		return false
	case status >= 500, status < 200:
		return true
	case status >= 300 && status < 400:
		return status != http.StatusMovedPermanently && status != http.StatusTemporaryRedirect && status != http.StatusPermanentRedirect
	}
	return false
}

// fill puts the arguments of a path into its braces, escaped. Names that a server or a
// proxy would take for a step in the path are refused (m8, T21).
func fill(path string, args ...string) (string, error) {
	for _, arg := range args {
		if arg == "" || arg == "." || arg == ".." {
			return path, fmt.Errorf("%q cannot stand in an address", arg)
		}
		open, end := strings.IndexByte(path, '{'), strings.IndexByte(path, '}')
		path = path[:open] + url.PathEscape(arg) + path[end+1:]
	}
	return path, nil
}

// at is do for a path with arguments.
func (c *Client) at(ctx context.Context, method, path, arg string, body, out any) error {
	full, err := fill(path, arg)
	if err != nil {
		return (&call{c: c, method: method, path: path}).fail(err)
	}
	return c.do(ctx, method, full, nil, body, out)
}

// get is do for a read with a query of a path with arguments.
func (c *Client) get(ctx context.Context, path string, query url.Values, out any, args ...string) error {
	full, err := fill(path, args...)
	if err != nil {
		return (&call{c: c, method: http.MethodGet, path: path}).fail(err)
	}
	return c.do(ctx, http.MethodGet, full, query, nil, out)
}
