package render

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/govctl/govctl/internal/plot"
)

// chartHeight is the height of a chart in pixels.
const chartHeight = 190

// usageChart is a chart with words for those who do not see it, and its numbers as a table.
type usageChart struct {
	ID, Title, Desc string
	plot.Chart
	Hits  []hit    // where the pointer finds the numbers
	Names []string // classes of the lines, in order
	Key   []htmlTag
	Table usageTable
}

// hit is a slot of a chart from top to bottom.
type hit struct {
	X, Width float64
	Text     string
}

// usageTable is a table; on a narrow screen its less important columns are left out.
type usageTable struct {
	Caption string
	Head    []usageHead
	Rows    [][]usageCell
	Rest    [][]usageCell // below a fold
	RestOf  string
	More    string // said below: what is in neither
}

type usageHead struct {
	Text  string
	Class string // n: numbers; w: not on a narrow screen
}

type usageCell struct {
	Text  string
	Sub   string // a smaller line below
	Tag   string // a word in a pill
	Tone  string // of the tag
	Code  bool
	Bar   string // width of a bar in hundredths, "" for none
	Spark *usageChart
}

func textCell(s string) usageCell { return usageCell{Text: s} }

// barOf is the width of a bar for a share of 1.
func barOf(share *float64) string {
	if share == nil {
		return ""
	}
	return px(100 * min(max(*share, 0), 1))
}

// head makes columns of names: a leading # marks numbers, a leading ~ what narrow screens
// leave out.
func head(names ...string) []usageHead {
	var out []usageHead
	for _, n := range names {
		h := usageHead{Text: n}
		for h.Text != "" && strings.ContainsRune("#~", rune(h.Text[0])) {
			h.Class = strings.TrimSpace(h.Class + " " + map[byte]string{'#': "n", '~': "w"}[h.Text[0]])
			h.Text = h.Text[1:]
		}
		out = append(out, h)
	}
	return out
}

// Class is the class of column i.
func (t usageTable) Class(i int) string {
	if i < len(t.Head) {
		return t.Head[i].Class
	}
	return ""
}

// newUsageChart draws bars and lines over the days of a report.
func newUsageChart(id, title, desc string, bars []plot.Value, lines [][]float64, names []string) *usageChart {
	c := &usageChart{ID: id, Title: title, Desc: desc, Names: names}
	c.Chart = plot.Draw(bars, lines, plot.Options{Height: chartHeight, Axes: true, Summary: title})
	slot := 100 / float64(max(len(bars), 1))
	for i, b := range bars {
		c.Hits = append(c.Hits, hit{slot * float64(i), slot, b.Label})
	}
	return c
}

// LineClass is the class of line i.
func (c *usageChart) LineClass(i int) string {
	if i < len(c.Names) {
		return c.Names[i]
	}
	return ""
}

// dayNames are a day for the pointer and for the axis; a date that is none stays as it is.
func dayNames(date string) (whole, short string) {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return Clean(date), Clean(date)
	}
	return t.Format("Mon 2006-01-02"), t.Format("2 Jan")
}

// dayValue is the bar of a day; no value is not 0.
func dayValue(date string, v *float64, words string) plot.Value {
	whole, short := dayNames(date)
	if v == nil {
		return plot.Value{Label: whole + ": not reported", Axis: short, Unknown: true}
	}
	return plot.Value{Label: whole + ": " + words, Axis: short, Value: *v}
}

// shortAmount is a number in few characters.
func shortAmount(f float64) string { return plot.Short(f) }

func shortKnown(f *float64) string {
	if f == nil {
		return none
	}
	return shortAmount(*f)
}

// spanOf says the least and the most of a series.
func spanOf(values []plot.Value) string {
	least, most, n, missing := 0.0, 0.0, 0, 0
	var mostAt string
	for _, v := range values {
		if v.Unknown {
			missing++
			continue
		}
		if n == 0 || v.Value < least {
			least = v.Value
		}
		if n == 0 || v.Value > most {
			most, mostAt = v.Value, v.Axis
		}
		n++
	}
	if n == 0 {
		return "No day was reported."
	}
	out := fmt.Sprintf("From %s to %s over %s, the most on %s.", amount(least), amount(most), count(n, "day"), cmp.Or(mostAt, "no day"))
	if missing > 0 {
		out += " " + count(missing, "day") + " not reported."
	}
	return out
}
