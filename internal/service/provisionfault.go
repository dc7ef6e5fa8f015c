package service

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gobwas/glob"

	"github.com/govctl/govctl/internal/service/store"
)

// Attempt is one run of the provisioner: the creation of a sandbox, or the installation
// of dependencies that somebody asked for again.
type Attempt struct {
	Computer string   // its name
	Retry    bool     // install-deps of a computer that exists
	Steps    []string // ids of the steps it runs, in order
}

// StepFault is what goes wrong with an attempt. The zero StepFault is nothing.
type StepFault struct {
	Step  string // id of one of its steps
	Error string // what the step fails with
}

// ProvisionRules are faults of the provisioner written by people, one rule per line of
// thought:
//
//	create NAME fail=STEP:"ERROR" [WHEN...]
//	retry NAME fail=install-deps:"ERROR" [WHEN...]
//
// NAME is a glob of the name of the computer, in which * stands for anything. WHEN is
// that of FaultRules. A rule counts the attempts that it fits and that have the step.
type ProvisionRules struct{ rules []*provisionRule }

type provisionRule struct {
	retry bool
	name  *glob.Pattern
	fault StepFault
	when
}

// ParseProvisionRules reads rules, or says what is wrong with all of them.
func ParseProvisionRules(lines []string) (*ProvisionRules, error) {
	parsed := &ProvisionRules{}
	var errs []error
	for _, line := range lines {
		r, problems := parseProvisionRule(line)
		for _, p := range problems {
			errs = append(errs, fmt.Errorf("provision fault %q: %w", line, p))
		}
		parsed.rules = append(parsed.rules, r)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return parsed, nil
}

// Fault decides what goes wrong with an attempt, for Options. If several rules strike, the
// first wins; all of them count.
func (p *ProvisionRules) Fault(a Attempt) StepFault {
	var first StepFault
	for _, rule := range p.rules {
		if rule.fits(a) && rule.count() && first == (StepFault{}) {
			first = rule.fault
		}
	}
	return first
}

func (r *provisionRule) fits(a Attempt) bool {
	return r.retry == a.Retry && slices.Contains(a.Steps, r.fault.Step) && r.name.Match(a.Computer)
}

// parseProvisionRule reads one rule and collects what is wrong with it.
func parseProvisionRule(line string) (*provisionRule, []error) {
	words, err := splitRule(line)
	if err != nil {
		return nil, []error{err}
	}
	if len(words) < 3 {
		return nil, []error{errors.New(`write create NAME fail=STEP:"ERROR", as in create ci-* fail=clone-repos:"repository not found" nth=1`)}
	}
	r := &provisionRule{retry: words[0] == "retry"}
	var errs []error
	pattern := strings.Trim(words[1], `"`)
	if r.name, err = glob.Compile(pattern); err != nil { // names are no paths: no separators
		errs = append(errs, fmt.Errorf("%s is no pattern of names", pattern))
	}
	if !r.retry && words[0] != "create" {
		errs = append(errs, fmt.Errorf("%s is neither create nor retry", words[0]))
	}
	seen := map[string]bool{}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		if seen[name] {
			errs = append(errs, fmt.Errorf("%s is given twice", name))
		}
		seen[name] = true
		if err := r.set(name, value); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", word, err))
		}
	}
	if !seen["fail"] {
		errs = append(errs, errors.New(`it says no fail=STEP:"ERROR"`))
	}
	return r, append(errs, checkWhen(seen)...)
}

func (r *provisionRule) set(name, value string) error {
	switch {
	case name == "fail":
		return r.setFail(value)
	case isWhen(name):
		return r.setWhen(name, value)
	}
	return errors.New("no such part; there are fail, and nth, every, p, seed")
}

func (r *provisionRule) setFail(value string) error {
	step, text, _ := strings.Cut(value, ":")
	text = strings.Trim(text, `"`)
	steps := provisioningSteps()
	if r.retry {
		steps = []string{store.InstallDeps}
	}
	if !slices.Contains(steps, step) {
		return fmt.Errorf("the step must be %s", strings.Join(steps, ", "))
	}
	if strings.TrimSpace(text) == "" || strings.ContainsFunc(text, unicode.IsControl) {
		return errors.New(`the step needs an error text without control characters, as in fail=install-deps:"no space left"`)
	}
	r.fault = StepFault{Step: step, Error: text}
	return nil
}

// failing returns the steps of an attempt with what a fault makes of them: the step fails
// when it ends, and what would follow never starts.
func failing(steps []store.Step, f StepFault) []store.Step {
	at := slices.IndexFunc(steps, func(s store.Step) bool { return s.ID == f.Step })
	if at < 0 {
		return steps
	}
	steps = slices.Clone(steps)
	steps[at].Error = f.Error
	for i := range steps[at+1:] {
		steps[at+1+i].Status = store.StepPending
	}
	return steps
}

// provisionFault asks what goes wrong with an attempt.
func (s *Service) provisionFault(a Attempt) StepFault {
	if s.o.ProvisionFault == nil {
		return StepFault{}
	}
	f := s.o.ProvisionFault(a)
	if f != (StepFault{}) {
		s.o.Logger.Info("provision fault", "computer", a.Computer, "retry", a.Retry, "step", f.Step)
	}
	return f
}
