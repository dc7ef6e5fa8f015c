package govctl.settings.sbx006_test

import data.govctl.lib.expect_test
import data.govctl.settings.sbx006

test_findings[note] if {
	some note, c in cases
	expect_test.paths(sbx006.findings) == c.want with input as c.input
}

cases := {
	"fires: the root": {"input": {"settings": {"sandbox": {"filesystem": {"allowWrite": ["./", "/"]}}}}, "want": {"/settings/sandbox/filesystem/allowWrite/1"}},
	"fires: the home directory": {"input": {"settings": {"sandbox": {"filesystem": {"allowWrite": ["~/", "/etc/**"]}}}}, "want": {"/settings/sandbox/filesystem/allowWrite/0", "/settings/sandbox/filesystem/allowWrite/1"}},
	"fires: inside a denied path": {"input": {"settings": {"sandbox": {"filesystem": {"allowWrite": ["~/.ssh/known_hosts"], "denyWrite": ["~/.ssh"]}}}}, "want": {"/settings/sandbox/filesystem/allowWrite/0"}},
	"passes: an exception below": {"input": {"settings": {"sandbox": {"filesystem": {"allowWrite": ["./", "/tmp/x"], "denyWrite": ["./.git/hooks", "/tmp/xy"]}}}}, "want": set()},
	"passes: other directories": {"input": {"settings": {"sandbox": {"filesystem": {"allowWrite": ["./src"], "denyWrite": ["./.git"]}}}}, "want": set()},
	"missing: no lists": {"input": {"settings": {"sandbox": {}}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"sandbox": {"filesystem": {"allowWrite": "/", "denyWrite": [1]}}}}, "want": {"/settings/sandbox/filesystem/allowWrite", "/settings/sandbox/filesystem/denyWrite/0"}},
	"wrong type: a number inside": {"input": {"settings": {"sandbox": {"filesystem": {"allowWrite": [7], "denyWrite": [1]}}}}, "want": {"/settings/sandbox/filesystem/allowWrite/0", "/settings/sandbox/filesystem/denyWrite/0"}},
}
