package plan

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/govctl/govctl/internal/org"
)

// TestLimitsJSON holds the writing by hand to what encoding/json makes of wireChange.
func TestLimitsJSON(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "ada@example.com", "<&>", `"\`, "\u2028", "a\xffb", "\x7f\x00"}))
		limits := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) LimitChange {
			return LimitChange{
				Action: text.Draw(t, "action"), Email: org.Email(text.Draw(t, "email")), SendAs: text.Draw(t, "send as"), UserID: text.Draw(t, "id"),
				Before: LimitBefore{
					Grade: rapid.SampledFrom([]org.Grade{org.NeverSet, org.Unknown, org.Confirmed, org.Expired, "<"}).Draw(t, "grade"),
					Value: rapid.Int64().Draw(t, "value"), At: time.Unix(rapid.Int64Range(0, 1<<32).Draw(t, "at"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")).UTC(),
				},
				After: rapid.Int64().Draw(t, "after"), Why: text.Draw(t, "why"), Reason: text.Draw(t, "reason"),
				Source: org.Source{File: text.Draw(t, "file"), Line: rapid.Int().Draw(t, "line"), Column: rapid.Int().Draw(t, "column")},
			}
		}), 0, 3).Draw(t, "limits")
		want := make([]wireChange, len(limits))
		for i, c := range limits {
			want[i] = asWire(c)
		}
		reference, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := LimitsJSON(limits)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(reference), string(got)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func asWire(c LimitChange) wireChange {
	b := wireBefore{Grade: c.Before.Grade}
	if c.Before.known() {
		b.Value, b.At = &c.Before.Value, &c.Before.At
	}
	before, _ := json.Marshal(b)
	w := wireChange{
		Kind: "limit", Action: c.Action, Key: string(c.Email), UserID: c.UserID,
		Before: before, After: fmt.Append(nil, c.After), Why: c.Why, Reason: c.Reason, Source: at(c.Source),
	}
	if c.SendAs != string(c.Email) {
		w.SendAs = c.SendAs
	}
	return w
}

// TestLimitsJSONYear refuses what RFC 3339 cannot say, as encoding/json does.
func TestLimitsJSONYear(t *testing.T) {
	t.Parallel()
	_, err := LimitsJSON([]LimitChange{{Before: LimitBefore{Grade: org.Confirmed, At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}}})
	if err == nil {
		t.Error("the year 10000 was written")
	}
}
