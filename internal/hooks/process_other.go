//go:build !unix

package hooks

import "os/exec"

func shell() []string { return []string{"cmd", "/C"} }

// ownGroup does nothing here: only the command itself is stopped.
func ownGroup(*exec.Cmd) {}
