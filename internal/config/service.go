package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/govctl/govctl/internal/org"
)

func (l *loader) service(blocks []*hcl.Block) Service {
	if len(blocks) == 0 {
		return Service{}
	}
	s := l.single("service", names("base_url", "app_url", "organization"), blocks)
	out := Service{Source: l.place(s.where)}
	out.BaseURL, out.BaseURLSource = l.address(s, "base_url")
	out.AppURL, out.AppURLSource = l.address(s, "app_url")
	if w, ok := l.string(l.one(s, "organization")); ok {
		out.Organization, out.OrganizationSource = w.text, l.place(w.at)
	}
	return out
}

// address reads where a part of the service is.
func (l *loader) address(s *section, name string) (string, org.Source) {
	w, ok := l.string(l.one(s, name))
	if !ok {
		return "", org.Source{}
	}
	if strings.HasPrefix(w.text, "embedded:") { // what follows is for who starts it
		return w.text, l.place(w.at)
	}
	if !l.absolute(w, name, "https", "http") {
		return "", org.Source{}
	}
	if strings.ContainsAny(w.text, "?#") {
		l.leak(w.at, "write scheme, host and at most a path", "%s cannot have a query or a fragment", name)
		return "", org.Source{}
	}
	return w.text, l.place(w.at)
}

func (l *loader) ledger(blocks []*hcl.Block) Ledger {
	out := Ledger{URL: DefaultLedger}
	if len(blocks) == 0 {
		return out
	}
	s := l.single("ledger", names("url"), blocks)
	w, ok := l.string(l.one(s, "url"))
	if !ok {
		return out
	}
	scheme, rest, found := strings.Cut(w.text, ":")
	switch {
	case !found || rest == "":
		l.error(w.at, `write "file:PATH" or "postgres://HOST/DATABASE"`, "url of ledger has no scheme")
	case l.chosen(word{scheme, w.at}, "the scheme of url", []string{"file", "postgres", "postgresql"}) == "":
	case scheme != "file" && !l.absolute(w, "url of ledger"):
	case scheme != "file" && strings.Contains(strings.ToLower(rest), "password="):
		l.leak(w.at, "give the whole address in GOVCTL_LEDGER", "url of ledger contains a password; secrets never stand in configuration")
	default:
		return Ledger{URL: w.text, Source: l.place(w.at)}
	}
	return out
}
