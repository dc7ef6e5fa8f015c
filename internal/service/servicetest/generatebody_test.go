package servicetest

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// body makes a body: an example of the document or one made from its schema, often with
// something changed.
func (g *generator) body(x *exchange, op *operation) {
	x.header.Set("Content-Type", "application/json")
	m := op.RequestBody.Content["application/json"]
	v := g.value(m.Schema)
	if examples := slices.Sorted(maps.Keys(m.Examples)); len(examples) > 0 && g.one(3) {
		v, _ = decodeAny(m.Examples[pick(g, examples...)].Value)
	}
	for g.one(2) {
		v = g.damage(v)
	}
	if op.OperationID == "exportTraces" {
		g.fine = false // the document leaves the inside of a span to OTLP
	}
	x.body = []byte(raw(v))
	if g.one(12) {
		g.spoil(x)
	}
}

// spoil breaks what carries the JSON.
func (g *generator) spoil(x *exchange) {
	text := string(x.body)
	switch g.IntN(9) {
	case 0:
		x.header.Set("Content-Type", pick(g, "text/plain", "application/x-protobuf", "application/json; charset=latin1", ";", "application/vnd.api+json"))
	case 1:
		x.header.Del("Content-Type")
	case 2:
		x.header.Set("Content-Encoding", pick(g, "gzip", "br", "x"))
	case 3:
		text, g.fine = text[:g.IntN(len(text)+1)], false
	case 4:
		text, g.fine = text+pick(g, text, "x", "]", "\x00"), false
	case 5:
		text, g.fine = strings.Replace(text, "{", `{"a":1,"a":2,`, 1), false
	case 6:
		text, g.fine = strings.Replace(text, `"`, "\"\xff", 1), false
	case 7:
		text, g.fine = strings.Repeat("[", 20000)+text, false
	default:
		text = text + strings.Repeat(" ", 1<<20)
	}
	x.body = []byte(text)
}

// value makes a value a schema allows. Patterns and formats are met by trying.
func (g *generator) value(s *schema) any {
	s = g.doc.schema(s)
	if len(s.Enum) > 0 {
		return pick(g, s.Enum...)
	}
	kind := ""
	if len(s.Type) > 0 {
		kind = pick(g, s.Type...)
	}
	switch kind {
	case "object":
		return g.object(s)
	case "array":
		return g.array(s)
	case "string":
		return g.goodText(s)
	case "integer":
		return json.Number(pick(g, "0", "1", "50000", "-1", "5.0", "1e6", "9007199254740991", "9007199254740993", "123456789012345678901234567890"))
	case "number":
		return json.Number(pick(g, "0", "-1.5", "1e300", "45000", "0.1"))
	case "boolean":
		return g.one(2)
	case "null":
		return nil
	}
	return g.anything(2)
}

func (g *generator) object(s *schema) any {
	o := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if slices.Contains(s.Required, name) || g.one(3) {
			o[name] = g.value(s.Properties[name])
		}
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.allowed && g.one(2) {
		o[g.text()] = g.anything(2)
	}
	return o
}

func (g *generator) array(s *schema) any {
	least, most := 0, 4
	if s.MinItems != nil {
		least = *s.MinItems
	}
	if s.MaxItems != nil && g.one(6) {
		least, most = *s.MaxItems, *s.MaxItems
	}
	list := make([]any, least+g.IntN(most-least+1))
	for i := range list {
		list[i] = g.value(s.Items)
	}
	return list
}

func (g *generator) goodText(s *schema) string {
	for range 50 {
		text := g.text()
		switch {
		case s.Format == "email":
			text = pick(g, "ada@acme.example", "GRACE@acme.example", "nobody@nowhere.example", "a+b@c.example", `"a b"@c.example`, "ü@c.example")
		case s.Format == "uuid":
			text = uuid.Must(uuid.NewRandomFromReader(strings.NewReader(strconv.FormatUint(g.Uint64(), 16) + "0123456789abcdef"))).String()
		case s.Format == "uri":
			text = pick(g, "https://git.example.com/a/b", "ssh://git@h/x.git", "urn:x:y", "file:///a%20b", "https://h/"+strings.Repeat("a", 2048-10), "HTTP://H?#")
		case s.Pattern == `^0*([1-9][0-9]?|100)$`:
			text = pick(g, "1", "20", "100", "007")
		}
		c := &checker{doc: g.doc}
		if c.check(s, text, ""); c.errs == nil {
			return text
		}
	}
	return "x"
}

// text is any text, also of the kind that breaks programs.
func (g *generator) text() string {
	return pick(g, "", "a", "x-"+strconv.Itoa(g.IntN(1e6)), "ü", "😀", strings.Repeat("😀", 63), strings.Repeat("a", 64), strings.Repeat("é", 2049),
		"a\x00b", "a\nb", "..", ".", "/", "a/b", "%2F", "%", "'; DROP TABLE users; --", `"\`, "\u202e", "\u0085", " ", "null", "0", "-1", "101", "1e5",
		"2026-02-30", "usr_001", "ses_001", "cmp_01", "A <a@b.example>", "<script>", "\ufeff", "Kelvin \u212a", strings.Repeat("A", 5000))
}

// anything is any JSON value.
func (g *generator) anything(depth int) any {
	if depth > 0 && g.one(3) {
		if g.one(2) {
			return []any{g.anything(depth - 1), g.anything(depth - 1)}
		}
		return map[string]any{g.text(): g.anything(depth - 1), "kind": g.anything(depth - 1)}
	}
	return pick[any](g, nil, true, json.Number("5"), json.Number("-1.5"), json.Number("1e400"), g.text(), []any{}, map[string]any{})
}

// damage changes one place of a value.
func (g *generator) damage(v any) any {
	switch v := v.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		if len(names) == 0 || g.one(8) {
			v[g.text()] = g.anything(1)
			return v
		}
		name := pick(g, names...)
		if g.one(4) {
			delete(v, name)
			return v
		}
		v[name] = g.damage(v[name])
		return v
	case []any:
		switch {
		case len(v) == 0 || g.one(6):
			return append(v, g.anything(1))
		case g.one(6):
			return slices.Repeat(v, 1+150/len(v))
		}
		i := g.IntN(len(v))
		v[i] = g.damage(v[i])
		return v
	}
	return g.anything(1)
}
