package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/govctl/govctl/internal/render"
)

// build describes this binary.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  govctl version -o json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			outs, err := a.outputs([]string{render.Text, render.JSON})
			if err != nil {
				return err
			}
			b := buildInfo()
			return a.emit(outs, func(w io.Writer, format string, _ render.Options) error {
				if format == render.JSON {
					return render.WriteJSON(w, b)
				}
				_, err := fmt.Fprintf(w, "govctl %s %s %s\n", b.Version, b.Go, b.Platform)
				return err
			})
		},
	}
}

// buildInfo reads what the Go toolchain stamped into the binary.
func buildInfo() build {
	b := build{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.Revision = s.Value
		}
	}
	return b
}
