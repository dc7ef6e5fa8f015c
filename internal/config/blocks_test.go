package config

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/govctl/govctl/internal/org"
)

// decoded is what a project says, without places and digests.
type decoded struct {
	Service      Service
	Ledger       string
	Computers    []org.Computer
	Models       *org.Models
	Expectations []org.Expectation
	Readiness    *Readiness
	Policy       Policy
	Hooks        []org.Hook
	Wanted       org.Wanted
}

var withoutPlaces = cmp.Options{cmpopts.IgnoreTypes(org.Source{}), cmpopts.EquateEmpty()}

func decode(t testing.TB, files map[string]string, members ...org.Member) decoded {
	t.Helper()
	p := mustLoad(t, files)
	w, err := p.Resolve(members, today)
	if err != nil {
		t.Fatalf("resolve: %v", err)
	}
	w.Computers, w.Expectations, w.Models = nil, nil, nil
	return decoded{p.Service, p.Ledger.URL, p.Computers, p.Models, p.Expectations, p.Readiness, p.Policy, p.Hooks, w}
}

func ptr[T any](v T) *T { return &v }

// Every block means the same in both syntaxes.
func TestBlocks(t *testing.T) {
	t.Parallel()
	ledger := DefaultLedger
	tests := map[string]struct {
		hcl, yaml string
		members   []org.Member
		want      decoded
	}{
		"service and ledger": {
			hcl: `
service {
  base_url     = "https://api.example.com/gov"
  app_url      = "http://127.0.0.1:8080"
  organization = "org_acme"
}
ledger { url = "postgres://db.example.com/gov" }
`,
			yaml: `
service:
  base_url: https://api.example.com/gov
  app_url: http://127.0.0.1:8080
  organization: org_acme
ledger: {url: "postgres://db.example.com/gov"}
`,
			want: decoded{
				Service: Service{BaseURL: "https://api.example.com/gov", AppURL: "http://127.0.0.1:8080", Organization: "org_acme"},
				Ledger:  "postgres://db.example.com/gov",
			},
		},
		"embedded": {
			hcl: `service { base_url = "embedded:" }`, yaml: `service: {base_url: "embedded:"}`,
			want: decoded{Service: Service{BaseURL: "embedded:"}, Ledger: ledger},
		},
		"credit limits": {
			hcl: `
credit_limits {
  default        = 100
  unlisted       = "error"
  reassert_after = "1d12h"
  ignore         = ["*@partner.example.com"]
  users = {
    "Ada@Example.com"   = 2500000
    "big@example.com"   = 9007199254740991
    "long@example.com"  = { limit = 1000000, reason = "on call" }
    "gone@example.com"  = 7
  }
  group "ml" {
    limit = 5000000
    match = ["*@ml.example.com"]
    where = user.metadata.team == "ml"
  }
  group "vip" {
    limit    = 6000000
    priority = 1
    members  = ["kim@ml.example.com"]
    reason   = "board"
  }
  boost "ada@example.com" {
    limit  = 9000000
    until  = "2026-11-20"
    reason = "launch"
  }
  boost "big@example.com" {
    limit = 1
    from  = "2026-11-21"
    until = "2026-12-01"
  }
}
`,
			yaml: `
credit_limits:
  default: 1e2
  unlisted: error
  reassert_after: 1d12h
  ignore: ["*@partner.example.com"]
  users:
    Ada@Example.com: 2_500_000
    big@example.com: 9007199254740991
    long@example.com: {limit: 1000000, reason: on call}
    gone@example.com: 7
  group:
    ml:
      limit: 5000000
      match: ["*@ml.example.com"]
      where: user.metadata.team == "ml"
    vip: {limit: 6000000, priority: 1, members: [kim@ml.example.com], reason: board}
  boost:
    ada@example.com: {limit: 9000000, until: 2026-11-20, reason: launch}
    big@example.com: {limit: 1, from: 2026-11-21, until: "2026-12-01"}
`,
			members: []org.Member{
				{ID: "1", Email: "ada@example.com"}, {ID: "2", Email: "big@example.com"}, {ID: "3", Email: "long@example.com"},
				{ID: "4", Email: "joe@ml.example.com"}, {ID: "5", Email: "kim@ml.example.com"},
				{ID: "6", Email: "sam@example.com", Metadata: map[string]any{"team": "ml"}},
				{ID: "7", Email: "tom@example.com", Metadata: map[string]any{"team": "web"}},
				{ID: "8", Email: "una@partner.example.com"}, {ID: "9"},
			},
			want: decoded{Ledger: ledger, Wanted: org.Wanted{
				LimitsDeclared: true, UnlistedMode: "error", ReassertAfter: 36 * time.Hour, Ignored: 1,
				Limits: []org.Limit{
					{Email: "ada@example.com", Credits: 9000000, Why: "boost", Reason: "launch"},
					{Email: "big@example.com", Credits: org.MaxCredits, Why: "users"},
					{Email: "gone@example.com", Credits: 7, Why: "users"},
					{Email: "joe@ml.example.com", Credits: 5000000, Why: `group "ml"`},
					{Email: "kim@ml.example.com", Credits: 6000000, Why: `group "vip"`, Reason: "board"},
					{Email: "long@example.com", Credits: 1000000, Why: "users", Reason: "on call"},
					{Email: "sam@example.com", Credits: 5000000, Why: `group "ml"`},
					{Email: "tom@example.com", Credits: 100, Why: "default"},
				},
			}},
		},
		"an empty block declares limits for nobody": {
			hcl: `credit_limits {}`, yaml: "credit_limits:\n",
			members: []org.Member{{ID: "1", Email: "b@example.com"}, {ID: "2", Email: "a@example.com"}},
			want: decoded{Ledger: ledger, Wanted: org.Wanted{
				LimitsDeclared: true, UnlistedMode: "report", Unlisted: []org.Email{"a@example.com", "b@example.com"},
			}},
		},
		"computers": {
			hcl: `
computer "build-02" { provider = "sandbox_vendor" }
computer "build-01" {
  provider             = "byom"
  host_id              = "{6F1C2D3E-0000-4000-8000-000000000001}"
  remote_user          = "ci"
  id                   = "cmp_123"
  previously           = ["build-old"]
  retry_failed_install = true
  allow_host_change    = true
  on_create {
    repos              = ["https://git.example.com/acme/api"]
    auto_install_deps  = false
    service_account_id = "sa_1"
    source             = { kind = "scratch", size = 9007199254740993, tags = ["a"] }
  }
}
`,
			yaml: `
computer:
  build-02: {provider: sandbox_vendor}
  build-01:
    provider: byom
    host_id: urn:uuid:6f1c2d3e-0000-4000-8000-000000000001
    remote_user: ci
    id: cmp_123
    previously: [build-old]
    retry_failed_install: true
    allow_host_change: true
    on_create:
      repos: [https://git.example.com/acme/api]
      auto_install_deps: false
      service_account_id: sa_1
      source: {kind: scratch, size: 9007199254740993, tags: [a]}
`,
			want: decoded{Ledger: ledger, Computers: []org.Computer{
				{
					Name: "build-01", Provider: "byom", HostID: "6f1c2d3e-0000-4000-8000-000000000001", RemoteUser: "ci", ID: "cmp_123",
					Previously: []string{"build-old"}, RetryFailedInstall: true, AllowHostChange: true,
					OnCreate: &org.OnCreate{
						Repos: []string{"https://git.example.com/acme/api"}, AutoInstallDeps: ptr(false), ServiceAccountID: "sa_1",
						Source: map[string]any{"kind": "scratch", "size": json.Number("9007199254740993"), "tags": []any{"a"}},
					},
				},
				{Name: "build-02", Provider: "sandbox_vendor"},
			}},
		},
		"models": {
			hcl: `
models {
  allowed      = ["model-a", "model-b"]
  blocked      = []
  allow_custom = false
  sessions     = "reset"
  reset_to     = "model-a"
}
`,
			yaml: `
models:
  allowed: [model-a, model-b]
  blocked: []
  allow_custom: false
  sessions: reset
  reset_to: model-a
`,
			want: decoded{
				Ledger: ledger,
				Models: &org.Models{Allowed: []string{"model-a", "model-b"}, Sessions: "reset", ResetTo: "model-a"},
				Expectations: []org.Expectation{
					{Pointer: "/modelPolicy/allowCustomModels", Value: false},
					{Pointer: "/modelPolicy/allowedModelIds", Value: []any{"model-a", "model-b"}, AsSet: true},
					{Pointer: "/modelPolicy/blockedModelIds", Value: []any{}, AsSet: true},
				},
			},
		},
		"settings": {
			hcl: `
settings {
  expect = {
    sandbox              = { enabled = true, network = {}, "a/b~c" = ["x", 1.50, null] }
    sessionRetentionDays = 9007199254740993
    "007"                = "no"
  }
  absent = ["/customModels", "/a~1b/0"]
}
`,
			yaml: `
settings:
  expect:
    sandbox: {enabled: true, network: {}, a/b~c: [x, 1.5, null]}
    sessionRetentionDays: 9007199254740993
    007: "no"
  absent: [/customModels, /a~1b/0]
`,
			want: decoded{Ledger: ledger, Expectations: []org.Expectation{
				{Pointer: "/007", Value: "no"},
				{Pointer: "/a~1b/0", Absent: true},
				{Pointer: "/customModels", Absent: true},
				{Pointer: "/sandbox/a~1b~0c", Value: []any{"x", json.Number("1.5"), nil}},
				{Pointer: "/sandbox/enabled", Value: true},
				{Pointer: "/sandbox/network", Value: map[string]any{}},
				{Pointer: "/sessionRetentionDays", Value: json.Number("9007199254740993")},
			}},
		},
		"readiness": {
			hcl: `
readiness {
  default {
    min_score = 0.7
    max_age   = "2w"
  }
  repository "https://git.example.com/acme/web" { branch = "main" }
  repository "https://git.example.com/acme/api" {
    min_score = 1
    criteria  = { lint_config = 1.0, tests = 0 }
  }
}
`,
			yaml: `
readiness:
  default: {min_score: 0.7, max_age: 2w}
  repository:
    https://git.example.com/acme/web: {branch: main}
    https://git.example.com/acme/api:
      min_score: 1
      criteria: {lint_config: 1.0, tests: 0}
`,
			want: decoded{Ledger: ledger, Readiness: &Readiness{
				Default: ReadinessRule{MinScore: ptr(0.7), MaxAge: 14 * 24 * time.Hour},
				Repositories: []ReadinessRule{
					{URL: "https://git.example.com/acme/api", MinScore: ptr(1.0), Criteria: map[string]float64{"lint_config": 1, "tests": 0}},
					{URL: "https://git.example.com/acme/web", Branch: "main"},
				},
			}},
		},
		"hooks": {
			hcl: `
hooks {
  on "Stop" { command = "govctl hooks deliver" }
  on "PostToolUse" {
    matcher = "Edit"
    command = "scripts/audit"
  }
  on "Stop" { command = "a" }
}
`,
			yaml: `
hooks:
  on:
    Stop: [{command: govctl hooks deliver}, {command: a}]
    PostToolUse: {matcher: Edit, command: scripts/audit}
`,
			want: decoded{Ledger: ledger, Hooks: []org.Hook{
				{Event: "PostToolUse", Matcher: "Edit", Command: "scripts/audit"},
				{Event: "Stop", Command: "govctl hooks deliver"},
				{Event: "Stop", Command: "a"},
			}},
		},
		"policy": {
			hcl: `
policy {
  disable    = ["PLN003"]
  fail_on    = "high"
  severity   = { SBX005 = "low" }
  parameters = { max_limit = 9007199254740993, nested = { on = [true] } }
  waiver "KEY001" {
    target  = "/customModels/0"
    reason  = "migration"
    owner   = "sec@example.com"
    expires = "2026-12-31"
  }
  waiver "KEY001" {
    target  = "/customModels/1"
    reason  = "migration"
    expires = "2026-12-31"
  }
}
`,
			yaml: `
policy:
  disable: [PLN003]
  fail_on: high
  severity: {SBX005: low}
  parameters: {max_limit: 9007199254740993, nested: {on: [true]}}
  waiver:
    KEY001:
      - {target: /customModels/0, reason: migration, owner: sec@example.com, expires: 2026-12-31}
      - {target: /customModels/1, reason: migration, expires: 2026-12-31}
`,
			want: decoded{Ledger: ledger, Policy: Policy{
				Disable: []string{"PLN003"}, FailOn: "high", Severity: map[string]string{"SBX005": "low"},
				Parameters: map[string]any{"max_limit": json.Number("9007199254740993"), "nested": map[string]any{"on": []any{true}}},
				Waivers: []org.Waiver{
					{Rule: "KEY001", Target: "/customModels/0", Reason: "migration", Owner: "sec@example.com", Expires: "2026-12-31"},
					{Rule: "KEY001", Target: "/customModels/1", Reason: "migration", Expires: "2026-12-31"},
				},
			}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for file, text := range map[string]string{"a.hcl": test.hcl, "a.yaml": test.yaml} {
				got := decode(t, map[string]string{file: text}, test.members...)
				if diff := cmp.Diff(test.want, got, withoutPlaces); diff != "" {
					t.Errorf("%s (-want +got):\n%s", file, diff)
				}
			}
		})
	}
}
