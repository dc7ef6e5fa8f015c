package sample

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// Computers are the machines cmp_01 to cmp_12.
func Computers() []store.Computer {
	all := []store.Computer{
		byom("build-01", 1, "root"), byom("build-02", 2, "ci"), byom("build-03", 3, "ci"),
		byom("old-runner", 4, "ci"), byom("gpu-01", 5, "ml"), byom("gpu-02", 6, "ml"),
	}
	for i := 1; i <= 6; i++ {
		all = append(all, sandbox(i))
	}
	created := at("2026-01-20T09:30:00.000Z")
	for i := range all {
		c := &all[i]
		c.ID = fmt.Sprintf("cmp_%02d", i+1)
		c.CreatedAt = created.Add(time.Duration(i) * 19 * 24 * time.Hour)
		if c.Provider == store.SandboxVendor {
			c.RelayClientURL = "https://relay.acme.example/client/" + c.ID
			c.RelayAgentURL = "https://relay.acme.example/agent/" + c.ID
			for s := range c.Steps {
				c.Steps[s].StartsAt = c.CreatedAt.Add(time.Duration(s) * store.StepTime)
				c.Steps[s].EndsAt = c.Steps[s].StartsAt.Add(store.StepTime)
			}
		}
	}
	return all
}

func byom(name string, n int, user string) store.Computer {
	return store.Computer{
		Name: name, Provider: store.BYOM, RemoteUser: user, Hostname: name + ".acme.example",
		HostID:    fmt.Sprintf("6f1c2d3e-0000-4000-8000-%012d", n),
		OwnerKind: "user", OwnerID: "usr_001",
	}
}

// sandbox is a provisioned sandbox; the sixth failed to install its dependencies.
func sandbox(n int) store.Computer {
	auto := true
	c := store.Computer{
		Name: fmt.Sprintf("sandbox-%02d", n), Provider: store.SandboxVendor,
		OwnerKind: "service_account", OwnerID: "sa_ci",
		Spec: store.Spec{
			Repos:           []string{"https://git.example.com/acme/api"},
			AutoInstallDeps: &auto, ServiceAccountID: "sa_ci", Source: json.RawMessage(`{"kind":"scratch"}`),
		},
		Steps: []store.Step{
			{ID: "create-sandbox", Status: store.StepCompleted},
			{ID: "start-agent", Status: store.StepCompleted},
			{ID: "clone-repos", Status: store.StepCompleted},
			{ID: store.InstallDeps, Status: store.StepCompleted},
		},
	}
	if n == 6 {
		c.Steps[3].Status = store.StepError
		c.Steps[3].Error = "npm ci exited with status 1: ENOSPC: no space left on device"
	}
	return c
}
