# METADATA
# title: The hooks file
# description: Reads hooks.json, an object of events whose values are lists of groups of hooks.
package govctl.lib.hook_file

import data.govctl.lib.fields
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# description: The documented events.
events := {"Notification", "Stop", "SubagentStop", "SessionEnd", "PostToolUse"}

# METADATA
# description: Every hook that is an object, with its event and its path.
items(file) := {{"event": event, "path": pointer.of(["hooks", event, i, "hooks", j]), "item": item} |
	is_object(file)
	some event, groups in file
	some i, group in groups
	some j, item in group.hooks
	is_object(item)
}

# METADATA
# description: Findings for what is not of the documented form.
problems(file) := {_problem(["hooks"], "the file", file, "an object")} if not is_object(file)

problems(file) := (_lists(file) | _groups(file)) | _items(file) if is_object(file)

_lists(file) := {_problem(["hooks", event], "the event", groups, "a list") |
	some event, groups in file
	event in events
	not is_array(groups)
}

_groups(file) := {_problem(["hooks", event, i], "the entry", group, "an object") |
	some event, groups in file
	is_array(groups)
	some i, group in groups
	not is_object(group)
}

_items(file) := {_problem(array.concat(["hooks", event, i, "hooks"], at), what, value, wanted) |
	some event, groups in file
	is_array(groups)
	some i, group in groups
	is_object(group)
	some [at, what, value, wanted] in _wrong(fields.of(group, "hooks", null))
}

_wrong(hooks) := {[[], "hooks", hooks, "a list"]} if not is_array(hooks)

_wrong(hooks) := {[[j], "the hook", hook, "an object"] | some j, hook in hooks; not is_object(hook)} if is_array(hooks)

_problem(at, what, value, wanted) := {
	"path": pointer.of(at),
	"message": sprintf("%v is %v, not %v, so nothing in it fires", [what, say.value(value), wanted]),
}
