// Package forge keeps a comment or an issue on a code host up to date.
//
// There is one comment per project and kind on a change, and one issue per project. They
// are found by a marker that readers do not see and by their author, because anybody may
// write a marker. They are edited in place: a comment for every push buries the talk.
// What is there already in the same words costs no request, so nobody is notified of
// nothing, and a run that was slow never overwrites what a newer one said.
//
// Every error here is a warning to its caller: a plan is as good without its comment.
package forge

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// The code hosts that are known.
const (
	GitHub = "github"
	GitLab = "gitlab"
)

// Options say where to write and as whom.
type Options struct {
	Kind       string // GitHub or GitLab
	API        string // base address of the API; https, or http to this machine
	Repository string // owner/name, or the number or path of a GitLab project
	Token      string
	JobToken   bool          // the token is the one GitLab gives to a job
	Author     string        // the login the token writes as; "" asks the host
	UserAgent  string        //
	Timeout    time.Duration // of one request; 0 is half a minute
	FirstWait  time.Duration // before a request is repeated; 0 is half a second
}

// Forge is a repository on a code host.
type Forge struct {
	host   host
	author string
}

// host is what the code hosts have in common. Lists come oldest first.
type host interface {
	login(ctx context.Context) (string, error)
	comments(ctx context.Context, change int) iter.Seq2[note, error]
	addComment(ctx context.Context, change int, body string) (note, error)
	setComment(ctx context.Context, change int, id int64, body string) (note, error)
	issues(ctx context.Context, author string) iter.Seq2[note, error]
	addIssue(ctx context.Context, title, body string, labels []string) (note, error)
	setIssue(ctx context.Context, number int64, edit issueEdit) (note, error)
}

// note is a comment or an issue.
type note struct {
	id     int64 // of an issue: its number
	author string
	body   string
	link   string
	closed bool
}

// issueEdit is what changes of an issue.
type issueEdit struct {
	body          string
	close, reopen bool
}

// The reasons that callers decide by.
var (
	ErrForbidden = errors.New("the token may not do that")
	ErrTooLong   = errors.New("the text is too long")
)

const (
	pageSize = 100
	maxPages = 100 // of a list; more comments than that are not read by anybody
	retries  = 3
)

// Open prepares to write. It sends nothing.
func Open(o Options) (*Forge, error) {
	if o.Token == "" {
		return nil, errors.New("no token")
	}
	if err := checkAddress(o.API); err != nil {
		return nil, fmt.Errorf("API address %q: %w", o.API, err)
	}
	if o.Repository == "" {
		return nil, errors.New("no repository")
	}
	var h host
	var err error
	switch o.Kind {
	case GitHub:
		h, err = newGitHub(o)
	case GitLab:
		h, err = newGitLab(o)
	default:
		err = fmt.Errorf("%q is not %s or %s", o.Kind, GitHub, GitLab)
	}
	if err != nil {
		return nil, err
	}
	return &Forge{h, o.Author}, nil
}

// checkAddress keeps the token from being read on its way.
func checkAddress(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil:
		return errors.New("not a URL")
	case u.Scheme == "https" && u.Host != "":
		return nil
	case u.Scheme == "http" && loopback(u.Hostname()):
		return nil
	}
	return errors.New("must begin with https://, or the token could be read on its way")
}

func loopback(name string) bool {
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// client repeats what may be repeated: everything but what creates. Redirects are not
// followed, since the token belongs to one host.
func (o Options) client() *http.Client {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	timeout, wait := o.Timeout, o.FirstWait
	if timeout == 0 {
		timeout = 30 * time.Second
	}
	if wait == 0 {
		wait = 500 * time.Millisecond
	}
	r := retryablehttp.NewClient()
	r.HTTPClient = &http.Client{Timeout: timeout, CheckRedirect: stay}
	r.RetryMax, r.RetryWaitMin, r.RetryWaitMax = retries, wait, 8*wait
	r.Logger, r.CheckRetry, r.ErrorHandler = nil, again, retryablehttp.PassthroughErrorHandler
	c := r.StandardClient()
	c.CheckRedirect = stay
	return c
}

// again decides whether a request is sent once more. One that creates is not: it may
// have been carried out.
func again(ctx context.Context, resp *http.Response, err error) (bool, error) {
	var failed *url.Error
	creates := resp != nil && resp.Request != nil && resp.Request.Method == http.MethodPost ||
		errors.As(err, &failed) && failed.Op == "Post"
	if creates {
		return false, nil
	}
	return retryablehttp.DefaultRetryPolicy(ctx, resp, err)
}

// refusal gives an answer's status the reason that callers decide by.
func refusal(status int, message string, err error) error {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusNotFound:
		return fmt.Errorf("%w: %w", ErrForbidden, err) // hosts say 404 to who may not see
	case status == http.StatusRequestEntityTooLarge, strings.Contains(message, "too long"):
		return fmt.Errorf("%w: %w", ErrTooLong, err)
	}
	return err
}
