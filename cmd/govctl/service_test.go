package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/govctl/govctl/internal/service/store"
)

// serve starts govctl serve on a database for the rest of a script:
//
//	serve NAME DATABASE
//
// The address goes to the variable NAME, what the server says to NAME.out.
func serve(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: serve NAME DATABASE")
	}
	path, err := exec.LookPath("govctl")
	ts.Check(err)
	database := args[1]
	if !store.IsServer(database) {
		database = ts.MkAbs(database)
	}
	c := exec.Command(path, "serve", "--listen", "127.0.0.1:0", "--database", database)
	c.Dir = ts.MkAbs(".")
	c.Env = append(os.Environ(), "GOVCTL_NOW="+ts.Getenv("GOVCTL_NOW"))
	out, err := c.StdoutPipe()
	ts.Check(err)
	ts.Check(c.Start())
	ts.Defer(func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait() // interrupted
	})
	var said strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if url, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			ts.Setenv(args[0], url)
		}
		if strings.Contains(lines.Text(), "/healthz") {
			break
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".out"), []byte(said.String()), 0o600))
	if ts.Getenv(args[0]) == "" {
		ts.Fatalf("the server does not listen: %s", said.String())
	}
}
