package render

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// chart is a picture of revisions: a lane for each actor, time from left to right.
type chart struct {
	Class         string
	Width, Height int
	Ticks         []tick
	Lanes         []lane
	Links         []string
	Dots          []dot
}

type tick struct {
	X, Y, TextY  int
	Text, Anchor string
}

type lane struct {
	Name, Sum       string
	Y, TextY, Right int
}

type dot struct {
	Revision       int64
	X, Y, R, TextY int
	Count          string
	Text, Class    string
}

const (
	laneHeight = 58
	chartTop   = 6
	chartEdge  = 18 // so that no dot is cut
	axisHeight = 26
)

func newChart(class string, width int, all []*entry, lanes []string, links []link) chart {
	c := chart{Class: class, Width: width, Height: chartTop + len(lanes)*laneHeight + axisHeight}
	sums := make([]int, len(lanes))
	revisions := make([]int, len(lanes))
	index := func(e *entry) int { return min(e.lane, len(lanes)-1) }
	for _, e := range all {
		sums[index(e)] += len(e.Paths)
		revisions[index(e)]++
	}
	longest := (width - 130) / 8 // characters beside the sum
	for i, name := range lanes {
		y := chartTop + i*laneHeight
		c.Lanes = append(c.Lanes, lane{
			Name: cut(name, longest), Y: y + 38, TextY: y + 14, Right: width,
			Sum: count(revisions[i], "revision") + ", " + count(sums[i], "change"),
		})
	}
	x := c.scale(all)
	place := map[int64][2]int{}
	for _, e := range all {
		place[e.Number] = [2]int{x(e), c.Lanes[index(e)].Y}
	}
	for _, l := range links[:min(len(links), maxLinks)] {
		if curve := curve(place[l.from], place[l.to]); !slices.Contains(c.Links, curve) {
			c.Links = append(c.Links, curve)
		}
	}
	for i := range lanes {
		c.addDots(i, all, index, x)
	}
	return c
}

// scale says where a revision stands: by its time if all have one, else by its turn.
func (c *chart) scale(all []*entry) func(*entry) int {
	left, room := chartEdge, float64(c.Width-2*chartEdge)
	at := make(map[int64]int, len(all))
	timed := true
	for i, e := range all {
		at[e.Number] = len(all) - 1 - i
		var err error
		if e.time, err = time.Parse(time.RFC3339, e.raw); err != nil {
			timed = false
		}
	}
	first, last := all[0].time, all[0].time
	for _, e := range all {
		if e.time.Before(first) {
			first = e.time
		}
		if e.time.After(last) {
			last = e.time
		}
	}
	bottom := c.Height - axisHeight
	if span := last.Sub(first); timed && span > 0 {
		c.timeTicks(first, span, bottom)
		return func(e *entry) int { return left + int(math.Round(float64(e.time.Sub(first))/float64(span)*room)) }
	}
	c.Ticks = []tick{
		{left, bottom, c.Height - 8, fmt.Sprintf("r%d", all[len(all)-1].Number), "start"},
	}
	if len(all) > 1 {
		c.Ticks = append(c.Ticks, tick{c.Width - chartEdge, bottom, c.Height - 8, fmt.Sprintf("r%d", all[0].Number), "end"})
	}
	step := room / float64(max(1, len(all)-1))
	return func(e *entry) int { return left + int(math.Round(float64(at[e.Number])*step)) }
}

// timeTicks marks a few times; how they are written depends on how far apart they are.
func (c *chart) timeTicks(first time.Time, span time.Duration, bottom int) {
	layout := "2 Jan 2006"
	switch {
	case span < 36*time.Hour:
		layout = "2 Jan 15:04"
	case span < 300*24*time.Hour:
		layout = "2 Jan"
	}
	n := 2
	if c.Width > 600 {
		n = 5
	}
	room := c.Width - 2*chartEdge
	for i := range n {
		anchor := "middle"
		switch i {
		case 0:
			anchor = "start"
		case n - 1:
			anchor = "end"
		}
		t := first.Add(span / time.Duration(n-1) * time.Duration(i)).UTC()
		c.Ticks = append(c.Ticks, tick{chartEdge + room*i/(n-1), bottom, c.Height - 8, t.Format(layout), anchor})
	}
}

// addDots draws a lane. Revisions that would cover each other are one dot that counts them.
func (c *chart) addDots(number int, all []*entry, index func(*entry) int, x func(*entry) int) {
	const apart = 24
	var group []*entry
	draw := func() {
		if len(group) == 0 {
			return
		}
		c.Dots = append(c.Dots, newDot(group, (x(group[0])+x(group[len(group)-1]))/2, c.Lanes[number].Y, number))
		group = nil
	}
	for _, e := range slices.Backward(all) {
		if index(e) != number {
			continue
		}
		if len(group) > 0 && x(e)-x(group[0]) >= apart {
			draw()
		}
		group = append(group, e)
	}
	draw()
}

func newDot(group []*entry, x, y, number int) dot {
	changes, undid := 0, true
	for _, e := range group {
		changes += len(e.Paths)
		undid = undid && e.undid
	}
	newest := group[len(group)-1]
	d := dot{Revision: newest.Number, X: x, Y: y, R: min(5+int(2*math.Sqrt(float64(changes))), 13), Class: fmt.Sprint("a", number), TextY: y + 4}
	names := fmt.Sprintf("revision %d", newest.Number)
	if len(group) > 1 {
		d.Count, d.R = comma(len(group)), max(d.R, 11)
		names = fmt.Sprintf("%s, %d to %d", count(len(group), "revision"), group[0].Number, newest.Number)
	} else if undid {
		d.Class = "hollow"
	}
	d.Text = strings.Join([]string{names, newest.Actor, newest.At, count(changes, "change")}, " · ")
	return d
}

// curve is the path of a link.
func curve(from, to [2]int) string {
	up := 22
	if from[1] != to[1] {
		up = 0
	}
	middle := (from[0] + to[0]) / 2
	return fmt.Sprintf("M%d %d C%d %d %d %d %d %d", from[0], from[1], middle, from[1]-up, middle, to[1]-up, to[0], to[1])
}
