package exchange_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

func TestUsers(t *testing.T) {
	t.Parallel()
	text := "\ufeffemail,role,metadata,first_name,created_at\nada@x.example,owner,\"{\"\"team\"\":\"\"ml\"\"}\",Ada,2026-01-02T03:04:05.678Z\n\"bob@x.example\",,,,\n"
	want := []store.User{
		{Email: "ada@x.example", Role: store.Owner, Metadata: `{"team":"ml"}`, FirstName: "Ada", CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)},
		{Email: "bob@x.example", CreatedAt: now()},
	}
	got, err := exchange.ReadUsers([]byte(text), now())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
	want[0].LastSignInAt, want[1].Role, want[1].LastName = now(), store.Guest, "a \"b\"\nc,d"
	var file bytes.Buffer
	if err := exchange.WriteUsers(&file, want); err != nil {
		t.Fatal(err)
	}
	got, err = exchange.ReadUsers(file.Bytes(), now().Add(time.Hour))
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error("export and import", diff, err)
	}
	for text, want := range map[string]string{
		"": "empty", "role\nowner": "no column email", "email,team\na@b.c,ml": `unknown column "team"`, "email,email\na@b.c,a@b.c": "twice",
		"email\nada": "line 2", "email\n\"Ada <a@b.c>\"": "line 2", "email\na@b.c\nA@b.c": "line 3: A@b.c stands in line 2", "email,role\na@b.c,admin": "line 2",
		"email,role\na@b.c": "wrong number of fields", "email,metadata\na@b.c,[]": "metadata", "email,created_at\na@b.c,yesterday": "created_at", "email\n\"a": "quote",
	} {
		if _, err := exchange.ReadUsers([]byte(text), now()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
