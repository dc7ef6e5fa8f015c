package store_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/govctl/govctl/internal/service/store"
)

func imported(id, email string, messages ...store.Message) store.SessionImport {
	return store.SessionImport{
		Session: store.Session{
			ID: id, Status: "idle", CreatedAt: now(), UpdatedAt: now(), MessageCount: int64(len(messages)), Settings: "{}",
		},
		UserEmail: email, Messages: messages,
	}
}

func message(id, role string, seconds int) store.Message {
	at := now().Add(time.Duration(seconds) * time.Second)
	return store.Message{ID: id, Role: role, CreatedAt: at, UpdatedAt: at, Content: `[{"text":"t","id":"c"}]`, Extra: `{"vendorAPhase":null}`}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	s := open(t, "ada@x.example")
	one := imported("ses", "ADA@x.example", message("b", "user", 0), message("a", "assistant", 0), message("c", "tool", 5), message("d", "assistant", 3))
	for _, want := range []int{2, 0} { // the second time they exist
		if n, err := s.ImportSessions(t.Context(), []store.SessionImport{one, imported("empty", "ada@x.example")}); n != want || err != nil {
			t.Fatal(n, err)
		}
	}
	after := &store.MessageKey{CreatedAt: now().UnixMilli(), ID: "a"}
	for name, c := range map[string]struct {
		q    store.MessageQuery
		want []string
	}{
		"U31 oldest, then smaller id": {store.MessageQuery{SessionID: "ses", Limit: 9}, []string{"a", "b", "d", "c"}},
		"limit":                       {store.MessageQuery{SessionID: "ses", Limit: 1}, []string{"a"}},
		"C145 role":                   {store.MessageQuery{SessionID: "ses", Role: "assistant", Limit: 9}, []string{"a", "d"}},
		"after":                       {store.MessageQuery{SessionID: "ses", After: after, Limit: 9}, []string{"b", "d", "c"}},
		"after and role":              {store.MessageQuery{SessionID: "ses", Role: "assistant", After: after, Limit: 9}, []string{"d"}},
		"other session":               {store.MessageQuery{SessionID: "empty", Limit: 9}, []string{}},
		"no session":                  {store.MessageQuery{SessionID: "x", Limit: 9}, []string{}},
	} {
		got, err := s.Messages(t.Context(), c.q)
		ids := []string{}
		for _, m := range got {
			ids = append(ids, m.ID)
		}
		if err != nil || !slices.Equal(ids, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, ids, err, c.want)
		}
	}
	want := message("c", "tool", 5)
	want.SessionID = "ses"
	got, err := s.Message(t.Context(), "ses", "c")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := s.Message(t.Context(), "empty", "c"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("message of another session: %v", err)
	}
}

func TestImportSessionsIsAllOrNothing(t *testing.T) {
	t.Parallel()
	s := open(t, "ada@x.example")
	good := imported("good", "ada@x.example")
	for name, c := range map[string]struct {
		bad  store.SessionImport
		want error
	}{
		"unknown member":     {imported("bad", "bob@x.example"), store.ErrNotFound},
		"the same id twice":  {imported("bad", "ada@x.example", message("a", "user", 0), message("a", "user", 1)), store.ErrExists},
		"unknown member id":  {store.SessionImport{Session: store.Session{ID: "bad", UserID: "usr_x", Status: "idle"}}, store.ErrNotFound},
		"nobody is a member": {imported("bad", ""), store.ErrNotFound},
	} {
		if n, err := s.ImportSessions(t.Context(), []store.SessionImport{good, c.bad}); n != 0 || !errors.Is(err, c.want) {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if _, err := s.Session(t.Context(), "good"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: half an import was stored: %v", name, err)
		}
	}
	// A member who left keeps the sessions.
	if err := s.RemoveUser(t.Context(), "usr_ada@x.example", now()); err != nil {
		t.Fatal(err)
	}
	former := imported("former", "")
	former.Session.UserID = "usr_ada@x.example"
	if n, err := s.ImportSessions(t.Context(), []store.SessionImport{former}); n != 1 || err != nil {
		t.Errorf("former member: %d, %v", n, err)
	}
}
