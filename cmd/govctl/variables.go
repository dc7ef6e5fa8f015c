package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/govctl/govctl/internal/config"
)

// variables reads --var-file and --var; later ones win. They are given on purpose, so a
// name that the configuration does not declare is an error.
func variables(files, flags []string) (map[string]string, error) {
	out := map[string]string{}
	for _, f := range files {
		if err := config.ReadVarFile(f, out); err != nil {
			return nil, err
		}
	}
	var bad []error
	for _, f := range flags {
		name, value, ok := strings.Cut(f, "=")
		if !ok || name == "" {
			bad = append(bad, fmt.Errorf("--var %q is not NAME=VALUE", f))
			continue
		}
		out[name] = value
	}
	return out, errors.Join(bad...)
}

// environmentVariables reads GOVCTL_VAR_name.
func environmentVariables(environ []string) map[string]string {
	out := map[string]string{}
	for _, e := range environ {
		if name, value, ok := strings.Cut(e, "="); ok && strings.HasPrefix(name, "GOVCTL_VAR_") {
			out[strings.TrimPrefix(name, "GOVCTL_VAR_")] = value
		}
	}
	return out
}
