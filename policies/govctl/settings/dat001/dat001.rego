# METADATA
# title: "Sessions are kept long enough and not for ever"
# description: >-
#   Sessions hold code and conversations; an audit needs them for a while, and a leak feeds on them for
#   ever.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.dat001

import data.govctl.lib.params
import data.govctl.lib.say

# METADATA
# title: "Sessions are kept long enough and not for ever"
# description: >-
#   Fires when sessionRetentionDays is not a whole number from the parameter retention_min_days to
#   retention_max_days. An absent value is indeterminate, because the service does not say how long it
#   then keeps sessions.
# scope: document
# custom:
#   id: DAT001
#   severity: medium
#   input: settings
#   default: true
#   remediation: Set sessionRetentionDays to what your retention policy says.
#   requires:
#     - /settings/sessionRetentionDays
#   tags:
#     - privacy
#   since: "0.1"
findings contains {
	"path": "/settings/sessionRetentionDays",
	"message": sprintf(
		"sessionRetentionDays is %v, not a whole number from %v to %v",
		[say.value(days), least, most],
	),
} if {
	days := input.settings.sessionRetentionDays
	least := params.value("retention_min_days")
	most := params.value("retention_max_days")
	not _between(days, least, most)
}

_between(days, least, most) if {
	is_number(days)
	days == floor(days)
	days >= least
	days <= most
}
