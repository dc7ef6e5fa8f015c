package govctl.usage.use006_test

import data.govctl.lib.expect_test
import data.govctl.usage.use006

test_findings[note] if {
	some note, c in cases
	expect_test.paths(use006.findings) == c.want with input as c.input with data.params as expect_test.params(object.get(c, "params", {}))
}

cases := {
	"fires: a high share": {"input": {"users": [], "tools": [{"date": "2026-11-19", "tool_autonomy_level_ratio": {"auto_high": 0.9}, "autonomy_ratio_p90": 99}, {"date": "2026-11-18", "tool_autonomy_level_ratio": {"auto_high": 0.9}, "autonomy_ratio_p90": 1}]}, "want": {"/tools/0/autonomy_ratio_p90", "/tools/0/tool_autonomy_level_ratio/auto_high"}},
	"fires: a member": {"input": {"users": [{"user_email": "Ada@x", "delegation_level": "auto-high"}, {"user_email": "eve@x", "delegation_level": "auto-high"}, {"user_id": "u3", "user_email": null, "delegation_level": "auto-high"}], "tools": []}, "want": {"/users/1", "/users/2"}, "params": {"auto_high_users": ["ada@x"]}},
	"passes: watched": {"input": {"users": [{"user_email": "eve@x", "delegation_level": "auto-high"}], "tools": [{"date": "2026-11-19", "tool_autonomy_level_ratio": {"auto_high": 0.5}, "autonomy_ratio_p90": 9}]}, "want": set()},
	"missing: no rows": {"input": {}, "want": set()},
	"wrong type: no rows": {"input": {"users": [], "tools": "x"}, "want": {"/tools"}},
	"wrong type: texts": {"input": {"users": [], "tools": [{"date": "2026-11-19", "tool_autonomy_level_ratio": {"auto_high": "0.5"}, "autonomy_ratio_p90": null}]}, "want": {"/tools/0/autonomy_ratio_p90", "/tools/0/tool_autonomy_level_ratio/auto_high"}},
}
