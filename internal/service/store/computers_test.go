package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/store"
)

// sound lets an installation end well.
func sound(store.Computer) string { return "" }

func failed(t *testing.T, s *store.Store) store.Computer {
	t.Helper()
	c, err := s.CreateComputer(t.Context(), store.Computer{
		Name: "box", Provider: store.SandboxVendor, CreatedAt: now(),
		Steps: []store.Step{{ID: "create-sandbox", Status: store.StepCompleted}, {ID: store.InstallDeps, Status: store.StepError, Error: "no space"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRetryInstallOfAFailedComputer(t *testing.T) {
	t.Parallel()
	s := open(t)
	c := failed(t, s)
	if got := c.StatusAt(now()); got != store.Failed {
		t.Fatalf("status %s", got)
	}
	c, err := s.RetryInstall(t.Context(), c.ID, now(), sound)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.StatusAt(now()); got != store.Failed {
		t.Errorf("U41: the status became %s at once", got)
	}
	if st := c.Steps[1]; st.At(now()) != store.StepRunning || st.Error != "" || st.InstallID != "install_cmp_01_2" {
		t.Errorf("step %+v", st)
	}
	if _, err := s.RetryInstall(t.Context(), c.ID, now(), sound); !errors.Is(err, store.ErrRunning) {
		t.Errorf("while it runs: %v", err)
	}
	later := now().Add(store.StepTime)
	stored, err := s.Computer(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c, stored); diff != "" {
		t.Errorf("returned and stored differ: %s", diff)
	}
	if got := stored.StatusAt(later); got != store.Active {
		t.Errorf("status %s after the installation", got)
	}
}

func TestRetryInstallDuringProvisioning(t *testing.T) {
	t.Parallel()
	s := open(t)
	c, err := s.CreateComputer(t.Context(), store.Computer{
		Name: "box", Provider: store.SandboxVendor, CreatedAt: now(),
		Steps: []store.Step{
			{ID: "create-sandbox", StartsAt: now(), EndsAt: now().Add(10 * time.Second)},
			{ID: store.InstallDeps, StartsAt: now().Add(10 * time.Second), EndsAt: now().Add(12 * time.Second)},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if c, err = s.RetryInstall(t.Context(), c.ID, now(), sound); err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Duration{0, 5 * time.Second} {
		if got := c.StatusAt(now().Add(at)); got != store.Provisioning {
			t.Errorf("after %s: %s", at, got)
		}
	}
	if got := c.StatusAt(now().Add(10 * time.Second)); got != store.Active {
		t.Errorf("at the end: %s", got)
	}
}

func TestUpdateComputer(t *testing.T) {
	t.Parallel()
	s := open(t)
	c := failed(t, s)
	other, err := s.CreateComputer(t.Context(), store.Computer{Name: "other", Provider: store.BYOM, CreatedAt: now()})
	if err != nil || other.ID != "cmp_02" {
		t.Fatalf("%+v, %v", other, err)
	}
	if _, err := s.UpdateComputer(t.Context(), c.ID, store.ComputerChange{Name: &other.Name}); !errors.Is(err, store.ErrExists) {
		t.Errorf("name of another: %v", err)
	}
	if _, err := s.UpdateComputer(t.Context(), "nowhere", store.ComputerChange{Name: &c.Name}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("unknown: %v", err)
	}
	host := "h"
	got, err := s.UpdateComputer(t.Context(), c.ID, store.ComputerChange{HostID: &host})
	c.HostID = host
	if diff := cmp.Diff(c, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if _, err := s.CreateComputer(t.Context(), store.Computer{Name: "box", Provider: store.BYOM, CreatedAt: now()}); !errors.Is(err, store.ErrExists) {
		t.Errorf("created twice: %v", err)
	}
}
