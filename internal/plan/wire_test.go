package plan

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestRichPlan holds the stored form: a changed golden is a changed format.
func TestRichPlan(t *testing.T) {
	t.Parallel()
	var got bytes.Buffer
	if err := json.Indent(&got, encode(t, richPlan()), "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	path := filepath.Join("testdata", "rich.json")
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s (-want +got), -update rewrites it:\n%s", path, diff)
	}
}

// TestFieldNames walks the plan of design section 5: every name there must exist, with
// that type.
func TestFieldNames(t *testing.T) {
	t.Parallel()
	doc, err := org.DecodeJSON(encode(t, richPlan()))
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]int{} // KIND/ACTION -> index
	list, _ := org.Lookup(doc, "/changes")
	for i, c := range list.([]any) {
		c := c.(map[string]any)
		changes[c["kind"].(string)+"/"+c["action"].(string)] = i
	}
	for _, line := range []string{
		`/format_version "1.0"`, `/created_at "2026-11-20T09:00:00Z"`, `/digest "sha256:`, `/complete false`, `/incomplete/0/fact "sessions"`,
		`/incomplete/0/key "ses_9"`, `/incomplete/0/error "`,
		`/target/base_url "https://api.example.com"`, `/target/organization "org_acme"`, `/target/organization_verified true`,
		`/basis/config "sha256:c0"`, `/basis/ledger/lineage "lin_1"`, `/basis/ledger/serial 12`, `/basis/settings_revision 42`,
		`/basis/members "sha256:`, `/basis/policies "sha256:b0"`,
		`/summary/limits/set 2`, `/summary/limits/raise 1`, `/summary/limits/lower 1`, `/summary/limits/reassert 1`, `/summary/limits/unchanged 1`,
		`/summary/computers/create 1`, `/summary/computers/update 1`, `/summary/computers/retry_install 1`, `/summary/computers/blocked 1`, `/summary/computers/unchanged 0`,
		`/summary/sessions/update 1`, `/summary/manual 4`, `/summary/requests 8`,
		`limit/raise/key "ada@example.com"`, `limit/raise/before/grade "confirmed"`, `limit/raise/before/value 1000000`, `limit/raise/before/at "2026-11-19T09:00:00Z"`,
		`limit/raise/after 2500000`, `limit/raise/why "users"`, `limit/raise/source/file "limits.hcl"`, `limit/raise/source/line 9`, `limit/raise/source/column 3`,
		`limit/lower/key "bob@example.com"`, `limit/reassert/before/grade "expired"`, `limit/set/before/grade "never_set"`,
		`computer/create/key "build-02"`, `computer/update/id "cmp_1"`, `computer/update/fields/0/name "name"`, `computer/update/fields/0/before "build-old"`,
		`computer/update/fields/0/after "build-01"`, `computer/retry_install/key "build-01"`, `computer/blocked/key "build-03"`, `computer/create/source/file "computers.hcl"`,
		`session/update/key "ses_1"`, `session/update/fields/0/before "model-x"`, `session/update/fields/0/after "model-a"`,
		`setting/manual/key "/sessionRetentionDays"`, `setting/manual/before null`, `setting/manual/after 30`,
		`/findings/0/rule "PLN001"`, `/findings/0/severity "high"`, `/findings/0/status "waived"`, `/findings/0/title "t"`, `/findings/0/message "m"`, `/findings/0/subject "plan"`,
		`/findings/0/path "/changes/0"`, `/findings/0/remediation "r"`, `/findings/0/source/line 9`, `/findings/0/waiver/owner "sec"`,
		`/notes/0/code "`,
	} {
		pointer, want, _ := strings.Cut(line, " ")
		if name := strings.SplitN(pointer, "/", 3); name[0] != "" {
			i, found := changes[name[0]+"/"+name[1]]
			if !found {
				t.Errorf("no change %s/%s", name[0], name[1])
				continue
			}
			pointer = "/changes/" + string(must(json.Marshal(i))) + "/" + name[2]
		}
		v, found := org.Lookup(doc, pointer)
		if got := string(must(json.Marshal(v))); !found || !strings.HasPrefix(got, want) {
			t.Errorf("%s = %s, found %t, want %s", line, got, found, want)
		}
	}
	blame, _ := org.Lookup(doc, "/changes")
	for _, c := range blame.([]any) {
		if c := c.(map[string]any); c["key"] == "/sandbox/enabled" {
			want := map[string]any{
				"revision": json.Number("41"), "updated_at": "2026-11-03T09:00:00Z", "at_or_before": true,
				"actor": map[string]any{"id": "u_eve", "email": "eve@example.com", "name": "Eve"},
			}
			if diff := cmp.Diff(want, c["blame"]); diff != "" {
				t.Errorf("blame (-want +got):\n%s", diff)
			}
		}
	}
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// TestEmptyPlanLists holds that lists are never null, also in the plan of nothing.
func TestEmptyPlanLists(t *testing.T) {
	t.Parallel()
	var got map[string]json.RawMessage
	if err := json.Unmarshal(encode(t, Make(Input{Now: now})), &got); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"incomplete", "changes", "findings", "notes"} {
		if string(got[name]) != "[]" {
			t.Errorf("%s = %s, want []", name, got[name])
		}
	}
}

// TestSettingValues holds that absent, null and a value survive storing, on both sides.
func TestSettingValues(t *testing.T) {
	t.Parallel()
	want := []SettingChange{
		{Pointer: "/a", Found: false, After: nil},
		{Pointer: "/b", Found: true, Before: nil, After: false},
		{Pointer: "/c", Found: true, Before: []any{}, Absent: true},
		{Pointer: "/d", Found: true, Before: json.Number("9007199254740993"), After: json.Number("1.50")},
	}
	p := &Plan{Settings: want}
	p.seal()
	back, err := Decode(encode(t, p))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, back.Settings); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	good := string(encode(t, richPlan()))
	if _, err := Decode([]byte(good)); err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(good), "\t", "    "); err != nil {
		t.Fatal(err)
	}
	for _, free := range []string{indented.String(), strings.Replace(good, `"project":"examples/acme"`, `"project":"/elsewhere"`, 1),
		strings.Replace(good, `2026-11-20T09`, `2026-11-21T09`, 1), strings.Replace(good, `\u003cm\u003e`, `<m>`, 1)} {
		if _, err := Decode([]byte(free)); err != nil {
			t.Errorf("a plan in another layout is refused: %v", err)
		}
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"a limit", `"after":2500000`, `"after":2500001`, "recorded sha256:"},
		{"a spelling", `"send_as":"ada@Example.com"`, `"send_as":"eve@Example.com"`, "recorded sha256:"},
		{"a reason", `"reason":"launch"`, `"reason":"lunch"`, "recorded sha256:"},
		{"the digest", `"digest":"sha256:`, `"digest":"sha256:0`, "recorded sha256:0"},
		{"no digest", `"digest":"`, `"digest":"","was":"`, "recorded ,"},
		{"a field twice", `"after":2500000`, `"after":1,"after":2500000`, "repeated"},
		{"a field re-spelled", `"after":2500000`, `"after":1,"AFTER":2500000`, "repeated"},
		{"an unknown field", `"after":2500000`, `"after":2500000,"note":"ok"`, "unknown"},
		{"an action", `"action":"raise"`, `"action":"delete"`, "delete"},
		{"a kind", `"kind":"session"`, `"kind":"budget"`, "update"},
		{"an action of another kind", `"action":"manual"`, `"action":"create"`, "create"},
		{"a newer format", `"format_version":"1.0"`, `"format_version":"1.1"`, "plan format 1.1 is not known"},
		{"another format", `"format_version":"1.0"`, `"format_version":"2.0"`, "plan format 2.0 is not known"},
		{"no format", `"format_version":"1.0",`, ``, "format_version is missing"},
		{"no before", `"before":{"grade":"confirmed","value":1000000,"at":"2026-11-19T09:00:00Z"},"after":2500000`, `"after":2500000`, "before"},
		{"not JSON", `{"format_version"`, `<html>{"format_version"`, "not a govctl plan"},
		{"two values", `{"format_version"`, `{}{"format_version"`, "not a govctl plan"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(good, c.old) {
				t.Fatalf("the plan has no %s", c.old)
			}
			p, err := Decode([]byte(strings.Replace(good, c.old, c.new, 1)))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Decode = %v, %v, want an error with %q", p != nil, err, c.want)
			}
		})
	}
}
