# METADATA
# title: "The newest report was made like the one before"
# description: >-
#   Another model, or less effort, gives other shares for the same code.
# scope: package
# schemas:
#   - input: schema.readiness
package govctl.readiness.rdy008

import data.govctl.lib.fields
import data.govctl.lib.params
import data.govctl.lib.pointer
import data.govctl.lib.reports
import data.govctl.lib.say

# METADATA
# title: "The newest report was made like the one before"
# description: >-
#   Fires when the model of the newest report is not in the parameter readiness_models, where it is set,
#   its reasoning effort is low, off or not given, or one of the two differs from the report before.
# scope: document
# custom:
#   id: RDY008
#   severity: low
#   input: readiness
#   default: false
#   remediation: Evaluate with the same model and effort each time.
#   requires:
#     - /reports/0
#     - /repository
#   tags:
#     - readiness
#     - comparable
#   since: "0.1"
findings contains {
	"path": pointer.of(["reports", newest.index, "modelUsed"]),
	"message": sprintf("the newest report was made with %v", [reason]),
} if {
	newest := reports.newest(input.repository, input.reports)
	reason := _reason(newest.report)
}

findings contains {
	"path": pointer.of(["reports", newest.index, "modelUsed"]),
	"message": sprintf(
		"the newest report was made with another %v than the one before",
		[concat(" and ", sort(changed))],
	),
} if {
	newest := reports.newest(input.repository, input.reports)
	before := reports.before(newest, input.reports)
	changed := {words |
		some name, words in {"id": "model", "reasoningEffort": "effort"}
		fields.of(newest.report, ["modelUsed", name], null) != fields.of(before.report, ["modelUsed", name], null)
	}
	count(changed) > 0
}

_reason(report) := "no model that it names" if not _names_model(report)

else := sprintf("the model %v, which is not in readiness_models", [say.value(report.modelUsed.id)]) if {
	count(params.value("readiness_models")) > 0
	not report.modelUsed.id in params.value("readiness_models")
}

else := sprintf("the effort %v", [say.value(effort)]) if {
	effort := fields.of(report.modelUsed, "reasoningEffort", null)
	not effort in {"medium", "high"}
}

_names_model(report) if is_string(report.modelUsed.id)
