package main_test

import data.main

_denying := {"settings": {"sandbox": {"enabled": false}, "customModels": [], "sessionRetentionDays": 1}}

test_severe_findings_deny if {
	found := {f.id: f | some f in main.deny} with input as _denying
	found.SBX001 == {
		"msg": "SBX001 /settings/sandbox/enabled: sandbox.enabled is false, so commands of the agent run unconfined",
		"id": "SBX001",
		"severity": "critical",
		"path": "/settings/sandbox/enabled",
	}
	not "DAT001" in object.keys(found)
}

test_other_findings_warn if {
	some f in main.warn with input as _denying
	f.id == "DAT001"
	f.path == "/settings/sessionRetentionDays"
}

test_what_cannot_be_judged_warns if {
	some f in main.warn with input as _denying
	f == {
		"msg": "MDL006 cannot be judged: the document has no /settings/modelPolicy",
		"id": "MDL006",
		"severity": "medium",
	}
}

test_a_rule_that_cannot_be_judged_finds_nothing if {
	found := {f.id | some f in main.deny} with input as {"settings": {"commandAllowlist": [], "sandbox": 1}}
	not "SBX003" in found
}

# Rules that are off by default find nothing.
test_off_by_default if {
	found := main.deny | main.warn with input as {"settings": {"restrictMemberDirectory": false, "customModels": []}}
	every f in found {
		f.id != "ACC002"
	}
}

test_nothing_judged[name] if {
	some name, document in {"empty": {}, "a list": [1], "null": null, "bare": {"sandbox": {"enabled": false}}}
	said := main.warn with input as document
	said == {{"msg": "nothing was judged: no shipped rule is for such a document"}}
	denied := main.deny with input as document
	count(denied) == 0
}

test_kinds[kind] if {
	some kind, document in {
		"plan": {"plan": {}},
		"readiness": {"repository": {}, "reports": []},
		"history": {"from": {}, "to": {}},
		"usage": {"window": {}, "settings": {}},
		"computers": {"computers": [], "settings": {}},
		"hooks": {"hooks": {}},
		"settings": {"settings": {}},
	}
	judged := main._kind with input as document
	judged == kind
}
