// Package client speaks the admin API.
//
// It distrusts what comes back: redirects are never followed, a body is read to its end
// and must be one JSON value with exactly the promised keys, pages must lead somewhere.
// Only reads and the limits PUT, which is absolute, are ever sent twice. An error of a
// write says whether the service may have carried it out all the same.
package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// Defaults of Options.
const (
	DefaultTimeout = 30 * time.Second // long enough for a page of 100 on a slow day
	DefaultMaxWait = 2 * time.Minute  // outages shorter than this are ridden out
	DefaultRetries = 8                // with backoff that is about DefaultMaxWait
)

// Bounds of single phases, so that an address which swallows packets, or a server which
// sends headers for ever, is noticed before the whole attempt runs out.
const (
	connectTimeout = 10 * time.Second
	maxHeader      = 256 << 10 // bytes of one answer's headers
)

// ErrReadOnly is the cause of every write that a read-only client refuses.
var ErrReadOnly = errors.New("this client may only read")

// Options are the choices of New. Only BaseURL and Key are required.
type Options struct {
	BaseURL      string            // analytics and /api/v0; a path prefix is kept
	AppURL       string            // readiness; "" is BaseURL
	Key          string            // API key or JWT, sent in the Authorization header only
	ReadOnly     bool              // refuse every method but GET and HEAD before a byte is sent
	InsecureHTTP bool              // permit http:// to other machines (U80)
	UserAgent    string            // "" is "govctl"
	Timeout      time.Duration     // of one attempt with its answer; 0 is DefaultTimeout
	MaxWait      time.Duration     // after which a request is not tried again; 0 is DefaultMaxWait
	Retries      int               // after the first attempt; 0 is DefaultRetries, negative is none
	Now          func() time.Time  // nil: time.Now
	Quit         context.Context   // when it ends, nothing is tried again; an attempt under way is finished; nil: never
	Transport    http.RoundTripper // nil: a pool of connections of its own
	OnRequest    func(Event)       // called after every attempt, perhaps concurrently; may be nil
}

// Event is one attempt of one request.
type Event struct {
	Method   string
	Path     string // without host and query
	Status   int    // 0 when no usable answer came
	Attempt  int    // from 1
	Duration time.Duration
}

// Client is a client of the admin API, safe for concurrent use.
type Client struct {
	base, app string // without trailing slash
	o         Options
	http      *http.Client
	decoder   decoder
	pace      *pacer
	clean     cleaner

	sent, retries atomic.Int64
}

// New checks the options. The addresses must be https, or lead to this machine, or be
// permitted by InsecureHTTP: the key never crosses a network in the clear (U80).
func New(o Options) (*Client, error) {
	if strings.TrimSpace(o.Key) == "" {
		return nil, errors.New("the API key is empty")
	}
	if strings.IndexFunc(o.Key, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
		return nil, errors.New("the API key has characters that a header cannot carry, such as a space or a newline")
	}
	base, err := address(o.BaseURL, o.InsecureHTTP)
	if err != nil {
		return nil, fmt.Errorf("base address: %w", err)
	}
	app, err := address(cmp.Or(o.AppURL, o.BaseURL), o.InsecureHTTP)
	if err != nil {
		return nil, fmt.Errorf("application address: %w", err)
	}
	o.UserAgent = cmp.Or(o.UserAgent, "govctl")
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.MaxWait = cmp.Or(o.MaxWait, DefaultMaxWait)
	if o.Retries = max(0, cmp.Or(o.Retries, DefaultRetries)); o.Retries == 0 {
		o.MaxWait = 0 // nor is anything held back because a service asks to come later
	}
	if o.Quit == nil {
		o.Quit = context.Background()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Transport == nil {
		o.Transport = pool()
	}
	c := &Client{base: base, app: app, o: o, pace: newPacer(o.Now), clean: newCleaner(o.Key)}
	c.http = &http.Client{
		Transport:     attempts{c},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// Requests counts the attempts sent so far and how many of them were not the first.
func (c *Client) Requests() (sent, retries int) {
	return int(c.sent.Load()), int(c.retries.Load())
}

// address checks a base address and removes its trailing slash.
func address(s string, insecure bool) (string, error) {
	u, err := url.Parse(s)
	switch {
	case s == "":
		return "", errors.New("none is given")
	case err != nil:
		return "", errors.New("not a URL")
	case u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return "", errors.New("must begin with https:// and name a host")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.ForceQuery:
		return "", errors.New("must not hold a user, a query or a fragment")
	case u.Scheme == "http" && !insecure && !loopback(u.Hostname()):
		return "", fmt.Errorf("http://%s would carry the API key in the clear; use https, or permit it with --insecure-http", u.Host)
	}
	return strings.TrimRight(s, "/"), nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// pool keeps as many idle connections as apply may use at once.
func pool() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
	t.TLSHandshakeTimeout = connectTimeout
	t.MaxResponseHeaderBytes = maxHeader
	t.MaxIdleConnsPerHost = 16
	return t
}
