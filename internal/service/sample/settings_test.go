package sample_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/sample"
)

// lookup finds a value by a slash-separated path, nil if there is none.
func lookup(t *testing.T, settings, path string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(settings), &v); err != nil {
		t.Fatal(err)
	}
	for name := range strings.SplitSeq(path, "/") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func TestRevisions(t *testing.T) {
	t.Parallel()
	all := sample.Revisions()
	if len(all) != 42 {
		t.Fatalf("%d revisions", len(all))
	}
	actors := map[string]bool{}
	for i, r := range all {
		actors[r.Actor.ID+" "+r.Actor.Email] = true
		if i > 0 && (!r.UpdatedAt.After(all[i-1].UpdatedAt) || r.Settings == all[i-1].Settings) {
			t.Errorf("revision %d changes nothing or is not later", r.Number)
		}
		var enabled any
		if r.Number >= 12 {
			enabled = r.Number <= 36
		}
		if got := lookup(t, r.Settings, "sandbox/enabled"); got != enabled {
			t.Errorf("revision %d: sandbox.enabled %v", r.Number, got)
		}
		if got := lookup(t, r.Settings, "sessionRetentionDays"); (got == 90.0) != (r.Number >= 20) {
			t.Errorf("revision %d: sessionRetentionDays %v", r.Number, got)
		}
		if got := bytes.Contains([]byte(r.Settings), []byte("sample-not-a-real-key")); got != (r.Number >= 23) {
			t.Errorf("revision %d: custom model %v", r.Number, got)
		}
	}
	want := []string{"svc_sync admin@acme.example", "usr_001 ada@acme.example", "usr_002 grace@acme.example", "usr_003 linus@acme.example"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(actors))); diff != "" {
		t.Error(diff)
	}
	if all[36].Actor.ID != "usr_003" || all[19].Actor.ID != "usr_002" {
		t.Error("revision 37 is linus's and 20 is grace's")
	}
	first, last := all[0].UpdatedAt.Format("2006-01"), all[41].UpdatedAt.Format("2006-01")
	if first != "2026-02" || last != "2026-11" {
		t.Errorf("from %s to %s", first, last)
	}
}

func TestNewestRevision(t *testing.T) {
	t.Parallel()
	newest := sample.Revisions()[41].Settings
	for path, want := range map[string]any{
		"modelPolicy/allowedModelIds":   []any{"model-a", "model-b", "model-c"},
		"modelPolicy/allowCustomModels": true,
		"sandbox/enabled":               false,
		"sessionRetentionDays":          90.0,
		"includeCoAuthoredByAgent":      true,
	} {
		if diff := cmp.Diff(want, lookup(t, newest, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	if models, _ := lookup(t, newest, "customModels").([]any); len(models) != 1 {
		t.Errorf("%d custom models", len(models))
	}
}

// TestKnownProperties holds C193 to C198: every property the contract knows occurs.
func TestKnownProperties(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, r := range sample.Revisions() {
		all.WriteString(r.Settings)
	}
	for name := range strings.FieldsSeq(`sessionDefaultSettings mcpAutonomyOverrides cloudSessionSync wikiCloudSync
		includeCoAuthoredByAgent enableAgentShield ideAutoConnect commandAllowlist commandDenylist customModels modelPolicy
		mcpPolicy missionPolicy userModelPolicies enabledPlugins extraKnownMarketplaces strictKnownMarketplaces networkPolicy
		sandbox restrictMemberVisibility restrictApiKeyCreationToManagers managedComputersEnabled byomComputersEnabled
		managedComputersAllowedEmails byomComputersAllowedEmails sessionRetentionDays serviceRouterGuidance serviceRouterRules
		allowlist allowedUserIds repo guidance when allowedIps model specModeModel runInWorktree filesystem allowWrite allowRead
		denyWrite denyRead network allowedDomains allowUnixSockets allowAllUnixSockets allowLocalBinding httpProxyPort socksProxyPort
		id baseUrl apiKey displayName index maxContextLimit thinkingMaxTokens maxOutputTokens enableThinking noImageSupport
		extraHeaders extraArgs bedrock awsProfile awsRegion bedrockBaseUrl awsAuthRefresh awsCredentialExport restrictedAccess
		allowedModelIds blockedModelIds allowCustomModels allowedBaseUrls allowAllServiceModels isFastModelsAllowed`) {
		if !strings.Contains(all.String(), `"`+name+`":`) {
			t.Errorf("no revision has %s", name)
		}
	}
}
