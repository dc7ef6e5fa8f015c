// Package collector decides how often the garbage collector of this process runs: late in a
// short command, often while what is read is kept, seldom while many documents are judged.
// There is one collector, so its setting has one owner. Nothing here does anything where GOGC
// or GOMEMLIMIT is set: whoever started the process has decided.
package collector

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

const (
	usual = 100 // percent the heap grows by between collections, as Go has it
	kept  = 50  // the same while what is read is kept
)

// While there are batches the heap may grow by batchRoom between collections, and by so many
// percent of what is live: to judge allocates much and keeps little, and the collector is
// what limits it.
const (
	batchRoom = 128 << 20
	mostGC    = 400
	leastGC   = 50
)

// setting is what the collector has been asked for. It belongs to the process.
var setting struct {
	sync.Mutex
	late    bool
	base    int // percent; 0: usual
	batches int
	now     int // percent while there are batches
}

// Late keeps the collector from running before the process holds so many bytes; from then on
// it runs as otherwise asked. A command that ends before spends nothing on collecting a heap
// that grows from nothing.
func Late(bytes int64) {
	if chosen() {
		return
	}
	setting.Lock()
	defer setting.Unlock()
	setting.late = true
	debug.SetMemoryLimit(bytes)
	debug.SetGCPercent(-1)
	first := new([64]byte)                // too large to share its block with something that lives on
	runtime.AddCleanup(first, func(int) { // the first collection finds nobody who uses it
		setting.Lock()
		defer setting.Unlock()
		setting.late = false
		settle()
		debug.SetMemoryLimit(math.MaxInt64)
	}, 0)
}

// Keep lets the heap grow by half between collections instead of doubling: for a process most
// of whose memory is kept to its end, so that collecting more often costs little and doubling
// costs the most just when there is the most.
func Keep() {
	if chosen() {
		return
	}
	setting.Lock()
	defer setting.Unlock()
	setting.base = kept
	settle()
}

// Batch makes the collector run less often until the returned function is called, once. Tune
// is to be called now and then in between.
func Batch() (end func()) {
	if chosen() {
		return func() {}
	}
	setting.Lock()
	defer setting.Unlock()
	setting.batches++
	settle()
	return func() {
		setting.Lock()
		defer setting.Unlock()
		setting.batches--
		settle()
	}
}

// Tune follows what is alive while there are batches, in steps: to set the collector stops
// the world.
func Tune() {
	setting.Lock()
	defer setting.Unlock()
	if setting.batches == 0 || setting.late {
		return
	}
	if want := percentOf(Live()); want < setting.now*9/10 || want > setting.now*11/10 {
		settle()
	}
}

// Live is how many bytes of the heap were in use as of the last collection, 0 before the first.
func Live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// settle sets the collector to what it has been asked for.
func settle() {
	switch {
	case setting.late:
	case setting.batches > 0:
		setting.now = percentOf(Live())
		debug.SetGCPercent(setting.now)
	case setting.base != 0:
		debug.SetGCPercent(setting.base)
	default:
		debug.SetGCPercent(usual)
	}
}

// percentOf is what the collector is set to in a batch with so many bytes alive.
func percentOf(live uint64) int {
	return int(min(mostGC, max(leastGC, batchRoom*100/max(live, 1))))
}

// chosen says that the environment sets the collector.
func chosen() bool { return os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" }
