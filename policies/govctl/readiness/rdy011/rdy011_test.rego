package govctl.readiness.rdy011_test

import data.govctl.lib.expect_test
import data.govctl.readiness.rdy011

test_findings[note] if {
	some note, c in cases
	expect_test.paths(rdy011.findings) == c.want with input as c.input
}

cases := {
	"fires: none": {"input": {"complete": true, "repository": {"url": "https://git.example.com/a/b"}, "reports": []}, "want": {"/reports"}},
	"fires: none of the branch": {"input": {"complete": false, "repository": {"url": "https://git.example.com/a/b", "branch": "main"}, "reports": [{"repoUrl": "https://git.example.com/a/b", "branch": "x"}]}, "want": {"/reports"}},
	"fires: two spellings": {"input": {"complete": true, "repository": {"url": "https://git.example.com/a/b"}, "reports": [{"repoUrl": "https://git.example.com/a/b"}, {"repoUrl": "https://git.example.com/A/b.git"}]}, "want": {"/reports"}},
	"passes: one": {"input": {"complete": true, "repository": {"url": "https://git.example.com/a/b"}, "reports": [{"repoUrl": "https://git.example.com/a/b"}]}, "want": set()},
	"missing: no list": {"input": {"complete": true, "repository": {"url": "https://git.example.com/a/b"}}, "want": set()},
	"wrong type: a text": {"input": {"complete": "yes", "repository": {"url": "https://git.example.com/a/b"}, "reports": "none"}, "want": {"/reports"}},
}
