//go:build unix

package hooks

import (
	"os/exec"
	"syscall"
)

func shell() []string { return []string{"/bin/sh", "-c"} }

// ownGroup makes the end of a command the end of everything it started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
