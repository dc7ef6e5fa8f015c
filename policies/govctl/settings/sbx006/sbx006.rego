# METADATA
# title: "The sandbox cannot write where it must not"
# description: >-
#   A writable home or system directory lets a command change what runs next outside the sandbox.
# scope: package
# schemas:
#   - input: schema.settings
package govctl.settings.sbx006

import data.govctl.lib.lists
import data.govctl.lib.params
import data.govctl.lib.paths
import data.govctl.lib.pointer
import data.govctl.lib.say

# METADATA
# title: "The sandbox cannot write where it must not"
# description: >-
#   Fires for a writable path that is one of the parameter wide_write_paths, and for one that equals or
#   lies in a path of denyWrite, because the service does not say which of the two wins. A writable
#   directory around a denied path is the ordinary way to write an exception and does not fire.
# scope: document
# custom:
#   id: SBX006
#   severity: high
#   input: settings
#   default: true
#   remediation: Allow writing to the project directory and name further directories one by one.
#   requires:
#     - /settings/sandbox/filesystem/allowWrite
#   tags:
#     - sandbox
#     - files
#   since: "0.1"
findings contains {
	"path": pointer.of(["settings", "sandbox", "filesystem", "allowWrite", i]),
	"message": sprintf("the sandbox may write to %v, which holds what runs outside of it", [say.value(path)]),
} if {
	not _none_wide
	some i, path in input.settings.sandbox.filesystem.allowWrite
	paths.clean(path) in params.value("wide_write_paths")
}

findings contains {
	"path": pointer.of(["settings", "sandbox", "filesystem", "allowWrite", i]),
	"message": sprintf("writing to %v is allowed here and denied by %v", [say.value(path), say.value(denied)]),
} if {
	not _none_denied
	some i, path in input.settings.sandbox.filesystem.allowWrite
	some directory in paths.lineage(path)
	some denied in _denied[directory]
}

findings contains problem if {
	some name in ["allowWrite", "denyWrite"]
	some problem in lists.problems(
		input.settings.sandbox.filesystem[name],
		["settings", "sandbox", "filesystem", name],
	)
}

_denied[paths.clean(path)] contains path if some path in input.settings.sandbox.filesystem.denyWrite

# Most lists need no look at each of their entries.
_none_wide if {
	written := input.settings.sandbox.filesystem.allowWrite
	paths.all_clean(written)
	count({path | some path in written} & {path | some path in params.value("wide_write_paths")}) == 0
}

_none_denied if {
	written := input.settings.sandbox.filesystem.allowWrite
	denied := input.settings.sandbox.filesystem.denyWrite
	paths.all_clean(written)
	paths.all_clean(denied)
	not strings.any_prefix_match(written, denied)
}
