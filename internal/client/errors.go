package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/govctl/govctl/internal/api"
)

// maxDetail is the longest Detail, in characters.
const maxDetail = 300

// fail makes the error of a request without a usable answer.
func (q *call) fail(err error) *api.Error {
	return &api.Error{Method: q.method, Path: q.path, Err: q.c.clean.err(err)}
}

// refused makes the error of an answer with a status other than 2xx.
func (q *call) refused(resp *http.Response) *api.Error {
	detail, id := explain(q.body)
	if id == "" {
		id = resp.Header.Get("X-Request-Id")
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 {
		detail = "redirects are not followed"
		if u, err := url.Parse(q.location); err == nil && q.location != "" {
			detail += "; the service points to " + (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
		}
	}
	return &api.Error{Method: q.method, Path: q.path, Status: resp.StatusCode, Detail: q.c.clean.line(detail), RequestID: q.c.clean.id(id)}
}

// ambiguous marks the error of a write that may have been carried out, now or by an
// earlier attempt.
func (q *call) ambiguous(e *api.Error) *api.Error {
	e.Ambiguous = q.doubt && q.method != http.MethodGet && q.method != http.MethodHead
	return e
}

// explain finds the words and the request id in an error body of any shape (U70).
func explain(body []byte) (detail, id string) {
	if len(body) > 1<<20 {
		body = body[:1<<20]
	}
	var v any
	if json.Unmarshal(body, &v) != nil {
		return textOf(string(body)), ""
	}
	object, _ := v.(map[string]any)
	for _, key := range []string{"requestId", "request_id"} {
		if s, ok := object[key].(string); ok && id == "" {
			id = s
		}
	}
	return words(v, 0), id
}

// words finds the most telling text in a decoded error body.
func words(v any, depth int) string {
	switch x := v.(type) {
	case string:
		return x
	case []any:
		if len(x) > 0 && depth < 4 {
			return words(x[0], depth+1)
		}
	case map[string]any:
		for _, key := range []string{"detail", "message", "error_description", "error", "errors", "reason", "title"} {
			if w, ok := x[key]; ok && depth < 4 {
				if s := words(w, depth+1); s != "" {
					return s
				}
			}
		}
	}
	return ""
}

var (
	hidden = regexp.MustCompile(`(?is)<(script|style|head)\b.*?</(script|style|head)>|<!--.*?-->`)
	tag    = regexp.MustCompile(`<[^>]*>`)
	escape = regexp.MustCompile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(\x07|\x1b\\\\)?")
)

// textOf takes the markup out of an error page.
func textOf(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	return html.UnescapeString(tag.ReplaceAllString(hidden.ReplaceAllString(s, " "), " "))
}

// shortKey is too short to be a secret, and would be found in every other word.
const shortKey = 8

// cleaner makes text of the service fit for a terminal and free of the key.
type cleaner struct {
	key  *regexp.Regexp
	json [][]byte // the key as it stands in JSON
}

func newCleaner(key string) cleaner {
	if len(key) < shortKey {
		return cleaner{key: regexp.MustCompile(`[^\s\S]`)}
	}
	var forms []string
	for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key), html.EscapeString(key)} {
		forms = append(forms, regexp.QuoteMeta(form))
	}
	return cleaner{key: regexp.MustCompile("(?i)" + strings.Join(forms, "|")), json: inJSON(key)}
}

// inJSON lists the ways in which encoders write a key of printable ASCII: with or without
// escapes for HTML and for the slash.
func inJSON(key string) [][]byte {
	quoted, _ := json.Marshal(key) // a string always can be
	plain := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key)
	var forms [][]byte
	for _, form := range []string{plain, string(quoted[1 : len(quoted)-1])} {
		for _, slash := range []string{"/", `\/`} {
			form := []byte(strings.ReplaceAll(form, "/", slash))
			if !slices.ContainsFunc(forms, func(f []byte) bool { return bytes.Equal(f, form) }) {
				forms = append(forms, form)
			}
		}
	}
	return forms
}

// body takes the key out of an answer before anybody reads it: a service that echoes it
// in a name or a reason must not bring it into a ledger or a report (principle 7).
func (c cleaner) body(b []byte) []byte {
	for _, form := range c.json {
		if bytes.Contains(b, form) {
			b = bytes.ReplaceAll(b, form, []byte("[key]"))
		}
	}
	return b
}

// line makes one line of at most maxDetail characters without the key, control
// characters, escape sequences and characters that turn text around (principle 6).
func (c cleaner) line(s string) string {
	s = escape.ReplaceAllString(c.key.ReplaceAllString(s, "[key]"), "")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = c.key.ReplaceAllString(strings.Join(strings.Fields(s), " "), "[key]")
	if r := []rune(s); len(r) > maxDetail {
		s = string(r[:maxDetail-1]) + "…"
	}
	return s
}

// id makes a request id fit to print, "" if it is none.
func (c cleaner) id(s string) string {
	if len(s) > 128 || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return ""
	}
	return c.key.ReplaceAllString(s, "[key]")
}

// err cleans the text of err; errors.Is still sees its causes.
func (c cleaner) err(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // method and address are in the api.Error
	}
	return &cleanError{text: c.line(err.Error()), cause: err}
}

// cleanError is an error with its text made safe. It has no Unwrap, which would give the
// unsafe text away.
type cleanError struct {
	text  string
	cause error
}

func (e *cleanError) Error() string { return e.text }

// Is lets errors.Is look for a cause such as context.Canceled or ErrReadOnly.
func (e *cleanError) Is(target error) bool { return errors.Is(e.cause, target) }

// pageError is the error of a list whose pages lead nowhere.
func (c *Client) pageError(path, format string, args ...any) error {
	return (&call{c: c, method: http.MethodGet, path: path}).fail(fmt.Errorf("pages: "+format, args...))
}

// refusedAs reports whether err is an answer with that status.
func refusedAs(err error, status int) bool {
	var e *api.Error
	return errors.As(err, &e) && e.Status == status
}
