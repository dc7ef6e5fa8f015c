package client

import (
	"context"
	"net/http"

	"github.com/govctl/govctl/internal/api"
)

// Computer reads one computer by id. An *api.Error with status 404 means not found, or
// not visible to this key (U50).
func (c *Client) Computer(ctx context.Context, id string) (m api.Computer, err error) {
	err = c.at(ctx, http.MethodGet, api.PathComputer, id, nil, &m)
	return m, err
}

// ComputerByName reads one computer by its exact name.
func (c *Client) ComputerByName(ctx context.Context, name string) (m api.Computer, err error) {
	err = c.at(ctx, http.MethodGet, api.PathComputerByName, name, nil, &m)
	return m, err
}

// CreateComputer creates a computer. It is sent once: after an ambiguous error the
// computer must be looked up by name before anybody creates it again (U75).
func (c *Client) CreateComputer(ctx context.Context, n api.NewComputer) (m api.Computer, err error) {
	err = c.do(ctx, http.MethodPost, api.PathComputers, nil, n, &m)
	return m, err
}

// UpdateComputer changes the non-empty fields of p and returns the computer as it is
// afterwards. It is sent once.
func (c *Client) UpdateComputer(ctx context.Context, id string, p api.ComputerPatch) (m api.Computer, err error) {
	err = c.at(ctx, http.MethodPatch, api.PathComputer, id, p, &m)
	return m, err
}

// InstallDeps asks to run the install step again. The answer means accepted, never done
// (U41). It is sent once.
func (c *Client) InstallDeps(ctx context.Context, id string) (m api.Computer, err error) {
	err = c.at(ctx, http.MethodPost, api.PathInstallDeps, id, nil, &m)
	return m, err
}
