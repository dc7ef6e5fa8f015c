package govctl.settings.sbx008_test

import data.govctl.lib.expect_test
import data.govctl.settings.sbx008

test_findings[note] if {
	some note, c in cases
	expect_test.paths(sbx008.findings) == c.want with input as c.input
}

cases := {
	"fires: too high": {"input": {"settings": {"sandbox": {"network": {"httpProxyPort": 65536, "socksProxyPort": 0.5}}}}, "want": {"/settings/sandbox/network/httpProxyPort", "/settings/sandbox/network/socksProxyPort"}},
	"fires: equal": {"input": {"settings": {"sandbox": {"network": {"httpProxyPort": 3128, "socksProxyPort": 3128}}}}, "want": {"/settings/sandbox/network/socksProxyPort"}},
	"passes: two ports": {"input": {"settings": {"sandbox": {"network": {"httpProxyPort": 3128, "socksProxyPort": 1080}}}}, "want": set()},
	"missing: no ports": {"input": {"settings": {"sandbox": {"network": {}}}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"sandbox": {"network": {"httpProxyPort": "3128"}}}}, "want": {"/settings/sandbox/network/httpProxyPort"}},
}
