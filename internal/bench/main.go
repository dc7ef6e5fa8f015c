// Command bench times whole runs of govctl against the least that any program would do
// for the same work: the same requests to the same server and the same files, read with
// the standard library and kept nowhere. Times depend on the machine; their ratio, taken
// in one run, hardly does.
//
//	go run ./internal/bench                    # 1,000 and 10,000 limits
//	go run ./internal/bench -n 100000 -latency 20ms
//
// The floor runs as a process of its own, so that both pay for their start.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "floor" {
		exitOn(floor(os.Args[2:]))
		return
	}
	sizes := flag.String("n", "1000,10000", "numbers of limits, separated by commas")
	latency := flag.Duration("latency", 0, "time the server waits before each answer")
	runs := flag.Int("runs", 5, "runs of each; the median counts")
	govctl := flag.String("govctl", "", "the binary to time (default: built from this tree)")
	flag.Parse()
	exitOn(compare(*sizes, *latency, *runs, *govctl))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func compare(sizes string, latency time.Duration, runs int, govctl string) (err error) {
	dir, err := os.MkdirTemp("", "govctl-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if govctl == "" {
		govctl = filepath.Join(dir, "govctl")
		build := exec.Command("go", "build", "-o", govctl, "./cmd/govctl")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("build govctl (run this from the top of the tree): %w", err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Printf("%s/%s, %d CPUs, %s, latency %s, median of %d\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), latency, runs)
	fmt.Println("| N | work | floor | govctl | ratio | floor CPU | govctl CPU | CPU ratio | floor MB | govctl MB | requests |")
	fmt.Println("|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, text := range strings.Split(sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 {
			return fmt.Errorf("-n %q is no number of limits", text)
		}
		if err := compareOne(filepath.Join(dir, text), self, govctl, n, latency, runs); err != nil {
			return fmt.Errorf("%d limits: %w", n, err)
		}
	}
	return nil
}

// compareOne prints the rows of one size.
func compareOne(dir, self, govctl string, n int, latency time.Duration, runs int) error {
	server, err := startStub(n, latency)
	if err != nil {
		return err
	}
	defer server.close()
	csv, hcl, yaml := filepath.Join(dir, "csv"), filepath.Join(dir, "hcl"), filepath.Join(dir, "yaml")
	if err := errors.Join(writeCSV(csv, n), writeHCL(hcl, n), writeYAML(yaml, n)); err != nil {
		return err
	}
	ledger := filepath.Join(csv, ".govctl", "ledger.jsonl")
	walk := []string{"-walk", "-csv", filepath.Join(csv, "limits.csv")}
	for _, w := range []struct {
		name   string
		before func() error // each run
		floor  []string
		govctl []string
	}{
		{"version", nil, nil, []string{"version"}},
		{"apply all, from CSV", func() error { return os.RemoveAll(filepath.Dir(ledger)) },
			append(walk, "-put", "4"), []string{"apply", csv, "--auto-approve"}},
		{"plan, nothing to do, from CSV", nil, append(walk, "-lines", ledger), []string{"plan", csv}},
		{"plan, nothing to do, from an HCL map", copyOf(ledger, hcl),
			[]string{"-walk", "-hcl", filepath.Join(hcl, "limits.hcl"), "-lines", ledger}, []string{"plan", hcl}},
		{"plan, nothing to do, from a YAML map", copyOf(ledger, yaml),
			[]string{"-walk", "-yaml", filepath.Join(yaml, "limits.yaml"), "-lines", ledger}, []string{"plan", yaml}},
		{"validate an HCL map", nil, []string{"-hcl", filepath.Join(hcl, "limits.hcl")}, []string{"validate", hcl}},
	} {
		floor, err := measure(runs, nil, server, self, append([]string{"floor", "-url", server.url}, w.floor...)...)
		if err != nil {
			return fmt.Errorf("floor of %s: %w", w.name, err)
		}
		ours, err := measure(runs, w.before, server, govctl, append([]string{"--base-url", server.url}, w.govctl...)...)
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		fmt.Printf("| %d | %s | %s | %s | %.2f | %s | %s | %.2f | %.0f | %.0f | %d |\n", n, w.name, round(floor.took), round(ours.took),
			float64(ours.took)/float64(floor.took), round(floor.cpu), round(ours.cpu), float64(ours.cpu)/float64(floor.cpu),
			floor.memory, ours.memory, ours.requests)
	}
	return nil
}

func round(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(100 * time.Microsecond)
}

// result is what a command took: the medians of its times, and what the last run needed.
// What else the machine does hardly changes the time of the processors.
type result struct {
	took     time.Duration
	cpu      time.Duration // of all processors, for the command and for the kernel on its behalf
	memory   float64       // MB at most
	requests int64
}

// measure runs a command several times.
func measure(runs int, before func() error, server *stub, program string, args ...string) (result, error) {
	var r result
	var times, cpu []time.Duration
	for range runs {
		if before != nil {
			if err := before(); err != nil {
				return r, err
			}
		}
		asked := server.requests.Load()
		c := exec.Command(program, args...)
		c.Env = append(os.Environ(), "GOVCTL_API_KEY=bench", "GOVCTL_LEDGER=", "GOVCTL_BASE_URL=")
		start := time.Now()
		if out, err := c.CombinedOutput(); err != nil {
			return r, fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, tail(out))
		}
		times, cpu = append(times, time.Since(start)), append(cpu, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
		r.memory, r.requests = peak(c.ProcessState), server.requests.Load()-asked
	}
	slices.Sort(times)
	slices.Sort(cpu)
	r.took, r.cpu = times[len(times)/2], cpu[len(cpu)/2]
	return r, nil
}

func tail(out []byte) string {
	const most = 2000
	return string(out[max(0, len(out)-most):])
}
