package drift

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/org"
)

func TestManual(t *testing.T) {
	t.Parallel()
	yes := func(pointer string, value any) org.Expectation {
		return org.Expectation{Pointer: pointer, Value: value}
	}
	in := input(story(t, `{"sandbox":{"enabled":false,"network":{"allowedDomains":["a","b"]}},"modelPolicy":{"allowedModelIds":["x","y"]},"customModels":[{"apiKey":"k"}],"fine":1,"byMe":1}`), 0,
		yes("/byMe", json.Number("2")), yes("/fine", json.Number("1")),
		org.Expectation{Pointer: "/customModels", Absent: true},
		org.Expectation{Pointer: "/modelPolicy/allowedModelIds", Value: []any{"y", "z"}, AsSet: true},
		yes("/networkPolicy/allowedIps", []any{"10.0.0.0/8"}), yes("/networkPolicy/mcpUrl~1x", "u"),
		yes("/sandbox/enabled", true),
	)
	in.Have.Newest.Settings = org.Redact(in.Have.Newest.Settings).(map[string]any)
	in = in.planned()
	for _, c := range Make(in).Settings.Changes {
		if c.Path == "/byMe" {
			in.Baseline.Accept(Acceptance{Fingerprint: c.Fingerprint, Reason: "mine"})
		}
	}
	r := Make(in)
	got := map[string]string{}
	for _, m := range r.Manual {
		patch, err := json.Marshal(m.Patch)
		if err != nil {
			t.Fatal(err)
		}
		got[m.Words] = string(patch)
		if m.Revision != 1 || m.Fingerprint == "" {
			t.Errorf("%+v", m)
		}
	}
	want := map[string]string{
		`remove Custom models (/customModels); it is [{"apiKey":{"kind":"literal","redacted":true}}] in revision 1`:              `[{"op":"remove","path":"/customModels"}]`,
		`in Model policy > Allowed model IDs (/modelPolicy/allowedModelIds), add "z", remove "x"; it is ["x","y"] in revision 1`: `[{"op":"test","path":"/modelPolicy/allowedModelIds","value":["x","y"]},{"op":"replace","path":"/modelPolicy/allowedModelIds","value":["y","z"]}]`,
		`set Network policy > Allowed IPs (/networkPolicy/allowedIps) to ["10.0.0.0/8"]; nothing is there in revision 1`:         `[{"op":"add","path":"/networkPolicy","value":{"allowedIps":["10.0.0.0/8"]}}]`,
		`set Network policy > mcpUrl/x (/networkPolicy/mcpUrl~1x) to "u"; nothing is there in revision 1`:                        `[{"op":"add","path":"/networkPolicy","value":{"mcpUrl/x":"u"}}]`,
		`set Sandbox > Enabled (/sandbox/enabled) to true; it is false in revision 1`:                                            `[{"op":"test","path":"/sandbox/enabled","value":false},{"op":"replace","path":"/sandbox/enabled","value":true}]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("manual items (-want +got):\n%s", diff)
	}
	all, err := json.Marshal(r.ManualPatch)
	if err != nil {
		t.Fatal(err)
	}
	const together = `[{"op":"remove","path":"/customModels"},` +
		`{"op":"test","path":"/modelPolicy/allowedModelIds","value":["x","y"]},{"op":"replace","path":"/modelPolicy/allowedModelIds","value":["y","z"]},` +
		`{"op":"add","path":"/networkPolicy","value":{"allowedIps":["10.0.0.0/8"]}},{"op":"add","path":"/networkPolicy/mcpUrl~1x","value":"u"},` +
		`{"op":"test","path":"/sandbox/enabled","value":false},{"op":"replace","path":"/sandbox/enabled","value":true}]`
	if string(all) != together {
		t.Errorf("together\n%s\nwant\n%s", all, together)
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"sandbox": "Sandbox", "allowedModelIds": "Allowed model IDs", "mcpPolicy": "MCP policy", "byomComputersAllowedEmails": "BYOM computers allowed emails",
		"ideAutoConnect": "IDE auto connect", "0": "0", "a-b": "a-b", "": "", "über": "über", "X": "X",
	} {
		if got := title(name); got != want {
			t.Errorf("title(%q) = %q, want %q", name, got, want)
		}
	}
}
