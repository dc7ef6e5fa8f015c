package servicetest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// field is one documented field of an object and what it may hold.
type field struct {
	numbers  string // statements of the contract
	name     string
	kind     string // string, number, boolean, array, object
	required bool
}

// testSessionShape holds the fields of one session, as get answers them.
func (s *suite) testSessionShape(t *testing.T) {
	for _, item := range s.sessionList(t) {
		one := s.send(t, ask{Path: sessionsPath + "/" + text(t, item, "sessionId")}, 200).object(t)
		s.fields(t, one, []field{
			{"C129", "sessionId", "string", true},
			{"C130", "status", "string", true},
			{"C131", "messageCount", "number", true},
			{"C132", "createdAt", "number", true},
			{"C133", "updatedAt", "number", true},
			{"C134", "title", "string", false},
			{"C135", "completedAt", "number", false},
			{"C136", "computerId", "string", false},
			{"C137", "sessionSettings", "object", false},
		})
	}
}

// testComputerShape holds the fields of one computer, as create and both look-ups answer
// them.
func (s *suite) testComputerShape(t *testing.T) {
	name := "shape " + uuid.NewString()[:8]
	made := s.send(t, create(`{"name":`+quote(name)+`,"provider":"sandbox_vendor","remoteUser":"ci","hostId":"6f1c2d3e-0000-4000-8000-0000000000aa"}`), 201).object(t)
	for _, path := range []string{computersPath + "/" + text(t, made, "id"), computersPath + "/name/" + escape(name)} {
		one := s.send(t, ask{Path: path}, 200).object(t)
		if raw(one) != raw(made) {
			t.Errorf("%s answers %s, create answered %s", path, raw(one), raw(made))
		}
		s.fields(t, one, []field{
			{"C176", "id", "string", true},
			{"C177", "name", "string", true},
			{"C178", "providerType", "string", true},
			{"C179", "createdAt", "number", true},
			{"C180", "hostId", "string", true}, // optional, but it was given
			{"C181", "hostname", "string", false},
			{"C182", "status", "string", false},
			{"C183", "provisioningSteps", "array", false},
			{"C184", "relayClientUrl", "string", false},
			{"C184", "relayAgentUrl", "string", false},
			{"C185", "remoteUser", "string", true}, // optional, but it was given
			{"C186", "ownerPrincipalKind", "string", false},
			{"C186", "ownerId", "string", false},
		})
		want(t, one, "providerType", `"sandbox_vendor"`)
	}
}

// fields checks that required fields are there, that every field has its kind, and that
// there is no field nobody documented.
func (s *suite) fields(t *testing.T, o object, list []field) {
	t.Helper()
	known := map[string]bool{}
	for _, f := range list {
		known[f.name] = true
		value, found := o[f.name]
		switch {
		case !found && f.required:
			t.Errorf("%s: %s is missing in %s", f.numbers, f.name, raw(o))
		case found && kindOf(value) != f.kind:
			t.Errorf("%s: %s is %s, want a %s", f.numbers, f.name, value, f.kind)
		}
	}
	for name := range o {
		if !known[name] {
			t.Errorf("the contract has no field %s: %s", name, raw(o))
		}
	}
}

// kindOf names the kind of a JSON value by its first byte.
func kindOf(value json.RawMessage) string {
	switch {
	case strings.HasPrefix(string(value), `"`):
		return "string"
	case strings.HasPrefix(string(value), "["):
		return "array"
	case strings.HasPrefix(string(value), "{"):
		return "object"
	case string(value) == "true", string(value) == "false":
		return "boolean"
	case string(value) == "null":
		return "null"
	default:
		return "number"
	}
}
