package grid

import "github.com/govctl/govctl/internal/api"

// Computers are machines (C176-C186). The unit of their times is not stated: they are shown
// as given, and once more as if they were milliseconds (U47).
func Computers() Of[api.Computer] {
	type c = api.Computer
	return Of[c]{[]cell[c]{
		brief("id", "computer id", func(m *c) any { return text(m.ID) }),
		brief("name", "", func(m *c) any { return text(m.Name) }),
		brief("provider_type", "byom, sandbox_vendor", func(m *c) any { return text(m.ProviderType) }),
		brief("status", "provisioning, active, error", func(m *c) any { return optional(m.Status) }),
		brief("remote_user", "", func(m *c) any { return optional(m.RemoteUser) }),
		brief("host_id", "", func(m *c) any { return optional(m.HostID) }),
		wide("hostname", "", func(m *c) any { return optional(m.Hostname) }),
		wide("owner_kind", "", func(m *c) any { return optional(m.OwnerPrincipalKind) }),
		wide("owner_id", "", func(m *c) any { return optional(m.OwnerID) }),
		wide("relay_client_host", "host of relayClientUrl, which may be a secret", func(m *c) any { return host(m.RelayClientURL) }),
		wide("relay_agent_host", "host of relayAgentUrl, which may be a secret", func(m *c) any { return host(m.RelayAgentURL) }),
		wide("created_at", "as given; its unit is not stated", func(m *c) any { return m.CreatedAt }),
		brief("created_at_if_ms", "created_at, assumed to be milliseconds", func(m *c) any { return stamp(&m.CreatedAt) }),
		nested("steps", "provisioning steps", func(m *c) any { return steps(m.ProvisioningSteps) }),
	}}
}

func steps(list []api.Step) any {
	if list == nil {
		return nil
	}
	out := make([]any, len(list))
	for i, s := range list {
		step := map[string]any{}
		for name, v := range map[string]any{
			"id": optional(s.ID), "name": optional(s.Name), "status": optional(s.Status), "error": optional(s.Error),
			"install_session_id": optional(s.InstallSessionID), "started_at": number(s.StartedAt), "completed_at": number(s.CompletedAt),
		} {
			if v != nil {
				step[name] = v
			}
		}
		out[i] = step
	}
	return out
}
