# METADATA
# title: Sessions are kept long enough
# schemas:
#   - input: schema.settings
# custom:
#   id: RET001
#   severity: low
#   input: settings
#   default: false
#   remediation: Raise the retention.
package govctl.settings.ret001

findings contains {"path": "/settings/sessionRetentionDays", "message": message} if {
	input.settings.sessionRetentionDays < data.params.min_retention_days
	message := sprintf("%d days", [input.settings.sessionRetentionDays])
}
