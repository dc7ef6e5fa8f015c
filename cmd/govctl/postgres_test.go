package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/govctl/govctl/internal/pgtest"
)

// withPostgres runs the tests and then ends the PostgreSQL server they started, if any.
type withPostgres struct{ m testscript.TestingM }

func (w withPostgres) Run() int {
	// Some hundred commands run in this process, each of which would ask for a collector that
	// runs often: a quarter of the processor time of all tests.
	if err := os.Setenv("GOGC", "200"); err != nil {
		panic(err)
	}
	debug.SetGCPercent(200)
	return pgtest.Main(w.m)
}

// condition knows [postgres]: there can be databases on this machine.
func condition(name string) (bool, error) {
	if name != "postgres" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return pgtest.Missing() == "", nil
}

// postgres makes a database for the script and puts its URL into a variable.
func postgres(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: postgres VARIABLE")
	}
	url, drop, err := pgtest.Make()
	ts.Check(err)
	ts.Defer(func() { ts.Check(drop()) })
	ts.Setenv(args[0], url)
}
