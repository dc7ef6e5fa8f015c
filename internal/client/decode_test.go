package client

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/api"
)

// sample has every kind of field an answer can have.
type sample struct {
	ID     string                 `json:"id"`
	Count  int64                  `json:"count"`
	OK     bool                   `json:"ok"`
	Number json.Number            `json:"number"`
	Raw    json.RawMessage        `json:"raw"`
	Note   *string                `json:"note,omitempty"`
	Free   json.RawMessage        `json:"free,omitempty"`
	Tags   []string               `json:"tags,omitempty"`
	Parts  []part                 `json:"parts,omitempty"`
	Object api.Object             `json:"object,omitempty"`
	Ratios map[string]json.Number `json:"ratios,omitempty"`
}

type part struct {
	ID string `json:"id"`
}

func TestDecode(t *testing.T) {
	t.Parallel()
	note := "x"
	const base = `"id":"a","count":1,"ok":true,"number":1.50,"raw":{"a": 1}`
	plain := sample{ID: "a", Count: 1, OK: true, Number: "1.50", Raw: json.RawMessage(`{"a": 1}`)}
	with := func(change func(*sample)) *sample { s := plain; change(&s); return &s }
	for _, c := range []struct {
		data string
		want *sample // nil: an error
		err  string
	}{
		{`{` + base + `}`, &plain, ""},
		{" \n{" + base + "}\t\r\n", &plain, ""},
		{`{` + base + `,"unknown":[{"x":null}],"ID":"B","Count":9}`, &plain, ""},
		{`{` + base + `,"note":"x"}`, with(func(s *sample) { s.Note = &note }), ""},
		{`{` + base + `,"note":null,"free":null,"tags":null,"parts":null,"object":null}`, &plain, ""},
		{`{` + base + `,"free":[1, 2],"tags":[],"object":{"k":null}}`, with(func(s *sample) {
			s.Free, s.Tags, s.Object = json.RawMessage(`[1, 2]`), []string{}, api.Object{"k": json.RawMessage("null")}
		}), ""},
		{strings.Replace(`{`+base+`}`, `"count":1`, `"count": 1.7e12`, 1), with(func(s *sample) { s.Count = 1_700_000_000_000 }), ""},
		{strings.Replace(`{`+base+`}`, `"count":1`, `"count": -5.0 `, 1), with(func(s *sample) { s.Count = -5 }), ""},
		{strings.Replace(`{`+base+`}`, `"count":1`, `"count":null`, 1), nil, "$.count: null instead of number"},
		{strings.Replace(`{`+base+`}`, `"count":1`, `"count":"5"`, 1), nil, "$.count: string instead of number"},
		{strings.Replace(`{`+base+`}`, `"count":1`, `"count":1.5`, 1), nil, "$.count: 1.5 is not a whole number"},
		{strings.Replace(`{`+base+`}`, `"ok":true`, `"ok":null`, 1), nil, "$.ok: null instead of bool"},
		{strings.Replace(`{`+base+`}`, `"number":1.50`, `"number":"1.50"`, 1), nil, "$.number: string instead of number"},
		{strings.Replace(`{`+base+`}`, `"id":"a"`, `"Id":"a"`, 1), nil, "$.id: the key is missing"},
		{`{` + base + `,"id":"b"}`, nil, "$.id: the key stands twice"},
		{`{` + base + `,"ratios":{"a":1,"a":2}}`, nil, "$.ratios.a: the key stands twice"},
		{`{` + base + `,"tags":["x",null]}`, nil, "$.tags[1]: null instead of string"},
		{`{` + base + `,"parts":[{` + base + `},{"id":1}]}`, nil, "$.parts[1].id: number instead of string"},
		{`{` + base + `,"parts":[null]}`, nil, "$.parts[0]: null instead of object"},
		{`{` + base + `} {}`, nil, "$: something follows"},
		{`{` + base + `} <html>`, nil, "$: something follows"},
		{`{` + base, nil, "$: the answer ends too early"},
		{`{` + base + `,"parts":[{`, nil, "ends too early"},
		{`[]`, nil, "$: array instead of object"},
		{``, nil, "$: the answer ends too early"},
		{`<html></html>`, nil, "$: "},
		{"\xef\xbb\xbf{" + base + "}", nil, "$: "},
		{"{" + base + ",\"note\":\"\xff\"}", nil, "not valid UTF-8"},
		{`{` + base + `,"free":` + strings.Repeat("[", 20000) + `}`, nil, "$.free: "},
	} {
		var got sample
		err := new(decoder).decode([]byte(c.data), &got)
		switch {
		case c.want == nil && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%.200s: got %v, want %q", c.data, err, c.err)
		case c.want != nil && err != nil:
			t.Errorf("%.200s: %v", c.data, err)
		case c.want != nil:
			if diff := cmp.Diff(*c.want, got); diff != "" {
				t.Errorf("%.200s (-want +got):\n%s", c.data, diff)
			}
		}
	}
}

// Whatever follows the value is refused, also the beginning of another one (m4).
func TestDecodeOneValueOnly(t *testing.T) {
	t.Parallel()
	for _, tail := range []string{"{", "}", "[", "]", `"`, `"x`, ",", ":", "t", "n", "nul", "null", "-", "1", "1e", "0", "\x00", "\xa0", "/*", "x"} {
		var s part
		if err := new(decoder).decode([]byte(`{"id":"x"} `+tail), &s); err == nil {
			t.Errorf("accepted %q after the value", tail)
		}
	}
}

// The folded key of m5: LATIN SMALL LETTER LONG S is not an s.
func TestDecodeMatchesKeysExactly(t *testing.T) {
	t.Parallel()
	var p api.UsersPage
	if err := new(decoder).decode([]byte(`{"uſers":[{"id":"x"}],"pagination":{"hasMore":false}}`), &p); err == nil {
		t.Errorf("uſers filled users: %+v", p)
	}
	if err := new(decoder).decode([]byte(`{"users":[],"pagination":{"hasMore":true,"HASMORE":false}}`), &p); err != nil || !p.Pagination.HasMore {
		t.Errorf("HASMORE changed hasMore: %+v, %v", p, err)
	}
}

func TestIntegral(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int64{
		"0": 0, "-0": 0, "0.0": 0, "0e99999999999": 0, "1e0": 1, "1E+2": 100, "120e-1": 12, "1.20e1": 12,
		"9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, "9.223372036854775807e18": 1<<63 - 1, "100000000000000000000e-2": 1e18,
	} {
		if got, ok := integral(s); !ok || got != want {
			t.Errorf("integral(%s) = %d, %v; want %d", s, got, ok, want)
		}
	}
	for _, s := range []string{"0.5", "1e-1", "9223372036854775808", "1e19", "1e99999999999", "1e-99999999999", "12.34e1"} {
		if got, ok := integral(s); ok {
			t.Errorf("integral(%s) = %d", s, got)
		}
	}
}

// answers are the types of the API that are read.
func answers() []any {
	return []any{&sample{}, &api.UsersPage{}, &api.HistoryPage{}, &api.SessionsPage{}, &api.Session{}, &api.Computer{}, &api.LimitsResult{},
		&api.MessagesPage{}, &api.TokensPage{}, &api.ToolsPage{}, &api.ActivityPage{}, &api.ProductivityPage{}, &api.UserRowsPage{}, &api.ReportsPage{}, &api.ErrorBody{}}
}

// FuzzDecode compares with encoding/json: what this decoder accepts, encoding/json reads
// as the same value; but for keys that only encoding/json matches and integers that only
// this decoder reads.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"users":[{"id":"u","email":"a@x.io","metadata":{"a":[1]}}],"pagination":{"hasMore":true,"nextCursor":"c"}}`))
	f.Add([]byte(`{"changes":[{"revision":3,"settings":{"a":1e3},"user":{"id":null},"updatedAt":"t"}],"pagination":{"hasMore":false,"nextCursor":null}}`))
	f.Add([]byte(`{"updated":[{"email":"\ud83d\ude00 \ud800 \u0041","limit":12e1}],"errors":[{"email":"e","error":"x"}]}`))
	f.Add([]byte(`{"id":"c","name":"n","providerType":"byom","createdAt":-1.5E+3,"provisioningSteps":[{"id":"1"}, {}]}`))
	f.Add([]byte(`{"id":"a","count":1,"ok":true,"number":1.50,"raw":[ ],"ratios":{"x":0.5},"tags":["a"],"parts":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var c decoder
		for _, v := range answers() {
			got := reflect.New(reflect.TypeOf(v).Elem())
			if c.decode(data, got.Interface()) != nil {
				continue
			}
			if !json.Valid(data) || !utf8.Valid(data) {
				t.Fatalf("%q: accepted, but not JSON", data)
			}
			std := reflect.New(reflect.TypeOf(v).Elem())
			if json.Unmarshal(data, std.Interface()) != nil || foldedKeys(data) {
				continue
			}
			if diff := cmp.Diff(std.Interface(), got.Interface()); diff != "" {
				t.Fatalf("%q as %T (-encoding/json +ours):\n%s", data, v, diff)
			}
		}
	})
}

// foldedKeys reports whether a key may match a field only when case is ignored, or
// stands twice among the unknown ones.
func foldedKeys(data []byte) bool {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return true
	}
	folded := false
	var walk func(any)
	walk = func(v any) {
		switch x := v.(type) {
		case map[string]any:
			for k, w := range x {
				for l := range x {
					folded = folded || k != l && strings.EqualFold(k, l)
				}
				folded = folded || !known(k)
				walk(w)
			}
		case []any:
			for _, w := range x {
				walk(w)
			}
		}
	}
	walk(v)
	return folded
}

// known reports whether k, if it folds to a field's name, is that name.
func known(k string) bool {
	for _, v := range answers() {
		if !knownIn(reflect.TypeOf(v).Elem(), k, 0) {
			return false
		}
	}
	return true
}

func knownIn(t reflect.Type, k string, depth int) bool {
	if depth > 6 {
		return true
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return knownIn(t.Elem(), k, depth+1)
	case reflect.Struct:
		for i := range t.NumField() {
			key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			if key != k && strings.EqualFold(key, k) || !knownIn(t.Field(i).Type, k, depth+1) {
				return false
			}
		}
	}
	return true
}

func usersBody(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"users":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"id":"user_01HZX0000000001","email":"person0000001@example.com","createdAt":"2026-03-01T09:00:00.000Z","metadata":{"team":"ml","cost_center":"42"},"firstName":"Ada","lastName":"Lovelace","lastSignInAt":"2026-11-02T09:00:00.000Z"}`)
	}
	b.WriteString(`],"pagination":{"hasMore":true,"nextCursor":"eyJrIjoidXNlcnMifQ"}}`)
	return []byte(b.String())
}

func BenchmarkDecodeUsers(b *testing.B) {
	data := usersBody(100)
	b.Run("ours", func(b *testing.B) {
		var c decoder
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var p api.UsersPage
			if err := c.decode(data, &p); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding_json", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			var p api.UsersPage
			if err := json.Unmarshal(data, &p); err != nil {
				b.Fatal(err)
			}
		}
	})
}
