package servicetest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
)

const computersPath = "/api/v0/computers"

func create(body string) ask { return ask{Method: http.MethodPost, Path: computersPath, Body: body} }

func patch(id, body string) ask {
	return ask{Method: http.MethodPatch, Path: computersPath + "/" + id, Body: body}
}

func install(id string) ask {
	return ask{Method: http.MethodPost, Path: computersPath + "/" + id + "/install-deps"}
}

// fresh is a computer name nobody has.
func fresh() string { return "conform-" + uuid.NewString() }

// make creates a computer from further fields and returns it.
func (s *suite) make(t *testing.T, name, fields string) object {
	t.Helper()
	return s.send(t, create(`{"name":`+quote(name)+fields+`}`), 201).object(t)
}

func (s *suite) computer(t *testing.T, id string) object {
	t.Helper()
	return s.send(t, ask{Path: computersPath + "/" + id}, 200).object(t)
}

func (s *suite) testComputers(t *testing.T) {
	t.Run("bounds", s.testComputerBounds)
	t.Run("names", s.testComputerNames)
	t.Run("patch", s.testComputerPatch)
	t.Run("install-deps", s.testInstall)
	t.Run("provisioning", s.testProvisioning)
	t.Run("C162 C172 C173 C176 fields", func(t *testing.T) {
		name := fresh()
		made := s.make(t, name, `,"provider":"byom","hostId":"6F1C2D3E-0000-4000-8000-00000000ABCD","remoteUser":"ci",
			"repos":["https://git.example.com/acme/api"],"autoInstallDeps":true,"serviceAccountId":"sa","source":{"kind":"scratch","x":[1]}`)
		want(t, made, "name", quote(name))
		want(t, made, "providerType", `"byom"`)
		want(t, made, "hostId", `"6f1c2d3e-0000-4000-8000-00000000abcd"`)
		want(t, made, "remoteUser", `"ci"`)
		want(t, made, "status", `"active"`)
		for _, hidden := range []string{"provider", "repos", "autoInstallDeps", "serviceAccountId", "source"} {
			want(t, made, hidden, "")
		}
		if at := time.UnixMilli(parse[int64](t, made["createdAt"])); s.Now().Sub(at).Abs() > time.Minute {
			t.Errorf("C179 U47 createdAt %s is not about now", at)
		}
		id := text(t, made, "id")
		byName := s.send(t, ask{Path: computersPath + "/name/" + name}, 200).object(t)
		if raw(byName) != raw(made) || raw(s.computer(t, id)) != raw(made) {
			t.Error("by id, by name and as created differ")
		}
		if guest := s.send(t, ask{Path: computersPath + "/" + id, Key: "guest"}, 200).object(t); raw(guest) != raw(made) {
			t.Error("U50 another key sees another computer")
		}
		s.send(t, create(`{"name":`+quote(name)+`}`), 409)
		s.send(t, ask{Path: computersPath + "/nowhere"}, 404)
		s.send(t, ask{Path: computersPath + "/name/" + fresh()}, 404)
	})
	t.Run("U39 default provider", func(t *testing.T) {
		want(t, s.make(t, fresh(), `,"hostId":"`+uuid.NewString()+`"`), "providerType", `"byom"`)
		want(t, s.make(t, fresh(), ``), "providerType", `"sandbox_vendor"`)
	})
	t.Run("U69 a member creates", func(t *testing.T) {
		a := create(`{"name":` + quote(fresh()) + `}`)
		a.Key = "member"
		s.send(t, a, 201)
	})
}

func (s *suite) testComputerBounds(t *testing.T) {
	uri := "https://git.example.com/" + strings.Repeat("a", 2048-24)
	many := func(n int) string {
		return `["https://git.example.com/a"` + strings.Repeat(`,"https://git.example.com/a"`, n-1) + `]`
	}
	bad := map[string]string{
		"C163 empty name": `"name":""`, "C163 64 characters": `"name":"` + strings.Repeat("a", 64) + `"`, "C163 no name": `"x":1`,
		"C163 null name": `"name":null`, "C163 number name": `"name":5`, "U43 control character": `"name":"a\u0007b"`, "U43 newline": `"name":"a\nb"`,
	}
	for field, values := range map[string][]string{
		"C164 provider":         {`"aws"`, `"BYOM"`, `""`, `null`, `1`},
		"C165 hostId":           {`"x"`, `""`, `null`, `5`, `"6f1c2d3e00004000800000000000abcd"`, `"{6f1c2d3e-0000-4000-8000-00000000abcd}"`},
		"C166 remoteUser":       {`""`, `"` + strings.Repeat("u", 64) + `"`, `null`, `5`},
		"C167 repos":            {many(21), `"https://git.example.com/a"`, `{}`, `null`},
		"C168 repos":            {`[5]`, `[""]`, `["not a uri"]`, `["git.example.com/a"]`, `["` + uri + `a"]`, `[null]`},
		"C169 autoInstallDeps":  {`"true"`, `1`, `null`},
		"C170 serviceAccountId": {`""`, `null`, `5`},
		"C171 source":           {`{}`, `{"kind":""}`, `{"kind":5}`, `"scratch"`, `null`, `[]`},
	} {
		_, name, _ := strings.Cut(field, " ")
		for _, v := range values {
			bad[field+" "+v[:min(len(v), 40)]] = `"name":` + quote(fresh()) + `,"` + name + `":` + v
		}
	}
	for name, fields := range bad {
		s.rows(t, []row{{name, create("{" + fields + "}"), 400}})
	}
	good := map[string]string{
		"C167 20 repos": `,"repos":` + many(20), "C167 no repos": `,"repos":[]`, "C168 2048 characters": `,"repos":["` + uri + `"]`,
		"C166 63 characters": `,"remoteUser":"` + strings.Repeat("ü", 63) + `"`, "C171 other kind": `,"source":{"kind":"snapshot"}`,
		"unknown field": `,"providerType":"aws"`,
	}
	for name, fields := range good {
		s.rows(t, []row{{name, create(`{"name":` + quote(fresh()) + fields + `}`), 201}})
	}
}

func (s *suite) testComputerPatch(t *testing.T) {
	name, other := fresh(), fresh()
	made := s.make(t, name, `,"provider":"byom","remoteUser":"root"`)
	s.make(t, other, `,"provider":"byom"`)
	id := text(t, made, "id")
	t.Run("U51 nothing to change", func(t *testing.T) {
		if got := s.send(t, patch(id, `{}`), 200).object(t); raw(got) != raw(made) {
			t.Errorf("%s, want %s", raw(got), raw(made))
		}
	})
	t.Run("C174 one field leaves the others", func(t *testing.T) {
		got := s.send(t, patch(id, `{"remoteUser":"ci"}`), 200).object(t)
		want(t, got, "remoteUser", `"ci"`)
		want(t, got, "name", quote(name))
		if raw(s.computer(t, id)) != raw(got) {
			t.Error("the answer is not what is stored")
		}
	})
	t.Run("C174 U46 host", func(t *testing.T) {
		got := s.send(t, patch(id, `{"hostId":"6F1C2D3E-0000-4000-8000-00000000FFFF"}`), 200).object(t)
		want(t, got, "hostId", `"6f1c2d3e-0000-4000-8000-00000000ffff"`)
	})
	t.Run("C174 rename", func(t *testing.T) {
		renamed := fresh()
		want(t, s.send(t, patch(id, `{"name":`+quote(renamed)+`}`), 200).object(t), "name", quote(renamed))
		s.send(t, ask{Path: computersPath + "/name/" + name}, 404)
		want(t, s.send(t, ask{Path: computersPath + "/name/" + renamed}, 200).object(t), "id", quote(id))
		s.send(t, patch(id, `{"name":`+quote(name)+`}`), 200)
	})
	before := s.computer(t, id)
	rows := []row{
		{"U44 name of another", patch(id, `{"name":`+quote(other)+`,"remoteUser":"x"}`), 409},
		{"U71 unknown computer", patch("nowhere", `{"remoteUser":"x"}`), 404},
		{"U71 400 before 404", patch("nowhere", `{"remoteUser":""}`), 400},
		{"U71 400 before 409", patch(id, `{"name":`+quote(other)+`,"remoteUser":""}`), 400},
	}
	for _, body := range []string{`{"name":null}`, `{"name":""}`, `{"name":5}`, `{"hostId":null}`, `{"hostId":"x"}`, `{"remoteUser":null}`,
		`{"remoteUser":"` + strings.Repeat("u", 64) + `"}`, `{"remoteUser":"x","hostId":5}`, `[]`, `null`} {
		rows = append(rows, row{"U48 " + body[:min(len(body), 30)], patch(id, body), 400})
	}
	s.rows(t, rows)
	if after := s.computer(t, id); raw(after) != raw(before) {
		t.Errorf("a refused patch changed %s to %s", raw(before), raw(after))
	}
	t.Run("U49 creation fields are ignored", func(t *testing.T) {
		if got := s.send(t, patch(id, `{"provider":"sandbox_vendor","repos":[]}`), 200).object(t); raw(got) != raw(before) {
			t.Error("they changed something")
		}
	})
}
