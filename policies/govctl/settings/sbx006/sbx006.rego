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
	"message": sprintf("the sandbox may write to %v, which holds what runs outside of it", [say.value(written[i])]),
} if {
	written := input.settings.sandbox.filesystem.allowWrite
	cleaned := paths.cleaned(written)
	wide := lists.common(cleaned, params.value("wide_write_paths"))
	count(wide) > 0
	some i, path in cleaned
	path in wide
}

findings contains {
	"path": pointer.of(["settings", "sandbox", "filesystem", "allowWrite", i]),
	"message": sprintf("writing to %v is allowed here and denied by %v", [say.value(written[i]), say.value(denied)]),
} if {
	written := input.settings.sandbox.filesystem.allowWrite
	some i, above in paths.inside(written, input.settings.sandbox.filesystem.denyWrite)
	some denied in above
}

findings contains problem if {
	some name in ["allowWrite", "denyWrite"]
	some problem in lists.problems(
		input.settings.sandbox.filesystem[name],
		["settings", "sandbox", "filesystem", name],
	)
}
