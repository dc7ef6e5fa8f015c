package govctl.plan.pln012_test

import data.govctl.lib.expect_test
import data.govctl.plan.pln012

test_findings[note] if {
	some note, c in cases
	expect_test.paths(pln012.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: names": {"input": {"plan": {"changes": [{"kind": "computer", "action": "create", "key": ""}, {"kind": "computer", "action": "create", "key": "a\u0007"}]}}, "want": {"/plan/changes/0/key", "/plan/changes/1/key"}},
	"fires: repositories": {"input": {"plan": {"changes": [{"kind": "computer", "action": "create", "key": "b", "on_create": {"repos": ["acme/api", "https://evil.example/x", long_url]}}]}}, "want": {"/plan/changes/0/on_create/repos/0", "/plan/changes/0/on_create/repos/1", "/plan/changes/0/on_create/repos/2"}, "params": {"repository_hosts": ["Git.example.com"]}},
	"fires: too many": {"input": {"plan": {"changes": [{"kind": "computer", "action": "create", "key": "b", "on_create": {"repos": many_urls}}]}}, "want": {"/plan/changes/0/on_create/repos"}},
	"passes: as it should be": {"input": {"plan": {"changes": [{"kind": "computer", "action": "create", "key": "b", "on_create": {"repos": ["https://git.example.com/acme/api"]}}, {"kind": "computer", "action": "blocked", "key": ""}]}}, "want": set(), "params": {"repository_hosts": ["git.example.com"]}},
	"missing: no changes": {"input": {"plan": {}}, "want": set()},
	"wrong type: a text": {"input": {"plan": {"changes": [{"kind": "computer", "action": "create", "key": 7, "on_create": {"repos": "x"}}]}}, "want": {"/plan/changes/0/key", "/plan/changes/0/on_create/repos"}},
}

long_url := sprintf("https://git.example.com/%02048d", [0])

many_urls := [sprintf("https://git.example.com/%d", [n]) | some n in numbers.range(1, 21)]
