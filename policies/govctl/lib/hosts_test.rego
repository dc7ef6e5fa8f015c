package govctl.lib.hosts_test

import data.govctl.lib.hosts

test_ordinary if hosts.ordinary(["git.example.com", "*.acme.example", "a_b-1.c"])

test_not_ordinary[note] if {
	some note, value in {
		"wildcard": ["git.example.com", "*"],
		"wildcard of a top-level domain": ["*.com"],
		"wildcard inside": ["a.*.com"],
		"no dot": ["localhost", "a.b"],
		"dot before": [".example.com"],
		"dot behind": ["example.com."],
		"nothing": ["", "a.b"],
		"capitals": ["A.b"],
		"port": ["a.b:1"],
		"number": ["a.b", 7],
		"text": "a.b",
	}
	not hosts.ordinary(value)
}
