package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/reflect/protoreflect"
)

func TestHideSnakeCase(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                              ``,
		`{}`:                            `{}`,
		`{"resource_spans":[]}`:         `{"resource-spans":[]}`,
		`{"resourceSpans":[]}`:          `{"resourceSpans":[]}`,
		`{"a":"b_c","d":["e_f","g_h"]}`: `{"a":"b_c","d":["e_f","g_h"]}`,
		"{\"a_b\" \t\r\n: {\"c_d\":1}}": "{\"a-b\" \t\r\n: {\"c-d\":1}}",
		`[{"_":"_"},{"__a_":1}]`:        `[{"-":"_"},{"--a-":1}]`,
		`{"a\u005fb":1,"a\u005Fb":2}`:   `{"a\u002db":1,"a\u002db":2}`,
		`{"a\\u005fb":1,"\\\u005f":1}`:  `{"a\\u005fb":1,"\\\u002d":1}`,
		`{"a\"_\":b_":1}`:               `{"a\"-\":b-":1}`,
		`{"a":"\":_","b_":"\\"}`:        `{"a":"\":_","b-":"\\"}`,
		`{"a\U005fb":1}`:                `{"a\U005fb":1}`, // no JSON, and stays none
		`{"a_b":1`:                      `{"a-b":1`,
		`{"a_b`:                         `{"a_b`,
		`{"a_b\`:                        `{"a_b\`,
		`{"a\u00":1}`:                   `{"a\u00":1}`,
		"{\"\xff_\":1}":                 "{\"\xff-\":1}",
	} {
		got := []byte(text)
		hideSnakeCase(got)
		if string(got) != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestOnlySnakeCaseDiffers: the two names of each field of OTLP that differ do so in an
// underscore, and no object has keys that are data. hideSnakeCase relies on it.
func TestOnlySnakeCaseDiffers(t *testing.T) {
	t.Parallel()
	seen := map[protoreflect.FullName]bool{}
	differ := 0
	var walk func(protoreflect.MessageDescriptor)
	walk = func(m protoreflect.MessageDescriptor) {
		if seen[m.FullName()] {
			return
		}
		seen[m.FullName()] = true
		for i := range m.Fields().Len() {
			f := m.Fields().Get(i)
			if strings.ContainsAny(f.JSONName(), "_-") || f.IsMap() || f.TextName() != f.JSONName() && !strings.Contains(f.TextName(), "_") {
				t.Errorf("%s is %s in JSON and %s elsewhere", f.FullName(), f.JSONName(), f.TextName())
			}
			if f.TextName() != f.JSONName() {
				differ++
			}
			if f.Message() != nil {
				walk(f.Message())
			}
		}
	}
	walk((&tracepb.TracesData{}).ProtoReflect().Descriptor())
	if len(seen) < 10 || differ < 20 {
		t.Errorf("%d messages, %d names that differ", len(seen), differ)
	}
}

// events lists what a JSON text consists of, its keys passed through rename.
func events(text []byte, rename func(string) string) ([]string, error) {
	type level struct{ object, value bool } // value: the next string is one
	var all []string
	var open []level
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		top := len(open) - 1
		if d, ok := token.(json.Delim); ok && (d == '}' || d == ']') {
			open = open[:top]
			all = append(all, d.String())
			continue
		}
		key := top >= 0 && open[top].object && !open[top].value
		if top >= 0 {
			open[top].value = key
		}
		if d, ok := token.(json.Delim); ok {
			open = append(open, level{object: d == '{'})
		}
		if text, ok := token.(string); ok && key {
			token = "key " + rename(text)
		}
		all = append(all, fmt.Sprintf("%T %v", token, token))
	}
}

// FuzzHideSnakeCase: a text keeps its length, its validity and everything but the
// underscores of its keys.
func FuzzHideSnakeCase(f *testing.F) {
	for _, seed := range []string{
		`{"resource_spans":[{"scope_spans":[{"spans":[{"trace_id":"00","attributes":[{"key":"a_b","value":{"string_value":"c_d"}}]}]}]}]}`,
		`{"a\u005fb":"\u005f","c\\_":null,"\"_\"" : [1e5,true,"_:"]}`, `{"_`, `"_":`, "{\"\xff_\":\"\\", `[["_"],{"_":{"_":"_"}}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := slices.Clone(text)
		hideSnakeCase(got)
		if len(got) != len(text) || json.Valid(got) != json.Valid(text) {
			t.Fatalf("%q became %q", text, got)
		}
		if json.Valid(text) {
			want, err := events(text, func(key string) string { return strings.ReplaceAll(key, "_", "-") })
			if err != nil {
				t.Fatal(err)
			}
			have, err := events(got, func(key string) string { return key })
			if err != nil || !slices.Equal(have, want) {
				t.Fatalf("%q became %q: %q, want %q, %v", text, got, have, want, err)
			}
		}
		again := slices.Clone(got)
		if hideSnakeCase(again); json.Valid(text) && !bytes.Equal(again, got) {
			t.Errorf("%q, the second time %q", got, again)
		}
	})
}
