package govctl.settings.sbx001_test

import data.govctl.settings.sbx001

test_off if {
	count(sbx001.findings) == 1 with input as {"settings": {"sandbox": {"enabled": false}}}
}

test_on if {
	count(sbx001.findings) == 0 with input as {"settings": {"sandbox": {"enabled": true}}}
}
