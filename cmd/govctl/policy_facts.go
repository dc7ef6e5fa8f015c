package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/config"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/policy"
)

// policyFacts is what the rules judge, and what findings are explained by.
type policyFacts struct {
	project   *config.Project // nil for files alone
	documents []policy.Document
	gaps      []org.Gap
	newest    *org.Revision  // the settings judged, nil if none were
	plan      *plan.Plan     // the plan judged, nil if none was
	reader    *client.Client // nil for files alone
}

// gap notes what could not be read, or returns the error that ends everything.
func (f *policyFacts) gap(ctx context.Context, fact string, err error) error {
	var e *api.Error
	if ctx.Err() != nil || errors.As(err, &e) && e.Status == http.StatusUnauthorized {
		return err
	}
	f.gaps = append(f.gaps, org.Gap{Fact: fact, Error: strings.Join(strings.Fields(err.Error()), " ")})
	return nil
}

// readFacts asks the service for everything of the wanted kinds that one project is
// about. Usage is asked for by addUsage, or comes in by --input.
func (a *app) readFacts(ctx context.Context, dir string, vars map[string]string, kinds []string, e *policy.Engine) (*policyFacts, error) {
	var g *gathered
	var err error
	if slices.Contains(kinds, policy.PlanKind) {
		g, err = a.gather(ctx, request{dir: dir, vars: vars, refresh: true, unjudged: true})
	} else {
		g = &gathered{}
		g.project, err = a.loadProject(dir, vars)
	}
	if err != nil {
		return nil, err
	}
	return a.factsOf(ctx, g, kinds, e)
}

// factsOf is readFacts of a project that is gathered, or at least loaded.
func (a *app) factsOf(ctx context.Context, g *gathered, kinds []string, e *policy.Engine) (*policyFacts, error) {
	wants := func(kind string) bool { return slices.Contains(kinds, kind) }
	f := &policyFacts{project: g.project}
	var err error
	if g.service == nil {
		if g.service, err = a.connect(ctx, g.project); err != nil {
			return nil, err
		}
	}
	if f.reader, err = a.client(ctx, g.service, forReading); err != nil {
		return nil, err
	}
	if err := f.readSettings(ctx, wants, g, e); err != nil {
		return nil, err
	}
	if wants(policy.Readiness) {
		if err := f.readReadiness(ctx); err != nil {
			return nil, err
		}
	}
	if wants(policy.PlanKind) && g.plan != nil {
		d, err := planDocument(g.plan, g.have, e)
		if err != nil {
			return nil, err
		}
		f.plan = g.plan
		f.documents = append(f.documents, d)
	}
	if wants(policy.Computers) {
		return f, f.readComputers(ctx)
	}
	return f, nil
}

// readSettings reads the newest revision and the one before it.
func (f *policyFacts) readSettings(ctx context.Context, wants func(string) bool, g *gathered, e *policy.Engine) error {
	var revisions []org.Revision
	for change, err := range f.reader.History(ctx, 2) {
		var r org.Revision
		if err == nil {
			r, err = live.Revision(change, org.Redactor{})
		}
		if err != nil {
			if err := f.gap(ctx, live.FactSettings, err); err != nil {
				return err
			}
			break
		}
		if revisions = append(revisions, r); len(revisions) == 2 {
			break
		}
	}
	if len(revisions) == 0 {
		return ctx.Err()
	}
	f.newest = &revisions[0]
	if wants(policy.Settings) {
		members, err := f.readMembers(ctx, g, e)
		if err != nil {
			return err
		}
		d := settingsDocument(revisions[0], members)
		if len(revisions) == 2 {
			d.Before = revisionBody(revisions[1])
		}
		f.documents = append(f.documents, d)
	}
	if wants(policy.History) && len(revisions) == 2 {
		f.documents = append(f.documents, historyDocument(revisions[1], revisions[0]))
	}
	return nil
}

// readMembers lists the members if a rule asks for them.
func (f *policyFacts) readMembers(ctx context.Context, g *gathered, e *policy.Engine) (map[string]any, error) {
	if !e.Reads(policy.Settings, "members") {
		return nil, nil
	}
	have := g.have
	if !have.MembersRead {
		var err error
		if have, err = live.Read(ctx, f.reader, live.Query{Members: true}); err != nil {
			return nil, err
		}
		f.gaps = append(f.gaps, have.Gaps...)
	}
	return membersBody(have), nil
}

// readReadiness makes a document of every repository that is declared or has reports.
func (f *policyFacts) readReadiness(ctx context.Context) error {
	var reports []api.Report
	complete := true
	for r, err := range f.reader.Reports(ctx) {
		if err != nil {
			if err := f.gap(ctx, "readiness", err); err != nil {
				return err
			}
			complete = false
			break
		}
		reports = append(reports, r)
	}
	documents, err := readinessDocuments(f.project.Readiness, reports, complete)
	f.documents = append(f.documents, documents...)
	return err
}

// readComputers looks up the declared computers.
func (f *policyFacts) readComputers(ctx context.Context) error {
	list := []any{}
	for _, c := range f.project.Computers {
		m, err := f.reader.ComputerByName(ctx, c.Name)
		var e *api.Error
		if errors.As(err, &e) && e.Status == http.StatusNotFound {
			continue
		}
		if err != nil {
			if err := f.gap(ctx, live.FactComputer, fmt.Errorf("%s: %w", c.Name, err)); err != nil {
				return err
			}
			continue
		}
		v, err := generic(m)
		if err != nil {
			return err
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		return nil
	}
	body := map[string]any{"computers": list}
	if f.newest != nil {
		body["settings"] = f.newest.Settings
	}
	f.documents = append(f.documents, policy.Document{Kind: policy.Computers, Subject: "computers", Body: body})
	return nil
}

// settingsDocument is one revision of the settings; its secrets are replaced already.
func settingsDocument(r org.Revision, members map[string]any) policy.Document {
	body := revisionBody(r)
	if members != nil {
		body["members"] = members
	}
	return policy.Document{Kind: policy.Settings, Subject: fmt.Sprintf("settings@r%d", r.Number), Base: "/settings", Body: body}
}

// historyDocument is two consecutive revisions. What a rule finds is in the later one.
func historyDocument(from, to org.Revision) policy.Document {
	return policy.Document{
		Kind: policy.History, Subject: fmt.Sprintf("settings@r%d..r%d", from.Number, to.Number), Base: "/to/settings",
		Body: map[string]any{"from": revisionBody(from), "to": revisionBody(to)},
	}
}

func revisionBody(r org.Revision) map[string]any {
	return map[string]any{
		"revision": json.Number(strconv.FormatInt(r.Number, 10)), "updated_at": r.UpdatedAt, "settings": r.Settings,
		"actor": map[string]any{"id": r.Actor.ID, "email": r.Actor.Email, "name": r.Actor.Name},
	}
}

func membersBody(have org.Live) map[string]any {
	emails, ids := make([]any, 0, len(have.Members)), make([]any, 0, len(have.Members))
	for _, m := range have.Members {
		ids = append(ids, m.ID)
		if m.Email != "" {
			emails = append(emails, string(m.Email))
		}
	}
	return map[string]any{"complete": have.MembersRead, "emails": emails, "ids": ids}
}

// redactPlan is org.Redact for a plan. A change of a limit holds no secret, and there may
// be a hundred thousand of them.
func redactPlan(v any) any {
	p, ok := v.(map[string]any)
	changes, isList := p["changes"].([]any)
	if !ok || !isList {
		return org.Redact(v)
	}
	shown := make([]any, len(changes))
	for i, c := range changes {
		if change, ok := c.(map[string]any); ok && change["kind"] == "limit" {
			shown[i] = change
			continue
		}
		shown[i] = org.Redact(c)
	}
	rest := maps.Clone(p)
	delete(rest, "changes")
	out, _ := org.Redact(rest).(map[string]any) // an object stays one
	out["changes"] = shown
	return out
}

// readinessDocuments groups reports by repository, newest first and of two of one time the
// larger id first (U23), and adds what the configuration asks of each.
func readinessDocuments(want *config.Readiness, reports []api.Report, complete bool) ([]policy.Document, error) {
	byURL := map[string][]api.Report{}
	rules := map[string]config.ReadinessRule{}
	var general config.ReadinessRule
	if want != nil {
		general = want.Default
		for _, r := range want.Repositories {
			rules[r.URL], byURL[r.URL] = r, nil
		}
	}
	for _, r := range reports {
		byURL[r.RepoURL] = append(byURL[r.RepoURL], r)
	}
	var out []policy.Document
	for _, url := range slices.Sorted(maps.Keys(byURL)) {
		list := byURL[url]
		slices.SortStableFunc(list, func(a, b api.Report) int {
			x, _ := a.CreatedAt.Float64()
			y, _ := b.CreatedAt.Float64()
			return cmp.Or(cmp.Compare(y, x), cmp.Compare(b.ReportID, a.ReportID))
		})
		v, err := generic(list)
		if err != nil {
			return nil, err
		}
		if v == nil {
			v = []any{}
		}
		shown := org.RedactURL(url)
		out = append(out, policy.Document{Kind: policy.Readiness, Subject: shown, Body: map[string]any{
			"repository": repositoryBody(shown, rules[url], general), "reports": v, "complete": complete,
		}})
	}
	return out, nil
}

// repositoryBody is what is asked of one repository: its own block before the default.
func repositoryBody(url string, rule, general config.ReadinessRule) map[string]any {
	body := map[string]any{"url": url}
	if score := cmp.Or(rule.MinScore, general.MinScore); score != nil {
		body["min_score"] = number(*score)
	}
	if age := cmp.Or(rule.MaxAge, general.MaxAge); age > 0 {
		body["max_age_days"] = number(age.Hours() / 24)
	}
	if branch := cmp.Or(rule.Branch, general.Branch); branch != "" {
		body["branch"] = branch
	}
	criteria := map[string]any{}
	for _, from := range []map[string]float64{general.Criteria, rule.Criteria} {
		for name, score := range from {
			criteria[name] = number(score)
		}
	}
	if len(criteria) > 0 {
		body["criteria"] = criteria
	}
	return body
}

func number(f float64) json.Number { return json.Number(strconv.FormatFloat(f, 'f', -1, 64)) }

// generic is a value of the API as rules see it, without its secrets.
func generic(v any) (any, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	out, err := org.DecodeJSON(text)
	if err != nil {
		return nil, err
	}
	return org.Redact(out), nil
}
