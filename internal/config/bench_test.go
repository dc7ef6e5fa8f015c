package config

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"go.yaml.in/yaml/v3"

	"github.com/govctl/govctl/internal/org"
)

// benchmarkLimits is the number of limits of the goals in performance.md.
const benchmarkLimits = 100_000

func bulkHCL() []byte {
	var b bytes.Buffer
	b.WriteString("credit_limits {\n  users = {\n")
	for i := range benchmarkLimits {
		fmt.Fprintf(&b, "    \"user%06d@example.com\" = %d\n", i, 1_000_000+i)
	}
	b.WriteString("  }\n}\n")
	return b.Bytes()
}

func bulkYAML() []byte {
	var b bytes.Buffer
	b.WriteString("credit_limits:\n  users:\n")
	for i := range benchmarkLimits {
		fmt.Fprintf(&b, "    user%06d@example.com: %d\n", i, 1_000_000+i)
	}
	return b.Bytes()
}

func bulkCSV() []byte {
	var b bytes.Buffer
	b.WriteString("email,limit\n")
	for i := range benchmarkLimits {
		// 7919 is prime to the count: every address once, not in order.
		fmt.Fprintf(&b, "user%06d@example.com,%d\n", i*7919%benchmarkLimits, 1_000_000+i)
	}
	return b.Bytes()
}

func benchmarkLoad(b *testing.B, files map[string][]byte) {
	dir := b.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		p, err := Load(dir, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if len(p.Declared()) != benchmarkLimits {
			b.Fatalf("%d limits", len(p.Declared()))
		}
	}
}

func BenchmarkLoadHCL(b *testing.B) { benchmarkLoad(b, map[string][]byte{"a.hcl": bulkHCL()}) }

func BenchmarkBareHCL(b *testing.B) {
	src := bulkHCL()
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := hclsyntax.ParseConfig(src, "a.hcl", hcl.InitialPos); diags.HasErrors() {
			b.Fatal(diags)
		}
	}
}

func BenchmarkLoadYAML(b *testing.B) { benchmarkLoad(b, map[string][]byte{"a.yaml": bulkYAML()}) }

func BenchmarkBareYAML(b *testing.B) {
	src := bulkYAML()
	b.ReportAllocs()
	for b.Loop() {
		var n yaml.Node
		if err := yaml.Unmarshal(src, &n); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadCSV(b *testing.B) {
	benchmarkLoad(b, map[string][]byte{"a.hcl": []byte("credit_limits {\n  users_from = [\"*.csv\"]\n}\n"), "a.csv": bulkCSV()})
}

func BenchmarkBareCSV(b *testing.B) {
	src := bulkCSV()
	b.ReportAllocs()
	for b.Loop() {
		r := csv.NewReader(bytes.NewReader(src))
		r.ReuseRecord = true
		for {
			if _, err := r.Read(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkResolve resolves 100,000 members of whom nobody is declared by address:
// patterns and a condition are tried on each.
func BenchmarkResolve(b *testing.B) {
	p, err := load(b, map[string]string{"a.hcl": `
credit_limits {
  default = 5
  group "ml" {
    limit = 1
    where = user.metadata.team == "ml"
  }
  group "ops" {
    limit = 2
    match = ["*@ops.example.com", "ops-*"]
  }
}
`}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	members := make([]org.Member, benchmarkLimits)
	for i := range members {
		email := fmt.Sprintf("user%06d@example.com", i*7919%benchmarkLimits)
		members[i] = org.Member{ID: fmt.Sprint("u", i), Email: org.Email(email), Spelling: email, Metadata: map[string]any{"team": []string{"ml", "web", "ops"}[i%3], "site": "x"}}
	}
	b.ReportAllocs()
	for b.Loop() {
		w, err := p.Resolve(members, time.Time{})
		if err != nil || len(w.Limits) != benchmarkLimits {
			b.Fatal(len(w.Limits), err)
		}
	}
}

// BenchmarkResolveUsers resolves 100,000 declared members.
func BenchmarkResolveUsers(b *testing.B) {
	p, err := load(b, map[string]string{"a.hcl": "credit_limits {\n  users_from = [\"*.csv\"]\n}\n", "a.csv": string(bulkCSV())}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	members := make([]org.Member, benchmarkLimits)
	for i := range members {
		members[i] = org.Member{ID: fmt.Sprint("u", i), Email: org.Email(fmt.Sprintf("user%06d@example.com", i*7919%benchmarkLimits))}
	}
	b.ReportAllocs()
	for b.Loop() {
		if w, err := p.Resolve(members, time.Time{}); err != nil || len(w.Limits) != benchmarkLimits {
			b.Fatal(len(w.Limits), err)
		}
	}
}
