package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/live"
	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// factUsage is the fact of gaps in usage.
const factUsage = "usage"

// usageReading reads the usage that policies judge.
//
// It is read for policy check --usage only. A plan does not read it: what plan rules say is
// part of the plan's digest, and usage moves every day, so that a saved plan would be stale
// the next morning. PLN005 is judged on the plan that policy check makes.
type usageReading struct {
	facts *policyFacts
	days  client.Days
}

// addUsage reads the usage of the last 30 available days, as far as rules read it, and
// gives it to them: as a document of its own, and to the plan, if that is judged. What
// cannot be read is a gap, and its rules are indeterminate.
func (a *app) addUsage(ctx context.Context, f *policyFacts, kinds []string, e *policy.Engine) error {
	r := usageReading{facts: f, days: client.ClosedDays(a.now(), usageDays)}
	if r.days == (client.Days{}) {
		return f.gap(ctx, factUsage, errors.New("no day is available yet"))
	}
	if slices.Contains(kinds, policy.PlanKind) && e.Reads(policy.PlanKind, "usage") {
		if err := r.forPlan(ctx); err != nil {
			return err
		}
	}
	if !slices.Contains(kinds, policy.Usage) {
		return nil
	}
	body := map[string]any{"window": map[string]any{"from": r.days.From, "to": r.days.To}}
	for _, part := range []struct {
		name string
		read func(context.Context) (any, error)
	}{
		{"users", r.users}, {"tools", r.tools}, {"tokens", r.tokens}, {"activity", r.activity},
		{"limits", func(ctx context.Context) (any, error) { return a.declaredLimits(ctx, f) }},
	} {
		if !e.Reads(policy.Usage, part.name) {
			continue
		}
		v, err := part.read(ctx)
		if err != nil {
			if err := f.gap(ctx, factUsage, fmt.Errorf("%s: %w", part.name, err)); err != nil {
				return err
			}
			continue
		}
		body[part.name] = v
	}
	if f.newest != nil {
		body["settings"] = f.newest.Settings
	}
	f.documents = append(f.documents, policy.Document{
		Kind: policy.Usage, Subject: "usage@" + r.days.From + ".." + r.days.To, Body: body,
	})
	return nil
}

// forPlan gives the plan's rules the credits that each member used, by one request.
func (r *usageReading) forPlan(ctx context.Context) error {
	at := slices.IndexFunc(r.facts.documents, func(d policy.Document) bool { return d.Kind == policy.PlanKind })
	if at < 0 {
		return nil
	}
	page, err := r.facts.reader.Tokens(ctx, client.UsageQuery{Days: r.days})
	var users []any
	if err == nil {
		err = r.whole(page.Meta, len(page.Data))
	}
	if err == nil {
		users, err = creditsByUser(page.Data)
	}
	if err != nil {
		return r.facts.gap(ctx, factUsage, err)
	}
	body, ok := r.facts.documents[at].Body.(map[string]any)
	if ok {
		body["usage"] = map[string]any{"users": users}
	}
	return nil
}

// creditsByUser are the rows that plan rules read: one for each user and day. A day
// without its users, or a user without credits, would make a sum too small without a word.
func creditsByUser(days []api.TokenRow) ([]any, error) {
	out := []any{}
	for _, d := range days {
		if d.ByUser == nil && !zero(d.InputTokens) {
			return nil, fmt.Errorf("%s has no numbers by user", d.Date)
		}
		for _, u := range d.ByUser {
			if u.BillableTokens == nil {
				return nil, errors.New("credits are hidden by the organization")
			}
			row := map[string]any{"user_email": nil, "billable_tokens": *u.BillableTokens, "date": d.Date}
			if u.UserEmail != nil && *u.UserEmail != "" {
				row["user_email"] = *u.UserEmail
			}
			out = append(out, row)
		}
	}
	return out, nil
}

func zero(n json.Number) bool {
	f, err := n.Float64()
	return err == nil && f == 0
}

// whole refuses an answer about fewer days than were asked for: what is judged must not be
// less than it says (U5, U7).
func (r *usageReading) whole(m api.Meta, rows int) error {
	if m.StartDate != r.days.From || m.EndDate != r.days.To {
		return fmt.Errorf("the service covered %s to %s of %s to %s", m.StartDate, m.EndDate, r.days.From, r.days.To)
	}
	if n := dayCount(r.days); rows >= 0 && rows != n {
		return fmt.Errorf("%d of %d days reported", rows, n)
	}
	return nil
}

// anyRows says that rows are not days: how many there are says nothing.
const anyRows = -1

func (r *usageReading) users(ctx context.Context) (any, error) {
	rows := []any{}
	for page, err := range r.facts.reader.UsageUsers(ctx, r.days) {
		if err == nil {
			err = r.whole(page.Meta, anyRows)
		}
		if err != nil {
			return nil, err
		}
		for i := range page.Data {
			v, err := usageRow(page.Data[i])
			if err != nil {
				return nil, err
			}
			rows = append(rows, v)
		}
	}
	return rows, nil
}

func (r *usageReading) tools(ctx context.Context) (any, error) {
	page, err := r.facts.reader.Tools(ctx, client.UsageQuery{Days: r.days})
	if err == nil {
		err = r.whole(page.Meta, len(page.Data))
	}
	for i := range page.Data {
		for j := range page.Data[i].HooksByEvent {
			h := &page.Data[i].HooksByEvent[j]
			h.Command = org.RedactCommand(h.Command)
		}
	}
	return usageRows(page.Data, err)
}

func (r *usageReading) tokens(ctx context.Context) (any, error) {
	page, err := r.facts.reader.Tokens(ctx, client.UsageQuery{Days: r.days})
	if err == nil {
		err = r.whole(page.Meta, len(page.Data))
	}
	return usageRows(page.Data, err)
}

func (r *usageReading) activity(ctx context.Context) (any, error) {
	page, err := r.facts.reader.Activity(ctx, client.UsageQuery{Days: r.days})
	if err == nil {
		err = r.whole(page.Meta, len(page.Data))
	}
	return usageRows(page.Data, err)
}

func usageRows[T any](rows []T, err error) (any, error) {
	out := make([]any, len(rows))
	for i := range rows {
		if err == nil {
			out[i], err = usageRow(rows[i])
		}
	}
	return out, err
}

// usageRow is a row as rules see it. Its numbers of tokens are no secrets, whatever they
// are called; the texts may hold URLs that are.
func usageRow(row any) (any, error) {
	text, err := json.Marshal(row)
	if err != nil {
		return nil, err
	}
	v, err := org.DecodeJSON(text)
	return org.RedactURLs(v), err
}

// declaredLimits are the limits that the configuration gives the members.
func (a *app) declaredLimits(ctx context.Context, f *policyFacts) (any, error) {
	have, err := live.Read(ctx, f.reader, live.Query{Members: f.project.NeedsMembers()})
	if err != nil {
		return nil, err
	}
	if len(have.Gaps) > 0 {
		return nil, errors.New(have.Gaps[0].Error)
	}
	want, err := f.project.Resolve(have.Members, a.now())
	if err != nil {
		return nil, err
	}
	if !want.LimitsDeclared {
		return nil, errors.New("the configuration declares none")
	}
	out := make([]any, len(want.Limits))
	for i, l := range want.Limits {
		out[i] = map[string]any{"email": string(l.Email), "limit": json.Number(strconv.FormatInt(l.Credits, 10))}
	}
	return out, nil
}
