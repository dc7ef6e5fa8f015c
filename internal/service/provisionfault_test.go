package service_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service"
	"github.com/govctl/govctl/internal/service/servicetest"
)

// provisioner is a service whose provisioner has faults. Every exchange with it is held
// to openapi.yaml.
type provisioner struct {
	*servicetest.Server
	t      *testing.T
	client *http.Client
}

func startProvisioner(t *testing.T, rules ...string) *provisioner {
	t.Helper()
	parsed, err := service.ParseProvisionRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	s := servicetest.Start(t, func(o *service.Options) { o.ProvisionFault = parsed.Fault })
	return &provisioner{s, t, &http.Client{Transport: servicetest.Validate(t, &http.Transport{})}}
}

// box is a computer as far as provisioning goes.
type box struct {
	ID, Status        string
	ProvisioningSteps []boxStep
}

type boxStep struct {
	ID, Status, Error, InstallSessionID string
	StartedAt, CompletedAt              int64
}

// states says "create-sandbox completed, …" with the error of a step that has one.
func (b box) states() string {
	all := []string{b.Status + ":"}
	for _, st := range b.ProvisioningSteps {
		all = append(all, strings.TrimSpace(st.ID+" "+st.Status+" "+st.Error))
	}
	return strings.Join(all, "; ")
}

func (p *provisioner) ask(method, path, body string, want int) (b box) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.BaseURL+"/api/v0/computers"+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.Keys.Owner)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := p.client.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != want || json.Unmarshal(text, &b) != nil && want < 300 {
		p.t.Fatalf("%s %s: %d, want %d: %s (%v)", method, path, resp.StatusCode, want, text, err)
	}
	return b
}

// create makes a sandbox with a repository.
func (p *provisioner) create(name string) box {
	p.t.Helper()
	return p.ask("POST", "", `{"name":"`+name+`","repos":["https://git.example.com/a"]}`, http.StatusCreated)
}

// after moves the clock and wants the states of a computer.
func (p *provisioner) after(d time.Duration, id, want string) box {
	p.t.Helper()
	p.Clock.Advance(d)
	b := p.ask("GET", "/"+id, "", http.StatusOK)
	if diff := cmp.Diff(want, b.states()); diff != "" {
		p.t.Errorf("after %s more: %s", d, diff)
	}
	return b
}

// TestProvisionFault holds U40 and U41: a sandbox whose step fails is in error, what
// follows the step never starts, and a retried installation makes it active.
func TestProvisionFault(t *testing.T) {
	t.Parallel()
	p := startProvisioner(t, `create ci-* fail=install-deps:"ENOSPC: no space left"`)
	b := p.create("ci-1")
	const ran = "create-sandbox completed; start-agent completed; clone-repos completed; install-deps "
	p.after(0, b.ID, "provisioning:; create-sandbox running; start-agent pending; clone-repos pending; install-deps pending")
	p.after(7*time.Second, b.ID, "provisioning:; "+ran+"running")
	b = p.after(time.Second, b.ID, "error:; "+ran+"error ENOSPC: no space left")
	first := b.ProvisioningSteps[3]
	if first.CompletedAt != first.StartedAt+2000 || first.InstallSessionID == "" {
		t.Errorf("the failed step: %+v", first)
	}
	p.after(time.Hour, b.ID, "error:; "+ran+"error ENOSPC: no space left")

	b = p.ask("POST", "/"+b.ID+"/install-deps", "", http.StatusAccepted)
	if got, want := b.states(), "error:; "+ran+"running"; got != want || b.ProvisioningSteps[3].InstallSessionID == first.InstallSessionID {
		t.Errorf("U41 retried: %s in %+v, want %s", got, b.ProvisioningSteps[3], want)
	}
	p.ask("POST", "/"+b.ID+"/install-deps", "", http.StatusConflict)
	p.after(time.Second, b.ID, "error:; "+ran+"running")
	p.ask("POST", "/"+b.ID+"/install-deps", "", http.StatusConflict)
	p.after(time.Second, b.ID, "active:; "+ran+"completed")

	other := p.create("web-1")
	p.after(time.Minute, other.ID, "active:; "+ran+"completed")
}

// TestProvisionFaultBeforeTheInstallation: an installation cannot replace a step before it.
func TestProvisionFaultBeforeTheInstallation(t *testing.T) {
	t.Parallel()
	p := startProvisioner(t, `create * fail=clone-repos:"repository not found"`)
	b := p.create("box")
	const want = "create-sandbox completed; start-agent completed; clone-repos error repository not found; install-deps "
	p.after(time.Minute, b.ID, "error:; "+want+"pending")
	p.ask("POST", "/"+b.ID+"/install-deps", "", http.StatusAccepted)
	p.after(time.Minute, b.ID, "error:; "+want+"completed")

	bare := p.ask("POST", "", `{"name":"bare"}`, http.StatusCreated) // has no such step
	p.after(time.Minute, bare.ID, "active:; create-sandbox completed; start-agent completed; install-deps completed")
}

// TestProvisionFaultRetry: the retry of a healthy computer fails, too, and a retry that is
// refused because one runs is none.
func TestProvisionFaultRetry(t *testing.T) {
	t.Parallel()
	p := startProvisioner(t, `retry "my box"  fail=install-deps:"npm ci: exit 1" nth=2`)
	b := p.create("my box")
	const ran = "create-sandbox completed; start-agent completed; clone-repos completed; install-deps "
	p.after(time.Minute, b.ID, "active:; "+ran+"completed")
	for _, want := range []string{"active:; " + ran + "completed", "error:; " + ran + "error npm ci: exit 1", "active:; " + ran + "completed"} {
		p.ask("POST", "/"+b.ID+"/install-deps", "", http.StatusAccepted)
		p.ask("POST", "/"+b.ID+"/install-deps", "", http.StatusConflict)
		p.after(time.Minute, b.ID, want)
	}
	byom := p.ask("POST", "", `{"name":"mine","provider":"byom"}`, http.StatusCreated)
	p.ask("POST", "/"+byom.ID+"/install-deps", "", http.StatusAccepted)
	p.after(time.Minute, byom.ID, "active:; install-deps completed")
}

// TestProvisionRulesFit: which attempts a rule strikes, and which it counts.
func TestProvisionRulesFit(t *testing.T) {
	t.Parallel()
	steps := []string{"create-sandbox", "clone-repos", "install-deps"}
	for rule, want := range map[string]string{
		`create * fail=clone-repos:x`:                       "xx.x",
		`create */b fail=clone-repos:x`:                     "...x",
		`create "c d" fail=clone-repos:x`:                   ".x..",
		`create {a,c?d} fail=clone-repos:x`:                 "xx..",
		`create * fail=clone-repos:x nth=3`:                 "...x",
		`create * fail=clone-repos:x every=2`:               ".x..",
		`create * fail=clone-repos:x p=0.9999999`:           "xx.x",
		`create * fail=start-agent:x`:                       "....",
		`retry * fail=install-deps:x`:                       "..x.",
		`retry c* fail=install-deps:x`:                      "....",
		`create [a-b]* fail=create-sandbox:x`:               "x..x",
		`create * fail=install-deps:"two words: x" p=1e-12`: "....",
	} {
		rules, err := service.ParseProvisionRules([]string{rule})
		if err != nil {
			t.Errorf("%s: %v", rule, err)
			continue
		}
		var got strings.Builder
		for _, a := range []service.Attempt{
			{Computer: "a", Steps: steps}, {Computer: "c d", Steps: steps}, {Computer: "a", Retry: true, Steps: steps[2:]}, {Computer: "a/b", Steps: steps},
		} {
			got.WriteByte(".x"[min(len(rules.Fault(a).Error), 1)])
		}
		if got.String() != want {
			t.Errorf("%s: %s, want %s", rule, got.String(), want)
		}
	}
	two, err := service.ParseProvisionRules([]string{`create * fail=clone-repos:first nth=2`, `create * fail=install-deps:"second one"`})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []service.StepFault{{Step: "install-deps", Error: "second one"}, {Step: "clone-repos", Error: "first"}, {Step: "install-deps", Error: "second one"}} {
		if got := two.Fault(service.Attempt{Computer: "a", Steps: steps}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

// TestProvisionRulesRefused: every mistake is named, all at once.
func TestProvisionRulesRefused(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"":                                           "write create NAME fail=STEP",
		"create *":                                   "write create NAME fail=STEP",
		"create * nth=1":                             "it says no fail=STEP",
		"make * fail=install-deps:x":                 "make is neither create nor retry",
		"create [ fail=install-deps:x":               "no pattern of names",
		"create * fail=boot:x":                       "the step must be create-sandbox, start-agent, clone-repos, install-deps",
		"retry * fail=clone-repos:x":                 "the step must be install-deps",
		"create * fail=install-deps":                 "needs an error text",
		`create * fail=install-deps:""`:              "needs an error text",
		`create * fail=install-deps:" "`:             "needs an error text",
		"create * fail=install-deps:\"a\x07b\"":      "needs an error text",
		`create * fail=install-deps:"x`:              "a quote is not closed",
		"create * fail=install-deps:x status=503":    "no such part; there are fail",
		"create * fail=install-deps:x nth=0":         "a number from 1",
		"create * fail=install-deps:x nth=1 every=2": "exclude each other",
		"create * fail=install-deps:x seed=1":        "seed needs p",
		"create * fail=a:x fail=install-deps:x":      "fail is given twice",
	} {
		if _, err := service.ParseProvisionRules([]string{rule}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", rule, err, want)
		}
	}
	_, err := service.ParseProvisionRules([]string{"make [ fail=boot:x", "create * fail=install-deps:x", "x"})
	if err == nil || strings.Count(err.Error(), "\n") != 3 {
		t.Errorf("want four problems at once: %v", err)
	}
}

func FuzzProvisionRules(f *testing.F) {
	f.Add(`create {a,b}-* fail=clone-repos:"not found" p=0.2 seed=7`, "a-1")
	f.Add(`retry "my box" fail=install-deps:x every=2`, "my box")
	f.Fuzz(func(t *testing.T, rule, name string) {
		parsed, err := service.ParseProvisionRules([]string{rule})
		if err != nil {
			return
		}
		for _, a := range []service.Attempt{{Computer: name, Steps: []string{"clone-repos"}}, {Computer: name, Retry: true, Steps: []string{"install-deps"}}} {
			if got := parsed.Fault(a); got != (service.StepFault{}) && (got.Step != a.Steps[0] || got.Error == "") {
				t.Errorf("%+v meets %+v", a, got)
			}
		}
	})
}
