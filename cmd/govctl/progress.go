package main

import (
	"os"

	"github.com/schollz/progressbar/v3"
)

// bar shows progress on stderr when a person watches, and nothing otherwise.
type bar struct{ p *progressbar.ProgressBar }

// progress starts a bar. The zero bar is silent.
func (a *app) progress(what string) *bar {
	ci := os.Getenv("CI")
	if !terminal(a.err) || (ci != "" && ci != "false" && ci != "0") {
		return &bar{}
	}
	return &bar{progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(a.err),
		progressbar.OptionSetDescription(what),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(24),
	)}
}

// read is told what was read so far.
func (b *bar) read(fact string, n int) {
	if b.p != nil {
		b.p.Describe("reading " + fact)
		_ = b.p.Set(n)
	}
}

// settled is told how many of the planned entries have a result.
func (b *bar) settled(n, total int) {
	if b.p != nil {
		b.p.ChangeMax(total)
		_ = b.p.Set(n)
	}
}

func (b *bar) finish() {
	if b.p != nil {
		_ = b.p.Finish()
	}
}
