# METADATA
# title: URLs
# description: Takes absolute URLs apart and compares them part by part.
package govctl.lib.urls

# METADATA
# description: >-
#   The parts of an absolute URL: scheme and host in lower case, port as text with the default of
#   http and https filled in, path split at slashes. Undefined for anything else.
parts(text) := p if {
	is_string(text)
	m := regex.find_all_string_submatch_n(_form, text, 1)[0]
	m[3] != ""
	p := {
		"scheme": lower(m[1]),
		"userinfo": m[2] != "",
		"host": lower(m[3]),
		"port": _port(lower(m[1]), m[4]),
		"path": [s | some s in split(m[5], "/"); s != ""],
	}
}

# METADATA
# description: Whether a host is this machine.
loopback(host) if host in {"localhost", "[::1]"}

loopback(host) if endswith(host, ".localhost")

loopback(host) if regex.match(`^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$`, host)

# METADATA
# description: >-
#   Whether a URL lies at or below another: the same scheme, host and port, and a path that begins
#   with the same segments. A text prefix is not enough, and dot segments never lie inside.
inside(text, base) if {
	u := parts(text)
	b := parts(base)
	object.filter(u, ["scheme", "host", "port"]) == object.filter(b, ["scheme", "host", "port"])
	array.slice(u.path, 0, count(b.path)) == b.path
	not _climbs(u.path)
}

_climbs(path) if {
	some s in path
	lower(s) in {".", "..", "%2e", "%2e%2e", ".%2e", "%2e."}
}

_form := `^([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*@)?(\[[^\]]*\]|[^/?#:@\[\]]*)(?::([0-9]+))?([/?#].*)?$`

_port(_, port) := port if port != ""

_port("https", "") := "443"

_port("http", "") := "80"

_port(scheme, "") := "" if not scheme in {"http", "https"}
