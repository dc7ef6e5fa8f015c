package service

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// checkSettings checks the types of a settings patch and returns what is to be merged:
// unknown fields are left out, null means clear. Read-only fields stay in; the merge
// compares them with what is stored.
func checkSettings(patch object) (object, error) {
	changes := object{}
	for name, raw := range patch {
		clean, known, err := checkSetting(name, raw)
		if err != nil {
			return nil, err
		}
		if known {
			changes[name] = clean
		}
	}
	return changes, nil
}

func checkSetting(name string, raw json.RawMessage) (clean json.RawMessage, known bool, err error) {
	want := byte(0)
	switch name {
	case "model", "specModeModel", "providerLockTimestamp", "archivedAt":
		want = '"'
	case "runInWorktree", "compactionThresholdCheckEnabled":
		want = 't'
	case "assistantActiveTimeMs":
		want = '0'
	case "childInclusiveTokenUsageBySessionId":
		want = '{'
	case "tags", "enabledToolIds", "disabledToolIds":
		want = '['
	case "tokenUsage", "inclusiveTokenUsage":
		return raw, true, nil
	default:
		return nil, false, nil
	}
	switch got := kind(raw); {
	case got == 'n':
		return raw, true, nil
	case got != want:
		return nil, true, invalid("sessionSettings.%s has the wrong type", name)
	case name == "tags":
		raw, err = checkTags(raw)
	case want == '[':
		err = checkTexts(raw, "sessionSettings."+name)
	}
	return raw, true, err
}

func checkTexts(raw json.RawMessage, what string) error {
	list, err := asList(raw, what)
	if err != nil {
		return err
	}
	for _, item := range list {
		if _, err := asText(item, "an item of "+what); err != nil {
			return err
		}
	}
	return nil
}

// tag is api.Tag with the metadata as sent, also when it is empty.
type tag struct {
	Name     string          `json:"name"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

// checkTags keeps what the contract says about a tag, its name and its metadata.
func checkTags(raw json.RawMessage) (json.RawMessage, error) {
	list, err := asList(raw, "sessionSettings.tags")
	if err != nil {
		return nil, err
	}
	tags := make([]tag, len(list))
	for i, item := range list {
		o, err := asObject(item, "an item of sessionSettings.tags")
		if err != nil {
			return nil, err
		}
		name, err := o.text("name")
		if err != nil || name == nil {
			return nil, invalid("the name of an item of sessionSettings.tags is not a string")
		}
		tags[i].Name = *name
		if meta, ok := o["metadata"]; ok {
			if _, err := asObject(meta, "the metadata of an item of sessionSettings.tags"); err != nil {
				return nil, err
			}
			tags[i].Metadata = meta
		}
	}
	return encode(tags)
}

// encode writes JSON without the escapes that HTML would need.
func encode(v any) (json.RawMessage, error) {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(text.Bytes()), err
}

// mergeSettings applies checked changes to stored settings. A read-only field may come
// back as it was read, so that a client can send what it got.
func mergeSettings(stored string, changes object) (string, error) {
	merged, err := asObject(json.RawMessage(stored), "the stored settings")
	if err != nil {
		return "", err
	}
	changed := false
	for name, raw := range changes {
		old, has := merged[name]
		switch {
		case sameJSON(old, raw):
		case name == "tokenUsage" || name == "inclusiveTokenUsage":
			return "", invalid("sessionSettings.%s is read-only", name)
		case kind(raw) == 'n':
			delete(merged, name)
			changed = changed || has
		default:
			merged[name], changed = raw, true
		}
	}
	if !changed {
		return stored, nil
	}
	text, err := encode(merged)
	return string(text), err
}

// sameJSON compares two values as JSON; an absent one equals null.
func sameJSON(a, b json.RawMessage) bool {
	return reflect.DeepEqual(plain(a), plain(b))
}

// plain decodes a value with numbers in one spelling, so that 1.0 equals 1.
func plain(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return string(raw)
	}
	return plainNumbers(v)
}

func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return parseDecimal(v.String())
	case []any:
		for i := range v {
			v[i] = plainNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plainNumbers(v[k])
		}
	}
	return v
}
