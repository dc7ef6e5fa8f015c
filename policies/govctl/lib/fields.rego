# METADATA
# title: Fields
# description: Reads fields of values that may be of any type.
package govctl.lib.fields

# METADATA
# description: >-
#   The value at a name, or at a list of names, inside an object, or else what is given. Unlike
#   object.get it takes a value of any type, because a foreign document may hold one anywhere.
of(value, path, missing) := object.get(value, path, missing) if is_object(value)

of(value, _, missing) := missing if not is_object(value)
