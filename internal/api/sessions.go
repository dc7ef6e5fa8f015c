package api

import "encoding/json"

// Session is one session (C129-C137). Items of the list lack status and need only an
// id; get and update also have the fields of StrictSession (C138, U32).
type Session struct {
	SessionID       string           `json:"sessionId"`
	Status          *string          `json:"status,omitempty"`
	MessageCount    *json.Number     `json:"messageCount,omitempty"`
	CreatedAt       *json.Number     `json:"createdAt,omitempty"` // Unix ms
	UpdatedAt       *json.Number     `json:"updatedAt,omitempty"` // Unix ms
	Title           *string          `json:"title,omitempty"`
	CompletedAt     *json.Number     `json:"completedAt,omitempty"` // Unix ms
	ComputerID      *string          `json:"computerId,omitempty"`
	SessionSettings *SessionSettings `json:"sessionSettings,omitempty"`
}

// SessionSettings are the settings of one session (C139, C140). TokenUsage and
// InclusiveTokenUsage are read-only and are never sent.
type SessionSettings struct {
	Model                               *string         `json:"model,omitempty"`
	SpecModeModel                       *string         `json:"specModeModel,omitempty"`
	RunInWorktree                       *bool           `json:"runInWorktree,omitempty"`
	ProviderLockTimestamp               *string         `json:"providerLockTimestamp,omitempty"`
	AssistantActiveTimeMs               *json.Number    `json:"assistantActiveTimeMs,omitempty"`
	TokenUsage                          *TokenUsage     `json:"tokenUsage,omitempty"`
	InclusiveTokenUsage                 *TokenUsage     `json:"inclusiveTokenUsage,omitempty"`
	ChildInclusiveTokenUsageBySessionID json.RawMessage `json:"childInclusiveTokenUsageBySessionId,omitempty"`
	ArchivedAt                          *string         `json:"archivedAt,omitempty"`
	Tags                                []Tag           `json:"tags,omitempty"`
	EnabledToolIDs                      []string        `json:"enabledToolIds,omitempty"`
	DisabledToolIDs                     []string        `json:"disabledToolIds,omitempty"`
	CompactionThresholdCheckEnabled     *bool           `json:"compactionThresholdCheckEnabled,omitempty"`
}

// TokenUsage counts tokens of one session (C141).
type TokenUsage struct {
	InputTokens         *json.Number `json:"inputTokens,omitempty"`
	OutputTokens        *json.Number `json:"outputTokens,omitempty"`
	CacheCreationTokens *json.Number `json:"cacheCreationTokens,omitempty"`
	CacheReadTokens     *json.Number `json:"cacheReadTokens,omitempty"`
	ThinkingTokens      *json.Number `json:"thinkingTokens,omitempty"`
	ServiceCredits      *json.Number `json:"serviceCredits,omitempty"`
}

// Tag is a label on a session; its metadata is never printed whole (T35).
type Tag struct {
	Name     string `json:"name"`
	Metadata Object `json:"metadata,omitempty"`
}

// SessionUpdate is the body of PATCH session (C128).
type SessionUpdate struct {
	SessionSettings SessionSettings `json:"sessionSettings"`
}

// SessionsPage is one page of GET sessions (C125).
type SessionsPage struct {
	Sessions   []Session  `json:"sessions"`
	Pagination Pagination `json:"pagination"`
}

// Message is one message of a session (C147-C161). Enums are open strings.
type Message struct {
	ID                           string      `json:"id"`
	Role                         string      `json:"role"`
	Content                      []Content   `json:"content"`
	CreatedAt                    json.Number `json:"createdAt"`
	UpdatedAt                    json.Number `json:"updatedAt"`
	ParentID                     *string     `json:"parentId,omitempty"`
	UserMessageSource            *string     `json:"userMessageSource,omitempty"`
	Visibility                   *string     `json:"visibility,omitempty"`
	VendorAMessageID             *string     `json:"vendorAMessageId,omitempty"`
	VendorAPhase                 *string     `json:"vendorAPhase,omitempty"`
	VendorAEncryptedContent      *string     `json:"vendorAEncryptedContent,omitempty"`
	VendorAReasoningID           *string     `json:"vendorAReasoningId,omitempty"`
	VendorAReasoningSummary      *string     `json:"vendorAReasoningSummary,omitempty"`
	VendorBThoughtSignature      *string     `json:"vendorBThoughtSignature,omitempty"` // deprecated
	ChatCompletionReasoningField *string     `json:"chatCompletionReasoningField,omitempty"`
	ChatCompletionReasoning      *string     `json:"chatCompletionReasoningContent,omitempty"`
	IsUserVisible                *bool       `json:"isUserVisible,omitempty"`
	IsError                      *bool       `json:"isError,omitempty"`
}

// Content is one block of a message (C149).
type Content struct {
	Text string `json:"text"`
	ID   string `json:"id"`
}

// MessagesPage is one page of GET messages (C143).
type MessagesPage struct {
	Messages   []Message  `json:"messages"`
	Pagination Pagination `json:"pagination"`
}
