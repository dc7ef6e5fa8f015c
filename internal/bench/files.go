package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

func email(n int) string { return fmt.Sprintf("user%07d@acme.example", n) }

func limit(n int) int { return 1000 + n%5000 }

const noService = "service {\n  base_url = \"http://127.0.0.1:1\"\n}\n" // --base-url names the real one

func writeCSV(dir string, n int) error {
	return errors.Join(
		write(filepath.Join(dir, "main.hcl"), func(w io.Writer) {
			fmt.Fprint(w, noService+"credit_limits {\n  users_from = [\"limits.csv\"]\n}\n")
		}),
		write(filepath.Join(dir, "limits.csv"), func(w io.Writer) {
			fmt.Fprintln(w, "email,limit")
			for i := range n {
				fmt.Fprintf(w, "%s,%d\n", email(i), limit(i))
			}
		}))
}

func writeHCL(dir string, n int) error {
	return write(filepath.Join(dir, "limits.hcl"), func(w io.Writer) {
		fmt.Fprint(w, noService+"credit_limits {\n  users = {\n")
		for i := range n {
			fmt.Fprintf(w, "    %q = %d\n", email(i), limit(i))
		}
		fmt.Fprint(w, "  }\n}\n")
	})
}

func writeYAML(dir string, n int) error {
	return write(filepath.Join(dir, "limits.yaml"), func(w io.Writer) {
		fmt.Fprint(w, "service:\n  base_url: http://127.0.0.1:1\ncredit_limits:\n  users:\n")
		for i := range n {
			fmt.Fprintf(w, "    %s: %d\n", email(i), limit(i))
		}
	})
}

func write(path string, fill func(io.Writer)) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	fill(w)
	return errors.Join(w.Flush(), f.Close())
}

// copyOf returns what gives a project the ledger of another one.
func copyOf(ledger, dir string) func() error {
	return func() error {
		data, err := os.ReadFile(ledger)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, ".govctl", filepath.Base(ledger))
		return errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, data, 0o600))
	}
}
