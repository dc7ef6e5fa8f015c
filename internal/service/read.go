package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/govctl/govctl/internal/api"
)

// readBody reads the one JSON object of a request: 415, 413, then 400.
func readBody(w http.ResponseWriter, r *http.Request) (object, error) {
	if err := checkType(r.Header); err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, api.MaxRequestBody))
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		return nil, refuse(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", api.MaxRequestBody)
	case err != nil:
		return nil, invalid("the body could not be read")
	}
	return parseObject(raw)
}

// checkType accepts JSON in UTF-8; a body that names no type is taken to be JSON, the
// only thing the API has (C2).
func checkType(h http.Header) error {
	if e := h.Get("Content-Encoding"); e != "" && !strings.EqualFold(e, "identity") {
		return refuse(http.StatusUnsupportedMediaType, "a compressed body is not supported")
	}
	t := h.Get("Content-Type")
	if t == "" {
		return nil
	}
	name, params, err := mime.ParseMediaType(t)
	charset := params["charset"]
	if err != nil || name != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return refuse(http.StatusUnsupportedMediaType, "the body must be application/json in UTF-8")
	}
	return nil
}

// parseObject reads exactly one JSON object in UTF-8 in which no name stands twice, at
// any depth.
func parseObject(raw []byte) (object, error) {
	switch {
	case !utf8.Valid(raw):
		return nil, invalid("the body is not valid UTF-8")
	case !json.Valid(raw):
		return nil, invalid("the body is not one JSON value")
	}
	if err := checkNames(raw); err != nil {
		return nil, err
	}
	return asObject(raw, "the body")
}

// checkNames refuses repeated names; encoding/json would silently take the last one.
func checkNames(raw []byte) error {
	type level struct {
		names map[string]bool // nil in an array
		value bool            // the next token is the value of a name
	}
	var open []level
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return invalid("the body is not one JSON value")
		}
		if token == json.Delim('}') || token == json.Delim(']') {
			open = open[:len(open)-1]
			continue
		}
		if n := len(open) - 1; n >= 0 && open[n].names != nil {
			if !open[n].value {
				name, _ := token.(string)
				if open[n].names[name] {
					return invalid("the name %.60q stands twice in one object", name)
				}
				open[n].names[name], open[n].value = true, true
				continue
			}
			open[n].value = false
		}
		switch token {
		case json.Delim('{'):
			open = append(open, level{names: map[string]bool{}})
		case json.Delim('['):
			open = append(open, level{})
		}
	}
}
