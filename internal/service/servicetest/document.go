package servicetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/govctl/govctl/internal/service/openapi"
)

// document is openapi.yaml as far as tests need it. Keys that are not named here are an
// error: a check that is not understood must not pass for one that holds.
type document struct {
	OpenAPI    string                           `json:"openapi"`
	Info       json.RawMessage                  `json:"info"`
	Servers    json.RawMessage                  `json:"servers"`
	Security   json.RawMessage                  `json:"security"`
	Tags       json.RawMessage                  `json:"tags"`
	Paths      map[string]map[string]*operation `json:"paths"`
	Components struct {
		SecuritySchemes json.RawMessage         `json:"securitySchemes"`
		Parameters      map[string]*parameter   `json:"parameters"`
		Headers         map[string]*header      `json:"headers"`
		Responses       map[string]*response    `json:"responses"`
		RequestBodies   map[string]*requestBody `json:"requestBodies"`
		Schemas         map[string]*schema      `json:"schemas"`
	} `json:"components"`

	patterns sync.Map // of compiled patterns by their text
}

type operation struct {
	OperationID string               `json:"operationId"`
	Tags        []string             `json:"tags"`
	Summary     string               `json:"summary"`
	Description string               `json:"description"`
	Servers     json.RawMessage      `json:"servers"`
	Security    *[]json.RawMessage   `json:"security"` // empty: no key is needed
	Parameters  []*parameter         `json:"parameters"`
	RequestBody *requestBody         `json:"requestBody"`
	Responses   map[string]*response `json:"responses"`
}

// web reports whether the operation is one of the pages for people.
func (o *operation) web() bool { return slices.Contains(o.Tags, "web") }

type parameter struct {
	Ref         string          `json:"$ref"`
	Name        string          `json:"name"`
	In          string          `json:"in"`
	Required    bool            `json:"required"`
	Description string          `json:"description"`
	Schema      *schema         `json:"schema"`
	Example     json.RawMessage `json:"example"`
}

type requestBody struct {
	Ref      string            `json:"$ref"`
	Required bool              `json:"required"`
	Content  map[string]*media `json:"content"`
}

type response struct {
	Ref         string             `json:"$ref"`
	Description string             `json:"description"`
	Headers     map[string]*header `json:"headers"`
	Content     map[string]*media  `json:"content"`
}

type header struct {
	Ref         string  `json:"$ref"`
	Description string  `json:"description"`
	Required    bool    `json:"required"`
	Schema      *schema `json:"schema"`
}

type media struct {
	Schema   *schema                                    `json:"schema"`
	Example  json.RawMessage                            `json:"example"`
	Examples map[string]struct{ Value json.RawMessage } `json:"examples"`
}

// load reads the document once for all tests.
var load = sync.OnceValues(func() (*document, error) {
	text, err := openapi.JSON()
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	d := &document{}
	if err := dec.Decode(d); err != nil {
		return nil, fmt.Errorf("read openapi.yaml: %w", err)
	}
	return d, d.resolve()
})

// resolve puts the components in the place of their references, except schemas, which
// are looked up when they are used.
func (d *document) resolve() error {
	c := &d.Components
	for path, item := range d.Paths {
		for method, op := range item {
			for i, p := range op.Parameters {
				if err := follow(&op.Parameters[i], p.Ref, "parameters", c.Parameters); err != nil {
					return fmt.Errorf("%s %s: %w", method, path, err)
				}
			}
			if b := op.RequestBody; b != nil {
				if err := follow(&op.RequestBody, b.Ref, "requestBodies", c.RequestBodies); err != nil {
					return fmt.Errorf("%s %s: %w", method, path, err)
				}
			}
			for status, r := range op.Responses {
				if err := follow(&r, r.Ref, "responses", c.Responses); err != nil {
					return fmt.Errorf("%s %s: %w", method, path, err)
				}
				op.Responses[status] = r
				for name, h := range r.Headers {
					if err := follow(&h, h.Ref, "headers", c.Headers); err != nil {
						return fmt.Errorf("%s %s: %w", method, path, err)
					}
					r.Headers[name] = h
				}
			}
		}
	}
	return nil
}

// follow replaces *at by what ref names; without a ref it stays.
func follow[T any](at **T, ref, kind string, known map[string]*T) error {
	if ref == "" {
		return nil
	}
	found, ok := known[strings.TrimPrefix(ref, "#/components/"+kind+"/")]
	if !ok {
		return fmt.Errorf("there is no %s", ref)
	}
	*at = found
	return nil
}

// place is a path of the document that fits a request, with its parameters.
type place struct {
	path   string
	item   map[string]*operation
	values map[string]string
}

// find returns the places for an escaped path, those with fewer parameters first.
func (d *document) find(escaped string) []place {
	got := strings.Split(escaped, "/")
	for i := range got {
		text, err := url.PathUnescape(got[i])
		if err != nil {
			return nil
		}
		got[i] = text
	}
	var found []place
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		if values, ok := fits(strings.Split(path, "/"), got); ok {
			found = append(found, place{path, d.Paths[path], values})
		}
	}
	slices.SortStableFunc(found, func(a, b place) int { return len(a.values) - len(b.values) })
	return found
}

func fits(pattern, got []string) (map[string]string, bool) {
	if len(pattern) != len(got) {
		return nil, false
	}
	values := map[string]string{}
	for i, p := range pattern {
		switch {
		case strings.HasPrefix(p, "{") && got[i] != "":
			values[strings.Trim(p, "{}")] = got[i]
		case p != got[i]:
			return nil, false
		}
	}
	return values, true
}

// choose finds the operation of a method; nil if no place has it.
func choose(places []place, method string) (place, *operation) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, p := range places {
		if op := p.item[strings.ToLower(method)]; op != nil {
			return p, op
		}
	}
	return place{}, nil
}
