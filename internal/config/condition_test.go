package config

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestCondition(t *testing.T) {
	t.Parallel()
	row := map[string]any{
		"email": "ada@x", "n": json.Number("9007199254740993"), "none": nil, "ok": true,
		"metadata": map[string]any{"team": "ml"}, "list": []any{"a", "b"},
	}
	names := []string{"email", "n", "none", "ok", "metadata", "list"}
	for text, want := range map[string]string{
		`email == "ada@x"`:                  "yes",
		`email != "ada@x"`:                  "no",
		`n == 9007199254740993`:             "yes",
		`n > 9007199254740993`:              "no",
		`ok && !startswith(email, "b")`:     "yes",
		`contains(list, "b")`:               "yes",
		`metadata.team == "ml"`:             "yes",
		`metadata.town == "x"`:              "undecided",
		`none > 5`:                          "undecided",
		`none == null`:                      "yes",
		`none == 5`:                         "no",
		`try(metadata.town, "") == ""`:      "yes",
		`length(regexall("@", email)) == 1`: "yes",
		`email`:                             "not true or false",
		`email > 5`:                         "the condition fails",
		`"text"`:                            "must be true or false",
		`emial == "x"`:                      `there is no column "emial"`,
		`user.email == "x"`:                 `there is no column "user"`,
		`ok || emial == "x"`:                `there is no column "emial"`,
		`startwith(email, "a")`:             `there is no function "startwith"`,
		`file("/etc/passwd") == email`:      `there is no function "file"`,
		`n == 010`:                          "leading zero",
		`email ==`:                          "missing expression",
		``:                                  "missing expression",
		"email == \"ada@x\"\nn == 1":        "",
	} {
		got := holds(text, names, row)
		if !strings.Contains(strings.ToLower(got), strings.ToLower(want)) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// holds is the answer of a condition in a word, or its error.
func holds(text string, names []string, row map[string]any) string {
	c, err := ParseCondition("--where", text, names)
	if err != nil {
		return err.Error()
	}
	switch yes, decided, err := c.Holds(func(name string) any { return row[name] }); {
	case err != nil:
		return err.Error()
	case !decided:
		return "undecided"
	case yes:
		return "yes"
	}
	return "no"
}

// FuzzCondition: no text of a condition and no value of a row is too odd, and what is
// decided is decided the same again.
func FuzzCondition(f *testing.F) {
	f.Add(`a == "x" && b > 5`, `{"a":"x","b":6}`)
	f.Add(`try(a.b[0], null) != null`, `{"a":{"b":[1]}}`)
	f.Add(`[for k in a : k]`, `{"a":null}`)
	f.Fuzz(func(t *testing.T, text, object string) {
		if len(text) > 200 || strings.Contains(text, "range") || strings.Contains(text, "pow") || strings.Contains(text, "product") || strings.Contains(text, "format") {
			return // what is long to evaluate is so on purpose
		}
		var row map[string]any
		d := json.NewDecoder(strings.NewReader(object))
		d.UseNumber()
		if d.Decode(&row) != nil {
			return
		}
		names := []string{"a", "b"}
		if one, two := holds(text, names, row), holds(text, names, row); one != two {
			t.Errorf("%q then %q", one, two)
		}
	})
}
