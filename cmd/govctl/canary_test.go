package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/api"
)

// Secrets that must not be seen again, wherever the service or the user puts them.
var canaries = []string{
	canaryKey, canaryModel, canaryHeader, canaryAWS, canaryUserinfo, canaryQuery, canaryDatabase, canaryTag, canaryRelay, canaryHook,
}

const (
	canaryModel    = "canary-model-key-51c0"
	canaryHeader   = "canary-header-51c1"
	canaryAWS      = "canary-aws-51c2"
	canaryUserinfo = "canary-userinfo-51c3"
	canaryQuery    = "canary-query-51c4"
	canaryDatabase = "canary-database-51c5"
	canaryTag      = "canary-tag-51c6"
	canaryRelay    = "canary-relay-51c7"
)

// hostile is every string that steers a terminal, a CI runner or Markdown, in one.
const hostile = "\x1b[31mred\x1b]0;title\x07 \u009b2J \u202eright\u2066 \u200b\ufeff\U000e0041 \x00 \r\n::set-output name=a::b\n  ::error::c\n##[error]d ##vso[task.e] " +
	"| cell | <!-- comment --> @everyone @acme/admins <img src=x onerror=y> <script>z</script> [link](http://evil.example) ![i](http://evil.example/i) `tick` ``` fence\n```\n# heading\u2028\u2029"

// startHostile is a service that is in order but for its words: hostile text in every
// string it can return, secrets where secrets may be, the API key in every other. With
// broken it refuses whatever path contains that, in the same words.
func startHostile(t *testing.T, broken string, length int) string {
	t.Helper()
	text := hostile + " " + canaryKey
	long := text + strings.Repeat("x", length)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "req ##[error] "+canaryKey)
		if broken != "" && strings.Contains(r.Method+" "+r.URL.Path, broken) {
			w.WriteHeader(http.StatusBadRequest)
			answerJSON(w, map[string]any{"title": text, "detail": text, "status": 400, "requestId": text})
			return
		}
		hostileAnswer(w, r, text, long)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func answerJSON(w io.Writer, v any) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
}

func hostileAnswer(w http.ResponseWriter, r *http.Request, text, long string) {
	list := func(name string, items ...any) {
		answerJSON(w, map[string]any{name: items, "pagination": map[string]any{"hasMore": false, "nextCursor": text}})
	}
	actor := map[string]any{"id": text, "email": text, "name": long}
	settings := map[string]any{
		"expected": text, text: text, "url": "https://u:" + canaryUserinfo + "@h.example/?token=" + canaryQuery, "apiKey": canaryModel,
		"customModels": []any{map[string]any{
			"apiKey": canaryModel, "extraHeaders": map[string]any{text: canaryHeader}, "baseUrl": "https://x:" + canaryUserinfo + "@m.example/?api_key=" + canaryQuery,
			"bedrock": map[string]any{"awsAuthRefresh": canaryAWS, "awsCredentialExport": canaryAWS}, "model": text,
		}},
	}
	session := map[string]any{"sessionId": "ses | @everyone", "status": "idle", "title": long, "computerId": text, "sessionSettings": map[string]any{
		"model": text, "specModeModel": text, "tags": []any{map[string]any{"name": text, "metadata": map[string]any{"k": canaryTag}}},
	}}
	computer := map[string]any{
		"id": "cmp | @everyone", "name": text, "providerType": "byom", "createdAt": 1, "hostId": text, "hostname": text, "status": "error", "remoteUser": text,
		"relayClientUrl": "wss://r.example/" + canaryRelay, "relayAgentUrl": "wss://r.example/" + canaryRelay, "ownerId": text, "ownerPrincipalKind": text,
		"provisioningSteps": []any{map[string]any{"id": text, "name": text, "status": text, "error": long, "installSessionId": text}},
	}
	switch path := r.URL.Path; {
	case path == api.PathUsers:
		list("users",
			map[string]any{"id": "u1", "email": "ada@acme.example", "firstName": long, "lastName": text, "createdAt": text, "metadata": map[string]any{"team": text, text: text, "token": canaryTag}},
			map[string]any{"id": "u2", "email": "grace@acme.example"},
			map[string]any{"id": text, "email": text + "@acme.example", "firstName": text},
			map[string]any{"id": "u4", "email": "@everyone|<!--x-->`@acme.example"})
	case path == api.PathHistory:
		list("changes",
			map[string]any{"revision": 3, "settings": settings, "user": actor, "updatedAt": text},
			map[string]any{"revision": 2, "settings": map[string]any{"expected": true, "apiKey": canaryModel + "-old"}, "user": actor, "updatedAt": long})
	case path == api.PathSessions:
		list("sessions", session)
	case strings.HasPrefix(path, "/api/v1/analytics/"):
		answerJSON(w, hostileUsage(r, text, long))
	case path == api.PathReadiness && r.URL.Query().Get("startAfter") == "":
		answerJSON(w, map[string]any{"reports": []any{hostileReport(text, long)}})
	case path == api.PathReadiness:
		answerJSON(w, map[string]any{"reports": []any{}})
	case strings.HasSuffix(path, "/messages"):
		list("messages", hostileMessage(text, long))
	case strings.Contains(path, "/messages/"):
		answerJSON(w, hostileMessage(text, long))
	case path == api.PathLimits:
		answerJSON(w, map[string]any{
			"updated": []any{map[string]any{"email": "grace@acme.example", "limit": 6}, map[string]any{"email": text, "limit": 1}},
			"errors":  []any{map[string]any{"email": "ada@acme.example", "error": long}, map[string]any{"email": text, "error": text}},
		})
	case strings.HasPrefix(path, "/api/v0/computers/name/"):
		w.WriteHeader(http.StatusNotFound)
		answerJSON(w, map[string]any{"detail": text})
	case strings.HasPrefix(path, "/api/v0/computers"):
		answerJSON(w, computer)
	default:
		answerJSON(w, session)
	}
}

// hostileProject declares something of every kind, so that everything is asked for.
const hostileProject = `credit_limits {
  default = 4
  users = { "ada@acme.example" = 5, "grace@acme.example" = 6, "nobody@acme.example" = 7 }
}
computer "build-01" {
  provider             = "byom"
  id                   = "cmp | @everyone"
  remote_user          = "ci"
  host_id              = "6f1c2d3e-0000-4000-8000-000000000001"
  allow_host_change    = true
  retry_failed_install = true
}
computer "build-02" {
  provider = "byom"
}
models {
  allowed  = ["a"]
  sessions = "reset"
  reset_to = "a"
}
settings {
  expect = {
    expected = true
    url      = "none"
  }
  absent = ["/customModels", "/apiKey"]
}
`

// canaryRuns are the command lines that every command is tried with.
var canaryRuns = map[string][]string{
	"plan":           {"plan DIR --strict", "plan DIR --log-level debug", "plan DIR --ledger postgres://govctl:" + canaryDatabase + "@127.0.0.1:1/db?sslmode=disable"},
	"apply":          {"apply DIR --auto-approve --log-level debug --log-format json", "apply DIR --auto-approve"},
	"show":           {"show DIR/plan.json", "show DIR/report.json"},
	"validate":       {"validate DIR"},
	"import":         {"import DIR/imported --partial --readiness", "import DIR/imported --setting /apiKey"},
	"history list":   {"history list DIR", "history list DIR --limit 1"},
	"history show":   {"history show 3 DIR", "history show 2 DIR", "history show 9 DIR"},
	"drift":          {"drift DIR --strict", "drift DIR --since-revision 2", "drift DIR --since-revision 3 --log-level debug"},
	"drift accept":   {"drift accept DIR --revision 2 --reason r", "drift accept DIR --all --until 2026-12-31 --reason r"},
	"history blame":  {"history blame /expected DIR", "history blame /apiKey DIR", "history blame /nothing DIR"},
	"history diff":   {"history diff 2 3 DIR", "history diff 3 9 DIR"},
	"history export": {"history export DIR", "history export DIR --since-revision 3"},
	"ledger list":    {"ledger list DIR", "ledger list DIR --ledger postgres://govctl:" + canaryDatabase + "@127.0.0.1:1/db"},
	"ledger show":    {"ledger show ada@acme.example DIR", "ledger show build-01 DIR", "ledger show nobody DIR"},
	"ledger verify":  {"ledger verify DIR"},

	"get users":              {"get users --project DIR", "get users --project DIR --columns metadata_names,email", "get users --project DIR --where metadata.team!=null"},
	"get computers":          {"get computers --project DIR", "get computers x --project DIR", "get computers x --project DIR --columns steps,relay_client_host,name"},
	"get sessions":           {"get sessions --project DIR", "get sessions x --project DIR --columns tags,title", "get sessions x --project DIR"},
	"get messages":           {"get messages x --project DIR", "get messages x y --project DIR", "get messages x --project DIR --columns text,id"},
	"get readiness":          {"get readiness --project DIR", "get readiness --project DIR --columns criteria,apps,repository"},
	"get history":            {"get history --project DIR", "get history 3 --project DIR --columns settings,updated_at"},
	"get usage tokens":       {"get usage tokens --project DIR --from 2026-11-19", "get usage tokens --project DIR --from 2026-11-19 --group-by model", "get usage tokens --project DIR --from 2026-11-19 --columns by_user,by_model"},
	"get usage tools":        {"get usage tools --project DIR --from 2026-11-19", "get usage tools --project DIR --from 2026-11-19 --group-by tool_name", "get usage tools --project DIR --from 2026-11-19 --columns hooks_by_event,mcp_by_server"},
	"get usage activity":     {"get usage activity --project DIR --from 2026-11-19", "get usage activity --project DIR --from 2026-11-19 --columns daily_active_users_by_client"},
	"get usage productivity": {"get usage productivity --project DIR --from 2026-11-19", "get usage productivity --project DIR --from 2026-11-19 --columns by_language"},
	"get usage users":        {"get usage users --project DIR --from 2026-11-19", "get usage users --project DIR --from 2026-11-19 --columns languages,user_id"},
	"set session":            {"set session x --project DIR --model m --dry-run", "set session x --project DIR --model m --tag t", "set session x --project DIR --settings DIR/key"},

	"hooks deliver": {"hooks deliver --spool DIR/spool --user-id u"},
	"hooks flush":   {"hooks flush --spool DIR/spool --user-id u"},

	"report": {"report DIR --from 2026-11-19", "report DIR --section readiness --section settings --section policy"},

	"policy check":   {"policy check DIR"},
	"policy explain": {"policy explain SBX001 DIR"},
	"policy history": {"policy history SBX001 DIR"},
}

// TestCanaries sends every command through every format against hostile services and
// looks through all that was said and written.
func TestCanaries(t *testing.T) {
	t.Parallel()
	for _, path := range runnable((&app{}).root(), "") {
		if _, tried := canaryRuns[path]; !tried && !isOffline(path) {
			t.Errorf("govctl %s is not in canaryRuns", path)
		}
	}
	for _, broken := range []string{"", "GET " + api.PathUsers, "GET " + api.PathHistory, "GET " + api.PathSessions, "PUT", "PATCH", "POST", "GET /api/v0/computers", "GET /api/v0/sessions/"} {
		t.Run("broken "+strings.ReplaceAll(broken, "/", "."), func(t *testing.T) {
			t.Parallel()
			c := newCanary(t, startHostile(t, broken, 10_000))
			if broken == "" {
				c.everything(sortedKeys(canaryRuns)...)
				c.reached()
				return
			}
			c.everything("plan", "apply", "history list")
		})
	}
	t.Run("words of two megabytes", func(t *testing.T) {
		t.Parallel()
		c := newCanary(t, startHostile(t, "", 2<<20))
		for _, args := range []string{"plan DIR", "plan DIR -o markdown", "apply DIR --auto-approve", "history list DIR"} {
			if out, _ := c.run(args); len(out) > 100_000 {
				t.Errorf("govctl %s says %d bytes", args, len(out))
			}
		}
	})
	t.Run("another organization", func(t *testing.T) {
		t.Parallel()
		c := newCanary(t, startHostile(t, "", 100))
		c.write("o.hcl", "service {\n  organization = \"org_acme\"\n}\n")
		c.everything("plan", "apply")
	})
	t.Run("hostile configuration", func(t *testing.T) {
		t.Parallel()
		c := newCanary(t, startHostile(t, "", 100))
		c.write("x.hcl", "computer \"\u202e::error::x##[error]@everyone<!-- -->\" {\n  provider = \"\x1b[31m\"\n}\n\x1b]0;x\x07 nonsense\n")
		c.write("y.yaml", "\u202e\"##[error]\": \"\\e[31m\"\n")
		c.everything("plan", "validate", "ledger list")
	})
}

// canary is one project against one hostile service.
type canary struct {
	t   *testing.T
	dir string
	url string
}

func newCanary(t *testing.T, url string) *canary {
	c := &canary{t: t, dir: t.TempDir(), url: url}
	c.write("key", canaryKey+"\n")
	c.write("a.hcl", hostileProject)
	// A plan and a report to show: whatever they are, showing them must be safe.
	c.run("plan DIR --out DIR/plan.json")
	c.run("apply DIR --auto-approve -o json=DIR/report.json")
	return c
}

func (c *canary) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// everything runs these commands in every format, to stdout and to a file.
func (c *canary) everything(paths ...string) {
	for _, path := range paths {
		for _, args := range canaryRuns[path] {
			for _, format := range c.formats(args) {
				c.run(args + " -o " + format)
			}
		}
		c.run(canaryRuns[path][0] + " -o json=DIR/out.json")
	}
	c.run("plan DIR -o markdown=DIR/out.markdown")
	checkNowhere(c.t, c.dir, "", append(c.fingerprintKey(), canaries...)...)
}

// fingerprintKey is the key that the project's secrets are marked with, if one was needed.
func (c *canary) fingerprintKey() []string {
	if key := readIfThere(c.t, filepath.Join(c.dir, filepath.FromSlash(fingerprintFile))); key != "" {
		return []string{strings.TrimSpace(key)}
	}
	return nil
}

// reached proves that the hostile words get as far as what people read, so that the
// other checks have something to find.
func (c *canary) reached() {
	for _, path := range []string{"plan", "apply", "show", "history list", "history show", "ledger list"} {
		for _, format := range []string{"text", "json"} {
			out, errs := c.run(canaryRuns[path][0] + " -o " + format)
			if !strings.Contains(out, "set-output") {
				c.t.Errorf("govctl %s -o %s shows none of the hostile words:\n%.2000s%.500s", path, format, out, errs)
			}
		}
	}
	if out, errs := c.run("history show 3 DIR -o json"); !strings.Contains(out, `"fp": "`) || c.fingerprintKey() == nil {
		c.t.Errorf("no secret has a fingerprint:\n%.2000s%.500s", out, errs)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// formats asks the command for the formats it has.
func (c *canary) formats(args string) []string {
	_, errs := c.run(args + " -o nonsense")
	_, list, ok := strings.Cut(errs, `format "nonsense" is not one of `)
	if !ok {
		return []string{"text"}
	}
	list, _, _ = strings.Cut(list, "\n")
	return strings.Split(list, ", ")
}

// annotation is the beginning of a line that the github format writes on purpose.
var annotation = regexp.MustCompile(`(?m)^::(error|warning|notice) [^\n]*?::`)

// run carries out one command and judges all that came of it.
func (c *canary) run(args string) (stdout, stderr string) {
	c.t.Helper()
	list := strings.Fields(strings.ReplaceAll(args, "DIR", c.dir))
	list = append(list, "--base-url", c.url, "--api-key-file", filepath.Join(c.dir, "key"), "--max-wait", "0")
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	run(ctx, list, stdio{in: strings.NewReader(""), out: &out, err: &errs, now: fixedNow})
	for place, text := range map[string]string{"stdout": out.String(), "stderr": errs.String()} {
		if strings.HasSuffix(args, "-o github") {
			text = annotation.ReplaceAllString(text, "")
		}
		checkHarmless(c.t, fmt.Sprintf("%s of govctl %s", place, args), text)
		lookFor(c.t, place, text, append(c.fingerprintKey(), canaries...))
		if strings.HasSuffix(args, "-o markdown") && place == "stdout" {
			checkMarkdown(c.t, args, text)
		}
	}
	if _, name, ok := strings.Cut(args, "=DIR/out."); ok {
		text := readIfThere(c.t, filepath.Join(c.dir, "out."+name))
		checkHarmless(c.t, "the file of govctl "+args, text)
		if name == "markdown" {
			checkMarkdown(c.t, args, text)
		}
	}
	return out.String(), errs.String()
}

// checkMarkdown looks outside of code spans for what Markdown would bring to life.
func checkMarkdown(t *testing.T, args, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		rest := outsideSpans(line)
		for _, live := range []string{"@everyone", "@acme", "<!--", "<img", "<script", "evil.example", "](", "# heading"} {
			if strings.Contains(rest, live) {
				t.Errorf("govctl %s: %s is alive in %.400q", args, live, line)
			}
		}
	}
}

// outsideSpans is a line of Markdown without its code spans.
func outsideSpans(line string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(line, '`')
		if open < 0 {
			return b.String() + line
		}
		b.WriteString(line[:open])
		rest := strings.TrimLeft(line[open:], "`")
		fence := line[open : len(line)-len(rest)]
		end := closing(rest, fence)
		if end < 0 {
			b.WriteString(fence)
			line = rest
			continue
		}
		line = rest[end+len(fence):]
	}
}

// closing finds the run of backticks that is exactly fence.
func closing(s, fence string) int {
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return -1
		}
		at += i
		n := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if n == len(fence) {
			return at
		}
		at += n
	}
	return -1
}

// TestCanariesOfDatabases: an address with a password that cannot be reached is an
// everyday mistake, and its error must not show the password.
func TestCanariesOfDatabases(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"serve --listen 127.0.0.1:0 --database postgres://govctl:" + canaryDatabase + "@127.0.0.1:1/db?sslmode=disable&connect_timeout=1",
		"service check --database postgres://govctl:" + canaryDatabase + "@127.0.0.1:1/db?sslmode=disable&connect_timeout=1",
		"serve --listen 127.0.0.1:0 --database postgres://govctl:" + canaryDatabase + "@127.0.0.1:port/db",
		"service check --database postgres://govctl:" + canaryDatabase + "@[::1/db",
	} {
		t.Run(args[:20], func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var out, errs bytes.Buffer
			code := run(ctx, strings.Fields(args), stdio{in: strings.NewReader(""), out: &out, err: &errs, now: fixedNow})
			if code == exitDone {
				t.Errorf("govctl %s: exit 0\n%s", args, out.String())
			}
			lookFor(t, "the output", out.String()+errs.String(), canaries)
			checkHarmless(t, "output", out.String()+errs.String())
		})
	}
}
