// Package notify tells programs and people of a run: by a signed JSON webhook, and in Slack.
//
// A webhook is signed as standardwebhooks.com describes, so that receivers need no code of
// their own to check it. Addresses are secrets: they are in no error.
package notify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/render"
)

// FormatVersion is the version of the JSON of a Notice.
const FormatVersion = "1.0"

// maxItems is how many differences a notice names. The report has all of them.
const maxItems = 50

// Notice is what a run has to tell, as the webhook's body. Its texts are harmless.
type Notice struct {
	FormatVersion string             `json:"format_version"`
	Event         string             `json:"event"` // drift
	ID            string             `json:"id"`    // the same for the same news
	At            time.Time          `json:"at"`
	Project       string             `json:"project"`
	Organization  string             `json:"organization"`
	Verdict       string             `json:"verdict"` // in_sync | drifted | unknown
	Text          string             `json:"text"`    // one line
	Complete      bool               `json:"complete"`
	Drifted       int                `json:"drifted"`
	New           int                `json:"new"`
	Revision      int64              `json:"revision"` // newest of the settings; 0: unknown
	Items         []render.DriftItem `json:"items"`    // the new ones first
	More          int                `json:"more"`     // not in Items
	Link          string             `json:"link"`     // where the run can be looked at, "" for nowhere
}

// OfDrift is the notice of a report; fresh are the fingerprints of what is new in it.
func OfDrift(r *drift.Report, fresh map[string]bool, link string) Notice {
	items := render.DriftItems(r, fresh)
	n := Notice{
		FormatVersion: FormatVersion, Event: "drift", At: r.CreatedAt.UTC(), Project: render.Clean(cmp.Or(r.Name, r.Project)),
		Organization: render.Clean(r.Target.Organization), Verdict: r.Verdict, Text: render.DriftVerdict(r),
		Complete: r.Coverage.Complete, Drifted: r.Summary.Drifted, New: len(fresh), Revision: r.Settings.ToRevision, Link: link,
	}
	news := sha256.New()
	for _, s := range []string{r.Project, r.Target.BaseURL, r.Target.Organization, r.Verdict, r.CreatedAt.UTC().Format(time.RFC3339Nano)} {
		_, _ = io.WriteString(news, strconv.Itoa(len(s))+":"+s) // a hash takes everything
	}
	for _, i := range items {
		_, _ = io.WriteString(news, i.Fingerprint)
	}
	n.ID = "drift_" + base64.RawURLEncoding.EncodeToString(news.Sum(nil)[:15])
	n.Items = items[:min(len(items), maxItems)]
	n.More = len(items) - len(n.Items)
	return n
}

// OfFailure is the notice of a run of drift that failed: what is true is not known. Text
// must be harmless.
func OfFailure(project, text string, at time.Time, link string) Notice {
	sum := sha256.Sum256([]byte(project + "\x00" + text + "\x00" + at.UTC().Format(time.RFC3339Nano)))
	return Notice{
		FormatVersion: FormatVersion, Event: "drift", ID: "drift_" + base64.RawURLEncoding.EncodeToString(sum[:15]),
		At: at.UTC(), Project: render.Clean(project), Verdict: drift.Unknown, Text: text, Items: []render.DriftItem{}, Link: link,
	}
}

// Sender delivers notices.
type Sender struct {
	HTTP      *http.Client // client.NewElsewhere
	UserAgent string
	Insecure  bool // permit http:// to other machines
	Now       func() time.Time
}

// NewSender delivers with the retries of the API's client.
func NewSender(e client.Elsewhere, userAgent string, insecure bool, now func() time.Time) *Sender {
	return &Sender{HTTP: client.NewElsewhere(e), UserAgent: userAgent, Insecure: insecure, Now: now}
}

// Webhook posts n to address, signed with secret; without one it is not signed.
func (s *Sender) Webhook(ctx context.Context, address, secret string, n Notice) error {
	if err := CheckAddress(address, s.Insecure); err != nil {
		return err
	}
	body, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("encode the notice: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return errors.New("not a URL")
	}
	at := strconv.FormatInt(s.Now().Unix(), 10)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", s.UserAgent)
	req.Header.Set("Webhook-Id", n.ID)
	req.Header.Set("Webhook-Timestamp", at)
	if secret != "" {
		signature, err := sign(secret, n.ID, at, body)
		if err != nil {
			return err
		}
		req.Header.Set("Webhook-Signature", signature)
	}
	resp, err := s.HTTP.Do(req)
	if err != nil {
		return hidden(err)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // what it says does not matter
	_ = resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("it answered with status %d", resp.StatusCode)
	}
	return nil
}

// sign is the signature of a body: an HMAC with SHA-256 of id, time and body. A secret may
// be written as whsec_ and base64.
func sign(secret, id, at string, body []byte) (string, error) {
	key := []byte(secret)
	if coded, ok := strings.CutPrefix(secret, "whsec_"); ok {
		var err error
		if key, err = base64.StdEncoding.DecodeString(coded); err != nil {
			return "", errors.New("the secret begins with whsec_ and is not base64 after it")
		}
	}
	h := hmac.New(sha256.New, key)
	_, _ = io.WriteString(h, id+"."+at+".") // a hash takes everything
	_, _ = h.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(h.Sum(nil)), nil
}

// CheckAddress says what is wrong with an address, without repeating it. Notices cross a
// network encrypted, unless insecure permits otherwise.
func CheckAddress(address string, insecure bool) error {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Scheme != "https" && u.Scheme != "http", u.Hostname() == "":
		return errors.New("it is not an address that begins with https://")
	case u.Scheme == "http" && !insecure && !loopback(u.Hostname()):
		return errors.New("http:// to another machine would send it in the clear; use https, or permit it with --insecure-http")
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// hidden is err without the address that net/http writes into it.
func hidden(err error) error {
	var e *url.Error
	for errors.As(err, &e) {
		err = e.Err
	}
	return fmt.Errorf("no answer: %w", err)
}
