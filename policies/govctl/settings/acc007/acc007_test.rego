package govctl.settings.acc007_test

import data.govctl.lib.expect_test
import data.govctl.settings.acc007

test_findings[note] if {
	some note, c in cases
	expect_test.paths(acc007.findings) == c.want with input as c.input
}

cases := {
	"fires: open": {"input": {"settings": {"missionPolicy": {"restrictedAccess": false}}}, "want": {"/settings/missionPolicy/restrictedAccess"}},
	"fires: an unknown id": {"input": {"settings": {"missionPolicy": {"restrictedAccess": true, "allowedUserIds": ["u1", "u2"]}}, "members": {"complete": true, "emails": [], "ids": ["u1"]}}, "want": {"/settings/missionPolicy/allowedUserIds/1"}},
	"passes: restricted": {"input": {"settings": {"missionPolicy": {"restrictedAccess": true, "allowedUserIds": ["u2"]}}}, "want": set()},
	"missing: no switch": {"input": {"settings": {"missionPolicy": {}}}, "want": set()},
	"wrong type: texts": {"input": {"settings": {"missionPolicy": {"restrictedAccess": "true", "allowedUserIds": "u1"}}}, "want": {"/settings/missionPolicy/allowedUserIds", "/settings/missionPolicy/restrictedAccess"}},
}
