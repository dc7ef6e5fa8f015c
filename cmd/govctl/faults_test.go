package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/ledger"
	"github.com/govctl/govctl/internal/service"
)

// scenario is one thing that goes wrong between govctl and the service, and all that may
// come of it. It runs a real command in this process, against the embedded service with
// fault rules or against a server of raw bytes.
type scenario struct {
	name  string
	about string            // numbers of the contract it is for: principles P1-P7, m, U and T
	run   string            // command line; "" is "plan DIR --strict"
	files map[string]string // over the files of the project
	rules []string          // of the embedded service; nil with wire
	wire  []spoil           // of the raw server
	users []string          // of the raw server, as JSON; nil is Ada and Grace
	pages int               // of the raw server, of one user more each, instead of users; 0 for none
	more  func(*testing.T, *met)

	want   string   // outcome: see outcomeOf
	exit   int      // exit code
	asked  string   // requests the server saw, as "PUT limits 1, users 2"
	ledger string   // records written: see recordsOf
	says   []string // all of them on stdout or stderr
	silent []string // none of them anywhere
}

// met is what came of a scenario.
type met struct {
	code           int
	stdout, stderr string
	text, markdown string // the same result in the other formats
	requests       []wireRequest
	ledger         []ledger.Record
	dir, url       string
	server         *wire                  // nil with the embedded service
	took           time.Duration          // a lower bound is what a wait can be judged by
	again          func(args string) *met // another command on the same project and service
}

// canaryKey is the API key of every scenario: it must never be seen again.
const canaryKey = "sk-canary-0f9d3b7c5a1e"

// anyNumber of requests is right, or the scenario counts them itself.
const anyNumber = "*"

// anyOutcome is right as far as the scenario's own check agrees.
const anyOutcome = "*"

// project is what every scenario declares unless it says otherwise.
const project = `credit_limits {
  unlisted = "ignore"
  users = { "ada@acme.example" = 5, "grace@acme.example" = 6 }
}
`

// matrix is every scenario, by theme.
func matrix() []scenario {
	return slices.Concat(transportScenarios(), statusScenarios(), retryScenarios(), pageScenarios(), memberScenarios(),
		limitScenarios(), computerScenarios(), settingScenarios(), sessionScenarios(), localScenarios(), embeddedScenarios(), getScenarios(), reportScenarios(), readinessScenarios())
}

// TestFaults meets every scenario.
func TestFaults(t *testing.T) {
	t.Parallel()
	template := filepath.Join(t.TempDir(), "service.db")
	fillSample(t, template)
	for _, s := range matrix() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.meet(t, template)
		})
	}
}

// meet sets the scenario up, runs its command and judges what came of it.
func (s scenario) meet(t *testing.T, template string) {
	m := &met{dir: t.TempDir()}
	m.write(t, "key", canaryKey+"\n")
	m.write(t, "a.hcl", project)
	for name, text := range s.files {
		m.write(t, name, text)
	}
	var seen func() []wireRequest
	if s.rules != nil {
		m.url, seen = startFaulty(t, template, s.rules)
	} else {
		w := startWire(t, s.wire)
		if s.users != nil {
			w.users = s.users
		}
		w.pages = s.pages
		m.url, m.server, seen = w.url, w, w.seen
	}
	m.again = func(args string) *met { return m.carryOut(t, args, seen) }
	got := m.again(firstOf(s.run, "plan DIR --strict"))
	s.judge(t, got)
	if s.more != nil {
		s.more(t, got)
	}
}

// write puts a file into the project.
func (m *met) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// startFaulty serves a copy of the sample organization with fault rules.
func startFaulty(t *testing.T, template string, rules []string) (url string, seen func() []wireRequest) {
	t.Helper()
	data, err := os.ReadFile(template)
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "service.db")
	if err := os.WriteFile(db, data, 0o600); err != nil {
		t.Fatal(err)
	}
	parsed, err := service.ParseFaultRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var log []wireRequest
	s, err := service.Open(t.Context(), service.Options{Database: db, OwnerKey: canaryKey, Fault: func(r *http.Request) service.Fault {
		mu.Lock()
		defer mu.Unlock()
		log = append(log, wireRequest{method: r.Method, uri: r.RequestURI})
		return parsed.Fault(r)
	}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(func() { server.Close(); _ = s.Close() })
	return server.URL, func() []wireRequest {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(log)
	}
}

// carryOut runs one command and gathers what can be seen of it. SERVER in args stands
// for its host and port, DIR for the project.
func (m *met) carryOut(t *testing.T, args string, seen func() []wireRequest) *met {
	t.Helper()
	got := &met{dir: m.dir, url: m.url, server: m.server, again: m.again}
	args = strings.NewReplacer("DIR", m.dir, "SERVER", strings.TrimPrefix(m.url, "http://")).Replace(args)
	list := strings.Fields(args)
	add := func(flag, value string) {
		if !slices.Contains(list, flag) {
			list = append(list, flag, value)
		}
	}
	add("--base-url", m.url)
	add("--api-key-file", filepath.Join(m.dir, "key"))
	add("--max-wait", "0")
	add("-o", "json")
	text, markdown := filepath.Join(m.dir, "out.txt"), filepath.Join(m.dir, "out.md")
	switch list[0] {
	case "plan":
		list = append(list, "-o", "markdown="+markdown, "-o", "text="+text)
	case "apply":
		list = append(list, "-o", "text="+text)
	}
	before := len(seen())
	recorded := len(m.records(t))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	began := time.Now()
	got.code = run(ctx, list, stdio{in: strings.NewReader(""), out: &out, err: &errs, now: time.Now})
	got.took = time.Since(began)
	got.stdout, got.stderr = out.String(), errs.String()
	got.requests, got.ledger = seen()[before:], m.records(t)[recorded:]
	got.text, got.markdown = readIfThere(t, text), readIfThere(t, markdown)
	return got
}

func (m *met) records(t *testing.T) []ledger.Record {
	t.Helper()
	log, err := ledger.Read(filepath.Join(m.dir, ".govctl", "ledger.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return log.Records()
}

func readIfThere(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

// judge compares with what the scenario wants and with what all of them hold.
func (s scenario) judge(t *testing.T, got *met) {
	t.Helper()
	complain := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s\nstdout: %.3000s\nstderr: %.2000s", fmt.Sprintf(format, args...), got.stdout, got.stderr)
	}
	if word := outcomeOf(t, got.stdout); s.want != anyOutcome && word != s.want {
		complain("outcome %q, want %q", word, s.want)
	}
	if got.code != s.exit {
		complain("exit %d, want %d", got.code, s.exit)
	}
	if asked := askedOf(got.requests); s.asked != anyNumber && asked != s.asked {
		complain("the server was asked %q, want %q", asked, s.asked)
	}
	if records := recordsOf(got.ledger); s.ledger != anyOutcome && records != s.ledger {
		complain("ledger %q, want %q", records, s.ledger)
	}
	for _, text := range s.says {
		if !strings.Contains(got.stdout+got.stderr, text) {
			complain("does not say %q", text)
		}
	}
	for _, text := range s.silent {
		if strings.Contains(got.stdout+got.stderr+got.text+got.markdown, text) {
			complain("says %q", text)
		}
	}
	if strings.HasPrefix(s.want, "INCOMPLETE") {
		for format, text := range map[string]string{"text": got.text, "markdown": got.markdown} {
			if !strings.Contains(strings.ToLower(text), "incomplete") || strings.Contains(text, "No changes") {
				complain("in %s the plan does not look incomplete:\n%s", format, text)
			}
		}
	}
	for place, text := range map[string]string{"stdout": got.stdout, "stderr": got.stderr, "text": got.text, "markdown": got.markdown} {
		checkHarmless(t, place, text)
	}
	checkNowhere(t, got.dir, got.stdout+got.stderr, canaryKey)
	for _, r := range got.requests {
		if r.method != http.MethodGet && !oneOf(strings.Fields(firstOf(s.run, "plan"))[0], "apply", "set") {
			complain("%s %s was sent by a command that only reads", r.method, r.uri)
		}
	}
}

// outcomeOf says in one line what the JSON output says: of a plan "OK", "CHANGES n" or
// "INCOMPLETE fact …"; of a report its result with its counts, as "partial set=1
// unknown=1"; of the list of revisions "REVISIONS n"; "FAILED" without an output.
func outcomeOf(t *testing.T, stdout string) string {
	t.Helper()
	if stdout == "" {
		return "FAILED"
	}
	var v struct {
		Complete   *bool
		Incomplete []struct{ Fact, Key string }
		Changes    []struct{ Action string }
		Revisions  []any
		Revision   *int64
		Result     string
		Valid      bool
		Limits     json.RawMessage
		Computers  json.RawMessage
		Sessions   []struct{ Result string }
	}
	if err := json.Unmarshal([]byte(stdout), &v); err != nil {
		t.Errorf("stdout is not JSON: %v\n%s", err, stdout)
		return "FAILED"
	}
	switch {
	case v.Complete != nil && !*v.Complete:
		words := []string{"INCOMPLETE"}
		for _, g := range v.Incomplete {
			words = append(words, strings.TrimSuffix(g.Fact+":"+g.Key, ":"))
		}
		return strings.Join(words, " ")
	case v.Complete != nil && len(v.Changes) == 0:
		return "OK"
	case v.Complete != nil:
		return fmt.Sprintf("CHANGES %d", len(v.Changes))
	case v.Result != "":
		return v.Result + reportCounts(t, v.Limits, v.Computers, v.Sessions)
	case v.Revisions != nil:
		return fmt.Sprintf("REVISIONS %d", len(v.Revisions))
	case v.Revision != nil:
		return fmt.Sprintf("REVISION %d", *v.Revision)
	}
	return "OK"
}

// reportCounts lists how many limits and objects of a report ended how.
func reportCounts(t *testing.T, limits, computers json.RawMessage, sessions []struct{ Result string }) string {
	t.Helper()
	if limits == nil { // of set session, which has one object
		return ""
	}
	var lists map[string][]any
	var objects []struct{ Result string }
	if err := errors.Join(json.Unmarshal(limits, &lists), json.Unmarshal(computers, &objects)); err != nil {
		t.Error(err)
	}
	var b strings.Builder
	for _, name := range []string{"set", "refused", "unknown", "not_attempted"} {
		if n := len(lists[name]); n > 0 {
			fmt.Fprintf(&b, " %s=%d", name, n)
		}
	}
	for _, o := range append(objects, sessions...) {
		b.WriteString(" " + o.Result)
	}
	return b.String()
}

// short names of endpoints, longest first where one begins another.
var endpointNames = strings.NewReplacer(
	api.PathUsers, "users", api.PathLimits, "limits", api.PathHistory, "history", api.PathActivity, "activity",
	"/api/v0/computers/name/", "name/", "/api/v0/", "",
)

// askedOf counts requests by endpoint, sorted, as "PUT limits 1, users 2".
func askedOf(requests []wireRequest) string {
	counts := map[string]int{}
	for _, r := range requests {
		path, _, _ := strings.Cut(r.uri, "?")
		counts[strings.TrimPrefix(r.method+" ", "GET ")+endpointNames.Replace(path)]++
	}
	var words []string
	for name, n := range counts {
		words = append(words, fmt.Sprintf("%s %d", name, n))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// recordsOf says what a run wrote into the ledger: "ask 2" before a limits request and
// "set 1 unknown 1" after it; "create build-01" before and "create build-01 done" after
// a computer's.
func recordsOf(records []ledger.Record) string {
	var lines []string
	for _, r := range records {
		o := r.Computer
		if o == nil {
			o = r.Session
		}
		switch {
		case o != nil:
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s", o.Action, firstOf(o.Name, o.ID), o.Result)))
		case r.Kind == ledger.Intention:
			lines = append(lines, fmt.Sprintf("ask %d", len(r.Limits)))
		default:
			line := ""
			for _, part := range []struct {
				name string
				n    int
			}{{"set", len(r.Set)}, {"refused", len(r.Refused)}, {"unknown", len(r.Unknown)}, {"unsent", len(r.NotSent)}} {
				if part.n > 0 {
					line += fmt.Sprintf(" %s %d", part.name, part.n)
				}
			}
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines, "; ")
}

// checkHarmless holds what every output holds: no character that steers a terminal and
// no line that a CI runner obeys.
func checkHarmless(t *testing.T, place, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if i := strings.IndexFunc(line, func(r rune) bool {
			return unicode.IsControl(r) && r != '\t' || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co)
		}); i >= 0 {
			t.Errorf("%s has the hidden character %+q in %.300q", place, line[i:min(len(line), i+4)], line)
		}
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Errorf("%s has a workflow command: %.300q", place, line)
		}
	}
}

// lookFor fails where a secret is.
func lookFor(t *testing.T, place, text string, secrets []string) {
	t.Helper()
	for _, s := range secrets {
		if i := strings.Index(text, s); i >= 0 {
			t.Errorf("%s has the secret %s: …%.200q", place, s, text[max(0, i-100):])
		}
	}
}

// checkNowhere looks for secrets in what was said and in every file of a project but
// those that the user keeps them in.
func checkNowhere(t *testing.T, dir, said string, secrets ...string) {
	t.Helper()
	lookFor(t, "the output", said, secrets)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "key" || d.Name() == "writekey" || d.Name() == "fingerprint.key" {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		lookFor(t, d.Name(), string(data), secrets)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// numbers finds the numbers of the contract in a scenario's about.
var numbers = regexp.MustCompile(`^([PmUT])([0-9]+)$`)

// clientSide lists the numbers of the contract that say something of the client: all
// principles and traps, and the unstated points with a decision for it.
func clientSide() []string {
	var list []string
	add := func(letter string, from, to int) {
		for n := from; n <= to; n++ {
			list = append(list, fmt.Sprint(letter, n))
		}
	}
	add("P", 1, 7)
	add("m", 1, 14)
	for _, span := range [][2]int{
		{1, 5}, {7, 10}, {12, 15}, {19, 19}, {21, 28}, {30, 32}, {34, 34}, {38, 39}, {41, 60}, {63, 67}, {69, 70}, {75, 80}, {82, 82},
	} {
		add("U", span[0], span[1])
	}
	add("T", 1, 58)
	return list
}

// TestFaultsCoverTheContract: every number with a client side has a scenario, or a reason
// why it has none that is still true.
func TestFaultsCoverTheContract(t *testing.T) {
	t.Parallel()
	known := clientSide()
	covered := map[string]bool{}
	names := map[string]bool{}
	all := matrix()
	for _, s := range all {
		if names[s.name] {
			t.Errorf("two scenarios are called %q", s.name)
		}
		names[s.name] = true
		if s.about == "" {
			t.Errorf("%s: it is for no number of the contract", s.name)
		}
		for _, n := range strings.Fields(s.about) {
			if !numbers.MatchString(n) || !slices.Contains(known, n) {
				t.Errorf("%s: the contract has no %q with a client side", s.name, n)
			}
			covered[n] = true
		}
	}
	if len(all) < 120 {
		t.Errorf("%d scenarios, want at least 120", len(all))
	}
	for _, n := range known {
		why, excused := elsewhere[n]
		switch {
		case covered[n] && excused:
			t.Errorf("%s has a scenario: its excuse can go", n)
		case !covered[n] && !excused:
			t.Errorf("%s has neither a scenario nor a reason", n)
		case excused:
			checkExcuse(t, n, why)
		}
	}
	for n := range elsewhere {
		if !slices.Contains(known, n) {
			t.Errorf("the contract has no %q with a client side", n)
		}
	}
}

// excuse is why a number has no scenario: a test that has it, or a command that is to
// have it and does not exist. Both are checked.
type excuse struct {
	test    string // package and name, as in "internal/client TestReports"
	command string // path of a command, as in "report usage"
}

func checkExcuse(t *testing.T, number string, why excuse) {
	t.Helper()
	if why.command != "" {
		root := (&app{}).root()
		if c, _, err := root.Find(strings.Fields(why.command)); err == nil && c != root {
			t.Errorf("%s: the command %s exists now and needs a scenario", number, why.command)
		}
		return
	}
	pkg, name, _ := strings.Cut(why.test, " ")
	files, err := filepath.Glob(filepath.Join("../..", pkg, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.Contains(readIfThere(t, f), "func "+name+"(") {
			return
		}
	}
	t.Errorf("%s: there is no %s", number, why.test)
}
