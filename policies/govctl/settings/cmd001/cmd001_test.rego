package govctl.settings.cmd001_test

import data.govctl.lib.expect_test
import data.govctl.settings.cmd001

test_findings[note] if {
	some note, c in cases
	expect_test.paths(cmd001.findings) == c.want with input as c.input
}

cases := {
	"fires: rights": {"input": {"settings": {"commandAllowlist": ["make", "sudo apt-get update"]}}, "want": {"/settings/commandAllowlist/1"}},
	"fires: a download": {"input": {"settings": {"commandAllowlist": ["/usr/bin/CURL *", "git fetch && wget x"]}}, "want": {"/settings/commandAllowlist/0", "/settings/commandAllowlist/1"}},
	"fires: a shell behind assignments": {"input": {"settings": {"commandAllowlist": ["env A=1 bash *", "B=2 sh"]}}, "want": {"/settings/commandAllowlist/0", "/settings/commandAllowlist/1"}},
	"passes: tools": {"input": {"settings": {"commandAllowlist": ["go test ./...", "git push", "make sh"]}}, "want": set()},
	"missing: no list": {"input": {"settings": {}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"commandAllowlist": "sudo"}}, "want": {"/settings/commandAllowlist"}},
	"wrong type: a list inside": {"input": {"settings": {"commandAllowlist": [["sudo"]]}}, "want": {"/settings/commandAllowlist/0"}},
}
