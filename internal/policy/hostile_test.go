package policy_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/policy"
)

// rogue is a rule of somebody's own with the given body, beside the library's.
func rogue(id, body string) string {
	return fmt.Sprintf(`# METADATA
# title: rogue
# custom:
#   id: %s
#   severity: low
#   input: settings
#   remediation: none
package own.%s

%s
`, id, strings.ToLower(id), body)
}

// TestRefused holds that rules cannot even be loaded that reach for anything but their
// input, or that would be silent mistakes.
func TestRefused(t *testing.T) {
	t.Parallel()
	finding := func(condition string) string {
		return rogue("BAD001", `findings contains {"path": "", "message": "x"} if { `+condition+` }`)
	}
	for name, c := range map[string]struct{ text, want string }{
		"network":       {finding(`http.send({"method": "get", "url": "http://127.0.0.1"}).status_code == 200`), "undefined function http.send"},
		"name lookup":   {finding(`net.lookup_ip_addr("localhost")`), "undefined function net.lookup_ip_addr"},
		"environment":   {finding(`opa.runtime().env.HOME`), "undefined function opa.runtime"},
		"clock":         {finding(`time.now_ns() > 0`), "undefined function time.now_ns"},
		"randomness":    {finding(`rand.intn("x", 2) == 1`), "undefined function rand.intn"},
		"uuid":          {finding(`uuid.rfc4122("x")`), "undefined function uuid.rfc4122"},
		"shift":         {finding(`bits.lsh(1, 99999999999)`), "undefined function bits.lsh"},
		"parameter":     {finding(`input.settings.n < data.params.min_retention_day`), `the parameter min_retention_day has no default in a data.yaml: did you mean "min_retention_days"?`},
		"unused":        {finding(`unused := input.settings`), "unused"},
		"syntax":        {"package own\n\nfindings contains {", "own/bad.rego:3"},
		"no metadata":   {"package own\n\nfindings contains {\"path\": \"\", \"message\": \"\"} if input.x\n", "no custom.id, no custom.input, no custom.remediation, no custom.severity, no title"},
		"our namespace": {strings.ReplaceAll(finding("input.x"), "package own.", "package govctl.settings."), "belongs to the shipped rules"},
		"their id":      {strings.ReplaceAll(finding("input.x"), "BAD001", "SBX001"), "the id SBX001 is that of a shipped rule"},
		"severity":      {strings.ReplaceAll(finding("input.x"), "severity: low", "severity: awful"), `severity "awful" is none of critical`},
		"kind":          {strings.ReplaceAll(finding("input.x"), "input: settings", "input: setings"), `input "setings" is no kind of document: did you mean "settings"?`},
		"not a set":     {rogue("BAD001", `findings := {"path": "x"} if input.x`), "findings contains"},
		"path": {strings.Replace(finding("input.settings.sandbox.enbled"), "# custom:", "# schemas:\n#   - input: schema.settings\n# custom:", 1),
			`have: "enbled"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.Sources = []policy.Source{own(map[string]string{"bad.rego": c.text})}
			_, err := policy.Load(o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestStopped holds that a rule which fails or never ends is reported and hides nothing.
func TestStopped(t *testing.T) {
	for name, c := range map[string]struct {
		body   string
		memory int64
		want   string
	}{
		"endless": {body: `findings contains {"path": "", "message": "x"} if {
	count([1 | some i in numbers.range(1, 100000); some j in numbers.range(1, 100000); i == j + 1]) == 0
}`, want: "BAD001: stopped after 1s; it was not evaluated again"},
		"doubling text": {body: `findings contains {"path": "", "message": m} if {
	a := concat("", [x | some i in numbers.range(1, 1000000); i > 0; x := "0123456789"])
	m := concat("", [x | some i in numbers.range(1, 1000); i > 0; x := a])
}`, memory: 64 << 20, want: "BAD001: stopped: it needs more than 64 MiB of memory; it was not evaluated again"},
		"many values": {body: `findings contains {"path": "", "message": "x"} if {
	count(numbers.range(1, 1000000000)) == 0
}`, memory: 64 << 20, want: "BAD001: stopped: it needs more than 64 MiB of memory; it was not evaluated again"},
		"huge text": {body: `findings contains {"path": "", "message": m} if {
	a := concat("", [x | some i in numbers.range(1, 100000); i > 0; x := "0123456789"])
	m := sprintf("%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s", [a])
}`, want: "sprintf: the text would be larger than 16777216 bytes"},
		"huge replacement": {body: `findings contains {"path": "", "message": m} if {
	a := concat("", [x | some i in numbers.range(1, 1000); i > 0; x := "0123456789"])
	m := regex.replace(a, "[0-9]", a)
}`, want: "regex.replace: the text would be larger than 16777216 bytes"},
		"shared value": {body: `findings contains {"path": "", "message": m} if {
	a := numbers.range(1, 1000)
	b := [a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a]
	c := [b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b]
	d := [c, c, c, c, c, c, c, c, c, c, c, c, c, c, c, c]
	m := json.marshal([d, d, d, d])
}`, want: "json.marshal: the text would be larger than 16777216 bytes"},
		"huge number": {body: `findings contains {"path": "", "message": "x"} if {
	a := 1e300
	b := ((a * a) * (a * a)) * ((a * a) * (a * a))
	c := ((b * b) * (b * b)) * ((b * b) * (b * b))
	d := ((c * c) * (c * c)) * ((c * c) * (c * c))
	round(d) == input.settings.n
}`, want: "the number has more than 5000 digits"},
		"conflict": {body: `twice := 1 if input.settings.sandbox
twice := 2 if input.settings.n
findings contains {"path": "", "message": "x"} if twice == 1`, want: "BAD001: own/bad.rego:11: eval_conflict_error"},
		"wrong type": {body: `findings contains {"path": "", "message": "x"} if lower(input.settings.n) == "x"`,
			want: "BAD001: own/bad.rego:10: eval_type_error: lower: operand 1 must be string but got number"},
		"not an object": {body: `findings contains "x" if input.settings.n`, want: "BAD001: a finding is not an object with path and message"},
		"no message":    {body: `findings contains {"path": "/x"} if input.settings.n`, want: "BAD001: the message of a finding is not a text"},
		"many findings": {body: `findings contains {"path": "", "message": sprintf("%d", [i])} if some i in numbers.range(1, 200)`, want: "BAD001: more than 100 findings"},
		"long message": {body: `findings contains {"path": "", "message": concat("", [x | some i in numbers.range(1, 1000); i > 0; x := "0123456789"])} if input.settings.n`,
			want: "BAD001: the message of a finding has more than 1000 bytes"},
	} {
		t.Run(name, func(t *testing.T) { // not parallel: the memory limit counts the process
			o := options()
			o.Sources = []policy.Source{own(map[string]string{"bad.rego": rogue("BAD001", c.body)})}
			o.Limits = policy.Limits{Time: time.Second, Memory: c.memory, Findings: 100, Text: 1000}
			if name != "endless" {
				o.Limits.Time = time.Minute
			}
			got := check(t, load(t, o), settings(t, `{"n":1,"sandbox":{"enabled":false}}`))
			got = slicesDelete(got, func(line string) bool { return strings.HasPrefix(line, "BAD001") })
			if len(got) != 2 || !strings.HasPrefix(got[0], "SBX001 | critical | open") || !strings.HasPrefix(got[1], "SYS001 | high | errored") || !strings.Contains(got[1], c.want) {
				t.Errorf("got\n%s\nwant SBX001 and %q", strings.Join(got, "\n"), c.want)
			}
		})
	}
}

func slicesDelete(list []string, drop func(string) bool) []string {
	out := []string{}
	for _, s := range list {
		if !drop(s) {
			out = append(out, s)
		}
	}
	return out
}

// TestStoppedOnce holds that a rule which had to be stopped costs its time once, however
// many documents there are, and that the others judge all of them.
func TestStoppedOnce(t *testing.T) {
	t.Parallel()
	o := options()
	o.Limits = policy.Limits{Time: time.Second, Workers: 4} // no good rule takes that long, also on a busy machine
	o.Sources = []policy.Source{own(map[string]string{"bad.rego": rogue("BAD001", `findings contains {"path": "", "message": "x"} if {
	count([1 | some i in numbers.range(1, 100000); some j in numbers.range(1, 100000); i == j + 1]) == 0
}`)})}
	documents := make([]policy.Document, 100)
	var want []string
	for i := range documents {
		documents[i] = settings(t, `{"sandbox":{"enabled":false}}`)
		documents[i].Subject = fmt.Sprintf("settings@r%d", i)
		want = append(want, fmt.Sprintf("SBX001 | critical | open | settings@r%d | /sandbox/enabled | the sandbox is off", i))
	}
	got := check(t, load(t, o), documents...)
	if len(got) == 0 || !strings.Contains(got[len(got)-1], "BAD001: stopped after 1s") {
		t.Fatalf("got %q", got)
	}
	if diff := cmp.Diff(want, got[:len(got)-1]); diff != "" {
		t.Error(diff)
	}
}
