// Package plot places the bars and lines of a small chart, as numbers that a template
// writes into SVG.
//
// Lengths across are percentages and lengths down are pixels, so that a chart is as wide
// as its place, on a phone and on a desktop, and its text stays as large as it is. Nothing
// is drawn outside of the chart, whatever the values are.
package plot

import (
	"math"
	"strconv"
)

// Chart is a bar chart with lines over it, either of which may be missing.
type Chart struct {
	Height  int
	Bars    []Bar
	Lines   [][]Segment // a line each, without the parts whose values are not known
	Grid    []GridLine
	Labels  []AxisLabel
	Floor   float64
	Summary string // what it shows, for those who do not see it
}

// Value is one value of a chart.
type Value struct {
	Label   string  // what the pointer shows
	Axis    string  // below the axis, when there is room
	Value   float64 // not negative; anything else counts as 0
	Unknown bool    // there is no value, which is not 0
}

// Bar is a value where it is drawn.
type Bar struct {
	X, Width, Y, Height float64
	Label               string
	Empty               bool // nothing to draw: the value is 0
	Unknown             bool // drawn as a mark on the floor
}

// Segment is a piece of a line.
type Segment struct{ X1, Y1, X2, Y2 float64 }

// GridLine is a value of the scale.
type GridLine struct {
	Y    float64
	Text string
}

// AxisLabel is the name of a bar below the floor; Anchor is an SVG text-anchor.
type AxisLabel struct {
	X      float64
	Anchor string
	Text   string
}

// Options say how a chart is drawn.
type Options struct {
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

// Draw places bars, and lines over them, from left to right. Of a line a value that is no
// number (NaN) is a gap.
func Draw(bars []Value, lines [][]float64, o Options) Chart {
	c := Chart{Height: o.Height, Summary: o.Summary, Floor: float64(o.Height)}
	top := 0.0
	if o.Axes {
		c.Floor, top = float64(o.Height-axisRoom), topRoom
	}
	highest := scale(bars, lines, o.Max)
	room := c.Floor - top
	slots := max(len(bars), o.Slots, 1)
	for _, l := range lines {
		slots = max(slots, len(l))
	}
	slot := 100 / float64(slots)
	for i, b := range bars {
		v := sane(b.Value)
		h := room * min(v/highest, 1)
		if v > 0 {
			h = max(h, 2)
		}
		if b.Unknown {
			h = 0
		}
		c.Bars = append(c.Bars, Bar{
			X: slot * (float64(i) + 0.15), Width: slot * 0.7, Y: c.Floor - h, Height: h,
			Label: b.Label, Empty: h == 0, Unknown: b.Unknown,
		})
	}
	middle := func(i int) float64 { return slot * (float64(i) + 0.5) }
	for _, l := range lines {
		c.Lines = append(c.Lines, segments(l, middle, func(v float64) float64 { return c.Floor - room*min(sane(v)/highest, 1) }))
	}
	if o.Axes {
		c.Grid = []GridLine{{top, Short(highest)}, {top + room/2, Short(highest / 2)}, {c.Floor, "0"}}
		c.Labels = axisLabels(bars, middle)
	}
	return c
}

// scale is the top of a chart: what was asked for, or a round number above all values.
func scale(bars []Value, lines [][]float64, asked float64) float64 {
	if asked > 0 {
		return asked
	}
	highest := 0.0
	for i := range bars {
		highest = max(highest, sane(bars[i].Value))
	}
	for _, l := range lines {
		for _, v := range l {
			highest = max(highest, sane(v))
		}
	}
	return roundUp(highest)
}

// huge is more than anybody counts; nothing above it is drawn to scale.
const huge = 1e300

// sane is a value that can be drawn.
func sane(v float64) float64 {
	if math.IsNaN(v) || v < 0 {
		return 0
	}
	return min(v, huge)
}

// segments joins neighbours that both have a value.
func segments(line []float64, across func(int) float64, down func(float64) float64) []Segment {
	var out []Segment
	for i := 1; i < len(line); i++ {
		if !math.IsNaN(line[i-1]) && !math.IsNaN(line[i]) {
			out = append(out, Segment{across(i - 1), down(line[i-1]), across(i), down(line[i])})
		}
	}
	return out
}

// axisLabels names the first, a middle and the last bar.
func axisLabels(bars []Value, middle func(int) float64) []AxisLabel {
	last := len(bars) - 1
	if last < 0 {
		return nil
	}
	labels := []AxisLabel{{0, "start", bars[0].Axis}}
	if last >= 4 {
		labels = append(labels, AxisLabel{middle(last / 2), "middle", bars[last/2].Axis})
	}
	if last >= 1 {
		labels = append(labels, AxisLabel{100, "end", bars[last].Axis})
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

// Short writes a number in few characters: 950, 1.2k, 3M.
func Short(v float64) string {
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
