package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Bounds of a run.
const (
	DefaultLimit = time.Minute // long for a hook; the agent waits for it
	maxParallel  = 16
	maxCaptured  = 64 << 10 // bytes kept of each stream of a command
	grace        = time.Second
)

// The results of a command.
const (
	OK          = "ok"          // exit code 0
	Failed      = "failed"      // another exit code, or it could not be started
	TimedOut    = "timed_out"   // it was stopped
	Interrupted = "interrupted" // the run was ended before the command was
)

// RunOptions are the choices of Run.
type RunOptions struct {
	Hooks []Hook
	Event string        // whose hooks run
	Tool  string        // of PostToolUse, compared with the matchers; "" runs the hooks of every matcher
	Input []byte        // one JSON object for every command's standard input
	Dir   string        // where the commands run; "" is the working directory
	Limit time.Duration // of one command; 0 is DefaultLimit
	Unit  time.Duration // of the timeouts of the file; 0: not known, so that they do not count (C214)
	Now   func() time.Time
}

// Report is what the hooks of one event did.
type Report struct {
	Event    string   `json:"event"`
	Tool     string   `json:"tool,omitempty"`
	Commands []Result `json:"commands"` // in the order of the file
}

// Result is what one command did.
type Result struct {
	Hook
	Result     string `json:"result"`          // ok | failed | timed_out | interrupted
	ExitCode   int    `json:"exit_code"`       // -1 when it was stopped or not started
	DurationMS int64  `json:"duration_ms"`     // milliseconds
	Stdout     string `json:"stdout"`          // at most 64 KiB
	Stderr     string `json:"stderr"`          // at most 64 KiB
	Cut        bool   `json:"cut"`             // more was written than is shown
	Err        string `json:"error,omitempty"` // why it could not be started
}

// Failed counts the commands that did not end with exit code 0.
func (r *Report) Failed() int {
	n := 0
	for _, c := range r.Commands {
		if c.Result != OK {
			n++
		}
	}
	return n
}

// Run runs the hooks of an event in parallel, as the agent does, and waits for all. A
// command that takes longer than its limit is stopped with everything it started. The
// error is of the options; what a command does is in the report.
func Run(ctx context.Context, o RunOptions) (*Report, error) {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	report := &Report{Event: o.Event, Tool: o.Tool, Commands: []Result{}}
	for _, h := range o.Hooks {
		match, err := matches(h, o)
		if err != nil {
			return nil, err
		}
		if match {
			report.Commands = append(report.Commands, Result{Hook: h})
		}
	}
	var g errgroup.Group
	g.SetLimit(maxParallel)
	for i := range report.Commands {
		g.Go(func() error {
			report.Commands[i].run(ctx, o)
			return nil
		})
	}
	return report, g.Wait()
}

// matches reports whether a hook runs. How a matcher is compared is not stated; it is read
// as a regular expression for the whole name of a tool, which a plain name is too, and "*"
// is every tool.
func matches(h Hook, o RunOptions) (bool, error) {
	if h.Event != o.Event {
		return false, nil
	}
	if o.Tool == "" || h.Matcher == "" || h.Matcher == "*" {
		return true, nil
	}
	re, err := regexp.Compile(`\A(?:` + h.Matcher + `)\z`)
	if err != nil {
		return false, fmt.Errorf("%s: the matcher %q is no regular expression", h.Source, h.Matcher)
	}
	return re.MatchString(o.Tool), nil
}

// limit is how long a command may take. The timeout of the file counts only in a known
// unit and never prolongs the limit.
func (o RunOptions) limit(h Hook) time.Duration {
	if n, err := h.Timeout.Float64(); err == nil && n > 0 && o.Unit > 0 {
		if own := n * float64(o.Unit); own < float64(o.Limit) {
			return time.Duration(own)
		}
	}
	return o.Limit
}

func (r *Result) run(parent context.Context, o RunOptions) {
	ctx, cancel := context.WithTimeout(parent, o.limit(r.Hook))
	defer cancel()
	var stdout, stderr capture
	shell := shell()
	cmd := exec.CommandContext(ctx, shell[0], append(shell[1:], r.Command)...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = o.Dir, bytes.NewReader(o.Input), &stdout, &stderr
	cmd.WaitDelay = grace
	ownGroup(cmd)
	began := o.Now()
	err := cmd.Run()
	r.DurationMS = o.Now().Sub(began).Milliseconds()
	r.Stdout, r.Stderr, r.Cut = stdout.text(), stderr.text(), stdout.cut || stderr.cut
	r.ExitCode, r.Result = -1, Failed
	var exit *exec.ExitError
	switch {
	case parent.Err() != nil:
		r.Result = Interrupted
	case ctx.Err() != nil:
		r.Result = TimedOut
	case cmd.ProcessState != nil && cmd.ProcessState.Success():
		// A command that ends well without reading its input, or leaves a process behind
		// that holds its output open, has ended well.
		r.ExitCode, r.Result = 0, OK
	case errors.As(err, &exit):
		r.ExitCode = exit.ExitCode()
	case err != nil:
		r.Err = err.Error()
	}
}

// capture keeps the beginning of what a command writes.
type capture struct {
	mu  sync.Mutex // a command that was given up may still write
	buf bytes.Buffer
	cut bool
}

// Write never fails: a command is not stopped for talking too much.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	keep := min(len(p), maxCaptured-c.buf.Len())
	c.buf.Write(p[:keep])
	c.cut = c.cut || keep < len(p)
	return len(p), nil
}

func (c *capture) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buf.String()
}
