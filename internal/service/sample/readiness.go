package sample

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// repository is one evaluated repository.
type repository struct {
	id       string
	name     string
	apps     []string // paths; their number is the denominator of a criterion
	strength int      // percent of what passes in the first report
	last     string   // day of the newest report
}

func repositories() []repository {
	return []repository{
		{"repo_api", "api", []string{"services/gateway", "services/billing", "services/search", "services/mail"}, 60, "2026-11-18"},
		{"repo_web", "web", []string{"apps/shop", "apps/admin", "apps/docs"}, 45, "2026-11-17"},
		{"repo_mobile", "mobile", []string{"ios", "android"}, 40, "2026-11-16"},
		{"repo_data", "data", []string{"pipelines", "notebooks"}, 30, "2026-11-15"},
		{"repo_infra", "infra", []string{"."}, 38, "2026-09-30"}, // not evaluated for a while
	}
}

// criteria are what every report evaluates, with how much harder than others they are.
func criteria() map[string]int {
	return map[string]int{
		"build_reproducible": 15, "ci_pipeline": 0, "code_owners": 10, "lint_config": -20, "readme": -40,
		"secret_scanning": 10, "type_check": 5, "unit_tests": 0,
	}
}

// reportsEach is how many reports a repository has, four weeks apart.
const reportsEach = 4

// Reports are four readiness reports of each of five repositories, scores rising. The
// newest of web was made with local changes, the newest of mobile on another branch; the
// newest of data lacks secret_scanning; agents_md is new in everybody's third; the
// newest of api has another model; infra has no newer one than of September, and the
// first of infra says nothing optional.
func Reports() []store.Report {
	var all []store.Report
	for i, r := range repositories() {
		for k := range reportsEach {
			all = append(all, r.report(i, k))
		}
	}
	return all
}

func (r repository) report(i, k int) store.Report {
	newest := k == reportsEach-1
	out := store.Report{
		ID:        fmt.Sprintf("5ea51de0-0000-4000-8000-%08d%04d", i+1, k+1),
		RepoID:    r.id,
		RepoURL:   "https://git.example.com/acme/" + r.name,
		CreatedAt: at(r.last + "T03:15:00.000Z").Add(time.Duration(k-reportsEach+1) * 28 * 24 * time.Hour),
		Apps:      r.describe(), Criteria: r.evaluate(k),
	}
	if r.id == "repo_infra" && k == 0 {
		return out
	}
	commit, branch, model, effort, version := fmt.Sprintf("%040x", 0xac3e0000+i*16+k), "main", "model-a", "medium", fmt.Sprintf("0.%d.0", 40+k)
	dirty, unpushed := r.id == "repo_web" && newest, false
	if r.id == "repo_mobile" && newest {
		branch = "feature/passkeys"
	}
	if r.id == "repo_api" && newest {
		model, effort = "model-b", "high"
	}
	out.CommitHash, out.Branch, out.LocalChanges, out.Unpushed = &commit, &branch, &dirty, &unpushed
	out.ModelID, out.Effort, out.AgentVersion = &model, &effort, &version
	return out
}

func (r repository) describe() string {
	apps := map[string]map[string]string{}
	for _, path := range r.apps {
		apps[path] = map[string]string{"description": "The part of " + r.name + " in " + path}
	}
	return jsonText(apps)
}

type evaluation struct {
	Numerator   int    `json:"numerator"`
	Denominator int    `json:"denominator"`
	Rationale   string `json:"rationale"`
}

func (r repository) evaluate(k int) string {
	harder := criteria()
	if k >= 2 {
		harder["agents_md"] = 5
	}
	if r.id == "repo_data" && k == reportsEach-1 {
		delete(harder, "secret_scanning")
	}
	out := map[string]evaluation{}
	for name, h := range harder {
		e := evaluation{Denominator: len(r.apps)}
		if slices.Contains([]string{"code_owners", "readme", "secret_scanning"}, name) {
			e.Denominator = 1 // of the repository as a whole
		}
		percent := min(max(r.strength+12*k-h, 0), 100)
		e.Numerator = (e.Denominator*percent + 50) / 100
		e.Rationale = fmt.Sprintf("%d of %d pass", e.Numerator, e.Denominator)
		out[name] = e
	}
	return jsonText(out)
}

// jsonText writes plain values; map keys come out sorted.
func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
