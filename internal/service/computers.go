package service

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// createComputer answers POST computers. A byom machine is active at once; a sandbox is
// provisioned step by step, by the clock (U39, U40).
func (s *Service) createComputer(c *call) (any, error) {
	n, err := readNewComputer(c.body)
	if err != nil {
		return nil, err
	}
	n.CreatedAt = s.now()
	n.OwnerKind, n.OwnerID = "user", c.who.UserID
	if n.Spec.ServiceAccountID != "" {
		n.OwnerKind, n.OwnerID = "service_account", n.Spec.ServiceAccountID
	} else if n.OwnerID == "" {
		n.OwnerKind = ""
	}
	if n.Provider == store.SandboxVendor {
		n.Steps = s.provision(n)
	}
	made, err := s.store.CreateComputer(c.ctx, n)
	return s.showOrRefuse(made, err)
}

// The steps of a new sandbox; the last is store.InstallDeps.
const (
	createSandbox = "create-sandbox"
	startAgent    = "start-agent"
	cloneRepos    = "clone-repos"
)

// provisioningSteps are all steps there are, in order.
func provisioningSteps() []string {
	return []string{createSandbox, startAgent, cloneRepos, store.InstallDeps}
}

// provision plans the steps of a new sandbox, one after the other.
func (s *Service) provision(c store.Computer) []store.Step {
	names := []string{createSandbox, startAgent}
	if len(c.Spec.Repos) > 0 {
		names = append(names, cloneRepos)
	}
	if c.Spec.AutoInstallDeps == nil || *c.Spec.AutoInstallDeps {
		names = append(names, store.InstallDeps)
	}
	steps := make([]store.Step, len(names))
	for i, name := range names {
		start := c.CreatedAt.Add(time.Duration(i) * store.StepTime)
		steps[i] = store.Step{ID: name, StartsAt: start, EndsAt: start.Add(store.StepTime)}
	}
	return failing(steps, s.provisionFault(Attempt{Computer: c.Name, Steps: names}))
}

func (s *Service) getComputer(c *call) (any, error) {
	one, err := s.store.Computer(c.ctx, c.path["computerId"])
	return s.showOrRefuse(one, err)
}

func (s *Service) getComputerByName(c *call) (any, error) {
	name := c.path["name"]
	if err := checkName(name, "name"); err != nil {
		return nil, err
	}
	one, err := s.store.ComputerByName(c.ctx, name)
	return s.showOrRefuse(one, err)
}

// patchComputer answers PATCH computer: what is absent stays, nothing can be cleared (U48, U51).
func (s *Service) patchComputer(c *call) (any, error) {
	var ch store.ComputerChange
	var err error
	if ch.Name, err = readName(c.body, "name"); err != nil {
		return nil, err
	}
	if ch.RemoteUser, err = readName(c.body, "remoteUser"); err != nil {
		return nil, err
	}
	if ch.HostID, err = readHostID(c.body); err != nil {
		return nil, err
	}
	one, err := s.store.UpdateComputer(c.ctx, c.path["computerId"], ch)
	return s.showOrRefuse(one, err)
}

// installDeps answers POST install-deps: accepted, not done (U41).
func (s *Service) installDeps(c *call) (any, error) {
	one, err := s.store.RetryInstall(c.ctx, c.path["computerId"], s.now(), func(one store.Computer) string {
		return s.provisionFault(Attempt{Computer: one.Name, Retry: true, Steps: []string{store.InstallDeps}}).Error
	})
	if errors.Is(err, store.ErrRunning) {
		return nil, refuse(http.StatusConflict, "the installation is running already")
	}
	return s.showOrRefuse(one, err)
}

func (s *Service) showOrRefuse(c store.Computer, err error) (any, error) {
	if errors.Is(err, store.ErrExists) {
		return nil, refuse(http.StatusConflict, "another computer has this name")
	}
	if err != nil {
		return nil, orMissing(err, "computer")
	}
	return showComputer(c, s.now()), nil
}

func showComputer(c store.Computer, now time.Time) api.Computer {
	out := api.Computer{
		ID: c.ID, Name: c.Name, ProviderType: c.Provider, CreatedAt: unix(c.CreatedAt),
		HostID: optional(c.HostID), Hostname: optional(c.Hostname), Status: optional(c.StatusAt(now)),
		RelayClientURL: optional(c.RelayClientURL), RelayAgentURL: optional(c.RelayAgentURL),
		RemoteUser: optional(c.RemoteUser), OwnerPrincipalKind: optional(c.OwnerKind), OwnerID: optional(c.OwnerID),
	}
	for _, st := range c.Steps {
		out.ProvisioningSteps = append(out.ProvisioningSteps, showStep(st, now))
	}
	return out
}

// showStep shows a step; its id is also its name.
func showStep(st store.Step, now time.Time) api.Step {
	status := st.At(now)
	out := api.Step{ID: &st.ID, Name: &st.ID, Status: &status}
	if status != store.StepPending {
		at := unix(st.StartsAt)
		out.StartedAt = &at
		out.InstallSessionID = optional(st.InstallID)
	}
	if status == store.StepCompleted || status == store.StepError {
		at := unix(st.EndsAt)
		out.CompletedAt = &at
	}
	if status == store.StepError {
		out.Error = optional(st.Error)
	}
	return out
}

func unix(t time.Time) json.Number { return json.Number(strconv.FormatInt(t.UnixMilli(), 10)) }

// optional is nil for "".
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
