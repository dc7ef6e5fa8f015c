package govctl.lib.members_test

import data.govctl.lib.members

all := {"complete": true, "emails": ["ada@acme.example"], "ids": ["u1"]}

some_of_them := object.union(all, {"complete": false})

test_strangers if members.strangers(all, ["eve@acme.example", "ADA@acme.example"]) == {"eve@acme.example"}

test_incomplete_list_knows_no_stranger if members.strangers(some_of_them, ["eve@acme.example"]) == set()

test_unknown_ids if members.unknown_ids(all, ["u1", "u2"]) == {"u2"}

test_incomplete_list_knows_no_unknown_id if members.unknown_ids(some_of_them, ["u2"]) == set()
