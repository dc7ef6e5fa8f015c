package policy_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/govctl/govctl/internal/policy"
)

// snapshot is a settings snapshot of about 8.5 KB.
func snapshot(n int) map[string]any {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	list := func(size int, format string) []any {
		out := make([]any, size)
		for i := range out {
			out[i] = fmt.Sprintf(format, r.IntN(1000))
		}
		return out
	}
	return map[string]any{"settings": map[string]any{
		"sandbox": map[string]any{
			"enabled":    r.IntN(2) == 0,
			"filesystem": map[string]any{"allowWrite": list(20, "./src/%03d"), "denyRead": list(20, "~/.secrets/%03d"), "allowRead": list(10, "/usr/share/%03d"), "denyWrite": list(10, "./.git/%03d")},
			"network":    map[string]any{"allowedDomains": list(60, "host-%03d.example.com"), "allowUnixSockets": list(5, "/run/%03d.sock"), "allowAllUnixSockets": r.IntN(2) == 0, "allowLocalBinding": true},
		},
		"commandAllowlist": list(60, "make target-%03d"), "commandDenylist": list(40, "rm -rf /data/%03d"),
		"modelPolicy": map[string]any{"allowedModelIds": list(20, "model-%03d"), "blockedModelIds": list(20, "model-%03d"), "allowCustomModels": true, "allowedBaseUrls": list(5, "https://gateway-%03d.example.com"), "allowAllServiceModels": false},
		"mcpPolicy":   map[string]any{"enabled": true, "allowlist": list(30, "server-%03d")}, "networkPolicy": map[string]any{"allowedIps": list(10, "10.0.%03d.0/24")},
		"byomComputersAllowedEmails": list(30, "user%03d@example.com"), "byomComputersEnabled": true, "sessionRetentionDays": json1(),
		"enableAgentShield": r.IntN(2) == 0, "restrictApiKeyCreationToManagers": false, "customModels": []any{}, "mcpAutonomyOverrides": map[string]any{},
	}}
}

// judge lints the bodies once and says how many findings there are.
func judge(b *testing.B, e *policy.Engine, bodies []map[string]any) int {
	b.Helper()
	found := 0
	_, err := e.Each(b.Context(), func(yield func(policy.Document, error) bool) {
		for _, body := range bodies {
			if !yield(policy.Document{Kind: policy.Settings, Subject: "s", Base: "/settings", Body: body}, nil) {
				return
			}
		}
	}, func(o policy.Outcome) error { found += len(o.Findings); return nil })
	if err != nil {
		b.Fatal(err)
	}
	return found
}

// revisions are snapshots that follow one another: each has one part of another one.
func revisions(n int) []map[string]any {
	out := []map[string]any{snapshot(0)}
	r := rand.New(rand.NewPCG(1, 1))
	for i := 1; i < n; i++ {
		now := maps.Clone(out[i-1]["settings"].(map[string]any))
		other := snapshot(i)["settings"].(map[string]any)
		names := slices.Sorted(maps.Keys(other))
		name := names[r.IntN(len(names))]
		now[name] = other[name]
		out = append(out, map[string]any{"settings": now})
	}
	return out
}

// BenchmarkSnapshots judges snapshots with the shipped library: such that have no list in
// common, and such that follow one another with one change each.
func BenchmarkSnapshots(b *testing.B) {
	const n = 1000
	distinct := make([]map[string]any, n)
	for i := range distinct {
		distinct[i] = snapshot(i)
	}
	e := load(b, policy.Options{Library: os.DirFS("../../policies"), Kinds: []string{policy.Settings}, Now: now()})
	run := func(bodies []map[string]any) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			found := 0
			for b.Loop() {
				found = judge(b, e, bodies)
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "documents/s")
			b.ReportMetric(float64(found)/n, "findings/document")
		}
	}
	b.Run("distinct", run(distinct))
	b.Run("revisions", run(revisions(n)))
}

// BenchmarkRules is what each rule costs on a snapshot whose lists no other has, with what
// it costs to make a document of it for any rule.
func BenchmarkRules(b *testing.B) {
	const n = 200
	bodies := make([]map[string]any, n)
	for i := range bodies {
		bodies[i] = snapshot(i)
	}
	all := load(b, policy.Options{Library: os.DirFS("../../policies"), Kinds: []string{policy.Settings}, Now: now()})
	for _, r := range all.Rules() {
		if r.Kind != policy.Settings {
			continue
		}
		b.Run(r.ID, func(b *testing.B) {
			e := load(b, policy.Options{Library: os.DirFS("../../policies"), Kinds: []string{policy.Settings}, Only: []string{r.ID}, Now: now(), Limits: policy.Limits{Workers: 1}})
			b.ReportAllocs()
			for b.Loop() {
				judge(b, e, bodies)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/document")
		})
	}
}

// BenchmarkLoad compiles the rules that judge a plan.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		load(b, policy.Options{Library: os.DirFS("../../policies"), Kinds: []string{policy.PlanKind}, Now: now()})
	}
}
