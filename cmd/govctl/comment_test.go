package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/govctl/govctl/internal/forge/forgetest"
)

// forgeKey finds the code host of a script.
type forgeKey struct{}

// codeHost is the forge command of scripts:
//
//	forge start KIND               starts a code host, github or gitlab, at $FORGE
//	forge bot LOGIN                the token writes as LOGIN and may not ask
//	forge fail METHOD WHAT STATUS  answers such requests with STATUS; 0 ends it
//	forge limit BYTES              refuses longer texts
//	forge say CHANGE AUTHOR FILE   somebody comments
//	forge log FILE                 writes the requests since the last log
//	forge dump FILE                writes the comments and issues
func codeHost(ts *testscript.TestScript, neg bool, args []string) {
	sizes := map[string]int{"start": 2, "bot": 2, "fail": 4, "limit": 2, "say": 4, "log": 2, "dump": 2}
	if neg || len(args) == 0 || len(args) != sizes[args[0]] {
		ts.Fatalf("usage: forge start|bot|fail|limit|say|log|dump …")
	}
	holder := ts.Value(forgeKey{}).(**forgetest.Server)
	if args[0] == "start" {
		*holder = forgetest.Start(args[1])
		ts.Defer((*holder).Close)
		ts.Setenv("FORGE", (*holder).API())
		return
	}
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		ts.Check(err)
		return n
	}
	s := *holder
	switch args[0] {
	case "bot":
		s.Login, s.Hidden = args[1], true
	case "limit":
		s.MaxBody = number(args[1])
	case "fail":
		status := number(args[3])
		s.Fail = func(method, what string) int {
			if method == args[1] && what == args[2] {
				return status
			}
			return 0
		}
	case "say":
		s.Add(forgetest.Comment{Change: number(args[1]), Author: args[2], Body: ts.ReadFile(args[3])})
	case "log":
		lines := append(s.Requests(), "")
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(lines, "\n")), 0o600))
	case "dump":
		var b strings.Builder
		for _, c := range s.Comments() {
			fmt.Fprintf(&b, "comment on %d by %s\n%s\n", c.Change, c.Author, c.Body)
		}
		for _, i := range s.Issues() {
			fmt.Fprintf(&b, "issue %q by %s, closed %t, labels %s\n%s\n", i.Title, i.Author, i.Closed, i.Labels, i.Body)
		}
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o600))
	}
}
