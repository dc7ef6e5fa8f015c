package plot

import (
	"math"
	"testing"
)

func TestRoundUp(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]float64{
		0: 2, 0.4: 2, 2: 2, 3: 4, 7: 8, 9: 10, 11: 20, 41: 50, 55: 60, 99: 100, 101: 200, 1_870_000: 2_000_000, 4_100_000: 5_000_000,
	} {
		if got := roundUp(in); got != want {
			t.Errorf("%g: %g, want %g", in, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for in, want := range map[float64]string{0: "0", 1: "1", 950: "950", 1000: "1k", 1200: "1.2k", 2_500_000: "2.5M", 3e9: "3G"} {
		if got := Short(in); got != want {
			t.Errorf("%g: %s, want %s", in, got, want)
		}
	}
}

// TestChartStaysInside: whatever the values are, nothing is drawn outside.
func TestChartStaysInside(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, values := range [][]float64{nil, {0}, {1}, {0, 0, 0}, {5, 0, 1e12}, {0.001, 3}, {nan, 1, nan}, {-3, math.Inf(1), 1e308}, make([]float64, 400)} {
		var bars []Value
		for _, v := range values {
			bars = append(bars, Value{Axis: "x", Value: v})
		}
		c := Draw(bars, [][]float64{values}, Options{Height: 200, Axes: true})
		if len(c.Bars) != len(values) {
			t.Errorf("%v: %d bars", values, len(c.Bars))
		}
		for _, b := range c.Bars {
			if b.X < 0 || b.X+b.Width > 100.001 || b.Y < topRoom-0.001 || math.Abs(b.Y+b.Height-c.Floor) > 0.001 || math.IsNaN(b.Y) || b.Empty != (b.Height == 0) {
				t.Errorf("%v: %+v", values, b)
			}
		}
		for _, s := range c.Lines[0] {
			if s.X1 < 0 || s.X2 > 100 || s.X1 >= s.X2 || min(s.Y1, s.Y2) < topRoom-0.001 || max(s.Y1, s.Y2) > c.Floor {
				t.Errorf("%v: %+v", values, s)
			}
		}
	}
}

// TestUnknown: a value that is not known is neither a bar nor a part of a line.
func TestUnknown(t *testing.T) {
	t.Parallel()
	c := Draw([]Value{{Value: 1}, {Value: 9, Unknown: true}, {Value: 1}}, [][]float64{{1, math.NaN(), 2, 3}}, Options{Height: 100})
	if b := c.Bars[1]; !b.Unknown || !b.Empty || b.Height != 0 {
		t.Errorf("%+v", b)
	}
	if n := len(c.Lines[0]); n != 1 {
		t.Errorf("%d pieces of a line with one known pair", n)
	}
}
