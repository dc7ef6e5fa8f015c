package client_test

import (
	"iter"
	"net/http"
	"testing"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/client"
	"github.com/govctl/govctl/internal/service/servicetest"
)

// TestContract sends every request the client can make to a real service, through a
// transport that compares both directions with openapi.yaml.
func TestContract(t *testing.T) {
	t.Parallel()
	s := servicetest.Start(t)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(transport.CloseIdleConnections)
	seen := map[string]bool{}
	c, err := client.New(client.Options{
		BaseURL: s.BaseURL, Key: s.Keys.Owner, Now: s.Now,
		Transport: servicetest.Validate(t, transport),
		OnRequest: func(e client.Event) {
			if e.Status < 300 {
				seen[e.Method+" "+e.Path] = true
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	drain(t, c.Users(ctx))
	drain(t, c.History(ctx, 3))
	drain(t, c.Sessions(ctx))
	drain(t, c.Reports(ctx))
	_, err = c.OrganizationID(ctx, s.Now())
	check(t, err)
	_, err = c.Session(ctx, "ses_001")
	check(t, err)
	usage(t, c, client.ClosedDays(s.Now(), 30))
	drain(t, c.SessionsOf(ctx, "cmp_02"))
	drain(t, c.ReportsOf(ctx, "https://git.acme.example/acme/api"))
	message := ""
	for m, err := range c.Messages(ctx, "ses_001", client.MessageQuery{Role: "user"}) {
		check(t, err)
		message = m.ID
	}
	_, err = c.Message(ctx, "ses_001", message, "")
	check(t, err)
	_, err = c.SetSession(ctx, "ses_002", api.Object{"archivedAt": []byte("null"), "model": []byte(`"model-a"`)})
	check(t, err)
	model, no := "model-a", false
	_, err = c.UpdateSession(ctx, "ses_001", api.SessionUpdate{SessionSettings: api.SessionSettings{
		Model: &model, RunInWorktree: &no, Tags: []api.Tag{{Name: "a"}}, EnabledToolIDs: []string{"x"},
	}})
	check(t, err)
	made, err := c.CreateComputer(ctx, api.NewComputer{
		Name: "a/b ü?#%", Provider: "byom", HostID: "6f1c2d3e-0000-4000-8000-00000000abcd", RemoteUser: "ci",
		Repos: []string{"https://git.example.com/a"}, AutoInstallDeps: &no, ServiceAccountID: "sa", Source: []byte(`{"kind":"scratch"}`),
	})
	check(t, err)
	_, err = c.ComputerByName(ctx, made.Name)
	check(t, err)
	_, err = c.UpdateComputer(ctx, made.ID, api.ComputerPatch{Name: "other", RemoteUser: "root"})
	check(t, err)
	_, err = c.InstallDeps(ctx, made.ID)
	check(t, err)
	_, err = c.Computer(ctx, made.ID)
	check(t, err)
	_, err = c.PutLimits(ctx, []api.Limit{{Email: "ada@acme.example", Limit: 5}, {Email: "nobody@acme.example", Limit: 0}})
	check(t, err)
	if len(seen) != 20 {
		t.Errorf("%d kinds of requests succeeded, want 20: %v", len(seen), seen)
	}
}

// usage reads every endpoint of analytics, plain and grouped.
func usage(t *testing.T, c *client.Client, d client.Days) {
	t.Helper()
	for _, group := range []string{"", "model"} {
		_, err := c.Tokens(t.Context(), client.UsageQuery{Days: d, GroupBy: group})
		check(t, err)
	}
	for _, group := range []string{"", "tool_name"} {
		_, err := c.Tools(t.Context(), client.UsageQuery{Days: d, GroupBy: group})
		check(t, err)
	}
	for _, group := range []string{"", "client"} {
		_, err := c.Activity(t.Context(), client.UsageQuery{Days: d, GroupBy: group})
		check(t, err)
	}
	_, err := c.Productivity(t.Context(), client.UsageQuery{Days: d})
	check(t, err)
	drain(t, c.UsageUsers(t.Context(), d))
}

func drain[T any](t *testing.T, items iter.Seq2[T, error]) {
	t.Helper()
	for _, err := range items {
		check(t, err)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}
