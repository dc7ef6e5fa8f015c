package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/ci"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/drift"
	"github.com/govctl/govctl/internal/notify"
	"github.com/govctl/govctl/internal/render"
)

// What is worth a notice.
const (
	notifyNew    = "new"    // something counts that did not count in the run before
	notifyDrift  = "drift"  // whatever is not in sync
	notifyAlways = "always" // every run, also one that fails
)

// noticeWait is how long a notice is tried, so that a receiver that is down does not hold
// the run.
const noticeWait = 30 * time.Second

// targets is where notices go.
type targets struct {
	webhook, secret, slack string
}

// noticeTargets finds the addresses. Those that are secrets by themselves come from the
// environment or a file it names, never from the command line, which others can read.
func (a *app) noticeTargets(tell tellFlags) (targets, error) {
	var t targets
	var bad []error
	read := func(into *string, name string) {
		var err error
		if *into, err = secretText(name); err != nil {
			bad = append(bad, err)
		}
	}
	read(&t.webhook, "GOVCTL_NOTIFY_URL")
	read(&t.secret, "GOVCTL_NOTIFY_SECRET")
	read(&t.slack, "GOVCTL_SLACK_WEBHOOK_URL")
	if !oneOf(tell.notifyOn, notifyNew, notifyDrift, notifyAlways) {
		bad = append(bad, fmt.Errorf("--notify-on %q is not new, drift or always", tell.notifyOn))
	}
	if tell.notify != "" {
		if secretAddress(tell.notify) {
			bad = append(bad, &hinted{errors.New("--notify: this address is a secret, and the command line is not"), "put it into GOVCTL_NOTIFY_URL or GOVCTL_SLACK_WEBHOOK_URL, or into a file that …_FILE names"})
		}
		t.webhook = tell.notify
	}
	for _, to := range []struct{ name, address string }{{"the address for notices", t.webhook}, {"GOVCTL_SLACK_WEBHOOK_URL", t.slack}} {
		if to.address == "" {
			continue
		}
		if err := notify.CheckAddress(to.address, a.flags.insecure); err != nil {
			bad = append(bad, fmt.Errorf("%s: %w", to.name, err))
		}
	}
	return t, errors.Join(bad...)
}

// secretAddress reports whether knowing an address is being allowed to post there.
func secretAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.User != nil || u.RawQuery != "" || strings.HasSuffix(u.Hostname(), "slack.com"))
}

// secretText reads a secret of one line from the environment, or from the file that
// name_FILE names; "" if neither is set.
func secretText(name string) (string, error) {
	text := os.Getenv(name)
	if file := os.Getenv(name + "_FILE"); text == "" && file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("%s_FILE: %w", name, err)
		}
		text = string(data)
	}
	if text = strings.TrimSpace(text); strings.ContainsAny(text, "\r\n") {
		return "", fmt.Errorf("%s must be one line", name)
	}
	return text, nil
}

// wanted reports whether a run is worth a notice.
func (run driftRun) wanted(on string) bool {
	switch {
	case on == notifyAlways:
		return true
	case run.r == nil:
		return false
	case on == notifyDrift:
		return run.r.Verdict != drift.InSync
	}
	return len(run.r.Fresh()) > 0
}

// tellNotices sends what is worth it and reports whether everybody heard it. That never
// changes how the run ends; that somebody did not is a warning.
func (a *app) tellNotices(ctx context.Context, t targets, on string, run driftRun) bool {
	if t.webhook == "" && t.slack == "" || !run.wanted(on) {
		return true
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noticeWait)
	defer cancel()
	wait := noticeWait
	retries := 0 // the client's own choice
	if a.flags.maxWait == 0 {
		retries = -1
	} else {
		wait = min(wait, a.flags.maxWait)
	}
	s := notify.NewSender(client.Elsewhere{Timeout: min(a.flags.timeout, noticeWait), MaxWait: wait, Retries: retries},
		"govctl/"+buildInfo().Version, a.flags.insecure, a.now)
	n := run.notice(runLink())
	heard := true
	warn := func(what string, err error) {
		if err != nil {
			heard = false
			a.logger().Warn(what+" was not told", "error", render.Message(err.Error()))
		}
	}
	if t.webhook != "" {
		warn("the webhook", s.Webhook(ctx, t.webhook, t.secret, n))
	}
	if t.slack != "" {
		warn("Slack", s.Slack(ctx, t.slack, n))
	}
	return heard
}

// keepUntold writes the reports of a run again, with what nobody heard of: the next run
// that is given one as --previous tells it.
func (a *app) keepUntold(run driftRun, outs []output, dir string) {
	if run.r == nil {
		return
	}
	r := *run.r
	r.Untold = slices.Clone(r.Untold)
	for _, ref := range r.Fresh() {
		r.Untold = append(r.Untold, ref.Fingerprint)
	}
	outs = slices.DeleteFunc(slices.Clone(outs), func(o output) bool { return o.format != render.JSON || o.file == "" })
	if err := a.emitDrift(outs, &r, dir); err != nil {
		a.logger().Warn("the next run will not tell it either", "error", render.Message(err.Error()))
	}
}

// runLink is where this run can be looked at, "" if nobody knows.
func runLink() string {
	runner, err := ci.Detect("", os.Getenv)
	if err != nil {
		return ""
	}
	return ci.Read(runner, os.Getenv, nil).Link
}
