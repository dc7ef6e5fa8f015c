# METADATA
# title: The shipped rules for conftest
# description: >-
#   deny and warn of the rules that are on by default, by their severity, for a document as the rules see
#   it: {"settings": ...}, {"from": ..., "to": ...} and so on. What cannot be judged is a warning, because
#   conftest has no other word for it. Who changed what, waivers, severities of one's own and places in
#   files are govctl's.
# scope: package
package main

_denied := {"critical", "high"}

deny contains found if {
	some found in _found
	found.severity in _denied
}

warn contains found if {
	some found in _found
	not found.severity in _denied
}

warn contains {
	"msg": sprintf("%s cannot be judged: the document has no %s", [upper(id), missing]),
	"id": upper(id),
	"severity": rule.severity,
} if {
	some id, rule in _rules[_kind]
	some missing in _missing[id]
}

warn contains {"msg": "nothing was judged: no shipped rule is for such a document"} if not _kind

_found contains {
	"msg": sprintf("%s %s: %s", [upper(id), finding.path, finding.message]),
	"id": upper(id),
	"severity": rule.severity,
	"path": finding.path,
} if {
	some id, rule in _rules[_kind]
	count(_missing[id]) == 0
	some finding in data.govctl[_kind][id].findings
}

# What a rule needs and the document does not have.
_missing[id] := {sprintf("/%s", [concat("/", [sprintf("%v", [name]) | some name in path])]) |
	some path in rule.requires
	not _has(path)
} if {
	some id, rule in _rules[_kind]
}

_has(path) if {
	walked := object.get(input, path, _nothing)
	walked != _nothing
}

_nothing := {"nothing": "is there"}

# The kind of the document, by what only it has.
_kind := "plan" if {
	_has(["plan"])
} else := "readiness" if {
	_has(["repository"])
} else := "history" if {
	_has(["to"])
} else := "usage" if {
	_has(["window"])
} else := "computers" if {
	_has(["computers"])
} else := "hooks" if {
	_has(["hooks"])
} else := "settings" if {
	_has(["settings"])
}
