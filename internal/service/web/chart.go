package web

import (
	"fmt"
	"math"
	"strconv"
)

// chart is a bar chart with an optional line, as numbers that a template writes into
// SVG. Lengths across are percentages and lengths down are pixels, so that a chart is as
// wide as its place and its text stays as large as it is.
type chart struct {
	Height  int
	Bars    []drawnBar
	Line    []segment
	Grid    []gridLine
	Labels  []axisLabel
	Floor   float64
	Summary string // what it shows, for those who do not see it
}

// bar is one value of a chart.
type bar struct {
	Label string  // what the pointer shows
	Axis  string  // below the axis, when there is room
	Value float64 // not negative
}

type drawnBar struct {
	X, Width, Y, Height float64
	Label               string
	Empty               bool
}

type segment struct{ X1, Y1, X2, Y2 float64 }

type gridLine struct {
	Y    float64
	Text string
}

type axisLabel struct {
	X      float64
	Anchor string
	Text   string
}

type chartOptions struct {
	Height  int
	Max     float64 // top of the scale; 0: a round number above all values
	Slots   int     // room for this many bars at least
	Axes    bool
	Summary string
}

const (
	axisRoom = 22 // pixels below the bars for labels
	topRoom  = 10 // pixels above the highest grid line
)

// drawChart places bars, and line if there is one, from left to right.
func drawChart(bars []bar, line []float64, o chartOptions) chart {
	c := chart{Height: o.Height, Summary: o.Summary, Floor: float64(o.Height)}
	top := 0.0
	if o.Axes {
		c.Floor, top = float64(o.Height-axisRoom), topRoom
	}
	highest := o.Max
	if highest == 0 {
		for i := range bars {
			highest = max(highest, bars[i].Value)
		}
		for _, v := range line {
			highest = max(highest, v)
		}
		highest = roundUp(highest)
	}
	room := c.Floor - top
	slot := 100 / float64(max(len(bars), o.Slots, 1))
	for i, b := range bars {
		h := room * min(b.Value/highest, 1)
		if b.Value > 0 {
			h = max(h, 2)
		}
		c.Bars = append(c.Bars, drawnBar{
			X: slot * (float64(i) + 0.15), Width: slot * 0.7, Y: c.Floor - h, Height: h, Label: b.Label, Empty: b.Value == 0,
		})
	}
	middle := func(i int) float64 { return slot * (float64(i) + 0.5) }
	down := func(v float64) float64 { return c.Floor - room*min(v/highest, 1) }
	for i := 1; i < len(line); i++ {
		c.Line = append(c.Line, segment{middle(i - 1), down(line[i-1]), middle(i), down(line[i])})
	}
	if o.Axes {
		c.Grid = []gridLine{{top, short(highest)}, {top + room/2, short(highest / 2)}, {c.Floor, "0"}}
		c.Labels = axisLabels(bars, middle)
	}
	return c
}

// axisLabels names the first, a middle and the last bar.
func axisLabels(bars []bar, middle func(int) float64) []axisLabel {
	last := len(bars) - 1
	if last < 0 {
		return nil
	}
	labels := []axisLabel{{0, "start", bars[0].Axis}}
	if last >= 4 {
		labels = append(labels, axisLabel{middle(last / 2), "middle", bars[last/2].Axis})
	}
	if last >= 1 {
		labels = append(labels, axisLabel{100, "end", bars[last].Axis})
	}
	return labels
}

// roundUp returns the next number of the form 1, 2, 4, 5 or 10 times a power of ten, and
// at least 2, so that half of it is whole.
func roundUp(v float64) float64 {
	if v <= 2 {
		return 2
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 4, 5, 6, 8} {
		if m*power >= v && math.Mod(m*power, 2) == 0 {
			return m * power
		}
	}
	return 10 * power
}

// short writes a number in few characters: 950, 1.2k, 3M.
func short(v float64) string {
	for _, unit := range []struct {
		from float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if v >= unit.from {
			return strconv.FormatFloat(math.Round(v/unit.from*10)/10, 'f', -1, 64) + unit.name
		}
	}
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", math.Round(share*100)) }
