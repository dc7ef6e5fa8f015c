package exchange_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/govctl/govctl/internal/pgtest"
	"github.com/govctl/govctl/internal/service/exchange"
	"github.com/govctl/govctl/internal/service/store"
)

func opened(f *testing.F) *store.Store {
	f.Helper()
	s, err := store.Open(f.Context(), pgtest.Database(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close() })
	if _, err := s.AddUser(f.Context(), store.User{Email: "ada@x.example", CreatedAt: now()}); err != nil {
		f.Fatal(err)
	}
	return s
}

// isTaken is true for ids that an earlier input took and for members nobody is.
func isTaken(err error) bool {
	return errors.Is(err, store.ErrExists) || errors.Is(err, store.ErrNotFound)
}

// FuzzReports: what is read can be stored, shown and read again.
func FuzzReports(f *testing.F) {
	s := opened(f)
	for _, seed := range []string{goodReport, `[` + goodReport + `]`, `{"reports":[]}`, `{"reports":null}`, "[]\n{}", "\xff", `[{"apps":{"\u0000":{}}}]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		reports, err := exchange.ReadReports(data)
		if err != nil {
			return
		}
		if _, err := s.AddReports(t.Context(), reports); err != nil && !isTaken(err) {
			t.Errorf("read but not stored: %v", err)
		}
		file, err := json.Marshal(exchange.ExportReports(reports))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := exchange.ReadReports(file); err != nil || len(again) != len(reports) {
			t.Errorf("%s: %v", file, err)
		}
	})
}

// FuzzSessions: what is read can be stored, shown and read again.
func FuzzSessions(f *testing.F) {
	s := opened(f)
	for _, seed := range []string{session(""), session(`,"messages":[` + goodMessage + `]`), session(`,"messageCount":1e3`), `{"sessions":[{}]}`, "\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		imports, err := exchange.ReadSessions(data)
		if err != nil {
			return
		}
		if _, err := s.ImportSessions(t.Context(), imports); err != nil && !isTaken(err) {
			t.Errorf("read but not stored: %v", err)
		}
		for _, one := range imports {
			for _, m := range one.Messages {
				if !json.Valid(exchange.ShowMessage(m)) {
					t.Errorf("%s", exchange.ShowMessage(m))
				}
			}
			file, err := json.Marshal(exchange.ExportSession(one.Session, one.UserEmail, one.Messages))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := exchange.ReadSessions(file); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	})
}

// FuzzUsers: what is read can be stored, written and read again.
func FuzzUsers(f *testing.F) {
	s := opened(f)
	for _, seed := range []string{"email\na@b.c\n", "email,role,metadata\na@b.c,owner,{}\n", "\ufeffemail\r\n\"a@b.c\"", "email,created_at\na@b.c,2026-01-01T00:00:00Z"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		users, err := exchange.ReadUsers(data, now())
		if err != nil {
			return
		}
		if _, err := s.ImportUsers(t.Context(), users); err != nil && !isTaken(err) {
			t.Errorf("read but not stored: %v", err)
		}
		var file bytes.Buffer
		if err := exchange.WriteUsers(&file, users); err != nil {
			t.Fatal(err)
		}
		if again, err := exchange.ReadUsers(file.Bytes(), now()); len(again) != len(users) && err == nil {
			t.Errorf("%q: %d of %d, %v", file.Bytes(), len(again), len(users), err)
		}
	})
}

// FuzzSettings: what is read can be stored.
func FuzzSettings(f *testing.F) {
	s := opened(f)
	for _, seed := range []string{"{}", "a: {b: [1, ~, 0x10]}", "a: &x 1\nb: *x", "---\na: 1", "a: .nan", "a: 2026-01-01", "? a\n: b"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		settings, err := exchange.ReadSettings(data)
		if err != nil {
			return
		}
		if _, _, err := s.ApplySettings(t.Context(), settings, store.Actor{}, now()); err != nil {
			t.Errorf("%s: %v", settings, err)
		}
	})
}

// FuzzExpiry: an expiry lies in the future or is never.
func FuzzExpiry(f *testing.F) {
	for _, seed := range []string{"90d", "2027-01-01", "12h", "9999-12-31T23:59:59+14:00", "65535d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := exchange.ParseExpiry(text, now())
		if err == nil && text != "" && at.Before(now().Truncate(time.Millisecond)) {
			t.Errorf("%q: %v", text, at)
		}
	})
}
