//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the most memory a process had, in MB.
func peak(s *os.ProcessState) float64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(usage.Maxrss) / 1e6 // bytes there
	}
	return float64(usage.Maxrss) / 1e3
}
