package grid

import "github.com/govctl/govctl/internal/api"

// Sessions are sessions with their settings (C129-C141). Status is there for one session
// only (C138). Of tags the names are shown, their metadata never (T35).
func Sessions() Of[api.Session] {
	type s = api.Session
	setting := func(value func(*api.SessionSettings) any) func(*s) any {
		return func(x *s) any {
			if x.SessionSettings == nil {
				return nil
			}
			return value(x.SessionSettings)
		}
	}
	type set = api.SessionSettings
	cells := []cell[s]{
		brief("session_id", "", func(x *s) any { return text(x.SessionID) }),
		brief("status", "idle, pending, running; a list does not have it", func(x *s) any { return optional(x.Status) }),
		brief("title", "", func(x *s) any { return optional(x.Title) }),
		brief("message_count", "", func(x *s) any { return number(x.MessageCount) }),
		wide("created_at", "", func(x *s) any { return stamp(x.CreatedAt) }),
		brief("updated_at", "", func(x *s) any { return stamp(x.UpdatedAt) }),
		wide("completed_at", "", func(x *s) any { return stamp(x.CompletedAt) }),
		brief("computer_id", "", func(x *s) any { return optional(x.ComputerID) }),
		brief("model", "", setting(func(x *set) any { return optional(x.Model) })),
		wide("spec_mode_model", "", setting(func(x *set) any { return optional(x.SpecModeModel) })),
		wide("run_in_worktree", "", setting(func(x *set) any { return flag(x.RunInWorktree) })),
		wide("archived_at", "", setting(func(x *set) any { return optional(x.ArchivedAt) })),
		wide("provider_lock_timestamp", "", setting(func(x *set) any { return optional(x.ProviderLockTimestamp) })),
		wide("assistant_active_time_ms", "", setting(func(x *set) any { return number(x.AssistantActiveTimeMs) })),
		wide("compaction_threshold_check_enabled", "", setting(func(x *set) any { return flag(x.CompactionThresholdCheckEnabled) })),
		nested("tags", "names of the tags", setting(func(x *set) any { return tags(x.Tags) })),
		nested("enabled_tool_ids", "", setting(func(x *set) any { return texts(x.EnabledToolIDs) })),
		nested("disabled_tool_ids", "", setting(func(x *set) any { return texts(x.DisabledToolIDs) })),
		nested("child_inclusive_token_usage", "by session id", setting(func(x *set) any {
			if x.ChildInclusiveTokenUsageBySessionID == nil {
				return nil
			}
			return decoded(x.ChildInclusiveTokenUsageBySessionID)
		})),
	}
	return Of[s]{append(cells, usageCells(setting)...)}
}

// usageCells are the tokens of a session itself and with its children.
func usageCells(setting func(func(*api.SessionSettings) any) func(*api.Session) any) []cell[api.Session] {
	var out []cell[api.Session]
	for _, of := range []struct {
		prefix, about string
		usage         func(*api.SessionSettings) *api.TokenUsage
	}{
		{"", "", func(x *api.SessionSettings) *api.TokenUsage { return x.TokenUsage }},
		{"inclusive_", "with the sessions it started", func(x *api.SessionSettings) *api.TokenUsage { return x.InclusiveTokenUsage }},
	} {
		add := func(name string, value func(*api.TokenUsage) any) {
			out = append(out, wide(of.prefix+name, of.about, setting(func(x *api.SessionSettings) any {
				if u := of.usage(x); u != nil {
					return value(u)
				}
				return nil
			})))
		}
		add("input_tokens", func(u *api.TokenUsage) any { return number(u.InputTokens) })
		add("output_tokens", func(u *api.TokenUsage) any { return number(u.OutputTokens) })
		add("cache_creation_tokens", func(u *api.TokenUsage) any { return number(u.CacheCreationTokens) })
		add("cache_read_tokens", func(u *api.TokenUsage) any { return number(u.CacheReadTokens) })
		add("thinking_tokens", func(u *api.TokenUsage) any { return number(u.ThinkingTokens) })
		add("service_credits", func(u *api.TokenUsage) any { return number(u.ServiceCredits) })
	}
	return out
}

func tags(list []api.Tag) any {
	if list == nil {
		return nil
	}
	out := make([]any, len(list))
	for i, t := range list {
		out[i] = text(t.Name)
	}
	return out
}
