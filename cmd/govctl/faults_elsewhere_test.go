package main

// elsewhere are the numbers with a client side that have no scenario, and why.
var elsewhere = map[string]excuse{
	// Readiness: a list of reports is read whole, whatever its order.
	"U22": {test: "internal/client TestReports"}, "U24": {test: "internal/client TestReportsBeginAgain"},
	// Hooks run beside the agent, which must not notice.
	"T46": {test: "internal/hooks TestRenderReadsBack"}, "T47": {test: "cmd/govctl TestHooksNeverHoldUp"},
	"T48": {test: "internal/hooks TestFaults"},
	// What one snapshot of settings became in another.
	"T27": {test: "internal/policy TestRenamed"}, "T32": {test: "internal/drift TestDiff"},
	// The ledger's own file.
	"T54": {test: "internal/ledger TestFileModes"},
}
