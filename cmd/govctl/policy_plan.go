package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
	"github.com/govctl/govctl/internal/policy"
)

// overviewField is where rules find the overview of a plan. Only govctl makes one.
const overviewField = "overview"

// valuesOfLimit is how many values a change of a limit has at most.
const valuesOfLimit = 16

// planDocument is a plan with the facts its rules ask for. Its changes and the members
// are made only for rules that read them, because there may be a hundred thousand.
func planDocument(p *plan.Plan, have org.Live, e *policy.Engine) (policy.Document, error) {
	body, err := planBody(p, have)
	if err != nil {
		return policy.Document{}, fmt.Errorf("judge the plan: %w", err)
	}
	if have.MembersRead && e.Reads(policy.PlanKind, "members") {
		body["members"] = laterMembers(have)
	}
	if have.Newest != nil {
		body["settings"] = have.Newest.Settings
	}
	return policy.Document{Kind: policy.PlanKind, Subject: "plan", Base: "/plan", Body: body}, nil
}

// planBody is a plan and its overview. A change of a limit holds no secret; those of
// everything else are replaced.
func planBody(p *plan.Plan, have org.Live) (map[string]any, error) {
	short := *p
	short.Limits = nil
	v, err := generic(&short)
	if err != nil {
		return nil, err
	}
	object, _ := v.(map[string]any) // a plan is one
	others, _ := object["changes"].([]any)
	first := len(p.Computers) // place of the first limit
	object["changes"] = policy.Deferred{Values: valuesOfLimit*len(p.Limits) + len(others), JSON: func() ([]byte, error) {
		limits, err := limitsBody(p.Limits)
		if err != nil {
			return nil, err
		}
		return json.Marshal(slices.Concat(others[:first], limits, others[first:]))
	}}
	overview, err := overviewBody(p, have)
	if err != nil {
		return nil, err
	}
	list := make([]any, len(others))
	for i, c := range others {
		at := i
		if i >= first {
			at += len(p.Limits)
		}
		list[i] = map[string]any{"at": at, "change": c}
	}
	overview["others"] = list
	return map[string]any{"plan": object, overviewField: overview}, nil
}

// overviewBody is the overview as rules see it, but for the changes that are no limits.
func overviewBody(p *plan.Plan, have org.Live) (map[string]any, error) {
	o := p.Overview(have)
	v, err := generic(o)
	if err != nil {
		return nil, err
	}
	body, _ := v.(map[string]any) // a struct is one
	for name, places := range map[string][]int{"strangers": o.Strangers, "notable": o.Notable} {
		some := make([]plan.LimitChange, len(places))
		for i, at := range places {
			some[i] = p.Limits[at]
		}
		changes, err := limitsBody(some)
		if err != nil {
			return nil, err
		}
		list := make([]any, len(places))
		for i, at := range places {
			list[i] = map[string]any{"at": len(p.Computers) + at, "change": changes[i]}
		}
		body[name] = list
	}
	return body, nil
}

func limitsBody(limits []plan.LimitChange) ([]any, error) {
	text, err := plan.LimitsJSON(limits)
	if err != nil {
		return nil, err
	}
	v, err := org.DecodeJSON(text)
	if err != nil {
		return nil, err
	}
	list, _ := v.([]any) // LimitsJSON is one
	return list, nil
}

// laterMembers is membersBody with lists that are made when a rule reads them.
func laterMembers(have org.Live) map[string]any {
	body := sync.OnceValue(func() map[string]any { return membersBody(have) })
	list := func(name string) policy.Deferred {
		return policy.Deferred{Values: len(have.Members), JSON: func() ([]byte, error) { return json.Marshal(body()[name]) }}
	}
	return map[string]any{"complete": have.MembersRead, "emails": list("emails"), "ids": list("ids")}
}
