package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/google/renameio/v2/maybe"

	"github.com/govctl/govctl/internal/render"
)

// output is one -o: a format and where it goes; an empty file means stdout.
type output struct {
	format string
	file   string
}

// outputs reads the -o flags and refuses formats the command does not have, before
// anything is asked of the network. Without one for stdout, text goes there.
func (a *app) outputs(have []string) ([]output, error) {
	var list []output
	stdout := false
	for _, s := range a.flags.outputs {
		format, file, toFile := strings.Cut(s, "=")
		if err := render.CheckFormat(format, have); err != nil {
			if format == "ut" { // -out, as in Terraform, is -o ut here
				err = &hinted{err, "flags with long names have two dashes: --out"}
			}
			return nil, err
		}
		if toFile && file == "" {
			return nil, fmt.Errorf("-o %s names no file", s)
		}
		if file == "" {
			if stdout {
				return nil, fmt.Errorf("-o %s: only one format can go to stdout; write the others to files, as in -o json=plan.json", s)
			}
			stdout = true
		}
		list = append(list, output{format, file})
	}
	if !stdout {
		list = append([]output{{format: have[0]}}, list...)
	}
	return list, nil
}

// emit writes a value in every format asked for. Files are complete or untouched.
func (a *app) emit(list []output, write func(w io.Writer, format string, o render.Options) error) error {
	for _, o := range list {
		if o.file == "" {
			if err := write(a.out, o.format, render.Options{Color: a.colour(a.out)}); err != nil {
				return fmt.Errorf("write %s: %w", o.format, err)
			}
			continue
		}
		var buf bytes.Buffer
		if err := write(&buf, o.format, render.Options{}); err != nil {
			return fmt.Errorf("write %s: %w", o.format, err)
		}
		if err := maybe.WriteFile(o.file, buf.Bytes(), 0o600); err != nil {
			return fmt.Errorf("write %s to %s: %w", o.format, o.file, err)
		}
	}
	return nil
}
