package collector

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// start puts the collector into the state in which a process begins and, at the end of the
// test, back into the one it was in. No test here is parallel: the setting is the process's.
func start(t *testing.T) {
	t.Helper()
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	percent, limit := debug.SetGCPercent(usual), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		setting.late, setting.base, setting.batches = false, 0, 0
	})
}

// percent is what the collector is set to.
func percent() int {
	now := debug.SetGCPercent(usual)
	debug.SetGCPercent(now)
	return now
}

var sink []byte

// fill allocates so many bytes that nobody keeps.
func fill(bytes int) {
	for range bytes >> 16 {
		sink = make([]byte, 1<<16)
	}
}

func collections() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}

// TestLate holds that nothing is collected before the heap has grown, and that afterwards the
// collector is as usual, or as something else asked for meanwhile.
func TestLate(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func()
		want      int
	}{
		"nothing else": {func() {}, usual},
		"kept":         {Keep, kept},
	} {
		t.Run(name, func(t *testing.T) {
			start(t)
			runtime.GC()
			Late(256 << 20)
			before := collections()
			c.meanwhile()
			fill(64 << 20)
			if n := collections() - before; n != 0 {
				t.Fatalf("%d collections", n)
			}
			for collections() == before {
				fill(64 << 20)
			}
			for isLate() { // ends when the cleanup has run
				runtime.Gosched()
			}
			if got := percent(); got != c.want {
				t.Errorf("%d %% afterwards, want %d", got, c.want)
			}
			if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
				t.Errorf("the memory limit is %d afterwards", got)
			}
		})
	}
}

func isLate() bool {
	setting.Lock()
	defer setting.Unlock()
	return setting.late
}

// TestBatch holds that batches may overlap and that the last one restores what was before.
func TestBatch(t *testing.T) {
	start(t)
	Keep()
	first, second := Batch(), Batch()
	if got, want := percent(), percentOf(Live()); got != want {
		t.Errorf("%d %% in a batch, want %d", got, want)
	}
	first()
	if got := percent(); got == kept {
		t.Error("the first end of two ended both")
	}
	held := make([]byte, 512<<20)
	runtime.GC()
	Tune()
	if got := percent(); got != leastGC {
		t.Errorf("%d %% with 512 MiB alive, want %d", got, leastGC)
	}
	runtime.KeepAlive(held)
	second()
	if got := percent(); got != kept {
		t.Errorf("%d %% afterwards, want %d", got, kept)
	}
	debug.SetGCPercent(333)
	if Tune(); percent() != 333 {
		t.Error("set although there is no batch")
	}
}

// TestChosen holds that the environment wins.
func TestChosen(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		start(t)
		t.Setenv(name, "1")
		debug.SetGCPercent(333)
		Late(1 << 30)
		Keep()
		Batch()()
		if got := percent(); got != 333 {
			t.Errorf("with %s: %d %%", name, got)
		}
		if got := debug.SetMemoryLimit(-1); got == 1<<30 {
			t.Errorf("with %s there is a limit", name)
		}
	}
}

// TestPercentOf holds how much room a batch has: a lot beside little, and not many times what
// is much already.
func TestPercentOf(t *testing.T) {
	for live, want := range map[uint64]int{0: 400, 1 << 20: 400, 32 << 20: 400, 64 << 20: 200, 128 << 20: 100, 256 << 20: 50, 4 << 30: 50} {
		if got := percentOf(live); got != want {
			t.Errorf("%d MiB alive: %d %%, want %d %%", live>>20, got, want)
		}
	}
}
