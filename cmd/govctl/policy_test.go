package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/policy"
)

// wrapped is what wrap makes of a text, one line for each document.
func wrapped(t *testing.T, file, kind, text string) []string {
	t.Helper()
	v, err := org.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if kind == "" {
		kind = guessKind(file, v)
	}
	list, err := wrap(kind, v)
	if err != nil {
		return []string{"error: " + err.Error()}
	}
	var out []string
	for _, d := range list {
		body, err := json.Marshal(d.Body)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Join([]string{d.Kind, d.Subject, d.Base, string(body)}, " | "))
	}
	return out
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, kind, text string
		want             []string
	}{
		"snapshot":        {"x.json", "", `{"sandbox":{}}`, []string{`settings |  | /settings | {"settings":{"sandbox":{}}}`}},
		"as rules see it": {"x.json", "", `{"settings":{"a":1}}`, []string{`settings |  | /settings | {"settings":{"a":1}}`}},
		"settings in it":  {"x.json", "", `{"settings":{"a":1},"b":2}`, []string{`settings |  | /settings | {"settings":{"b":2,"settings":{"a":1}}}`}},
		"API revision": {"x.json", "", `{"revision":3,"updatedAt":"t","user":{"id":"u"},"settings":{}}`,
			[]string{`settings | settings@r3 | /settings | {"actor":{"id":"u"},"revision":3,"settings":{},"updated_at":"t"}`}},
		"our revision": {"x.json", "", `{"revision":3,"updated_at":"t","actor":{"id":"u"},"settings":{}}`,
			[]string{`settings | settings@r3 | /settings | {"actor":{"id":"u"},"revision":3,"settings":{},"updated_at":"t"}`}},
		"history page": {"x.json", "settings", `{"changes":[{"revision":2,"settings":{}},{"revision":1,"settings":{}}]}`,
			[]string{`settings | settings@r2 | /settings | {"revision":2,"settings":{}}`, `settings | settings@r1 | /settings | {"revision":1,"settings":{}}`}},
		"pairs of a page": {"x.json", "history", `{"changes":[{"revision":3},{"revision":2},{"revision":1}]}`,
			[]string{`history | settings@r3 | /to/settings | {"from":{"revision":2},"to":{"revision":3}}`, `history | settings@r2 | /to/settings | {"from":{"revision":1},"to":{"revision":2}}`}},
		"list":          {"x.json", "settings", `[{"a":1},{"b":2}]`, []string{`settings |  | /settings | {"settings":{"a":1}}`, `settings |  | /settings | {"settings":{"b":2}}`}},
		"saved plan":    {"x.json", "", `{"format_version":"1.0","changes":[],"basis":{}}`, []string{`plan |  | /plan | {"plan":{"basis":{},"changes":[],"format_version":"1.0"}}`}},
		"plan document": {"x.json", "", `{"plan":{}}`, []string{`plan |  | /plan | {"plan":{}}`}},
		"hooks":         {"etc/hooks.json", "", `{"Stop":[]}`, []string{`hooks |  |  | {"hooks":{"Stop":[]}}`}},
		"wrapped hooks": {"hooks.json", "", `{"hooks":{"Stop":[]}}`, []string{`hooks |  |  | {"hooks":{"hooks":{"Stop":[]}}}`}},
		"reports": {"x.json", "", `{"reports":[{"reportId":"b","createdAt":1,"repoUrl":"https://x/r"},{"reportId":"a","createdAt":2,"repoUrl":"https://x/r"}]}`,
			[]string{`readiness | https://x/r |  | {"complete":false,"reports":[{"apps":null,"createdAt":2,"repoUrl":"https://x/r","report":null,"reportId":"a"},{"apps":null,"createdAt":1,"repoUrl":"https://x/r","report":null,"reportId":"b"}],"repository":{"url":"https://x/r"}}`}},
		"computers": {"x.json", "computers", `[{"id":"c"}]`, []string{`computers |  |  | {"computers":[{"id":"c"}]}`}},
		"usage":     {"x.json", "", `{"window":{}}`, []string{`usage |  |  | {"window":{}}`}},
		"named":     {"x.json", "", `{"kind":"usage"}`, []string{`usage |  |  | {"kind":"usage"}`}},
		"text":      {"x.json", "settings", `"x"`, []string{"error: not an object"}},
		"odd list":  {"x.json", "settings", `[{},1]`, []string{"error: element 1: not an object"}},
		"odd pairs": {"x.json", "history", `{"changes":[1,2]}`, []string{"error: revision 0: not an object"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, wrapped(t, c.file, c.kind, c.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzPolicyFiles holds that no file breaks the reading of documents, and that whatever
// comes out of it is of a known kind and holds no secret.
func FuzzPolicyFiles(f *testing.F) {
	for _, seed := range []string{`{}`, `[]`, `{"changes":[{"settings":{}}]}`, `{"reports":[{}]}`, `{"plan":1}`, `{"kind":"plan"}`,
		`{"settings":{"customModels":[{"apiKey":"sk-fuzz-secret"}]},"revision":1}`, `{"computers":{}}`, `{"from":1,"to":{"revision":1}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range append(policy.Kinds(), "") {
			a := &app{stdio: stdio{in: bytes.NewReader(data)}}
			for d, err := range a.documentsOf(policyInput{kind, "-"}, "-") {
				if err == nil && (d.Kind == "" || d.Subject == "") {
					t.Fatalf("%+v", d)
				}
			}
		}
	})
}

// TestPolicyBundle holds that a bundle is read as rules, and that with a key in the
// environment an unsigned one is not.
func TestPolicyBundle(t *testing.T) {
	files, err := policy.Skeleton("OWN001", policy.Settings)
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "own/rule.rego", Mode: 0o600, Size: int64(len(files[0].Text))}); err != nil {
		t.Fatal(err)
	}
	_, err = w.Write([]byte(files[0].Text))
	if err := errors.Join(err, w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	bundle, key := filepath.Join(dir, "own.tar.gz"), filepath.Join(dir, "key.pem")
	if err := errors.Join(os.WriteFile(bundle, archive.Bytes(), 0o600), os.WriteFile(key, []byte("no key"), 0o600)); err != nil {
		t.Fatal(err)
	}
	list := func() (int, string) {
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"policy", "list", "--policy", bundle}, stdio{in: strings.NewReader(""), out: &out, err: &errs, now: time.Now})
		return code, out.String() + errs.String()
	}
	if code, out := list(); code != exitDone || !strings.Contains(out, "OWN001") {
		t.Errorf("exit %d: %s", code, out)
	}
	t.Setenv("GOVCTL_POLICY_KEY_FILE", key)
	if code, out := list(); code != exitError || !strings.Contains(out, "read bundle") {
		t.Errorf("with a key: exit %d: %s", code, out)
	}
}

// TestRedactInput: what usage counts is kept, and the secrets of the settings beside it are
// not.
func TestRedactInput(t *testing.T) {
	t.Parallel()
	const text = `{"tokens":[{"input_tokens":7,"by_model":[{"model_id":"m","billable_tokens":3}]}],"settings":{"customModels":[{"apiKey":"sk-canary"}]}}`
	v, err := org.DecodeJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range []any{v, []any{v}} {
		out, err := json.Marshal(redactInput(policy.Usage, doc))
		if err != nil || strings.Contains(string(out), "canary") || !strings.Contains(string(out), `"input_tokens":7`) || !strings.Contains(string(out), `"billable_tokens":3`) {
			t.Errorf("%s, %v", out, err)
		}
	}
	out, err := json.Marshal(redactInput(policy.Settings, map[string]any{"customModels": []any{map[string]any{"apiKey": "sk-canary"}}}))
	if err != nil || strings.Contains(string(out), "canary") {
		t.Errorf("%s, %v", out, err)
	}
}
