# METADATA
# title: Expectations
# description: What the tests of every rule say about its findings.
package govctl.lib.expect_test

# METADATA
# description: >-
#   The paths of findings, undefined unless each has a path and a whole message, so that no test passes on
#   a finding that nobody could read.
paths(findings) := {f.path | some f in findings} if {
	every f in findings {
		regex.match(`^(/.*)?$`, f.path)
		count(f.message) > 20
		not contains(f.message, "<undefined>")
		not contains(f.message, "%!")
		object.keys(f) - {"path", "message", "subject"} == set()
	}
}

# METADATA
# description: The parameters with some of them replaced.
params(changed) := object.union(data.params, changed)

test_paths if paths({{"path": "/a", "message": "a message that is long enough"}}) == {"/a"}

test_short_message if not paths({{"path": "/a", "message": "short"}})

test_params if params({"x": 1}).x == 1
