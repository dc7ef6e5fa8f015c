# METADATA
# title: "Computers have an owner and are reached over TLS"
# description: >-
#   A machine of nobody is patched by nobody, and a relay without TLS shows every session on the way.
# scope: package
# schemas:
#   - input: schema.computers
package govctl.computers.cmp003

import data.govctl.lib.fields
import data.govctl.lib.pointer
import data.govctl.lib.say
import data.govctl.lib.urls

# METADATA
# title: "Computers have an owner and are reached over TLS"
# description: >-
#   Fires for a computer without ownerId, and for a relayClientUrl or relayAgentUrl that is neither
#   https nor wss. Only the host of a relay is shown, because such a URL may grant access. Whether an
#   owner still belongs to the organization is not judged, because the document holds no members.
# scope: document
# custom:
#   id: CMP003
#   severity: medium
#   input: computers
#   default: false
#   remediation: Give the machine an owner; have the relay serve TLS.
#   requires:
#     - /computers
#   tags:
#     - computers
#     - network
#   since: "0.1"
findings contains {
	"path": pointer.of(["computers", i]),
	"message": sprintf("computer %v has no owner", [say.value(fields.of(computer, "name", ""))]),
} if {
	some i, computer in input.computers
	is_object(computer)
	fields.of(computer, "ownerId", "") in {"", null}
}

findings contains {
	"path": pointer.of(["computers", i, name]),
	"message": sprintf(
		"%v of computer %v is %v, not a URL with TLS",
		[name, say.value(fields.of(computer, "name", "")), _shown(url)],
	),
} if {
	some i, computer in input.computers
	some name in ["relayClientUrl", "relayAgentUrl"]
	url := computer[name]
	not _safe(url)
}

findings contains {
	"path": "/computers",
	"message": sprintf("the computers are %v, not a list, so they cannot be judged", [say.value(computers)]),
} if {
	computers := input.computers
	not is_array(computers)
}

_safe(url) if urls.parts(url).scheme in {"https", "wss"}

_shown(url) := sprintf("%v on %v", [urls.parts(url).scheme, urls.parts(url).host])

_shown(url) := "no URL" if not urls.parts(url)
