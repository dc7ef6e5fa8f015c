package main

import (
	"errors"
	"slices"
	"syscall"

	"github.com/govctl/govctl/internal/ledger"
)

// seen collects what a command met; several things can be true at once.
type seen struct {
	changes    bool // plan --detailed-exitcode found something to do, or drift a difference
	denied     bool // a policy denies
	partly     bool // apply did not get everything confirmed
	incomplete bool // facts are missing, and that matters to the command

	projects []int  // the exit codes of many projects
	summary  string // what came out, in one line
}

// Exit codes of design section 4.
const (
	exitDone       = 0
	exitError      = 1
	exitChanges    = 2
	exitDenied     = 3
	exitPartly     = 4
	exitRefused    = 5
	exitIncomplete = 6
	exitLocked     = 7
	exitInterrupt  = 130
	exitTerminate  = 143
)

// refusal is an apply that did not start because something is not as it was agreed.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// precedence is which of several exit codes counts: the first.
var precedence = []int{
	exitTerminate, exitInterrupt,
	exitError, exitRefused, exitLocked, exitPartly, exitDenied, exitIncomplete, exitChanges,
}

// worst is the exit code that counts of several, exitDone for none.
func worst(codes ...int) int {
	for _, c := range precedence {
		if slices.Contains(codes, c) {
			return c
		}
	}
	return exitDone
}

// exitCode is the one place that maps results to exit codes. Of several reasons the
// first of 1 > 5 > 7 > 4 > 3 > 6 > 2 counts; a signal comes before all of them.
func exitCode(s seen, err, cause error) int {
	return worst(append([]int{ownCode(s, err, cause)}, s.projects...)...)
}

// ownCode is the exit code of a command but for the projects it was run for.
func ownCode(s seen, err, cause error) int {
	var sig *signalError
	var locked *ledger.LockedError
	var refused *refusal
	var denies *denial
	switch {
	case errors.As(cause, &sig) && (err != nil || s.partly):
		if sig.signal == syscall.SIGTERM {
			return exitTerminate
		}
		return exitInterrupt
	case errors.As(err, &refused):
		return exitRefused
	case errors.As(err, &locked):
		return exitLocked
	case errors.As(err, &denies):
		return exitDenied
	case err != nil && errors.Is(err, errIncomplete):
		return exitIncomplete
	case err != nil:
		return exitError
	case s.partly:
		return exitPartly
	case s.denied:
		return exitDenied
	case s.incomplete:
		return exitIncomplete
	case s.changes:
		return exitChanges
	default:
		return exitDone
	}
}

// errIncomplete means that apply refuses because facts are missing.
var errIncomplete = errors.New("some facts could not be read")
