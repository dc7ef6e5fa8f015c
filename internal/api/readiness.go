package api

import "encoding/json"

// Report is one readiness report of a repository (C116-C123).
type Report struct {
	ReportID            string               `json:"reportId"`
	CreatedAt           json.Number          `json:"createdAt"` // Unix ms
	RepoURL             string               `json:"repoUrl"`
	Apps                map[string]App       `json:"apps"`
	Report              map[string]Criterion `json:"report"`
	CommitHash          *string              `json:"commitHash,omitempty"`
	Branch              *string              `json:"branch,omitempty"`
	HasLocalChanges     *bool                `json:"hasLocalChanges,omitempty"`
	HasNonRemoteCommits *bool                `json:"hasNonRemoteCommits,omitempty"`
	ModelUsed           *ModelUsed           `json:"modelUsed,omitempty"`
	AgentVersion        *string              `json:"agentVersion,omitempty"`
}

// App is one application of a repository.
type App struct {
	Description string `json:"description"`
}

// Criterion is one evaluation: Numerator of Denominator sub-applications pass (C123).
type Criterion struct {
	Numerator   json.Number `json:"numerator"`
	Denominator json.Number `json:"denominator"`
	Rationale   string      `json:"rationale"`
}

// ModelUsed names the model that evaluated a repository (C122).
type ModelUsed struct {
	ID              string  `json:"id"`
	ReasoningEffort *string `json:"reasoningEffort,omitempty"`
}

// ReportsPage is the answer of the readiness endpoint (C111). It has no pagination:
// the last reportId is the next startAfter (C115).
type ReportsPage struct {
	Reports []Report `json:"reports"`
}
