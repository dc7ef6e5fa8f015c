package servicetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/mail"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// schema is the part of JSON Schema 2020-12 that openapi.yaml uses.
type schema struct {
	Ref                  string             `json:"$ref"`
	Title                string             `json:"title"`
	Description          string             `json:"description"`
	Type                 oneOrMore          `json:"type"`
	Enum                 []any              `json:"enum"`
	Format               string             `json:"format"`
	Pattern              string             `json:"pattern"`
	MinLength            *int               `json:"minLength"`
	MaxLength            *int               `json:"maxLength"`
	Minimum              *float64           `json:"minimum"`
	Maximum              *float64           `json:"maximum"`
	Items                *schema            `json:"items"`
	MinItems             *int               `json:"minItems"`
	MaxItems             *int               `json:"maxItems"`
	Properties           map[string]*schema `json:"properties"`
	Required             []string           `json:"required"`
	AdditionalProperties *additional        `json:"additionalProperties"`
	OneOf                []*schema          `json:"oneOf"`
	Default              any                `json:"default"`
	Deprecated           bool               `json:"deprecated"`
	Examples             []any              `json:"examples"`
}

// oneOrMore is a list that may be written as its only item.
type oneOrMore []string

// UnmarshalJSON reads a string or an array of strings.
func (o *oneOrMore) UnmarshalJSON(raw []byte) error {
	if raw[0] == '[' {
		return json.Unmarshal(raw, (*[]string)(o))
	}
	*o = oneOrMore{""}
	return json.Unmarshal(raw, &(*o)[0])
}

// additional is additionalProperties: a boolean or a schema.
type additional struct {
	allowed bool
	schema  *schema
}

// UnmarshalJSON reads a boolean or a schema, strictly.
func (a *additional) UnmarshalJSON(raw []byte) error {
	if raw[0] != '{' {
		return json.Unmarshal(raw, &a.allowed)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	a.allowed = true
	return dec.Decode(&a.schema)
}

// checker compares a value with a schema. Closed refuses properties that the document
// does not name: we promise to answer nothing else, though clients must live with it.
type checker struct {
	doc    *document
	closed bool
	errs   []string
}

func (c *checker) fail(at, format string, args ...any) {
	c.errs = append(c.errs, at+": "+fmt.Sprintf(format, args...))
}

func (d *document) schema(s *schema) *schema {
	for s.Ref != "" {
		next, ok := d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
		if !ok {
			panic("openapi.yaml: there is no " + s.Ref)
		}
		s = next
	}
	return s
}

// check compares v, decoded with json.Number, with s.
func (c *checker) check(s *schema, v any, at string) {
	s = c.doc.schema(s)
	if len(s.Type) > 0 && !slices.ContainsFunc(s.Type, func(t string) bool { return isType(v, t) }) {
		c.fail(at, "%.80s is not %s", raw(v), strings.Join(s.Type, " or "))
		return
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return reflect.DeepEqual(e, v) }) {
		c.fail(at, "%.80s is none of %v", raw(v), s.Enum)
	}
	if s.OneOf != nil {
		c.checkOneOf(s.OneOf, v, at)
	}
	switch v := v.(type) {
	case string:
		c.checkText(s, v, at)
	case json.Number:
		f, _ := v.Float64() // out of range is infinite, which compares as it should
		if s.Minimum != nil && f < *s.Minimum || s.Maximum != nil && f > *s.Maximum {
			c.fail(at, "%s is out of range", v)
		}
	case []any:
		if s.MinItems != nil && len(v) < *s.MinItems || s.MaxItems != nil && len(v) > *s.MaxItems {
			c.fail(at, "%d items", len(v))
		}
		for i, item := range v {
			if s.Items != nil {
				c.check(s.Items, item, at+"["+strconv.Itoa(i)+"]")
			}
		}
	case map[string]any:
		c.checkObject(s, v, at)
	}
}

func (c *checker) checkOneOf(options []*schema, v any, at string) {
	var reasons []string
	fit := 0
	for _, o := range options {
		try := &checker{doc: c.doc, closed: c.closed}
		if try.check(o, v, at); len(try.errs) == 0 {
			fit++
		}
		reasons = append(reasons, try.errs...)
	}
	if fit != 1 {
		c.fail(at, "%d of %d shapes fit: %s", fit, len(options), strings.Join(reasons, "; "))
	}
}

func (c *checker) checkObject(s *schema, v map[string]any, at string) {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			c.fail(at, "%s is missing", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		p, a := s.Properties[name], s.AdditionalProperties
		switch {
		case p != nil:
			c.check(p, v[name], at+"."+name)
		case a != nil && a.schema != nil:
			c.check(a.schema, v[name], at+"."+name)
		case a != nil && !a.allowed, a == nil && c.closed && s.Properties != nil:
			c.fail(at, "%s is not in the document", name)
		}
	}
}

func (c *checker) checkText(s *schema, v, at string) {
	n := utf8.RuneCountInString(v)
	if s.MinLength != nil && n < *s.MinLength || s.MaxLength != nil && n > *s.MaxLength {
		c.fail(at, "%d characters", n)
	}
	if s.Pattern != "" && !c.doc.pattern(s.Pattern).MatchString(v) {
		c.fail(at, "%.80q does not match %s", v, s.Pattern)
	}
	if !isFormat(v, s.Format) {
		c.fail(at, "%.80q is no %s", v, s.Format)
	}
}

// pattern compiles a pattern of the document once.
func (d *document) pattern(text string) *regexp.Regexp {
	if known, ok := d.patterns.Load(text); ok {
		return known.(*regexp.Regexp)
	}
	compiled := regexp.MustCompile(text)
	d.patterns.Store(text, compiled)
	return compiled
}

var uuidPattern = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

func isType(v any, want string) bool {
	switch v := v.(type) {
	case nil:
		return want == "null"
	case bool:
		return want == "boolean"
	case string:
		return want == "string"
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	case json.Number:
		if want == "integer" {
			f, _ := v.Float64()
			return f == math.Trunc(f)
		}
		return want == "number"
	}
	return false
}

// isFormat knows the formats of the document; another one is a mistake in it.
func isFormat(v, format string) bool {
	switch format {
	case "", "binary":
		return true
	case "date":
		_, err := time.Parse(time.DateOnly, v)
		return err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339, v)
		return err == nil
	case "uuid":
		return uuidPattern.MatchString(v)
	case "uri":
		u, err := url.Parse(v)
		return err == nil && u.Scheme != ""
	case "email":
		a, err := mail.ParseAddress(v)
		return err == nil && a.Name == "" && a.Address == v
	}
	panic("openapi.yaml: unknown format " + format)
}

// decodeAny reads one JSON value with exact numbers.
func decodeAny(text []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, fmt.Errorf("text behind the value")
	}
	return v, nil
}
