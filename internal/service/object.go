package service

import (
	"bytes"
	"encoding/json"

	"github.com/govctl/govctl/internal/api"
)

// object is a decoded JSON object; names match exactly, unlike struct fields.
type object api.Object

// kind names the type of a JSON value by its first byte.
func kind(raw json.RawMessage) byte {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	switch {
	case len(raw) == 0:
		return 0
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		return '0'
	case raw[0] == 'f':
		return 't'
	}
	return raw[0]
}

func asObject(raw json.RawMessage, what string) (object, error) {
	var o object
	if kind(raw) != '{' || json.Unmarshal(raw, &o) != nil {
		return nil, invalid("%s is not a JSON object", what)
	}
	return o, nil
}

func asList(raw json.RawMessage, what string) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if kind(raw) != '[' || json.Unmarshal(raw, &list) != nil {
		return nil, invalid("%s is not an array", what)
	}
	return list, nil
}

func asText(raw json.RawMessage, what string) (string, error) {
	var s string
	if kind(raw) != '"' || json.Unmarshal(raw, &s) != nil {
		return "", invalid("%s is not a string", what)
	}
	return s, nil
}

// text reads an optional string; nil when it is absent.
func (o object) text(name string) (*string, error) {
	raw, ok := o[name]
	if !ok {
		return nil, nil
	}
	s, err := asText(raw, name)
	if err != nil {
		return nil, err
	}
	return &s, nil
}

// flag reads an optional boolean; nil when it is absent.
func (o object) flag(name string) (*bool, error) {
	raw, ok := o[name]
	if !ok {
		return nil, nil
	}
	var b bool
	if kind(raw) != 't' || json.Unmarshal(raw, &b) != nil {
		return nil, invalid("%s is not a boolean", name)
	}
	return &b, nil
}
