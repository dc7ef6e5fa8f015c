package plan

import (
	"fmt"
	"slices"
	"strings"
)

// Move is one thing a saved plan relied on that is different now.
type Move struct {
	Part string `json:"part"` // target, config, ledger, settings_revision, members, policies, complete, facts
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// Stale compares a saved plan with one made now from the same inputs and names what
// moved. Nothing did when the digests are equal, or would be without their sessions: those
// begin to run, end and change all the time, and apply looks at each before it changes it.
// A plan without a digest is never fresh.
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
	asleep := saved.Digest != "" && now.Digest != "" && saved.sealedAwake() == now.sealedAwake()
	if len(out) == 0 && !asleep {
		out = append(out, Move{"facts", saved.Digest, now.Digest})
	}
	return out
}

// sealedAwake is the digest of everything apart from sessions.
func (p *Plan) sealedAwake() string {
	q := *p
	q.Sessions, q.Summary.Sessions = nil, SessionSummary{}
	q.Notes = slices.DeleteFunc(slices.Clone(p.Notes), func(n Note) bool { return n.Code == noteModel || n.Code == noteBusy })
	q.Summary.Requests = q.requests()
	digest, _ := q.sealed()
	return digest
}

func targetName(p *Plan) string {
	return fmt.Sprintf("%s %s verified=%t", p.Target.BaseURL, p.Target.Organization, p.Target.OrganizationVerified)
}

func ledgerName(p *Plan) string {
	l := p.Basis.Ledger
	return strings.TrimSpace(fmt.Sprintf("%s #%d %s", l.Lineage, l.Serial, l.Records))
}
