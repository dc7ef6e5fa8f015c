# METADATA
# title: Parameters
# description: The only reader of `data.params`; `data.yaml` documents the defaults.
package govctl.lib.params

# METADATA
# description: The value of a parameter, undefined when nobody gave one.
value(name) := data.params[name]
