# METADATA
# title: "Events and matchers mean something"
# description: >-
#   A hook under a misspelt event never runs, and a matcher is read after the use of a tool only.
# scope: package
# schemas:
#   - input: schema.hooks
package govctl.hooks.hok006

import data.govctl.lib.hook_file
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "Events and matchers mean something"
# description: >-
#   Fires for an event that the service does not document, which a newer agent may know, and for a
#   matcher of another event than PostToolUse.
# scope: document
# custom:
#   id: HOK006
#   severity: low
#   input: hooks
#   default: true
#   remediation: Correct the name of the event, and leave out matchers of events that have no tool.
#   requires:
#     - /hooks
#   tags:
#     - hooks
#     - form
#   since: "0.1"
findings contains {
	"path": pointer.of(["hooks", event]),
	"message": sprintf("the event %v is not documented", [say.value(event)]),
} if {
	is_object(input.hooks)
	some event, groups in input.hooks
	not event in hook_file.events
	not _wrapped(event, groups)
}

findings contains {
	"path": pointer.of(["hooks", event, i, "matcher"]),
	"message": sprintf("%v has no tool to compare the matcher %v with", [event, say.value(group.matcher)]),
} if {
	some event in (hook_file.events - {"PostToolUse"})
	some i, group in input.hooks[event]
	not group.matcher in {"", "*"}
}

# HOK002 says that of a wrapped file.
_wrapped("hooks", events) if is_object(events)
