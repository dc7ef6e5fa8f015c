package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/govctl/govctl/internal/forge/forgetest"
)

// TestMain makes this test binary the commands of the scripts: govctl itself, and a
// govctl that is killed at a chosen ledger write.
func TestMain(m *testing.M) {
	testscript.Main(withPostgres{m}, map[string]func(){
		"govctl": main,
		"govctl-crash": func() {
			os.Exit(run(context.Background(), os.Args[1:], stdio{
				in: os.Stdin, out: os.Stdout, err: os.Stderr, now: time.Now, wrap: crashFromEnv(),
			}))
		},
	})
}

// TestScripts runs every story of testdata/script on the real binary and the embedded
// service. The examples of this repository are at $EXAMPLES, read-only by custom:
// stories copy them.
func TestScripts(t *testing.T) {
	t.Parallel()
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "../../testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", examples)
			e.Setenv("GOVCTL_NOW", "2026-11-20T09:00:00Z")
			e.Values[forgeKey{}] = new(*forgetest.Server)
			return nil
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"postgres":     postgres,
			"copy-example": copyExample,
			"serve":        serve,
			"forge":        codeHost,
		},
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

// copyExample copies an example into the script's directory, without the state that a
// run by hand may have left in it.
func copyExample(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: copy-example NAME")
	}
	from := filepath.Join(ts.Getenv("EXAMPLES"), args[0])
	to := ts.MkAbs(args[0])
	ts.Check(os.CopyFS(to, os.DirFS(from)))
	ts.Check(os.RemoveAll(filepath.Join(to, ".govctl")))
}
