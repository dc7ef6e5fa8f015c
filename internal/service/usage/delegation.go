package usage

// levels are the delegation levels of C108, strongest first: the order that decides ties
// (F60). The ratio is their key in tool_autonomy_level_ratio, written with an underscore;
// spec has none (C66, U18).
var levels = [...]struct{ name, ratio string }{
	{"auto-high", "auto_high"},
	{"auto-medium", "auto_medium"},
	{"auto-low", "auto_low"},
	{"spec", ""},
	{"manual", "manual"},
}

// unstated is the delegation level of a user of whom nothing is known (F60).
const unstated = "manual"

// levelOf returns the index of a delegation; ok is false for one that is not documented.
func levelOf(delegation string) (level int, ok bool) {
	for i := range levels {
		if levels[i].name == delegation {
			return i, true
		}
	}
	return 0, false
}

// delegation is the level of most tool calls, else that of the last session start that
// names one (F60).
func (u *user) delegation() string {
	most, calls := 0, int64(0)
	for i, n := range u.levels {
		if n > calls {
			most, calls = i, n
		}
	}
	switch {
	case calls > 0:
		return levels[most].name
	case u.lastLevel > 0:
		return levels[u.lastLevel-1].name
	default:
		return unstated
	}
}
