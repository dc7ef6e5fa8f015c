package plan

import (
	"fmt"
	"strings"
)

// Move is one thing a saved plan relied on that is different now.
type Move struct {
	Part string `json:"part"` // target, config, ledger, settings_revision, members, policies, complete, facts
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// Stale compares a saved plan with one made now from the same inputs and names what
// moved. It is empty exactly when the digests are equal; a plan without a digest is
// never fresh.
func Stale(saved, now *Plan) []Move {
	if saved.Digest == now.Digest && now.Digest != "" {
		return nil
	}
	var out []Move
	add := func(part, was, is string) {
		if was != is {
			out = append(out, Move{part, was, is})
		}
	}
	add("target", targetName(saved), targetName(now))
	add("config", saved.Basis.Config, now.Basis.Config)
	add("ledger", ledgerName(saved), ledgerName(now))
	add("settings_revision", fmt.Sprint(saved.Basis.SettingsRevision), fmt.Sprint(now.Basis.SettingsRevision))
	add("members", saved.Basis.Members, now.Basis.Members)
	add("policies", saved.Basis.Policies, now.Basis.Policies)
	add("complete", fmt.Sprint(saved.Complete()), fmt.Sprint(now.Complete()))
	if len(out) == 0 {
		out = append(out, Move{"facts", saved.Digest, now.Digest})
	}
	return out
}

func targetName(p *Plan) string {
	return fmt.Sprintf("%s %s verified=%t", p.Target.BaseURL, p.Target.Organization, p.Target.OrganizationVerified)
}

func ledgerName(p *Plan) string {
	l := p.Basis.Ledger
	return strings.TrimSpace(fmt.Sprintf("%s #%d %s", l.Lineage, l.Serial, l.Records))
}
