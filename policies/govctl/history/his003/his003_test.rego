package govctl.history.his003_test

import data.govctl.history.his003
import data.govctl.lib.expect_test

test_findings[note] if {
	some note, c in cases
	expect_test.paths(his003.findings) == c.want with input as c.input
}

cases := {
	"fires: new and unknown": {"input": {"from": {"settings": {}}, "to": {"settings": {"a/b": 1, "ideAutoConnect": true}}}, "want": {"/to/settings/a~1b"}},
	"fires: vanished": {"input": {"from": {"settings": {"sandbox": {}, "x": 1}}, "to": {"settings": {}}}, "want": {"/from/settings/sandbox"}},
	"fires: another type": {"input": {"from": {"settings": {"sandbox": {}, "x": 1}}, "to": {"settings": {"sandbox": true, "x": "1"}}}, "want": {"/to/settings/sandbox", "/to/settings/x"}},
	"passes: the same form": {"input": {"from": {"settings": {"sandbox": {}, "x": 1}}, "to": {"settings": {"sandbox": {"enabled": true}, "x": 2, "sessionRetentionDays": 30}}}, "want": set()},
	"passes: wrong before as well": {"input": {"from": {"settings": {"sandbox": true}}, "to": {"settings": {"sandbox": false}}}, "want": set()},
	"missing: nothing before": {"input": {"to": {"settings": {"x": 1}}}, "want": set()},
	"wrong type: a list": {"input": {"from": {"settings": {}}, "to": {"settings": ["x"]}}, "want": {"/to/settings"}},
	"wrong type: lists": {"input": {"from": {"settings": 7}, "to": {"settings": {"x": 1}}}, "want": {"/from/settings", "/to/settings/x"}},
	"wrong type: a known property is null": {"input": {"from": {"settings": {}}, "to": {"settings": {"sandbox": null}}}, "want": {"/to/settings/sandbox"}},
}
