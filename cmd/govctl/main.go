// Command govctl plans and applies the governance of an AI coding agent's
// organization.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/govctl/govctl/internal/ci"
	"github.com/govctl/govctl/internal/collector"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/render"
)

func main() {
	collector.Late(firstCollection)
	log.SetOutput(io.Discard) // net/http quotes there what a server sends out of turn
	ctx, stop := signalContext(context.Background())
	defer stop()
	os.Exit(run(ctx, os.Args[1:], stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr, now: time.Now, env: os.Getenv}))
}

// firstCollection is how many bytes the process holds when garbage is first collected: about
// what the plan of a thousand people takes. Without it half of the processor time of such a
// plan went into collections of a heap that grew from nothing.
const firstCollection = 32 << 20

// stdio is everything a command touches of the process, so that a test can be one.
type stdio struct {
	in       io.Reader
	out, err io.Writer
	now      func() time.Time
	wrap     recorderWrapper // nil; tests put a crash between two ledger writes
	env      ci.Env          // what tells of a CI runner; nil: there is none
}

// run carries out one command line and returns the exit code. It is the only place
// where an error becomes text and a code.
func run(ctx context.Context, args []string, std stdio) int {
	a := &app{stdio: std}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	err := root.ExecuteContext(ctx)
	a.close()
	if err != nil {
		a.printError(err)
	}
	code := exitCode(a.seen, err, context.Cause(ctx))
	a.tellRunner(code)
	return code
}

// printError says on stderr what went wrong; problems of the configuration keep their
// layout, everything else is one line. Whatever foreign words an error quotes are made
// harmless here, at the last moment.
func (a *app) printError(err error) {
	a.err = a.atLevel(journalError)
	var problems config.Problems
	if errors.As(err, &problems) {
		fmt.Fprintf(a.err, "%s\n%s %d in the configuration\n",
			render.Message(strings.TrimRight(problems.Error(), "\n")), a.paint("problems:"), len(problems))
		return
	}
	fmt.Fprintf(a.err, "%s %s\n", a.paint("error:"), render.Message(errorText(err)))
	if h := hint(err); h != "" {
		fmt.Fprintf(a.err, "hint: %s\n", render.Message(h))
	}
}

// signalError is why a context ended.
type signalError struct{ signal os.Signal }

func (e *signalError) Error() string { return e.signal.String() }

// signalContext ends on the first SIGINT or SIGTERM; a second one ends the process at
// once.
func signalContext(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		select {
		case s := <-ch:
			signal.Stop(ch)
			cancel(&signalError{s})
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(ch); cancel(nil) }
}
