package main

import (
	"fmt"
	"maps"
	"sync"

	"github.com/govctl/govctl/internal/client"
)

// requestCounts counts what was asked of the API, by method and class of the status.
type requestCounts struct {
	mu sync.Mutex
	n  map[[2]string]int
}

func (c *requestCounts) note(e client.Event) {
	class := "none" // no usable answer
	if e.Status > 0 {
		class = fmt.Sprintf("%dxx", e.Status/100)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[[2]string]int{}
	}
	c.n[[2]string{e.Method, class}]++
}

// all is a copy of the counts.
func (c *requestCounts) all() map[[2]string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return maps.Clone(c.n)
}
