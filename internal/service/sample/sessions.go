package sample

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

// Sessions are ses_001 to ses_060. On model-legacy are the idle ses_007, ses_021 and
// ses_034 and the running ses_055; all others are on model-a, model-b or model-c.
func Sessions() []store.Session {
	titles := []string{
		"Fix flaky checkout test", "Add rate limiting to the API", "Upgrade the build image",
		"Explain the billing job", "Migrate settings to YAML", "Speed up the search index",
		"Write release notes", "Remove dead feature flags", "Investigate a memory leak",
		"Add dark mode to the profile page", "Rotate certificates", "Tune the training pipeline",
	}
	first := at("2026-10-20T06:15:00.000Z")
	sessions := make([]store.Session, 60)
	for i := range sessions {
		n := i + 1
		s := store.Session{
			ID:           fmt.Sprintf("ses_%03d", n),
			UserID:       fmt.Sprintf("usr_%03d", 1+i*5%24),
			Title:        titles[i%len(titles)],
			Status:       sessionStatus(n),
			MessageCount: int64(messageCount(n)),
			CreatedAt:    first.Add(time.Duration(i) * (11*time.Hour + 30*time.Minute)),
			Settings:     sessionSettings(n),
		}
		s.UpdatedAt = s.CreatedAt.Add(time.Duration(20+n%50) * time.Minute)
		if s.Status == "idle" {
			s.CompletedAt = s.UpdatedAt
		}
		if n%2 == 0 {
			s.ComputerID = fmt.Sprintf("cmp_%02d", 1+n/2%12)
		}
		sessions[i] = s
	}
	return sessions
}

func sessionStatus(n int) string {
	switch n {
	case 12, 30, 48, 55:
		return "running"
	case 18, 42:
		return "pending"
	}
	return "idle"
}

func sessionModel(n int) string {
	switch n {
	case 7, 21, 34, 55:
		return "model-legacy"
	}
	return []string{"model-a", "model-b", "model-c"}[n%3]
}

func sessionSettings(n int) string {
	settings := map[string]any{
		"model": sessionModel(n), "specModeModel": "model-a", "runInWorktree": n%4 == 0,
		"assistantActiveTimeMs": 45000 * n,
		"tokenUsage":            sessionTokens(n, 1), "inclusiveTokenUsage": sessionTokens(n, 2),
	}
	if n%5 == 0 {
		settings["tags"] = []any{map[string]any{"name": "release", "metadata": map[string]any{"train": "2026.11"}}}
	}
	if n%6 == 0 {
		settings["disabledToolIds"] = []string{"web_search"}
	}
	if n%15 == 0 {
		settings["archivedAt"] = "2026-11-18T09:00:00.000Z"
	}
	text, err := json.Marshal(settings)
	if err != nil {
		panic(err) // plain values
	}
	return string(text)
}

func sessionTokens(n, times int) map[string]int {
	return map[string]int{
		"inputTokens": times * n * 21000, "outputTokens": times * n * 1300,
		"cacheCreationTokens": times * n * 900, "cacheReadTokens": times * n * 15000,
		"thinkingTokens": times * n * 400, "serviceCredits": times * n * 8800,
	}
}
