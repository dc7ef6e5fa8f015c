package main

// elsewhere are the numbers with a client side that have no scenario, and why.
var elsewhere = map[string]excuse{
	// Analytics: nothing asks for more than the organization's name yet.
	"U1": {command: "report"}, "U2": {command: "report"}, "U3": {command: "report"}, "U4": {command: "report"}, "U5": {command: "report"},
	"U7": {command: "report"}, "U8": {command: "report"}, "U15": {command: "report"}, "U19": {command: "report"}, "U21": {command: "report"},
	"T26": {command: "report"}, "T34": {command: "report"}, "T39": {command: "report"}, "T40": {command: "report"}, "T41": {command: "report"},
	"T42": {command: "report"}, "T43": {command: "report"}, "T44": {command: "report"}, "T45": {command: "report"},
	// Readiness: the client reads the reports, no command shows them yet.
	"U22": {test: "internal/client TestReports"}, "U24": {test: "internal/client TestReportsBeginAgain"},
	"U23": {command: "readiness"}, "U25": {command: "readiness"}, "U26": {command: "readiness"}, "U27": {command: "readiness"}, "U28": {command: "readiness"},
	"T49": {command: "readiness"}, "T50": {command: "readiness"}, "T51": {command: "readiness"}, "T52": {command: "readiness"},
	// Hooks run beside the agent and speak to nobody.
	"T46": {command: "hooks"}, "T47": {command: "hooks"}, "T48": {command: "hooks"},
	// What one snapshot of settings became in another.
	"T27": {test: "internal/policy TestRenamed"}, "T32": {test: "internal/drift TestDiff"},
	// The ledger's own file.
	"T54": {test: "internal/ledger TestFileModes"},
}
