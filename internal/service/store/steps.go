package store

import (
	"fmt"
	"time"
)

// States of a provisioning step.
const (
	StepPending   = "pending"
	StepRunning   = "running"
	StepCompleted = "completed"
	StepError     = "error"
)

// States of a computer.
const (
	Provisioning = "provisioning"
	Active       = "active"
	Failed       = "error"
)

// InstallDeps is the step that can be retried.
const InstallDeps = "install-deps"

// StepTime is how long the deterministic provisioner takes for one step.
const StepTime = 2 * time.Second

// Step is one provisioning step. Nothing runs in the background: a step without a fixed
// Status follows the clock, pending until StartsAt, running until EndsAt, then completed,
// or in error if it has an Error.
type Step struct {
	ID        string
	Status    string // "": follows the clock
	Error     string // what it fails with, or failed with
	InstallID string // id of the installation run, "" for other steps
	Installs  int    // how many installation runs there were
	StartsAt  time.Time
	EndsAt    time.Time
}

// At returns the state of the step at a moment.
func (s Step) At(now time.Time) string {
	switch {
	case s.Status != "":
		return s.Status
	case now.Before(s.StartsAt):
		return StepPending
	case now.Before(s.EndsAt):
		return StepRunning
	case s.Error != "":
		return StepError
	}
	return StepCompleted
}

// StatusAt returns the state of the computer at a moment: what its steps make of it,
// except that a retried installation changes nothing before it has ended.
func (c Computer) StatusAt(now time.Time) string {
	if c.Provider == BYOM {
		return Active
	}
	if now.Before(c.HeldUntil) {
		return c.HeldStatus
	}
	status := Active
	for _, s := range c.Steps {
		switch s.At(now) {
		case StepError:
			return Failed
		case StepPending, StepRunning:
			status = Provisioning
		}
	}
	return status
}

// retryInstall starts the installation anew, ErrRunning if it runs. A computer that has
// no such step gets one. The run ends with what fail says, which is asked last.
func (c *Computer) retryInstall(now time.Time, fail func(Computer) string) error {
	at := -1
	for i, s := range c.Steps {
		if s.ID == InstallDeps {
			at = i
		}
	}
	if at < 0 {
		c.Steps = append(c.Steps, Step{ID: InstallDeps})
		at = len(c.Steps) - 1
	} else if c.Steps[at].At(now) == StepRunning {
		return ErrRunning
	}
	held := c.StatusAt(now)
	if held == Provisioning {
		held = "" // the other steps say so themselves
	}
	runs := c.Steps[at].Installs + 1
	c.Steps[at] = Step{
		ID: InstallDeps, InstallID: fmt.Sprintf("install_%s_%d", c.ID, runs), Installs: runs,
		StartsAt: now, EndsAt: now.Add(StepTime), Error: fail(*c),
	}
	if held != "" {
		c.HeldStatus, c.HeldUntil = held, c.Steps[at].EndsAt
	}
	return nil
}
