package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

// drawInput draws facts in which everything happens: members missing and twice, all
// grades, computers of every fate, settings of every kind, hostile texts.
func drawInput(t *rapid.T) Input {
	names := rapid.SampledFrom([]string{"ada", "bob", "cyd", "dan", "eve", "fay"})
	text := rapid.SampledFrom([]string{"", "x", "<b>&", "##[x]", "\u2028", "bad\xff", "\ufffd", `back\ufffdslash`, "é"})
	credits := rapid.Int64Range(0, 3)
	in := fleet(drawComputers(t))
	in.Want.LimitsDeclared = rapid.Bool().Draw(t, "declared")
	in.Want.ReassertAfter = rapid.SampledFrom([]time.Duration{0, day}).Draw(t, "reassert")
	for _, n := range rapid.SliceOfNDistinct(names, 0, 6, rapid.ID).Draw(t, "wanted") {
		in.Want.Limits = append(in.Want.Limits, org.Limit{
			Email: org.Email(n + "@example.com"), Credits: credits.Draw(t, "credits"), Why: "users", Reason: text.Draw(t, "reason"),
		})
	}
	for _, n := range rapid.SliceOfNDistinct(names, 0, 6, rapid.ID).Draw(t, "known") {
		k := confirmed(n, credits.Draw(t, "last"), time.Duration(rapid.IntRange(-1, 3).Draw(t, "days"))*day+time.Hour)
		k.At = k.At.In(time.FixedZone("", rapid.IntRange(-1, 1).Draw(t, "zone")*3600))
		if rapid.Bool().Draw(t, "unknown") {
			k = org.KnownLimit{Grade: org.Unknown}
		}
		remember(&in, org.Email(n+"@example.com"), k)
	}
	in.Have.MembersRead = rapid.Bool().Draw(t, "members read")
	for i, n := range rapid.SliceOfN(names, 0, 7).Draw(t, "members") {
		m := member(n)
		m.ID += fmt.Sprint(i)
		in.Have.Members = append(in.Have.Members, m)
	}
	drawSettings(t, &in, text)
	for i, s := range rapid.SliceOfN(rapid.SampledFrom([]string{"idle", "running", ""}), 0, 3).Draw(t, "sessions") {
		in.Have.Sessions = append(in.Have.Sessions, org.Session{ID: fmt.Sprint("s", i), Status: s, Model: text.Draw(t, "model")})
	}
	in.Want.Models = &org.Models{Allowed: []string{"a"}, Sessions: rapid.SampledFrom([]string{"", "report", "reset"}).Draw(t, "mode"), ResetTo: "a"}
	in.Variables = map[string]string{"a": text.Draw(t, "variable"), "b": "2"}
	in.Project = text.Draw(t, "project")
	in.Have.Gaps = []org.Gap{{Fact: "computer", Key: text.Draw(t, "gap"), Error: text.Draw(t, "gap error")}}
	return in
}

func drawComputers(t *rapid.T) ([]org.Computer, *org.Computer, *org.Computer) {
	var out []org.Computer
	for _, n := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 3, rapid.ID).Draw(t, "computers") {
		out = append(out, org.Computer{
			Name: n, Provider: rapid.SampledFrom([]string{"byom", "sandbox_vendor"}).Draw(t, "provider"), RetryFailedInstall: true,
			ID: rapid.SampledFrom([]string{"", "", "c1", "c9"}).Draw(t, "id"), RemoteUser: rapid.SampledFrom([]string{"", "ci"}).Draw(t, "user"),
			Previously: rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y"}), 0, 2).Draw(t, "previously"),
			OnCreate:   &org.OnCreate{Source: map[string]any{"kind": "scratch", "n": json.Number("1e400")}},
		})
	}
	live := machine("c2", rapid.SampledFrom([]string{"b", "x"}).Draw(t, "second"))
	live.Status = "error"
	return out, machine("c1", rapid.SampledFrom([]string{"a", "y", "z"}).Draw(t, "first")), live
}

func drawSettings(t *rapid.T, in *Input, text *rapid.Generator[string]) {
	values := rapid.SampledFrom([]any{nil, false, true, json.Number("1"), json.Number("1.0"), []any{}, []any{"a", "b"}, map[string]any{}})
	if rapid.Bool().Draw(t, "settings read") {
		in.Have.Newest = &org.Revision{Number: 42, Settings: map[string]any{}}
		for _, k := range []string{"k", "l"} {
			if rapid.Bool().Draw(t, "present") {
				in.Have.Newest.Settings[k] = values.Draw(t, "value")
			}
		}
	}
	for _, k := range []string{"k", "l", "m"} {
		e := org.Expectation{Pointer: "/" + k, Absent: rapid.Bool().Draw(t, "absent"), AsSet: true}
		if !e.Absent {
			e.Value = rapid.OneOf(values, rapid.Map(text, func(s string) any { return s })).Draw(t, "expected")
		}
		in.Want.Expectations = append(in.Want.Expectations, e)
	}
}

// TestDecodeGivesBack is decode(encode(p)) = p, and encode(decode(encode(p))) is the
// same bytes.
func TestDecodeGivesBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := Make(drawInput(t))
		data := encode(t, p)
		back, err := Decode(data)
		if err != nil {
			t.Fatalf("Decode: %v\n%s", err, data)
		}
		if diff := cmp.Diff(p, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("decode(encode(p)) (-want +got):\n%s", diff)
		}
		if again := encode(t, back); string(again) != string(data) {
			t.Fatalf("encoded again:\n%s\n%s", data, again)
		}
	})
}

// TestOrderChangesNothing holds that the digest does not depend on the order of any
// input list, on the clock within an action, or on how the project was named.
func TestOrderChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		first := Make(in)
		r := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		in.Want.Limits, in.Want.Computers = mix(r, in.Want.Limits), mix(r, in.Want.Computers)
		in.Want.Expectations, in.Want.Unlisted = mix(r, in.Want.Expectations), mix(r, in.Want.Unlisted)
		in.Have.Members, in.Have.Sessions, in.Have.Gaps = mix(r, in.Have.Members), mix(r, in.Have.Sessions), mix(r, in.Have.Gaps)
		in.Now, in.Project = in.Now.Add(time.Nanosecond).In(time.FixedZone("", 3600)), "elsewhere"
		second := Make(in)
		if first.Digest != second.Digest || first.Digest == "" {
			t.Fatalf("digests %q and %q:\n%s", first.Digest, second.Digest, cmp.Diff(first, second, cmpopts.EquateEmpty()))
		}
		if moved := Stale(first, second); len(moved) != 0 {
			t.Fatalf("equal digests, but stale: %v", moved)
		}
	})
}

func mix[T any](r *rand.Rand, list []T) []T {
	out := slices.Clone(list)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// TestSamePlanTwiceIsEmpty is plan(x, x) = nothing: once the service confirmed the
// limits and has the computers as declared, there is nothing to send and no drift.
func TestSamePlanTwiceIsEmpty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		in.Want.ReassertAfter, in.Have.Newest, in.Want.Models = 0, nil, nil
		in.Last.Limits = org.KnownLimits{}
		for _, l := range in.Want.Limits {
			remember(&in, l.Email, org.KnownLimit{Grade: org.Confirmed, Credits: l.Credits, At: now})
		}
		for i := range in.Want.Computers {
			c := &in.Want.Computers[i]
			c.ID = ""
			live := *c
			live.ID, live.Status = "live_"+c.Name, "active"
			in.Have.ByName[c.Name] = &live
		}
		p := Make(in)
		if !p.Empty() || p.Blocked() || p.Changes() != 0 || p.Summary.Requests != 0 {
			t.Fatalf("not empty: %+v\nlimits %v\ncomputers %v", p.Summary, p.Limits, decisions(p))
		}
	})
}

// TestChangedByteIsRefused holds that no byte of a stored plan can change without
// Decode noticing, but for layout, the time and the project's path.
func TestChangedByteIsRefused(t *testing.T) {
	t.Parallel()
	whole := string(encode(t, richPlan()))
	rapid.Check(t, func(t *rapid.T) {
		i := rapid.IntRange(0, len(whole)-1).Draw(t, "at")
		b := byte(rapid.IntRange(0x20, 0xff).Draw(t, "byte"))
		changed := whole[:i] + string([]byte{b}) + whole[i+1:]
		p, err := Decode([]byte(changed))
		if err != nil {
			return
		}
		created, _ := json.Marshal(p.CreatedAt)
		free := strings.Replace(strings.Replace(whole, `"2026-11-20T09:00:00Z","digest"`, string(created)+`,"digest"`, 1),
			`"examples/acme"`, string(must(json.Marshal(p.Project))), 1)
		if got := string(encode(t, p)); got != free {
			t.Fatalf("byte %d %q -> %q is accepted:\n%s", i, whole[i], b, got)
		}
	})
}

// FuzzDecode holds that Decode never panics and that what it accepts it gives back.
func FuzzDecode(f *testing.F) {
	f.Add(encode(f, richPlan()))
	f.Add(encode(f, Make(Input{Now: now})))
	f.Add([]byte(`{"format_version":"1.0","changes":[{"kind":"limit","action":"set"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data)
		if err != nil {
			var tampered *TamperedError
			if errors.As(err, &tampered) && p != nil {
				t.Fatal("a plan beside an error")
			}
			return
		}
		if back, err := Decode(encode(t, p)); err != nil || back.Digest != p.Digest {
			t.Fatalf("decoded again: %v", err)
		}
	})
}
