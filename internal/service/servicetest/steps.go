package servicetest

import (
	"testing"
	"time"
)

// step finds the install-deps step.
func (s *suite) step(t *testing.T, c object) object {
	t.Helper()
	for _, st := range parse[[]object](t, c["provisioningSteps"]) {
		if text(t, st, "id") == "install-deps" {
			return st
		}
	}
	t.Fatalf("no install-deps step in %s", raw(c))
	return nil
}

func (s *suite) testInstall(t *testing.T) {
	id := text(t, s.make(t, fresh(), `,"provider":"byom"`), "id")
	got := s.send(t, install(id), 202).object(t)
	want(t, got, "status", `"active"`)
	st := s.step(t, got)
	want(t, st, "status", `"running"`)
	first := text(t, st, "installSessionId")
	s.rows(t, []row{
		{"U41 while it runs", install(id), 409},
		{"U41 unknown computer", install("nowhere"), 404},
		{"T21 the computer whose id is name", install("name"), 404},
	})
	t.Run("C175 any body is ignored", func(t *testing.T) {
		a := install(text(t, s.make(t, fresh(), `,"provider":"byom"`), "id"))
		a.Body, a.Type = "not json", "text/plain"
		s.send(t, a, 202)
	})
	t.Run("U41 again after it ended", func(t *testing.T) {
		if s.Advance == nil {
			s.lacks(t, "the clock cannot be moved")
		}
		s.Advance(time.Minute)
		want(t, s.step(t, s.computer(t, id)), "status", `"completed"`)
		second := s.step(t, s.send(t, install(id), 202).object(t))
		if text(t, second, "installSessionId") == first {
			t.Error("U41 the same installSessionId twice")
		}
	})
}

func (s *suite) testProvisioning(t *testing.T) {
	made := s.make(t, fresh(), `,"provider":"sandbox_vendor","repos":["https://git.example.com/acme/api"],"autoInstallDeps":true`)
	want(t, made, "status", `"provisioning"`)
	id := text(t, made, "id")
	steps := parse[[]object](t, made["provisioningSteps"])
	want(t, steps[0], "status", `"running"`)
	parse[int64](t, steps[0]["startedAt"])
	want(t, steps[len(steps)-1], "status", `"pending"`)
	want(t, steps[len(steps)-1], "startedAt", "")
	if s.Advance == nil {
		s.lacks(t, "the clock cannot be moved")
	}
	s.Advance(3 * time.Second)
	now := s.computer(t, id)
	want(t, now, "status", `"provisioning"`)
	steps = parse[[]object](t, now["provisioningSteps"])
	want(t, steps[0], "status", `"completed"`)
	want(t, steps[1], "status", `"running"`)
	s.Advance(time.Minute)
	now = s.computer(t, id)
	want(t, now, "status", `"active"`)
	for _, st := range parse[[]object](t, now["provisioningSteps"]) {
		want(t, st, "status", `"completed"`)
		if parse[int64](t, st["completedAt"]) < parse[int64](t, st["startedAt"]) {
			t.Errorf("C183 a step ended before it began: %s", raw(st))
		}
	}
	want(t, s.send(t, install(id), 202).object(t), "status", `"active"`)
	s.Advance(time.Minute)
	want(t, s.computer(t, id), "status", `"active"`)
}
