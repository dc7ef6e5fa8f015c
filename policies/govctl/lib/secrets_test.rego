package govctl.lib.secrets_test

import data.govctl.lib.secrets

test_literal[note] if {
	some note, v in {"text": "made-up", "placeholder": {"redacted": true, "kind": "literal"}}
	secrets.literal(v)
}

test_not_literal[note] if {
	some note, v in {"empty": "", "space": " ", "reference": "${KEY}", "number": 7, "placeholder": {"redacted": true, "kind": "env_ref"}}
	not secrets.literal(v)
}

test_reference[note] if {
	some note, v in {"braces": "${KEY}", "prefix": "env:KEY", "placeholder": {"redacted": true, "kind": "env_ref"}}
	secrets.reference(v)
}

test_absent if secrets.absent("")

test_null_is_absent if secrets.absent(null)

test_text_is_not_absent if not secrets.absent("x")

test_named if secrets.named("X-Api-Key")

test_not_named if not secrets.named("X-Team")

test_formed[note] if {
	some note, text in {
		"prefix": "sk-0123456789",
		"pem": "-----BEGIN RSA PRIVATE KEY-----",
		"mixed": "aB3aB3aB3aB3aB3aB3aB3aB3",
	}
	secrets.formed(text)
}

test_not_formed[note] if {
	some note, text in {"words": "a sentence with Capitals and 1 digit", "short": "aB3", "small letters": "abcdefghijklmnopqrstuvwxyz"}
	not secrets.formed(text)
}
