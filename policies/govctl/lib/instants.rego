# METADATA
# title: Points in time
# description: Reads times without the errors that built-in functions raise on foreign text.
package govctl.lib.instants

# METADATA
# description: Nanoseconds since 1970 of an RFC 3339 text, undefined for anything else.
nanos(text) := time.parse_rfc3339_ns(text) if {
	is_string(text)
	regex.match(`^.{10}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`, text)
	day(substring(text, 0, 10))
}

# METADATA
# description: Nanoseconds since 1970 at the start of a day written YYYY-MM-DD, undefined for anything else.
day(text) := start if {
	is_string(text)
	regex.match(`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`, text)
	[year, month, number] := split(text, "-")
	first := time.parse_rfc3339_ns(sprintf("%s-%s-01T00:00:00Z", [year, month]))
	start := time.add_date(first, 0, 0, to_number(trim_left(number, "0")) - 1)
	time.date(start)[1] == to_number(trim_left(month, "0"))
}

# METADATA
# description: The nanoseconds of so many minutes.
minutes(n) := (n * 60) * 1000000000

# METADATA
# description: The nanoseconds of so many days.
days(n) := minutes((n * 24) * 60)
