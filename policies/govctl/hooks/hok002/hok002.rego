# METADATA
# title: "Every hook can fire"
# description: >-
#   A hook in another form never runs, and nobody notices.
# scope: package
# schemas:
#   - input: schema.hooks
package govctl.hooks.hok002

import data.govctl.lib.fields
import data.govctl.lib.hook_file
import data.govctl.lib.say

# METADATA
# title: "Every hook can fire"
# description: >-
#   Fires for a file that is wrapped in a hooks key, for what is not a list of objects with a list of
#   hooks, and for a hook whose type is not command or whose command is empty.
# scope: document
# custom:
#   id: HOK002
#   severity: medium
#   input: hooks
#   default: true
#   remediation: >-
#     Correct the form. A file whose only key is hooks is wrapped; the service documents the bare form.
#   requires:
#     - /hooks
#   tags:
#     - hooks
#     - form
#   since: "0.1"
findings contains {
	"path": "/hooks/hooks",
	"message": "the file is wrapped in a hooks key, and the bare form is documented",
} if {
	some key, events in input.hooks
	key == "hooks"
	is_object(events)
}

findings contains {
	"path": hook.path,
	"message": sprintf("the hook has the type %v, and only command is documented", [say.value(type)]),
} if {
	some hook in hook_file.items(input.hooks)
	type := fields.of(hook.item, "type", null)
	type != "command"
}

findings contains {
	"path": hook.path,
	"message": "the hook has no command, so nothing runs",
} if {
	some hook in hook_file.items(input.hooks)
	fields.of(hook.item, "command", "") in {"", null}
}

findings contains problem if some problem in hook_file.problems(input.hooks)
