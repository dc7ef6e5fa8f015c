package org

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// canary marks every secret of the tests; after Redact it must be nowhere.
const canary = "C4N4RY"

// TestRedactSecrets holds T33: nothing of a secret survives, at any depth, and what is
// not secret does.
func TestRedactSecrets(t *testing.T) {
	t.Parallel()
	hidden, env := `{"redacted":true,"kind":"literal"}`, `{"redacted":true,"kind":"env_ref"}`
	for _, c := range []struct{ name, in, want string }{
		{"apiKey", `{"customModels":[{"id":"m","apiKey":"sk-C4N4RY"}]}`, `{"customModels":[{"id":"m","apiKey":` + hidden + `}]}`},
		{"every header", `{"extraHeaders":{"X-Org":"C4N4RY","X-Pin":44,"On":true}}`, `{"extraHeaders":{"X-Org":` + hidden + `,"X-Pin":` + hidden + `,"On":true}}`},
		{"renamed headers", `{"httpHeaders":{"X":["C4N4RY"]}}`, `{"httpHeaders":{"X":[` + hidden + `]}}`},
		{"extraArgs by name", `{"extraArgs":{"auth_token":"C4N4RY","top_p":0.5,"mode":"fast"}}`, `{"extraArgs":{"auth_token":` + hidden + `,"top_p":0.5,"mode":"fast"}}`},
		{"bedrock commands", `{"bedrock":{"awsProfile":"p","awsAuthRefresh":"run C4N4RY","awsCredentialExport":"C4N4RY"}}`,
			`{"bedrock":{"awsProfile":"p","awsAuthRefresh":` + hidden + `,"awsCredentialExport":` + hidden + `}}`},
		{"unknown names", `{"x":{"Client_Secret":"C4N4RY","dbPassword":"C4N4RY","SESSION-COOKIE":"C4N4RY","privateKey":"C4N4RY","api.key":"C4N4RY","Api Key":"C4N4RY"}}`,
			`{"x":{"Client_Secret":` + hidden + `,"dbPassword":` + hidden + `,"SESSION-COOKIE":` + hidden + `,"privateKey":` + hidden + `,"api.key":` + hidden + `,"Api Key":` + hidden + `}}`},
		{"below a secret name", `{"credentials":{"a":{"b":["C4N4RY"]},"on":true,"none":null}}`, `{"credentials":{"a":{"b":[` + hidden + `]},"on":true,"none":null}}`},
		{"number that is a secret", `{"password":12345678,"tokens":[7]}`, `{"password":` + hidden + `,"tokens":[` + hidden + `]}`},
		{"number that is a limit", `{"passwordMinLength":12,"thinkingMaxTokens":8192,"tokenTTL":60}`, `{"passwordMinLength":12,"thinkingMaxTokens":8192,"tokenTTL":60}`},
		{"switches", `{"restrictApiKeyCreationToManagers":true,"private":false,"secret":null,"token":""}`, `{"restrictApiKeyCreationToManagers":true,"private":false,"secret":null,"token":""}`},
		{"environment reference", `{"apiKey":"${MODEL_KEY}"}`, `{"apiKey":` + env + `}`},
		{"not only a reference", `{"apiKey":"${A}C4N4RY"}`, `{"apiKey":` + hidden + `}`},
		{"reference elsewhere", `{"displayName":"${NAME}"}`, `{"displayName":"${NAME}"}`},
		{"name and value", `{"env":[{"name":"GH_TOKEN","value":"C4N4RY"},{"name":"HOME","value":"/root"}]}`,
			`{"env":[{"name":"GH_TOKEN","value":` + hidden + `},{"name":"HOME","value":"/root"}]}`},
		{"user of a URL", `{"baseUrl":"https://u:C4N4RY@models.example/v1"}`, `{"baseUrl":"https://redacted@models.example/v1"}`},
		{"URLs in a list", `{"allowedBaseUrls":["https://C4N4RY@h.example","https://h.example/@scope/x"]}`, `{"allowedBaseUrls":["https://redacted@h.example","https://h.example/@scope/x"]}`},
		{"URL as a key", `{"https://C4N4RY-1@h/":1,"https://C4N4RY-2@h/":2}`, `{"https://redacted@h/":1,"https://redacted@h/~2":2}`},
		{"hidden already", `{"apiKey":{"redacted":true,"kind":"literal"}}`, `{"apiKey":` + hidden + `}`},
		{"looks hidden", `{"apiKey":{"redacted":true,"kind":"C4N4RY"}}`, `{"apiKey":{"redacted":true,"kind":` + hidden + `}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := parse(t, c.in)
			got := Redact(in)
			if diff := cmp.Diff(parse(t, c.want), got); diff != "" {
				t.Errorf("Redact(%s) (-want +got):\n%s", c.in, diff)
			}
			if text, _ := json.Marshal(got); strings.Contains(string(text), canary) {
				t.Errorf("Redact(%s) = %s: the secret survives", c.in, text)
			}
			if diff := cmp.Diff(parse(t, c.in), in); diff != "" {
				t.Errorf("Redact changed its argument:\n%s", diff)
			}
		})
	}
}

func TestRedactURL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"https://h.example/a?b=c&d#e", ""}, {"git@github.com:org/repo.git", ""}, {"mailto:ada@example.com", ""}, {"no url", ""},
		{"/tmp//cache/**", ""}, {"// comment ada@example.com", ""}, {"https://h.example:8080/@user", ""}, {"http://[::1]:80/a@b", ""}, {"file:///etc/x@y", ""},
		{"https://u:C4N4RY@h/p", "https://redacted@h/p"},
		{"https://C4N4RY@h", "https://redacted@h"},
		{"//C4N4RY@h/p", "//redacted@h/p"},
		{"postgres://u:C4/N4RY@h:5/db", "postgres://redacted@h:5/db"},
		{"https://u:C4 N4RY@h/?token=C4N4RY", "https://redacted@h/?token=redacted"},
		{"https://u:C4@N4RY@h/p", "https://redacted@h/p"},
		{`https://u:C4"N4RY@h/p`, "https://redacted@h/p"},
		{"https://h/?access_token=C4N4RY&page=2", "https://h/?access_token=redacted&page=2"},
		{"https://h/?page=2&X-Amz-Signature=C4N4RY", "https://h/?page=2&X-Amz-Signature=redacted"},
		{"https://h/?sig=C4N4RY;v=1#key=C4N4RY", "https://h/?sig=redacted#key=redacted"},
		{"https://h/?api%4bey=C4N4RY", "https://h/?api%4bey=redacted"},
		{"https://h/#access_token=C4N4RY", "https://h/#access_token=redacted"},
		{"https://h/?token=C4?N4RY&x=1", "https://h/?token=redacted&x=1"},
		{"https://h/?monkey=banana&design=x", ""},
		{"curl -u x https://u:C4N4RY@h/a and https://i/?token=C4N4RY now", "curl -u x https://redacted@h/a and https://i/?token=redacted now"},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		if got := RedactURL(c.in); got != want {
			t.Errorf("RedactURL(%q) = %q, want %q", c.in, got, want)
		}
	}
}

// checkRedactTwice holds that redacting twice is redacting once.
func checkRedactTwice(t rapid.TB, v any) {
	t.Helper()
	once := Redact(v)
	if twice := Redact(once); !EqualJSON(once, twice) {
		t.Fatalf("Redact of %v:\nonce  %v\ntwice %v", v, once, twice)
	}
}

func TestRedactTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { checkRedactTwice(t, drawJSON().Draw(t, "v")) })
	rapid.Check(t, func(t *rapid.T) {
		checkRedactTwice(t, rapid.StringMatching(`[a:/@?&#=; ]{0,12}(//[a-c:@/ ]{0,8})?\??(token|x|sig)?=?[a&#;?=@]{0,6}`).Draw(t, "s"))
	})
}

// TestMayHide holds that a name which is passed over at once matches no pattern.
func TestMayHide(t *testing.T) {
	t.Parallel()
	part := rapid.OneOf(
		rapid.SampledFrom([]string{"api", "API", "key", "Key", "\u212aey", "secret", "\u017fecret", "token", "passw", "ord", "phrase", "credential", "authorization", "cookie", "private", "headers", "s", "awsAuthRefresh", strings.Repeat("x", 70)}),
		rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		name := strings.Join(rapid.SliceOfN(part, 0, 4).Draw(t, "parts"), rapid.SampledFrom([]string{"", "_", "-"}).Draw(t, "between"))
		matches := secretObject.MatchString(name) || secretName.MatchString(name) || secretNames[name] || secretKey.MatchString(name)
		if matches && !mayHide(name) {
			t.Fatalf("%q matches a pattern and is passed over", name)
		}
	})
}
