# METADATA
# title: Members of the organization
# description: Answers who is unknown, only where the whole list was read.
package govctl.lib.members

import data.govctl.lib.emails

# METADATA
# description: >-
#   Those of the addresses that certainly belong to no member; an incomplete list never says so. The
#   list holds folded addresses.
strangers(members, addresses) := {address |
	members.complete == true
	known := {e | some e in members.emails}
	some address in addresses
	not address in known # most are there as they stand, and folding is slow
	not emails.folded(address) in known
}

# METADATA
# description: Those of the ids that certainly belong to no member; an incomplete list never says so.
unknown_ids(members, ids) := {id |
	members.complete == true
	known := {k | some k in members.ids}
	some id in ids
	not id in known
}
