package govctl.settings.sbx007_test

import data.govctl.lib.expect_test
import data.govctl.settings.sbx007

test_findings[note] if {
	some note, c in cases
	expect_test.paths(sbx007.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: one is missing": {"input": {"settings": {"sandbox": {"filesystem": {"denyRead": ["~/.ssh"]}}}}, "want": {"/settings/sandbox/filesystem/denyRead"}, "params": {"required_deny_read": ["~/.ssh", "~/.aws"]}},
	"fires: none is there": {"input": {"settings": {"sandbox": {"filesystem": {"denyRead": []}}}}, "want": {"/settings/sandbox/filesystem/denyRead"}},
	"passes: all are there": {"input": {"settings": {"sandbox": {"filesystem": {"denyRead": ["~/.ssh/", "~/.aws/**"]}}}}, "want": set(), "params": {"required_deny_read": ["~/.ssh", "~/.aws/credentials"]}},
	"passes: the home directory": {"input": {"settings": {"sandbox": {"filesystem": {"denyRead": ["~"]}}}}, "want": set()},
	"missing: no list": {"input": {"settings": {"sandbox": {"filesystem": {}}}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"sandbox": {"filesystem": {"denyRead": "~"}}}}, "want": {"/settings/sandbox/filesystem/denyRead"}},
	"wrong type: a number inside": {"input": {"settings": {"sandbox": {"filesystem": {"denyRead": ["~", 7]}}}}, "want": {"/settings/sandbox/filesystem/denyRead/1"}},
}
