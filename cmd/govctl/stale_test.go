package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/service/store"
)

const governed = `service {
  organization = "org_acme"
}
credit_limits {
  unlisted = "ignore"
  users    = { "ada@acme.example" = 5, "grace@acme.example" = 6 }
}
settings {
  expect = { sandbox = { enabled = true } }
}
policy {
  paths = ["rules"]
}
`

// TestPlanStale changes, one at a time, everything a plan relies on: the digest of a new
// plan changes with it, and the saved plan is refused by name of what moved. Without a
// change the plan is the same to the byte but for when it was made.
func TestPlanStale(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		part string
		move func(*bench)
	}{
		{"", func(*bench) {}},
		{"config", func(b *bench) { b.write("govctl.hcl", strings.Replace(governed, "= 6", "= 7", 1)) }},
		{"policies", func(b *bench) { b.write("rules/a.rego", "package b\n") }},
		{"members", func(b *bench) {
			if _, err := b.service.Store().AddUser(b.t.Context(), store.User{Email: "new@acme.example", CreatedAt: time.Now()}); err != nil {
				b.t.Fatal(err)
			}
		}},
		{"settings_revision", func(b *bench) {
			_, err := b.service.Store().AddRevision(b.t.Context(), json.RawMessage(`{"sandbox":{"enabled":false}}`), store.Actor{ID: "usr_001"}, time.Now())
			if err != nil {
				b.t.Fatal(err)
			}
		}},
		{"ledger", func(b *bench) {
			b.write("other/govctl.hcl", "credit_limits {\n  users = { \"linus@acme.example\" = 1 }\n}\n")
			code, out, errs := b.run(b.t.Context(), "apply", "DIR/other", "--auto-approve", "--ledger", "DIR/.govctl/ledger.jsonl")
			if code != exitDone {
				b.t.Fatalf("exit %d\n%s%s", code, out, errs)
			}
		}},
		{"target", func(b *bench) { b.url = strings.Replace(b.url, "127.0.0.1", "localhost", 1) }},
	} {
		t.Run("moved_"+c.part, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if err := os.Remove(filepath.Join(b.dir, "a.hcl")); err != nil {
				t.Fatal(err)
			}
			for _, d := range []string{"rules", "other"} {
				if err := os.Mkdir(filepath.Join(b.dir, d), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			b.write("govctl.hcl", governed)
			b.write("rules/a.rego", "package a\n")
			first := b.plan("first.json")
			c.move(b)
			second := b.plan("second.json")
			if (first == second) != (c.part == "") {
				t.Errorf("moved %q: digests %s and %s", c.part, first, second)
			}
			code, out, errs := b.run(t.Context(), "apply", "DIR/first.json")
			switch {
			case c.part == "" && code != exitDone:
				t.Errorf("nothing moved: exit %d\n%s%s", code, out, errs)
			case c.part != "" && (code != exitRefused || !strings.Contains(errs, c.part+" (")):
				t.Errorf("moved %s: exit %d, want 5 and the name of what moved\n%s%s", c.part, code, out, errs)
			}
		})
	}
}

// plan saves a plan and returns its digest. Two plans of the same facts must differ in
// nothing but created_at.
func (b *bench) plan(name string) string {
	b.t.Helper()
	var digest string
	var texts [2]string
	for i := range texts {
		if code, out, errs := b.run(b.t.Context(), "plan", "DIR", "--out", "DIR/"+name); code != exitDone {
			b.t.Fatalf("plan: exit %d\n%s%s", code, out, errs)
		}
		data, err := os.ReadFile(filepath.Join(b.dir, name))
		if err != nil {
			b.t.Fatal(err)
		}
		var p struct {
			CreatedAt string `json:"created_at"`
			Digest    string
		}
		if err := json.Unmarshal(data, &p); err != nil {
			b.t.Fatal(err)
		}
		digest = p.Digest
		texts[i] = strings.Replace(string(data), p.CreatedAt, "", 1)
	}
	if texts[0] != texts[1] {
		b.t.Errorf("two plans of the same facts differ:\n%s\n%s", texts[0], texts[1])
	}
	return digest
}
