package service

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

func boundedInt(value string, from, to int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < from || n > to {
		return 0, fmt.Errorf("must be a number from %d to %d", from, to)
	}
	return n, nil
}

func positiveTime(value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 {
		return 0, errors.New("must be a duration such as 200ms or 5s")
	}
	return d, nil
}

func properShare(value string) (float64, error) {
	f, err := strconv.ParseFloat(value, 64)
	if err != nil || !(f > 0 && f < 1) {
		return 0, errors.New("must be between 0 and 1, as 0.5")
	}
	return f, nil
}

// speed reads bytes per second: 1KB/s is 1000.
func bytesPerSecond(value string) (int, error) {
	text := strings.TrimSuffix(value, "/s")
	unit := 1
	for suffix, size := range map[string]int{"KB": 1e3, "MB": 1e6} {
		if number, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = number, size
		}
	}
	n, err := strconv.Atoi(strings.TrimSuffix(text, "B"))
	if err != nil || n < 1 || n > 1e6 {
		return 0, errors.New("must be a speed such as 500B/s or 1KB/s")
	}
	return n * unit, nil
}
