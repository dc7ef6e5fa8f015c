package api

import "encoding/json"

// Computer is a machine as the service shows it (C176-C186).
type Computer struct {
	ID                 string      `json:"id"`
	Name               string      `json:"name"`
	ProviderType       string      `json:"providerType"`
	CreatedAt          json.Number `json:"createdAt"` // unit not stated (U47)
	HostID             *string     `json:"hostId,omitempty"`
	Hostname           *string     `json:"hostname,omitempty"`
	Status             *string     `json:"status,omitempty"`
	ProvisioningSteps  []Step      `json:"provisioningSteps,omitempty"`
	RelayClientURL     *string     `json:"relayClientUrl,omitempty"`
	RelayAgentURL      *string     `json:"relayAgentUrl,omitempty"`
	RemoteUser         *string     `json:"remoteUser,omitempty"`
	OwnerPrincipalKind *string     `json:"ownerPrincipalKind,omitempty"`
	OwnerID            *string     `json:"ownerId,omitempty"`
}

// Step is one provisioning step (C183); every part is optional.
type Step struct {
	ID               *string      `json:"id,omitempty"`
	Name             *string      `json:"name,omitempty"`
	Status           *string      `json:"status,omitempty"`
	Error            *string      `json:"error,omitempty"`
	InstallSessionID *string      `json:"installSessionId,omitempty"`
	StartedAt        *json.Number `json:"startedAt,omitempty"`
	CompletedAt      *json.Number `json:"completedAt,omitempty"`
}

// NewComputer is the body of POST computers (C163-C171). Zero fields are not sent.
type NewComputer struct {
	Name             string          `json:"name"`
	Provider         string          `json:"provider,omitempty"`
	HostID           string          `json:"hostId,omitempty"`
	RemoteUser       string          `json:"remoteUser,omitempty"`
	Repos            []string        `json:"repos,omitempty"`
	AutoInstallDeps  *bool           `json:"autoInstallDeps,omitempty"`
	ServiceAccountID string          `json:"serviceAccountId,omitempty"`
	Source           json.RawMessage `json:"source,omitempty"`
}

// ComputerPatch is the body of PATCH computer (C174). Zero fields are not sent: the
// API has no way to clear one (U48).
type ComputerPatch struct {
	Name       string `json:"name,omitempty"`
	HostID     string `json:"hostId,omitempty"`
	RemoteUser string `json:"remoteUser,omitempty"`
}
