package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"
)

// Providers of computers.
const (
	BYOM          = "byom"
	SandboxVendor = "sandbox_vendor"
)

// Computer is a machine on which sessions run. Empty strings mean absent.
type Computer struct {
	ID             string // cmp_01, cmp_02 … in order of creation when empty
	Name           string // unique
	Provider       string
	CreatedAt      time.Time
	HostID         string
	Hostname       string
	RemoteUser     string
	RelayClientURL string
	RelayAgentURL  string
	OwnerKind      string
	OwnerID        string
	Spec           Spec
	Steps          []Step
	HeldStatus     string    // the status while a retried installation runs
	HeldUntil      time.Time // when it ends; zero: there was none
}

// Spec is what only the creation of a computer says; it cannot be read through the API.
type Spec struct {
	Repos            []string        `json:"repos,omitempty"`
	AutoInstallDeps  *bool           `json:"autoInstallDeps,omitempty"`
	ServiceAccountID string          `json:"serviceAccountId,omitempty"`
	Source           json.RawMessage `json:"source,omitempty"`
}

// ComputerChange is what may change in a computer; nil leaves a field alone.
type ComputerChange struct {
	Name       *string
	HostID     *string
	RemoteUser *string
}

const computerColumns = `id, name, provider, created_at, host_id, hostname, remote_user,
	relay_client_url, relay_agent_url, owner_kind, owner_id, spec, held_status, held_until`

// Computer returns a computer by id, ErrNotFound if there is none.
func (s *Store) Computer(ctx context.Context, id string) (Computer, error) {
	c, err := readComputer(ctx, s.read, `id = ?`, id)
	if err != nil {
		return Computer{}, fmt.Errorf("read computer %s: %w", id, err)
	}
	return c, nil
}

// ComputerByName returns a computer by its exact name, ErrNotFound if there is none.
func (s *Store) ComputerByName(ctx context.Context, name string) (Computer, error) {
	c, err := readComputer(ctx, s.read, `name = ?`, name)
	if err != nil {
		return Computer{}, fmt.Errorf("read computer named %q: %w", name, err)
	}
	return c, nil
}

func readComputer(ctx context.Context, q querier, where string, key string) (Computer, error) {
	var c Computer
	var spec []byte
	var created, held sql.NullInt64
	err := q.QueryRowContext(ctx, `SELECT `+computerColumns+` FROM computers WHERE `+where, key).Scan(
		&c.ID, &c.Name, &c.Provider, &created, &c.HostID, &c.Hostname, &c.RemoteUser,
		&c.RelayClientURL, &c.RelayAgentURL, &c.OwnerKind, &c.OwnerID, &spec, &c.HeldStatus, &held)
	if err != nil {
		return Computer{}, missing(err)
	}
	if err := json.Unmarshal(spec, &c.Spec); err != nil {
		return Computer{}, err
	}
	c.CreatedAt, c.HeldUntil = fromMillis(created), fromMillis(held)
	c.Steps, err = readSteps(ctx, q, c.ID)
	return c, err
}

func readSteps(ctx context.Context, q querier, computer string) ([]Step, error) {
	return collect(ctx, q, func(row scanner) (Step, error) {
		var st Step
		var starts, ends sql.NullInt64
		err := row.Scan(&st.ID, &st.Status, &st.Error, &st.InstallID, &st.Installs, &starts, &ends)
		st.StartsAt, st.EndsAt = fromMillis(starts), fromMillis(ends)
		return st, err
	}, `SELECT id, status, error, install_id, installs, starts_at, ends_at
		FROM computer_steps WHERE computer_id = ? ORDER BY position`, computer)
}

// CreateComputer stores a new computer and returns it with its id; ErrExists if the name
// is taken.
func (s *Store) CreateComputer(ctx context.Context, c Computer) (Computer, error) {
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		c, err = insertComputer(ctx, tx, c)
		return err
	})
	if err != nil {
		return Computer{}, fmt.Errorf("create computer %q: %w", c.Name, err)
	}
	return c, nil
}

func insertComputer(ctx context.Context, tx *sql.Tx, c Computer) (Computer, error) {
	var seq int64
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) + 1 FROM computers`).Scan(&seq); err != nil {
		return c, err
	}
	if c.ID == "" {
		c.ID = fmt.Sprintf("cmp_%02d", seq)
	}
	for i := range c.Steps {
		if st := &c.Steps[i]; st.ID == InstallDeps && st.InstallID == "" {
			st.InstallID, st.Installs = fmt.Sprintf("install_%s_1", c.ID), 1
		}
	}
	spec, err := json.Marshal(c.Spec)
	if err != nil {
		return c, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO computers (seq, `+computerColumns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		seq, c.ID, c.Name, c.Provider, millis(c.CreatedAt), c.HostID, c.Hostname, c.RemoteUser,
		c.RelayClientURL, c.RelayAgentURL, c.OwnerKind, c.OwnerID, string(spec), c.HeldStatus, millis(c.HeldUntil))
	if err != nil {
		return c, exists(err)
	}
	return c, writeSteps(ctx, tx, c)
}

// writeSteps replaces the steps of a computer.
func writeSteps(ctx context.Context, tx *sql.Tx, c Computer) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM computer_steps WHERE computer_id = ?`, c.ID); err != nil {
		return err
	}
	for i, st := range c.Steps {
		_, err := tx.ExecContext(ctx, `INSERT INTO computer_steps
			(computer_id, position, id, status, error, install_id, installs, starts_at, ends_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			c.ID, i, st.ID, st.Status, st.Error, st.InstallID, st.Installs, st.StartsAt.UnixMilli(), st.EndsAt.UnixMilli())
		if err != nil {
			return err
		}
	}
	return nil
}

// UpdateComputer changes a computer and returns it; ErrNotFound, or ErrExists if another
// computer has the name.
func (s *Store) UpdateComputer(ctx context.Context, id string, ch ComputerChange) (Computer, error) {
	var c Computer
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		err = changedOne(tx.ExecContext(ctx, `UPDATE computers SET name = coalesce(?2, name),
			host_id = coalesce(?3, host_id), remote_user = coalesce(?4, remote_user) WHERE id = ?1`,
			id, ch.Name, ch.HostID, ch.RemoteUser))
		if err == nil {
			c, err = readComputer(ctx, tx, `id = ?`, id)
		}
		return err
	})
	if err != nil {
		return Computer{}, fmt.Errorf("change computer %s: %w", id, err)
	}
	return c, nil
}

// RetryInstall starts the install-deps step of a computer again and returns the computer;
// ErrNotFound, or ErrRunning while it runs. fail is asked when neither is so: with what
// error the new run is to end, "" for none.
func (s *Store) RetryInstall(ctx context.Context, id string, now time.Time, fail func(Computer) string) (Computer, error) {
	var c Computer
	err := s.update(ctx, func(ctx context.Context, tx *sql.Tx) (err error) {
		if c, err = readComputer(ctx, tx, `id = ?`, id); err != nil {
			return err
		}
		if err = c.retryInstall(now, fail); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE computers SET held_status = ?, held_until = ? WHERE id = ?`,
			c.HeldStatus, millis(c.HeldUntil), id)
		if err != nil {
			return err
		}
		return writeSteps(ctx, tx, c)
	})
	if err != nil {
		return Computer{}, fmt.Errorf("retry installation on computer %s: %w", id, err)
	}
	return c, nil
}
