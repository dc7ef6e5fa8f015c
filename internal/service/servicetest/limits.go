package servicetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func putLimits(body string) ask {
	return ask{Method: http.MethodPut, Path: "/api/v0/organization/usage/limits/users", Body: body}
}

func limitsBody(entries ...string) string { return `{"users":[` + strings.Join(entries, ",") + `]}` }

func limitEntry(email, limit string) string {
	return `{"email":` + quote(email) + `,"limit":` + limit + `}`
}

// outcome sends entries and returns what became of them as compact JSON.
func (s *suite) outcome(t *testing.T, entries ...string) (updated, errors string) {
	t.Helper()
	body := s.send(t, putLimits(limitsBody(entries...)), 200).object(t)
	return string(body["updated"]), string(body["errors"])
}

func (s *suite) testLimits(t *testing.T) {
	s.testMalformedLimits(t)
	users := s.users(t)
	if len(users) < 3 {
		s.lacks(t, "the organization has fewer than three members")
	}
	a, b := text(t, users[0], "email"), text(t, users[1], "email")
	notFound := func(email string) string {
		return `[{"email":` + quote(email) + `,"error":"user not found in organization"}]`
	}
	failed := func(limit, reason string) func(*testing.T) {
		return func(t *testing.T) {
			updated, errors := s.outcome(t, limitEntry(a, limit), limitEntry(b, "7"))
			if updated != "["+limitEntry(b, "7")+"]" || errors != `[{"email":`+quote(a)+`,"error":"`+reason+`"}]` {
				t.Errorf("updated %s, errors %s", updated, errors)
			}
		}
	}
	set := func(sent, echoed string) func(*testing.T) {
		return func(t *testing.T) {
			updated, errors := s.outcome(t, limitEntry(a, sent))
			if updated != "["+limitEntry(a, echoed)+"]" || errors != "[]" {
				t.Errorf("updated %s, errors %s", updated, errors)
			}
		}
	}
	t.Run("C199 C202 set", set("500000", "500000"))
	t.Run("C199 set again", set("500000", "500000"))
	t.Run("U63 zero", set("0", "0"))
	t.Run("U62 largest", set("9007199254740991", "9007199254740991"))
	t.Run("C201 whole number with a fraction", set("5.0", "5"))
	t.Run("C201 whole number with an exponent", set("1e6", "1000000"))
	t.Run("C201 minus zero", set("-0", "0"))
	t.Run("U62 negative", failed("-1", "limit must be zero or greater"))
	t.Run("U62 too large", failed("9007199254740992", "limit too large"))
	t.Run("U62 beyond 64 bits", failed("100000000000000000000000000000", "limit too large"))
	t.Run("U62 enormous exponent", failed("1e999999999", "limit too large"))
	t.Run("U62 enormous negative", failed("-1e999999999", "limit must be zero or greater"))
	t.Run("C203 C204 U62 unknown user", func(t *testing.T) {
		updated, errors := s.outcome(t, limitEntry("nobody@nowhere.example", "5"), limitEntry(b, "6"))
		if updated != "["+limitEntry(b, "6")+"]" || errors != notFound("nobody@nowhere.example") {
			t.Errorf("updated %s, errors %s", updated, errors)
		}
	})
	t.Run("U64 any ASCII case, echoed as sent", func(t *testing.T) {
		updated, errors := s.outcome(t, limitEntry(strings.ToUpper(a), "5"))
		if updated != "["+limitEntry(strings.ToUpper(a), "5")+"]" || errors != "[]" {
			t.Errorf("updated %s, errors %s", updated, errors)
		}
	})
	t.Run("T2 m10 Unicode does not fold", func(t *testing.T) {
		kelvin := strings.Replace(b, "e", "\u212a", 1)
		if _, errors := s.outcome(t, limitEntry(kelvin, "5")); errors != notFound(kelvin) {
			t.Errorf("errors %s", errors)
		}
	})
	t.Run("U62 duplicates are not applied", func(t *testing.T) {
		up := strings.ToUpper(a)
		updated, errors := s.outcome(t, limitEntry(a, "1"), limitEntry(b, "2"), limitEntry(up, "1"))
		reason := `,"error":"duplicate e-mail in request"}`
		if updated != "["+limitEntry(b, "2")+"]" || errors != `[{"email":`+quote(a)+reason+`,{"email":`+quote(up)+reason+"]" {
			t.Errorf("updated %s, errors %s", updated, errors)
		}
	})
	t.Run("C200 U64 a hundred entries in order", s.testHundredLimits)
}

func (s *suite) testHundredLimits(t *testing.T) {
	users := s.users(t)
	var entries, updated, errors []string
	for i := range 100 {
		if i%3 == 0 || i >= len(users) {
			email := fmt.Sprintf("nobody-%d@nowhere.example", i)
			entries = append(entries, limitEntry(email, "5"))
			errors = append(errors, `{"email":`+quote(email)+`,"error":"user not found in organization"}`)
			continue
		}
		entries = append(entries, limitEntry(text(t, users[len(users)-1-i], "email"), itoa(i)))
		updated = append(updated, entries[i])
	}
	gotUpdated, gotErrors := s.outcome(t, entries...)
	if gotUpdated != "["+strings.Join(updated, ",")+"]" || gotErrors != "["+strings.Join(errors, ",")+"]" {
		t.Errorf("updated %s, errors %s", gotUpdated, gotErrors)
	}
}

func (s *suite) testMalformedLimits(t *testing.T) {
	many := make([]string, 101)
	for i := range many {
		many[i] = limitEntry(fmt.Sprintf("nobody-%d@nowhere.example", i), "5")
	}
	bodies := map[string]string{
		"C200 no entry": limitsBody(), "C200 101 entries": limitsBody(many...),
		"no users": `{}`, "null users": `{"users":null}`, "object users": `{"users":{}}`, "null entry": limitsBody("null"),
		"string entry": limitsBody(`"a@b.example"`), "array entry": limitsBody("[]"), "empty entry": limitsBody("{}"),
		"C201 no limit": limitsBody(`{"email":"a@b.example"}`), "C201 no email": limitsBody(`{"limit":1}`),
		"C201 null email": limitsBody(`{"email":null,"limit":1}`), "C201 number email": limitsBody(`{"email":5,"limit":1}`),
	}
	for _, limit := range []string{"null", `"5"`, "1.5", "true", "[]", "{}", "1e-1", "1e-999999999", "0.1e0"} {
		bodies["C201 limit "+limit] = limitsBody(limitEntry("a@b.example", limit))
	}
	for _, email := range []string{"", "a", "@b.example", "a@", "a b@c.example", " a@b.example", "a@b.example ", "A <a@b.example>", "a@b.example,c@d.example", "mailto:a@b.example", "a@b@c.example"} {
		bodies["C201 email "+email] = limitsBody(limitEntry("good@b.example", "1"), limitEntry(email, "1"))
	}
	for name, body := range bodies {
		s.rows(t, []row{{"U61 " + name, putLimits(body), 400}})
	}
}
