package drift

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/plan"
)

// office is a project with a computer of every verdict and limits of every grade.
func office() Input {
	machine := func(id, name, user, status string) *org.Computer {
		return &org.Computer{ID: id, Name: name, Provider: "byom", RemoteUser: user, Status: status}
	}
	in := Input{Now: now, Have: org.Live{
		MembersRead: true,
		ByName: map[string]*org.Computer{
			"same": machine("c1", "same", "ci", "error"), "other": machine("c2", "other", "root", "active"), "none": nil,
			"fixed": {ID: "c4", Name: "fixed", Provider: "sandbox_vendor"},
		},
		ByID: map[string]*org.Computer{},
		Gaps: []org.Gap{{Fact: "computer", Key: "hidden", Error: "status 500"}},
	}}
	for _, name := range []string{"fixed", "hidden", "none", "other", "same"} {
		in.Want.Computers = append(in.Want.Computers, org.Computer{Name: name, Provider: "byom", RemoteUser: "ci", Source: org.Source{File: "c.hcl", Line: 1, Column: 1}})
	}
	known := map[org.Email]org.KnownLimit{"forgot@x": {Grade: org.Confirmed, Credits: 9, At: now.Add(-time.Hour)}}
	for i, grade := range []org.Grade{"", org.Unknown, org.Confirmed, org.Confirmed, org.Confirmed} {
		e := org.Email(fmt.Sprintf("m%d@x", i))
		in.Have.Members = append(in.Have.Members, org.Member{ID: "u" + string(e), Email: e, Spelling: string(e)})
		in.Want.Limits = append(in.Want.Limits, org.Limit{Email: e, Credits: 5})
		if grade != "" {
			known[e] = org.KnownLimit{Grade: grade, Credits: int64(i) + 1, At: now.Add(-time.Duration(i*i) * 24 * time.Hour)}
		}
	}
	in.Want.Limits = append(in.Want.Limits, org.Limit{Email: "gone@x", Credits: 1}, org.Limit{Email: "old@x", Credits: 1})
	known["gone@x"] = org.KnownLimit{Grade: org.Confirmed, At: now.Add(-1000 * time.Hour)}
	known["old@x"] = org.KnownLimit{Grade: org.Confirmed, At: now, UserID: "um0@x"}
	in.Last = org.Known{Limits: org.LimitsOf(known)}
	in.Want.LimitsDeclared, in.Want.ReassertAfter, in.Want.UnlistedMode, in.Want.Unlisted = true, 10*24*time.Hour, "report", []org.Email{"new@x"}
	in.Want.Models = &org.Models{Allowed: []string{"good"}}
	in.Sessions = &Sessions{Computers: map[string]int{"c1": 3, "c9": 2, "": 4}, Models: map[string]int{"good": 1, "bad": 2, "": 5}}
	return in.planned()
}

func (in Input) planned() Input {
	in.Plan = plan.Make(plan.Input{Want: in.Want, Have: in.Have, Last: in.Last, Now: now, Project: "p", Target: org.Target{BaseURL: "https://api.example.com"}})
	return in
}

func TestOffice(t *testing.T) {
	t.Parallel()
	r := Make(office())
	wantVerdict(t, r, Drifted)
	var computers []string
	for _, c := range r.Computers {
		computers = append(computers, strings.TrimSpace(fmt.Sprint(c.Name, " ", c.ID, " ", c.Verdict, " ", c.Fields, " ", c.Detail, c.Health)))
	}
	if diff := cmp.Diff([]string{
		"fixed c4 conflict [] provider is sandbox_vendor and cannot be changed through the API to byom",
		"hidden  unreadable [] status 500",
		"none  missing []",
		"other c2 drifted [{remote_user root ci}]",
		"same c1 in_sync [] error",
	}, computers); diff != "" {
		t.Errorf("computers (-want +got):\n%s", diff)
	}
	oldest := now.Add(-16 * 24 * time.Hour)
	if diff := cmp.Diff(Limits{Unverifiable, 2, 1, 1, 1, &oldest}, r.Limits); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Unmanaged{
		Members: []Member{
			{Email: "old@x", Why: WhyMoved, Detail: "um0@x now has m0@x"},
			{Email: "forgot@x", Why: WhyForgotten, Detail: "9 credits, last set by govctl 2026-11-20T08:00:00Z"},
			{Email: "gone@x", Why: WhyLeft},
			{Email: "new@x", Why: WhyNoLimit},
		},
		Computers: []SeenThing{{Name: "c9", Sessions: 2}}, Models: []SeenThing{{Name: "bad", Sessions: 2}},
	}, r.Unmanaged); diff != "" {
		t.Errorf("unmanaged (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(Summary{Checked: 4, Drifted: 3}, r.Summary); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
	if r.Coverage.Complete || len(r.Coverage.Missing) != 1 {
		t.Errorf("coverage %+v", r.Coverage)
	}
}

func TestSessionsUnread(t *testing.T) {
	t.Parallel()
	in := input([]org.Revision{revision(t, 1, `{"x":1}`)}, 0, org.Expectation{Pointer: "/x", Value: json.Number("1")})
	wantVerdict(t, Make(in), InSync)
	in.Sessions = &Sessions{Err: errors.New("status\n500")}
	r := Make(in)
	wantVerdict(t, r, Unknown)
	if diff := cmp.Diff([]org.Gap{{Fact: "sessions", Error: "status 500"}}, r.Coverage.Missing); diff != "" {
		t.Error(diff)
	}
}

// TestLimitsAlone: a project that declares nothing readable is never in sync.
func TestLimitsAlone(t *testing.T) {
	t.Parallel()
	in := office()
	in.Want.Computers, in.Have.Gaps, in.Want.Models, in.Sessions = nil, nil, nil, nil
	r := Make(in.planned())
	wantVerdict(t, r, Unknown)
	if !r.Coverage.Complete || r.Limits.Verdict != Unverifiable || r.Limits.Total() != 5 {
		t.Errorf("coverage %+v, limits %+v", r.Coverage, r.Limits)
	}
}

// TestVerdict holds what the three verdicts promise, whatever the facts are.
func TestVerdict(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "revisions")
		var all []org.Revision
		for i := range n {
			all = append(all, org.Revision{Number: int64(i + 1), Settings: drawObject(t, "settings", 1)})
		}
		var expect []org.Expectation
		if rapid.Bool().Draw(t, "expects") {
			expect = append(expect, org.Expectation{Pointer: "/a", Value: true, Absent: rapid.Bool().Draw(t, "absent")})
		}
		in := input(all, int64(rapid.IntRange(0, n+1).Draw(t, "since")), expect...)
		for _, fact := range []string{"members", "settings", "computer"} {
			if rapid.IntRange(0, 3).Draw(t, fact) == 0 {
				in.Have.Gaps = append(in.Have.Gaps, org.Gap{Fact: fact, Error: "status 500"})
			}
		}
		in = in.planned()
		r := Make(in)
		switch {
		case r.Verdict == InSync && (!r.Coverage.Complete || r.Summary.Drifted > 0 || r.Summary.Checked == 0):
			t.Fatalf("in sync, but %+v %+v", r.Coverage, r.Summary)
		case r.Verdict == Drifted && r.Summary.Drifted == 0:
			t.Fatal("drifted by nothing")
		case r.Verdict == Unknown && r.Coverage.Complete && r.Summary.Checked > 0:
			t.Fatal("unknown although everything was seen")
		case r.Limits.Verdict != Unverifiable:
			t.Fatalf("limits are %s", r.Limits.Verdict)
		}
		var b Baseline
		for _, a := range r.Open() {
			a.Reason = "r"
			b.Accept(a)
		}
		in.Baseline = b
		again := Make(in)
		if again.Verdict == Drifted || len(again.Open()) > 0 || len(again.Unused) > 0 || len(again.Settings.Changes) != len(r.Settings.Changes) {
			t.Fatalf("everything is accepted and %s: %q", again.Verdict, saidAll(again))
		}
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range []string{"/coverage/missing", "/settings/changes", "/settings/gaps", "/computers", "/unmanaged/members", "/unmanaged/computers", "/unmanaged/models", "/expired", "/unused", "/findings"} {
			v, _ := org.Lookup(parse(t, string(data)), list)
			if _, ok := v.([]any); !ok {
				t.Fatalf("%s is no list: %s", list, data)
			}
		}
		var back Report
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if data2, err := json.Marshal(&back); err != nil || !bytes.Equal(data, data2) {
			t.Fatalf("decoding changes the report (%v):\n%s\n%s", err, data, data2)
		}
	})
}

func TestAcceptances(t *testing.T) {
	t.Parallel()
	history := story(t, `{"a":1}`, `{"a":2}`)
	print1 := Make(input(history, 1)).Settings.Changes[0].Fingerprint
	for name, c := range map[string]struct {
		history []org.Revision
		until   string
		verdict string
		lists   string
	}{
		"accepted":           {history, "", InSync, "accepted"},
		"until today":        {history, "2026-11-20", InSync, "accepted"},
		"until yesterday":    {history, "2026-11-19", Drifted, "expired"},
		"another value":      {story(t, `{"a":1}`, `{"a":2}`, `{"a":3}`), "", Drifted, "unused"},
		"same value again":   {story(t, `{"a":1}`, `{"a":2}`, `{"a":3}`, `{"a":2}`), "", InSync, "accepted"},
		"another before":     {story(t, `{"a":9}`, `{"a":2}`), "", InSync, "accepted"},
		"gone":               {story(t, `{"a":1}`, `{}`), "", Drifted, "unused"},
		"as it was accepted": {story(t, `{"a":1}`, `{"b":1}`, `{"a":1}`), "", InSync, "unused"},
	} {
		in := input(c.history, 1)
		in.Baseline.Accept(Acceptance{Fingerprint: print1, Kind: "setting", Key: "/a", Reason: "why", Until: c.until})
		r := Make(in)
		lists := ""
		switch {
		case len(r.Expired) > 0:
			lists = "expired"
		case len(r.Unused) > 0:
			lists = "unused"
		case r.Summary.Accepted > 0:
			lists = "accepted"
		}
		if r.Verdict != c.verdict || lists != c.lists {
			t.Errorf("%s: %s and %s, want %s and %s: %q", name, r.Verdict, lists, c.verdict, c.lists, saidAll(r))
		}
	}
}

func TestComparison(t *testing.T) {
	t.Parallel()
	keys := func(list []Ref) string {
		var out []string
		for _, r := range list {
			out = append(out, fmt.Sprintf("%s %d %s", r.Key, r.Consecutive, r.FirstSeen.Format("15:04")))
		}
		return strings.Join(out, ", ")
	}
	say := func(r *Report) string {
		c := r.Comparison
		return fmt.Sprintf("new %s; ongoing %s; resolved %s; unknown %s", keys(c.New), keys(c.Ongoing), keys(c.Resolved), keys(c.Unknown))
	}
	var previous *Report
	for i, step := range []struct {
		change func(in *Input)
		want   string
	}{
		{func(*Input) {}, ""},
		{func(*Input) {}, "new ; ongoing fixed 2 09:00, none 2 09:00, other 2 09:00; resolved ; unknown "},
		{func(in *Input) { in.Have.ByName["other"].RemoteUser = "ci" }, "new ; ongoing fixed 3 09:00, none 3 09:00; resolved other 2 09:00; unknown "},
		{func(in *Input) { in.Have.ByName["other"].RemoteUser = "me" }, "new other 1 12:00; ongoing fixed 4 09:00, none 4 09:00; resolved ; unknown "},
		{func(in *Input) {
			in.Have.ByName["other"].RemoteUser = "me"
			delete(in.Have.ByName, "none")
			in.Have.Gaps = append(in.Have.Gaps, org.Gap{Fact: "computer", Key: "none", Error: "x"})
		}, "new ; ongoing fixed 5 09:00, other 2 12:00; resolved ; unknown none 4 09:00"},
		{func(in *Input) { in.Have.ByName["other"].RemoteUser = "me" }, "new ; ongoing fixed 6 09:00, none 5 09:00, other 3 12:00; resolved ; unknown "},
	} {
		in := office()
		step.change(&in)
		in.Now, in.Previous = now.Add(time.Duration(i)*time.Hour), previous
		in = in.planned()
		r := Make(in)
		if i > 0 && say(r) != step.want {
			t.Errorf("run %d: %s\nwant %s", i, say(r), step.want)
		}
		previous = r
	}
}

func TestBaseline(t *testing.T) {
	t.Parallel()
	b := Baseline{FormatVersion: FormatVersion, Organization: "org_1", Revision: &AcceptedRevision{Number: 3, UpdatedAt: "t", Reason: "r", At: now}}
	b.Accept(Acceptance{Fingerprint: "b", Kind: "setting", Key: "/b", Reason: "r", At: now}, Acceptance{Fingerprint: "a", Kind: "computer", Key: "x", Reason: "r", Until: "2026-12-31", At: now})
	b.Accept(Acceptance{Fingerprint: "b", Kind: "setting", Key: "/b", Reason: "other", At: now})
	if got := []string{b.Accepted[0].Key, b.Accepted[1].Reason}; !slices.Equal(got, []string{"x", "other"}) || len(b.Accepted) != 2 {
		t.Errorf("%+v", b.Accepted)
	}
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	back, err := DecodeBaseline(data)
	if diff := cmp.Diff(b, back); diff != "" || err != nil {
		t.Errorf("decoding changes it: %v\n%s", err, diff)
	}
	for text, want := range map[string]string{
		``: "EOF", `[]`: "array", `{"format_version":"9.0"}`: "9.0", `{}`: "not known", `{"format_version":"1.0"} 1`: "after the JSON",
		`{"format_version":"1.0","acepted":[]}`:                                                                  "acepted",
		`{"format_version":"1.0","revision":{"number":3}}`:                                                       "a reason",
		`{"format_version":"1.0","accepted":[{"fingerprint":"a"}]}`:                                              "acceptance 1",
		`{"format_version":"1.0","accepted":[{"fingerprint":"a","reason":"r","until":"soon"}]}`:                  "not a date",
		`{"format_version":"1.0","accepted":[{"fingerprint":"a","reason":"r","until":"2026-02-30"}]}`:            "not a date",
		`{"format_version":"1.0","accepted":[{"fingerprint":"a","reason":"r"},{"reason":"r","until":"x"}]}`:      "acceptance 2",
		`{"format_version":"1.0","revision":{"number":-1,"reason":"r"},"accepted":[{"fingerprint":"f"}]}`:        "number",
		`{"format_version":"1.0","revision":{"number":1e99,"reason":"r"},"accepted":[{"fingerprint":"f"}]}`:      "1e99",
		`{"format_version":"1.0","organization":7,"accepted":[{"fingerprint":"a","reason":" ","until":"soon"}]}`: "organization",
	} {
		if _, err := DecodeBaseline([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want something with %q", text, err, want)
		}
	}
}

func TestOtherHistory(t *testing.T) {
	t.Parallel()
	b := Baseline{Organization: "org_1", Revision: &AcceptedRevision{Number: 2, UpdatedAt: "2026-11-01T02:00:00Z"}}
	fold := func(at string) *History {
		in := input([]org.Revision{{Number: 2, UpdatedAt: at}, {Number: 3}}, 2)
		return in.History
	}
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"fine":                 {b.Check("org_1", 2), false},
		"not named":            {b.Check("", 2), false},
		"other organization":   {b.Check("org_2", 2), true},
		"begins again":         {b.Check("org_1", 1), true},
		"same revision":        {b.Same(fold("2026-11-01T02:00:00Z")), false},
		"another of that name": {b.Same(fold("2026-11-05T02:00:00Z")), true},
		"no fold":              {b.Same(nil), false},
		"nothing accepted":     {Baseline{}.Check("org_2", 0), false},
	} {
		if errors.Is(c.err, ErrOtherHistory) != c.want {
			t.Errorf("%s: %v", name, c.err)
		}
	}
}

func FuzzDecodeBaseline(f *testing.F) {
	f.Add([]byte(`{"format_version":"1.0","revision":{"number":3,"updated_at":"t","reason":"r","accepted_at":"2026-11-20T09:00:00Z"},"accepted":[{"fingerprint":"a","kind":"setting","key":"/a","reason":"r","until":"2026-12-31","accepted_at":"2026-11-20T09:00:00Z"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := DecodeBaseline(data)
		if err != nil {
			return
		}
		text, err := json.Marshal(b)
		if err != nil {
			return // a year that JSON cannot write
		}
		if _, err := DecodeBaseline(text); err != nil {
			t.Errorf("%s became %s: %v", data, text, err)
		}
	})
}
