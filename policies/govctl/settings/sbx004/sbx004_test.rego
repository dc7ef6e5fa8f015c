package govctl.settings.sbx004_test

import data.govctl.lib.expect_test
import data.govctl.settings.sbx004

test_findings[note] if {
	some note, c in cases
	expect_test.paths(sbx004.findings) == c.want with input as c.input
}

cases := {
	"fires: a container runtime": {"input": {"settings": {"sandbox": {"network": {"allowUnixSockets": ["/tmp/app.sock", "/var/run/docker.sock"]}}}}, "want": {"/settings/sandbox/network/allowUnixSockets/1"}},
	"fires: an agent": {"input": {"settings": {"sandbox": {"network": {"allowUnixSockets": ["/tmp/ssh-x1/agent.123", "$SSH_AUTH_SOCK"]}}}}, "want": {"/settings/sandbox/network/allowUnixSockets/0", "/settings/sandbox/network/allowUnixSockets/1"}},
	"fires: a wildcard": {"input": {"settings": {"sandbox": {"network": {"allowUnixSockets": ["/var/run/*"]}}}}, "want": {"/settings/sandbox/network/allowUnixSockets/0"}},
	"passes: another socket": {"input": {"settings": {"sandbox": {"network": {"allowUnixSockets": ["/tmp/app.sock"]}}}}, "want": set()},
	"missing: no list": {"input": {"settings": {"sandbox": {"network": {}}}}, "want": set()},
	"wrong type: null": {"input": {"settings": {"sandbox": {"network": {"allowUnixSockets": null}}}}, "want": {"/settings/sandbox/network/allowUnixSockets"}},
	"wrong type: a number inside": {"input": {"settings": {"sandbox": {"network": {"allowUnixSockets": [7]}}}}, "want": {"/settings/sandbox/network/allowUnixSockets/0"}},
}
