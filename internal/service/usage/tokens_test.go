package usage_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/service/usage"
)

// request is a model request of a user that costs its input.
func request(user, model, tier string, input int64) usage.Span {
	return usage.Span{Kind: usage.ModelRequest, UserID: user, Name: model, Detail: tier, Input: input}
}

func modelUsage(model, tier string, billable, input, output json.Number) api.ModelUsage {
	return api.ModelUsage{ModelID: model, ModelTier: tier, BillableTokens: &billable, InputTokens: input, OutputTokens: output}
}

// TestTokensF1ToF8 counts two users, three models and both tiers (C40-C47).
func TestTokensF1ToF8(t *testing.T) {
	t.Parallel()
	cached := usage.Span{Kind: usage.ModelRequest, UserID: "ada", UserEmail: "ada@x", Name: "b", Detail: usage.TierStandard,
		Input: 100, Output: 5, CacheRead: 10, CacheWrite: 3} // 90 + 1 + 5
	got := resultOf(cached, request("ada", "b", usage.TierThinking, 4), request("bob", "a", usage.TierStandard, 96), request("bob", "c", usage.TierStandard, 300),
		usage.Span{Kind: usage.ToolCall, UserID: "idle"}).Tokens
	ada := []api.ModelUsage{modelUsage("b", "standard", "96", "100", "5"), modelUsage("b", "thinking", "4", "4", "0")}
	bob := []api.ModelUsage{modelUsage("c", "standard", "300", "300", "0"), modelUsage("a", "standard", "96", "96", "0")}
	noEmail, email := "", "ada@x"
	equal(t, "row", got, api.TokenRow{
		Date: today, BillableTokens: number("496"), InputTokens: "500", OutputTokens: "5", // F1-F4
		CacheReadTokens: number("10"), CacheWriteTokens: number("3"), // F5, F6
		ByModel: []api.ModelUsage{bob[0], bob[1], ada[0], ada[1]}, // F7: the tie of a and b by name
		ByUser: []api.UserUsage{ // F8: billable descending, U19: "" without an address
			{UserID: "bob", UserEmail: &noEmail, BillableTokens: number("396"), ByModel: bob},
			{UserID: "ada", UserEmail: &email, BillableTokens: number("100"), ByModel: ada},
		},
	})
}

// TestTokensF8Tie: users who spent the same stand by id.
func TestTokensF8Tie(t *testing.T) {
	t.Parallel()
	got := resultOf(request("c", "m", "", 1), request("a", "m", "", 1), request("b", "m", "", 1)).Tokens.ByUser
	equal(t, "users", []string{got[0].UserID, got[1].UserID, got[2].UserID}, []string{"a", "b", "c"})
}

// TestTokensF7Tie: models that cost the same stand by name, then by tier.
func TestTokensF7Tie(t *testing.T) {
	t.Parallel()
	var spans []usage.Span
	want := []api.ModelUsage{}
	for _, model := range []string{"a", "b", "c", "d", "e", "f"} {
		for _, tier := range []string{usage.TierStandard, usage.TierThinking} {
			spans = append(spans, request("u", model, tier, 1))
			want = append(want, modelUsage(model, tier, "1", "1", "0"))
		}
	}
	got := resultOf(spans...).Tokens
	equal(t, "by_model", got.ByModel, want)
	equal(t, "by_user", got.ByUser[0].ByModel, want)
}

// TestTokensByModelF9 adds tiers together, key ascending (C48, U2); "" is a key too.
func TestTokensByModelF9(t *testing.T) {
	t.Parallel()
	got := resultOf(request("u", "b", usage.TierThinking, 1), request("v", "b", usage.TierStandard, 2), request("u", "a", "", 9), request("u", "", "", 1)).TokensByModel
	b, a, none := "b", "a", ""
	equal(t, "rows", got, []api.TokenRow{
		{Date: today, GroupKey: &none, BillableTokens: number("1"), InputTokens: "1", OutputTokens: "0"},
		{Date: today, GroupKey: &a, BillableTokens: number("9"), InputTokens: "9", OutputTokens: "0"},
		{Date: today, GroupKey: &b, BillableTokens: number("3"), InputTokens: "3", OutputTokens: "0"},
	})
}

// TestEmail holds 5.5 in both places an address is shown (F8, F43): the organization's
// first, else the newest of the day, the greater of two at once, else none.
func TestEmail(t *testing.T) {
	t.Parallel()
	at := func(email string, start int64) usage.Span {
		return usage.Span{Kind: usage.ModelRequest, UserEmail: email, Start: start}
	}
	known := func(user string) string { return map[string]string{"u": "u@org"}[user] }
	for name, c := range map[string]struct {
		spans []usage.Span
		email func(string) string
		want  string
	}{
		"none":                  {[]usage.Span{at("", noon(0))}, nil, ""},
		"organization":          {[]usage.Span{at("x@tele", noon(0))}, known, "u@org"},
		"not in organization":   {[]usage.Span{at("x@tele", noon(0))}, func(string) string { return "" }, "x@tele"},
		"newest":                {[]usage.Span{at("new@x", noon(2)), at("old@x", noon(1))}, nil, "new@x"},
		"newest that has one":   {[]usage.Span{at("old@x", noon(1)), at("", noon(2))}, nil, "old@x"},
		"back to the first":     {[]usage.Span{at("a@x", noon(1)), at("b@x", noon(2)), at("a@x", noon(3))}, nil, "a@x"},
		"seen again later":      {[]usage.Span{at("a@x", noon(1)), at("a@x", noon(3)), at("b@x", noon(2))}, nil, "a@x"},
		"two at once":           {[]usage.Span{at("b@x", noon(1)), at("c@x", noon(1)), at("a@x", noon(1))}, nil, "c@x"},
		"a later day is not it": {[]usage.Span{at("a@x", noon(1)), at("b@x", noon(24*3600e9))}, nil, "a@x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := dayOf(c.spans...).Result(usage.Facts{Email: c.email})
			slices.Reverse(c.spans)
			equal(t, "the other way round", dayOf(c.spans...).Result(usage.Facts{Email: c.email}), r)
			equal(t, "by_user U19", r.Tokens.ByUser[0].UserEmail, &c.want)
			if c.want == "" {
				equal(t, "users C91", r.Users[0].UserEmail, nil)
				return
			}
			equal(t, "users C91", r.Users[0].UserEmail, &c.want)
		})
	}
}
