# METADATA
# title: Window of days
# description: Measures the days of usage that a document covers, both ends included.
package govctl.lib.window

import data.govctl.lib.instants

# METADATA
# description: The number of days of a window, undefined for what is none.
days(window) := n if {
	n := ((instants.day(window.to) - instants.day(window.from)) / instants.days(1)) + 1
	n >= 1
}

# METADATA
# description: A finding for a window that cannot be measured.
problems(window) := {{
	"path": "/window",
	"message": "the window has no days that can be counted, so usage in it cannot be judged",
} |
	not days(window)
}
