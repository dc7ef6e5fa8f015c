package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/config"
)

func (a *app) fmtCommand() *cobra.Command {
	var check, diff bool
	c := &cobra.Command{
		Use:     "fmt [DIR | FILE | -]",
		Short:   "Lay out HCL files in the canonical form",
		Example: "  govctl fmt --check examples/quickstart",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.runFmt(args, check, diff)
		},
	}
	c.Flags().BoolVar(&check, "check", false, "change nothing; fail if a file is not in the canonical form")
	c.Flags().BoolVar(&diff, "diff", false, "show what differs; changes nothing together with --check")
	return c
}

func (a *app) runFmt(args []string, check, diff bool) error {
	path := "."
	if len(args) > 0 {
		path = args[0]
	}
	if path == "-" {
		src, err := readFile(path, a.in)
		if err != nil {
			return fmt.Errorf("read stdin: %w", err)
		}
		out, err := config.Format(src, "stdin.hcl")
		if err != nil {
			return err
		}
		_, err = a.out.Write(out)
		return err
	}
	files, err := hclFiles(path)
	if err != nil {
		return err
	}
	var bad []error
	unformatted := 0
	for _, f := range files {
		changed, err := a.formatFile(f, check, diff)
		if err != nil {
			bad = append(bad, err)
		}
		if changed {
			unformatted++
		}
	}
	if check && unformatted > 0 {
		bad = append(bad, fmt.Errorf("%d of %d files are not in the canonical form; run govctl fmt", unformatted, len(files)))
	}
	return errors.Join(bad...)
}

// formatFile lays out one file and names it on stdout if that changes it.
func (a *app) formatFile(file string, check, diff bool) (changed bool, err error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", file, err)
	}
	out, err := config.Format(src, file)
	if err != nil || bytes.Equal(src, out) {
		return false, err
	}
	fmt.Fprintln(a.out, file)
	if diff {
		fmt.Fprint(a.out, lineDiff(string(src), string(out)))
	}
	if check {
		return true, nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return true, fmt.Errorf("write %s: %w", file, err)
	}
	if err := maybe.WriteFile(file, out, info.Mode().Perm()); err != nil {
		return true, fmt.Errorf("write %s: %w", file, err)
	}
	return true, nil
}

// hclFiles lists the HCL files of a directory, or the one file named.
func hclFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("format: %w", err)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != path {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(name, ".hcl") {
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// lineDiff shows the lines of a layout change: layout never reorders lines, so pairing
// them by number says it all.
func lineDiff(before, after string) string {
	b, n := strings.Split(before, "\n"), strings.Split(after, "\n")
	var out strings.Builder
	for i := range max(len(b), len(n)) {
		var x, y string
		if i < len(b) {
			x = b[i]
		}
		if i < len(n) {
			y = n[i]
		}
		if x != y {
			fmt.Fprintf(&out, "%d: -%s\n%d: +%s\n", i+1, x, i+1, y)
		}
	}
	return out.String()
}
