package govctl.settings.dat002_test

import data.govctl.lib.expect_test
import data.govctl.settings.dat002

test_findings[note] if {
	some note, c in cases
	expect_test.paths(dat002.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: on": {"input": {"settings": {"cloudSessionSync": true, "wikiCloudSync": false}}, "want": {"/settings/cloudSessionSync"}},
	"passes: off": {"input": {"settings": {"cloudSessionSync": false, "wikiCloudSync": false}}, "want": set()},
	"passes: permitted": {"input": {"settings": {"cloudSessionSync": false, "wikiCloudSync": true}}, "want": set(), "params": {"forbidden_cloud_sync": ["cloudSessionSync"]}},
	"missing: no switches": {"input": {"settings": {}}, "want": set()},
	"wrong type: a text": {"input": {"settings": {"cloudSessionSync": "off", "wikiCloudSync": 0}}, "want": {"/settings/cloudSessionSync", "/settings/wikiCloudSync"}},
}
