package service

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/store"
)

// route is one operation of the API.
type route struct {
	method   string
	path     string
	managers bool // only managers and owners (U69); others: any member, guests only to read
	body     bool // takes a JSON object
	status   int  // of success
	handle   func(*Service, *call) (any, error)
}

// routes are the operations this service has.
func routes() []route {
	const get, put, post, patch = http.MethodGet, http.MethodPut, http.MethodPost, http.MethodPatch
	return []route{
		{method: get, path: api.PathTokens, managers: true, status: 200, handle: (*Service).tokenDays},
		{method: get, path: api.PathTools, managers: true, status: 200, handle: (*Service).toolDays},
		{method: get, path: api.PathActivity, managers: true, status: 200, handle: (*Service).activityDays},
		{method: get, path: api.PathProductivity, managers: true, status: 200, handle: (*Service).productivityDays},
		{method: get, path: api.PathAnalyticsUsers, managers: true, status: 200, handle: (*Service).userDays},
		{method: post, path: api.PathTraces, status: 200, handle: (*Service).exportTraces},
		{method: get, path: api.PathUsers, managers: true, status: 200, handle: (*Service).listUsers},
		{method: get, path: api.PathHistory, managers: true, status: 200, handle: (*Service).listHistory},
		{method: put, path: api.PathLimits, managers: true, body: true, status: 200, handle: (*Service).putLimits},
		{method: post, path: api.PathComputers, body: true, status: 201, handle: (*Service).createComputer},
		{method: get, path: api.PathComputer, status: 200, handle: (*Service).getComputer},
		{method: patch, path: api.PathComputer, body: true, status: 200, handle: (*Service).patchComputer},
		{method: get, path: api.PathComputerByName, status: 200, handle: (*Service).getComputerByName},
		{method: post, path: api.PathInstallDeps, status: 202, handle: (*Service).installDeps},
		{method: get, path: api.PathSessions, status: 200, handle: (*Service).listSessions},
		{method: get, path: api.PathSession, status: 200, handle: (*Service).getSession},
		{method: patch, path: api.PathSession, body: true, status: 200, handle: (*Service).patchSession},
		{method: get, path: api.PathMessages, status: 200, handle: (*Service).listMessages},
		{method: get, path: api.PathMessage, status: 200, handle: (*Service).getMessage},
		{method: get, path: api.PathReadiness, status: 200, handle: (*Service).listReports},
	}
}

// matched is a route whose path fits, with the values of its parameters.
type matched struct {
	route
	values map[string]string
}

type matches []matched

// match finds the routes for an escaped path. Segments are compared after unescaping one
// by one, so a parameter may hold any text, "..", "a/b" and "" excepted where they are
// written unescaped; nothing is cleaned or redirected.
func match(escaped string) matches {
	got := strings.Split(escaped, "/")
	for i := range got {
		text, err := url.PathUnescape(got[i])
		if err != nil {
			return nil
		}
		got[i] = text
	}
	var found matches
	for _, r := range routes() {
		if values, ok := fit(strings.Split(r.path, "/"), got); ok {
			found = append(found, matched{r, values})
		}
	}
	return found
}

func fit(pattern, got []string) (map[string]string, bool) {
	if len(pattern) != len(got) {
		return nil, false
	}
	values := map[string]string{}
	for i, want := range pattern {
		switch {
		case strings.HasPrefix(want, "{"):
			if got[i] == "" {
				return nil, false
			}
			values[strings.Trim(want, "{}")] = got[i]
		case want != got[i]:
			return nil, false
		}
	}
	return values, true
}

// choose picks the route of a method: 403 before 405 (U71).
func (m matches) choose(method string, role store.Role) (matched, error) {
	reading := method == http.MethodGet || method == http.MethodHead
	if m[0].managers && !role.Manages() {
		return matched{}, refuse(http.StatusForbidden, "this endpoint needs the Manager or Owner role")
	}
	if role == store.Guest && !reading {
		return matched{}, refuse(http.StatusForbidden, "guests may only read")
	}
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var allowed []string
	for _, one := range m {
		if one.method == method {
			return one, nil
		}
		allowed = append(allowed, one.method)
	}
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	slices.Sort(allowed)
	return matched{}, notAllowed(slices.Compact(allowed))
}
