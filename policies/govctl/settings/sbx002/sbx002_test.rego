package govctl.settings.sbx002_test

import data.govctl.lib.expect_test
import data.govctl.settings.sbx002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(sbx002.findings) == c.want with input as c.input
}

cases := {
	"fires: everything": {"input": {"settings": {"sandbox": {"network": {"allowedDomains": ["git.example.com", "*"]}}}}, "want": {"/settings/sandbox/network/allowedDomains/1"}},
	"fires: a whole top-level domain": {"input": {"settings": {"sandbox": {"network": {"allowedDomains": ["*.com", "COM", ".io"]}}}}, "want": {"/settings/sandbox/network/allowedDomains/0", "/settings/sandbox/network/allowedDomains/1", "/settings/sandbox/network/allowedDomains/2"}},
	"fires: a wildcard inside a label": {"input": {"settings": {"sandbox": {"network": {"allowedDomains": ["*example.com"]}}}}, "want": {"/settings/sandbox/network/allowedDomains/0"}},
	"fires: a paste service": {"input": {"settings": {"sandbox": {"network": {"allowedDomains": ["https://Pastebin.com/raw", "*.ngrok.io"]}}}}, "want": {"/settings/sandbox/network/allowedDomains/0", "/settings/sandbox/network/allowedDomains/1"}},
	"passes: named hosts": {"input": {"settings": {"sandbox": {"network": {"allowedDomains": ["git.example.com", "*.acme.example", "localhost", "notpastebin.com"]}}}}, "want": set()},
	"passes: ordinary names": {"input": {"settings": {"sandbox": {"network": {"allowedDomains": ["git.example.com", "*.acme.example"]}}}}, "want": set()},
	"fires: a paste service among ordinary names": {"input": {"settings": {"sandbox": {"network": {"allowedDomains": ["git.example.com", "x.pastebin.com"]}}}}, "want": {"/settings/sandbox/network/allowedDomains/1"}},
	"missing: no list": {"input": {"settings": {"sandbox": {"network": {}}}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"sandbox": {"network": {"allowedDomains": "*"}}}}, "want": {"/settings/sandbox/network/allowedDomains"}},
	"wrong type: a number inside": {"input": {"settings": {"sandbox": {"network": {"allowedDomains": [7]}}}}, "want": {"/settings/sandbox/network/allowedDomains/0"}},
}
