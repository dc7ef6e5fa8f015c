# METADATA
# title: Secrets
# description: Recognizes secrets by the placeholder that stands for them, by their name or by their form.
package govctl.lib.secrets

# METADATA
# description: Whether a value is a secret written out, hidden behind its placeholder or not.
literal(value) if {
	is_object(value)
	value.redacted == true
	value.kind == "literal"
}

literal(value) if {
	is_string(value)
	trim_space(value) != ""
	not reference(value)
}

# METADATA
# description: Whether a value only says where a secret is to be found.
reference(value) if {
	is_object(value)
	value.redacted == true
	value.kind == "env_ref"
}

reference(value) if {
	is_string(value)
	regex.match(`^(\$\{[A-Za-z_][A-Za-z0-9_]*\}|env:[A-Za-z_][A-Za-z0-9_]*)$`, value)
}

# METADATA
# description: Whether nothing is written at all.
absent(value) if value in {"", null}

# METADATA
# description: Whether a name says that its value is secret.
named(name) if {
	regex.match(`(?i)(api.?key|secret|token|passw|credential|authorization|cookie|private|signature|^x-auth)`, name)
}

# METADATA
# description: >-
#   Whether a text has the form of a secret: a well-known prefix, or 24 and more characters without
#   a space that mix capitals, small letters and digits.
formed(text) if regex.match(`^(sk-|ghp_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|eyJ)[A-Za-z0-9._-]{8,}`, text)

formed(text) if regex.match(`-----BEGIN [A-Z ]*PRIVATE KEY-----`, text)

formed(text) if {
	regex.match(`^[A-Za-z0-9+/_=.-]{24,}$`, text)
	regex.match(`[A-Z]`, text)
	regex.match(`[a-z]`, text)
	regex.match(`[0-9]`, text)
}
