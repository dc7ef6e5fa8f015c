package govctl.lib.paths_test

import data.govctl.lib.paths

test_clean[note] if {
	some note, c in {
		"root": {"path": "/", "want": "/"},
		"root with a wildcard": {"path": "/**", "want": "/"},
		"slash": {"path": "/etc/", "want": "/etc"},
		"wildcard": {"path": "/etc/**/*", "want": "/etc"},
		"home": {"path": " $HOME/x", "want": "~/x"},
		"home in braces": {"path": "${HOME}", "want": "~"},
	}
	paths.clean(c.path) == c.want
}

test_within[note] if {
	some note, c in {
		"equal": {"path": "~/.ssh", "directory": "~/.ssh/"},
		"below": {"path": "~/.ssh/id", "directory": "~"},
		"below the root": {"path": "/etc", "directory": "/"},
	}
	paths.within(c.path, c.directory)
}

test_not_within[note] if {
	some note, c in {
		"beside": {"path": "/tmp/xy", "directory": "/tmp/x"},
		"above": {"path": "/tmp", "directory": "/tmp/x"},
	}
	not paths.within(c.path, c.directory)
}

test_all_clean if paths.all_clean(["./src", "/etc/passwd", "~/.ssh"])

test_not_all_clean[note] if {
	some note, path in {
		"slash": "/etc/",
		"root": "/",
		"wildcard": "/etc/*",
		"space": " /etc",
		"variable": "$HOME/x",
		"nothing": "",
		"two in one": "/etc/\u0000x",
		"number": 7,
	}
	not paths.all_clean(["./src", path])
}

test_lineage[note] if {
	some note, c in {
		"absolute": {"path": "/a/b/", "want": {"/", "/a", "/a/b"}},
		"home": {"path": "$HOME/x", "want": {"~", "~/x"}},
		"relative": {"path": "./x", "want": {".", "./x"}},
		"root": {"path": "/", "want": {"/"}},
	}
	paths.lineage(c.path) == c.want
}

test_cleaned[note] if {
	some note, c in {
		"clean": {"value": ["./src", "~"], "want": ["./src", "~"]},
		"others": {"value": ["/etc/", 7, "$HOME/x"], "want": ["/etc", 7, "~/x"]},
		"no list": {"value": "/", "want": []},
	}
	paths.cleaned(c.value) == c.want
}

test_inside[note] if {
	some note, c in {
		"beside": {"written": ["/tmp/xy"], "directories": ["/tmp/x"], "want": {}},
		"equal and below": {"written": ["/tmp/x", "./src", "/tmp/x/y"], "directories": ["/tmp/x"], "want": {0: {"/tmp/x"}, 2: {"/tmp/x"}}},
		"two directories": {"written": ["$HOME/.ssh/id"], "directories": ["~/.ssh", "~/"], "want": {0: {"~", "~/.ssh"}}},
		"the root": {"written": ["/etc"], "directories": ["/"], "want": {0: {"/"}}},
		"others than texts": {"written": [7, "/a/b"], "directories": ["/a", 7], "want": {1: {"/a"}}},
	}
	paths.inside(c.written, c.directories) == c.want
}

test_names if paths.names(["/run/docker.sock", " agent/ ", 7]) == ["docker.sock", "agent", 7]

test_uncovered[note] if {
	some note, c in {
		"covered": {"value": ["~/.ssh/", "~/.aws/**"], "want": set()},
		"above": {"value": ["$HOME"], "want": set()},
		"below": {"value": ["~/.ssh/id", "~/.aws"], "want": {"~/.ssh"}},
		"no list": {"value": "~", "want": {"~/.ssh", "~/.aws/x"}},
	}
	paths.uncovered(["~/.ssh", "~/.aws/x"], c.value) == c.want
}
