package forge

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Marker identifies a comment or an issue to later runs. It is the first line of the
// text, as an HTML comment that no reader sees.
type Marker struct {
	Kind    string // plan | drift | apply
	Project string // any text
	Run     int64  // grows with every run
	Attempt int64  // grows with every repetition of a run
	Head    string // commit, "" for none
	Digest  string // of the plan, "" for none
}

// String is the line. Foreign text in it is escaped so that it cannot end the comment.
func (m Marker) String() string {
	return fmt.Sprintf("<!-- govctl:v1 kind=%s project=%s part=1/1 run=%d attempt=%d head=%s sha256=%s -->",
		url.QueryEscape(m.Kind), url.QueryEscape(m.Project), m.Run, m.Attempt,
		url.QueryEscape(m.Head), url.QueryEscape(strings.TrimPrefix(m.Digest, "sha256:")))
}

var markerLine = regexp.MustCompile(`^<!-- govctl:v1 kind=(\S+) project=(\S*) part=1/1 run=([0-9]+) attempt=([0-9]+) head=(\S*) sha256=(\S*) -->\r?(\n|$)`)

// ParseMarker reads the marker of a text. Ok is false where there is none.
func ParseMarker(body string) (m Marker, ok bool) {
	f := markerLine.FindStringSubmatch(body)
	if f == nil {
		return Marker{}, false
	}
	var bad error
	text := func(s string) string {
		t, err := url.QueryUnescape(s)
		if err != nil {
			bad = err
		}
		return t
	}
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			bad = err
		}
		return n
	}
	m = Marker{Kind: text(f[1]), Project: text(f[2]), Run: number(f[3]), Attempt: number(f[4]), Head: text(f[5]), Digest: text(f[6])}
	if m.Digest != "" {
		m.Digest = "sha256:" + m.Digest
	}
	return m, bad == nil
}

// same reports whether two markers stand for the same comment.
func (m Marker) same(o Marker) bool { return m.Kind == o.Kind && m.Project == o.Project }

// after reports whether m was written by a later run than o. Without run numbers nothing
// is later.
func (m Marker) after(o Marker) bool {
	return m.Run > o.Run || m.Run == o.Run && m.Attempt > o.Attempt
}

// Post is a text with its marker.
type Post struct {
	Marker Marker
	Text   string // what is said; equal texts are not written twice
	Footer string // what belongs to one run only, such as its address; "" for none
	// Silent posts replace what is there, but do not begin a talk.
	Silent bool
}

// runLine parts what is compared from what differs with every run.
const runLine = "<!-- govctl:run -->"

// Body is the whole text as the host gets it.
func (p Post) Body() string {
	body := p.Marker.String() + "\n" + strings.TrimRight(p.Text, "\n") + "\n"
	if p.Footer != "" {
		body += "\n" + runLine + "\n" + p.Footer + "\n"
	}
	return body
}

// Overhead is how many bytes a body has besides Text.
func (p Post) Overhead() int {
	p.Text = ""
	return len(p.Body())
}

// content is what a text says, whichever run said it.
func content(body string) string {
	body = strings.ReplaceAll(body, "\r\n", "\n")
	if _, ok := ParseMarker(body); ok {
		_, body, _ = strings.Cut(body, "\n")
	}
	body, _, _ = strings.Cut(body, "\n"+runLine)
	return strings.TrimSpace(body)
}
