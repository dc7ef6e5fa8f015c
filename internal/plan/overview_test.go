package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

func TestOverview(t *testing.T) {
	t.Parallel()
	change := func(name string, grade org.Grade, before, after int64) LimitChange {
		action := ActionSet
		if grade == org.Confirmed {
			action = ActionRaise
		}
		return LimitChange{Action: action, Email: org.Email(name + "@example.com"), UserID: "u_" + name, Before: LimitBefore{Grade: grade, Value: before}, After: after}
	}
	p := &Plan{Limits: []LimitChange{
		change("ada", org.Confirmed, 10, 100), change("bob", org.NeverSet, 0, 7), change("cyd", org.Unknown, 0, org.MaxCredits),
	}}
	got := p.Overview(org.Live{MembersRead: true, Members: []org.Member{member("bob"), {ID: "u_x"}, member("ada")}})
	want := Overview{
		Limits: 3, Changed: 1, Unknown: 2, Sum: json.Number(fmt.Sprint(org.MaxCredits + 107)), Least: new(int64(7)), Addresses: new(2),
		Domains: []string{"example.com"}, Strangers: []int{2}, Notable: []int{0, 1, 2},
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := (&Plan{}).Overview(org.Live{}); gocmp.Diff(Overview{Sum: "0"}, got) != "" {
		t.Errorf("of an empty plan: %+v", got)
	}
}

// TestOverviewRepeated holds that two limits for one member are always suspected, in
// whatever order a stored plan has them.
func TestOverviewRepeated(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limits []LimitChange
		want   bool
	}{
		"none":         {[]LimitChange{{Email: "b@x", UserID: "2"}, {Email: "a@x", UserID: "1"}, {Email: "c@x"}, {Email: "d@x"}}, false},
		"another case": {[]LimitChange{{Email: "a@x"}, {Email: "b@x"}, {Email: "A@x"}}, true},
		"one id":       {[]LimitChange{{Email: "a@x", UserID: "1"}, {Email: "b@x", UserID: "1"}}, true},
	} {
		if got := (&Plan{Limits: c.limits}).Overview(org.Live{}).Repeated; got != c.want {
			t.Errorf("%s: repeated %t", name, got)
		}
	}
}

// TestOverviewOfMany holds that every limit is notable or within what the others stay
// within, that sums are exact, and that a list of a thousand domains is not made.
func TestOverviewOfMany(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		credits := rapid.OneOf(rapid.Int64Range(0, 50), rapid.Int64Range(0, org.MaxCredits), rapid.Just(int64(math.MaxInt64)))
		n := rapid.SampledFrom([]int{0, 1, maxNotable, 4 * maxNotable}).Draw(t, "n")
		limits := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) LimitChange {
			return LimitChange{
				Before: LimitBefore{Grade: rapid.SampledFrom([]org.Grade{org.NeverSet, org.Confirmed}).Draw(t, "grade"), Value: credits.Draw(t, "before")},
				After:  credits.Draw(t, "after"),
			}
		}), n, n).Draw(t, "limits")
		for i := range limits {
			limits[i].Email = org.Email(fmt.Sprintf("%03d@%d.example", i, i%7))
		}
		o := (&Plan{Limits: limits}).Overview(org.Live{})
		over := func(most *float64, v float64) bool { return most == nil || v > *most }
		for i, c := range limits {
			if _, named := slices.BinarySearch(o.Notable, i); named {
				continue
			}
			after, before := float64(c.After), float64(c.Before.Value)
			if over(o.Rest.After, after) || c.Before.known() && (over(o.Rest.Raise, after-before) || before > 0 && over(o.Rest.Factor, after/before)) {
				t.Fatalf("%d: %+v is beyond %+v", i, c, o.Rest)
			}
		}
		if len(limits) > 0 {
			least := slices.MinFunc(limits, func(a, b LimitChange) int { return cmp.Compare(a.After, b.After) }).After
			if *o.Least != least || len(o.Domains) != min(7, len(limits)) {
				t.Fatalf("least %d, want %d; domains %v", *o.Least, least, o.Domains)
			}
		}
	})
	var many []LimitChange
	for i := range maxDomains + 1 {
		many = append(many, LimitChange{Email: org.Email(fmt.Sprintf("a@%d.example", i)), After: math.MaxInt64})
	}
	o := (&Plan{Limits: many}).Overview(org.Live{})
	if o.Domains != nil || o.Sum != "9232595408891630582807" {
		t.Errorf("%d domains, sum %s", len(o.Domains), o.Sum)
	}
}
