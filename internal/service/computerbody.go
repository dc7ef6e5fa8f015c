package service

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// readNewComputer reads the body of POST computers (C163-C171).
func readNewComputer(body object) (store.Computer, error) {
	var c store.Computer
	name, err := readName(body, "name")
	switch {
	case err != nil:
		return c, err
	case name == nil:
		return c, invalid("name is missing")
	}
	c.Name = *name
	user, err := readName(body, "remoteUser")
	if err != nil {
		return c, err
	}
	host, err := readHostID(body)
	if err != nil {
		return c, err
	}
	c.RemoteUser, c.HostID = deref(user), deref(host)
	if c.Provider, err = readProvider(body, host != nil); err != nil {
		return c, err
	}
	c.Spec, err = readSpec(body)
	return c, err
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func readProvider(body object, hasHost bool) (string, error) {
	provider, err := body.text("provider")
	switch {
	case err != nil:
		return "", err
	case provider == nil && hasHost:
		return store.BYOM, nil
	case provider == nil:
		return store.SandboxVendor, nil
	case *provider != store.BYOM && *provider != store.SandboxVendor:
		return "", invalid("provider must be byom or sandbox_vendor")
	}
	return *provider, nil
}

func readSpec(body object) (store.Spec, error) {
	var spec store.Spec
	var err error
	if spec.Repos, err = readRepos(body); err != nil {
		return spec, err
	}
	if spec.AutoInstallDeps, err = body.flag("autoInstallDeps"); err != nil {
		return spec, err
	}
	account, err := body.text("serviceAccountId")
	if err != nil {
		return spec, err
	}
	if account != nil && *account == "" {
		return spec, invalid("serviceAccountId must not be empty")
	}
	spec.ServiceAccountID = deref(account)
	if raw, ok := body["source"]; ok {
		source, err := asObject(raw, "source")
		if err != nil {
			return spec, err
		}
		if kind, err := source.text("kind"); err != nil || deref(kind) == "" {
			return spec, invalid("source.kind is not a non-empty string")
		}
		spec.Source = raw
	}
	return spec, nil
}

func readRepos(body object) ([]string, error) {
	raw, ok := body["repos"]
	if !ok {
		return nil, nil
	}
	list, err := asList(raw, "repos")
	if err != nil {
		return nil, err
	}
	if len(list) > api.MaxRepos {
		return nil, invalid("repos has more than %d items", api.MaxRepos)
	}
	repos := make([]string, len(list))
	for i, raw := range list {
		if repos[i], err = asText(raw, "repos["+strconv.Itoa(i)+"]"); err != nil {
			return nil, err
		}
		u, err := url.Parse(repos[i])
		if err != nil || u.Scheme == "" || utf8.RuneCountInString(repos[i]) > api.MaxRepoLength {
			return nil, invalid("repos[%d] is not a URI of at most %d characters", i, api.MaxRepoLength)
		}
	}
	return repos, nil
}

// readName reads an optional computer name or remote user.
func readName(body object, field string) (*string, error) {
	s, err := body.text(field)
	if err != nil || s == nil {
		return nil, err
	}
	return s, checkName(*s, field)
}

// checkName counts code points and refuses control characters; nothing else is bounded (U43).
func checkName(s, field string) error {
	n := utf8.RuneCountInString(s)
	if n < 1 || n > api.MaxName || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return invalid("%s must have 1 to %d characters and no control characters", field, api.MaxName)
	}
	return nil
}

// readHostID reads an optional UUID in its usual form of 36 characters and lowers it (U46).
func readHostID(body object) (*string, error) {
	s, err := body.text("hostId")
	if err != nil || s == nil {
		return nil, err
	}
	id, err := uuid.Parse(*s)
	if err != nil || len(*s) != 36 {
		return nil, invalid("hostId is not a UUID")
	}
	lower := id.String()
	return &lower, nil
}
