package govctl.lib.commands_test

import data.govctl.lib.commands

test_programs[note] if {
	some note, c in {
		"one": {"command": "go test ./...", "want": {"go"}},
		"path": {"command": "/usr/bin/Curl -s x", "want": {"curl"}},
		"pipe": {"command": "curl x | sudo sh", "want": {"curl", "sudo"}},
		"assignments": {"command": "A=1 env B=2 bash -c x", "want": {"bash"}},
		"substitution": {"command": "echo $(wget x) `nc y`", "want": {"echo", "wget", "nc"}},
		"quoted": {"command": `"bash" x`, "want": {"bash"}},
		"empty": {"command": " ", "want": set()},
	}
	commands.programs(c.command) == c.want
}

test_parts if commands.parts("cd x && npm  run y") == {["cd", "x"], ["npm", "run", "y"]}
