package config

import (
	"regexp"
	"strconv"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

var (
	durationText = regexp.MustCompile(`^([0-9]{1,9}[wdhms])+$`)
	durationPart = regexp.MustCompile(`([0-9]+)([wdhms])`)
)

// duration reads times like 30d, 12h, 2w, 1d12h. A day has 24 hours.
func (d *decoder) duration(a *hcl.Attribute) time.Duration {
	w, ok := d.string(a)
	if !ok {
		return 0
	}
	const day = 24 * 60 * 60
	units := map[string]int64{"w": 7 * day, "d": day, "h": 60 * 60, "m": 60, "s": 1}
	var seconds int64 // at most 9 digits of weeks: no overflow
	if durationText.MatchString(w.text) {
		for _, m := range durationPart.FindAllStringSubmatch(w.text, -1) {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			seconds = min(seconds+n*units[m[2]], 1<<40)
		}
	}
	if seconds <= 0 || seconds > 100*365*day {
		d.error(w.at, `write weeks, days or hours: "2w", "30d", "12h"`, "%s is not a length of time: %q", a.Name, w.text)
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// date reads a day like 2026-12-31.
func (d *decoder) date(w word, name string) (time.Time, bool) {
	t, err := time.Parse(time.DateOnly, w.text)
	if err != nil {
		d.error(w.at, "write year-month-day, as in 2026-12-31", "%s is not a day: %q", name, w.text)
	}
	return t, err == nil
}

// fraction reads a number from 0 to 1.
func (d *decoder) fraction(name string, at hcl.Range, v cty.Value) (float64, bool) {
	if v.IsNull() || v.Type() != cty.Number {
		d.error(at, "write a number from 0 to 1", "%s must be a number, not %s", name, kindOf(v))
		return 0, false
	}
	f, _ := v.AsBigFloat().Float64()
	if f < 0 || f > 1 {
		d.error(at, "write a number from 0 to 1", "%s is a share, from 0 to 1", name)
		return 0, false
	}
	return f, true
}
