package usage

import "strings"

// user counts what one person did. Models, clients, languages and sessions are in the
// tables of Day, keyed by pairs.
type user struct {
	email     string // the newest of the day
	emailAt   int64
	lastLevel int8 // 1 + level of the last session start that names one
	levelAt   int64
	counts
}

// counts are the sums that people have one by one and together.
type counts struct {
	levels [len(levels)]int64 // tool calls by delegation

	toolCalls, mcpCalls, skills, commands, hooks int64
	created, edited, commits, pullRequests       int64
	userMessages, assistantMessages              int64
}

// setEmail keeps the newest address (5.5); of two at once the greater.
func (u *user) setEmail(email string, at int64) {
	switch {
	case email == u.email:
		u.emailAt = max(u.emailAt, at)
	case u.email == "" || at > u.emailAt || at == u.emailAt && email > u.email:
		u.email, u.emailAt = strings.Clone(email), at
	}
}

// setLevel keeps the newest delegation of a session start (F60); of two at once the
// freer one.
func (u *user) setLevel(delegation string, at int64) {
	l, ok := levelOf(delegation)
	if !ok {
		return
	}
	stated := int8(l) + 1
	if u.lastLevel == 0 || at > u.levelAt || at == u.levelAt && stated < u.lastLevel {
		u.lastLevel, u.levelAt = stated, at
	}
}

func (c *counts) add(o *counts) {
	for i, n := range o.levels {
		c.levels[i] += n
	}
	c.toolCalls += o.toolCalls
	c.mcpCalls += o.mcpCalls
	c.skills += o.skills
	c.commands += o.commands
	c.hooks += o.hooks
	c.created += o.created
	c.edited += o.edited
	c.commits += o.commits
	c.pullRequests += o.pullRequests
	c.userMessages += o.userMessages
	c.assistantMessages += o.assistantMessages
}
