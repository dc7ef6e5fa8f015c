package ledger

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/govctl/govctl/internal/org"
	"github.com/govctl/govctl/internal/pgtest"
)

// sql runs a statement in the database of a ledger, as an operator would.
func sql(t *testing.T, at Location, statement string, into ...any) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), at.url.String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	if len(into) > 0 {
		err = c.QueryRow(t.Context(), statement).Scan(into...)
	} else {
		_, err = c.Exec(t.Context(), statement)
	}
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

const expire = `UPDATE govctl_ledgers SET expires_at = clock_timestamp() - interval '1 second'`

// A holder that was stopped until its lock expired and somebody else took it cannot
// write, and is told who has the lock now.
func TestFencing(t *testing.T) {
	t.Parallel()
	at := locate(t, pgtest.New(t))
	paused := openAt(t, at)
	ask := add(t, paused, intend("ada@x.io"))
	sql(t, at, expire)
	other, err := at.Open(t.Context(), Options{Owner: "bob"})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, r := range []Record{intend("eve@x.io"), {Kind: Outcome, Of: ask.ID, Set: []org.Email{"ada@x.io"}}} {
		_, err := paused.Append(t.Context(), r)
		var lost *LockedError
		if !errors.As(err, &lost) || !lost.Lost || lost.Owner.User != "bob" {
			t.Errorf("%s of a holder without lock: %v", r.Kind, err)
		}
	}
	paused.store.(*shared).beat(t.Context())
	closed(t, paused) // takes nothing away from bob
	add(t, other, intend("bob@x.io"))
	if held, err := at.Lock(t.Context()); err != nil || held == nil || held.Owner.User != "bob" {
		t.Errorf("the lock is held by %v, %v", held, err)
	}
	l := readAt(t, at)
	if known := l.Known(org.Target{BaseURL: "u"}); len(l.Records()) != 2 || gradeOf(known, "ada@x.io") != org.Unknown {
		t.Errorf("known %+v", known)
	}
}

// Compacting is a write like any other.
func TestFencingCompact(t *testing.T) {
	t.Parallel()
	at := locate(t, pgtest.New(t))
	paused := openAt(t, at)
	for range 2 {
		ask := add(t, paused, intend("ada@x.io"))
		add(t, paused, Record{Kind: Outcome, Of: ask.ID, Set: []org.Email{"ada@x.io"}})
	}
	sql(t, at, `UPDATE govctl_ledgers SET token = token + 1`)
	if _, err := paused.Compact(t.Context()); !errors.As(err, new(*LockedError)) {
		t.Errorf("got %v", err)
	}
	if n := len(readAt(t, at).Records()); n != 4 {
		t.Errorf("%d records left", n)
	}
}

// An expired lock that nobody took is still good: a slow holder need not stop.
func TestExpiredAndNotTaken(t *testing.T) {
	t.Parallel()
	at := locate(t, pgtest.New(t))
	j := openAt(t, at)
	sql(t, at, expire)
	add(t, j, intend("ada@x.io"))
	if _, err := at.Open(t.Context(), Options{}); !errors.As(err, new(*LockedError)) {
		t.Errorf("writing did not renew the lock: %v", err)
	}
}

// The holder of a lock shows that it lives.
func TestHeartbeat(t *testing.T) {
	t.Parallel()
	at := locate(t, pgtest.New(t))
	j, err := at.Open(t.Context(), Options{lease: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	first, err := at.Lock(t.Context())
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	for next := first; !next.Expires.After(first.Expires); { // ends by the first sign of life
		if next, err = at.Lock(t.Context()); err != nil || next == nil {
			t.Fatal(next, err)
		}
	}
}

// The lock of a holder that went away for good can be taken away, by its ID and only by
// that; whoever had it cannot write any more.
func TestUnlock(t *testing.T) {
	t.Parallel()
	at := locate(t, pgtest.New(t))
	if done, err := at.Unlock(t.Context(), "1"); done || err != nil {
		t.Errorf("no tables: %v, %v", done, err)
	}
	j := openAt(t, at)
	held, err := at.Lock(t.Context())
	if err != nil || held == nil || held.ID == "" || held.Expires.Sub(held.Owner.Started) < leaseTime {
		t.Fatalf("lock %+v, %v", held, err)
	}
	if done, err := at.Unlock(t.Context(), held.ID+"0"); done || err != nil {
		t.Errorf("another ID: %v, %v", done, err)
	}
	if _, err := at.Unlock(t.Context(), "x"); err == nil {
		t.Error("an ID that is none was accepted")
	}
	if done, err := at.Unlock(t.Context(), held.ID); !done || err != nil {
		t.Fatalf("unlock: %v, %v", done, err)
	}
	if done, err := at.Unlock(t.Context(), held.ID); done || err != nil {
		t.Errorf("twice: %v, %v", done, err)
	}
	var lost *LockedError
	if _, err := j.Append(t.Context(), intend("ada@x.io")); !errors.As(err, &lost) || !strings.Contains(err.Error(), "was taken away") {
		t.Errorf("append without lock: %v", err)
	}
	closed(t, openAt(t, at))
	if _, err := locate(t, t.TempDir()+"/ledger.jsonl").Unlock(t.Context(), "1"); err == nil {
		t.Error("the lock of a file was taken away")
	}
}

// Several ledgers share the tables of a database and nothing else.
func TestLedgersOfOneDatabase(t *testing.T) {
	t.Parallel()
	base := pgtest.New(t)
	a, b, none := locate(t, base), locate(t, base+"&ledger=b%27%22"), locate(t, base+"&ledger=none")
	ja, jb := openAt(t, a), openAt(t, b)
	add(t, ja, intend("ada@x.io"))
	add(t, ja, intend("eve@x.io"))
	add(t, jb, intend("bob@x.io"))
	pa, pb, pn := readAt(t, a).Position(), readAt(t, b).Position(), readAt(t, none).Position()
	if pa.Serial != 2 || pb.Serial != 1 || pa.Lineage == pb.Lineage || pn != (org.Position{}) {
		t.Errorf("positions %+v, %+v, %+v", pa, pb, pn)
	}
}

// Twenty processes find no tables at the same time.
func TestCreateTogether(t *testing.T) {
	t.Parallel()
	base := pgtest.New(t)
	var group sync.WaitGroup
	for i := range 20 {
		at := locate(t, fmt.Sprintf("%s&ledger=%d", base, i))
		group.Go(func() {
			j, err := at.Open(t.Context(), Options{})
			if err != nil {
				t.Error(err)
				return
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

// Who may write rows needs no right to create tables; who may read needs no right to
// write.
func TestPrivileges(t *testing.T) {
	t.Parallel()
	at := locate(t, pgtest.New(t))
	closed(t, openAt(t, at))
	sql(t, at, `REVOKE CREATE ON SCHEMA public FROM PUBLIC, CURRENT_USER`)
	j := openAt(t, at)
	add(t, j, intend("ada@x.io"))
	closed(t, j)
	sql(t, at, `REVOKE INSERT, UPDATE, DELETE ON govctl_ledgers, govctl_ledger_records FROM CURRENT_USER`)
	if n := len(readAt(t, at).Records()); n != 1 {
		t.Errorf("%d records", n)
	}
	if _, err := at.Open(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("open without the right to write: %v", err)
	}
}

// Records are on disk when Append returns, however the server is set up.
func TestDurable(t *testing.T) {
	t.Parallel()
	at := locate(t, pgtest.New(t))
	sql(t, at, `ALTER ROLE CURRENT_USER SET synchronous_commit = off`)
	closed(t, openAt(t, at))
	sql(t, at, `CREATE TABLE seen (setting TEXT);
		CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$;
		CREATE TRIGGER look AFTER INSERT ON govctl_ledger_records FOR EACH ROW EXECUTE FUNCTION look()`)
	j := openAt(t, at)
	for range 2 {
		ask := add(t, j, intend("ada@x.io"))
		add(t, j, Record{Kind: Outcome, Of: ask.ID, Set: []org.Email{"ada@x.io"}})
	}
	if n, err := j.Compact(t.Context()); n != 2 || err != nil {
		t.Fatalf("removed %d, %v", n, err)
	}
	var settings []string
	sql(t, at, `SELECT array_agg(setting) FROM seen`, &settings)
	if diff := cmp.Diff([]string{"on", "on", "on", "on", "on", "on"}, settings); diff != "" {
		t.Errorf("synchronous_commit of each insert (-want +got):\n%s", diff)
	}
}

// What is not as it was written is an error, never knowledge.
func TestSharedDamage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, statement, want string }{
		{"record missing", `DELETE FROM govctl_ledger_records WHERE serial = 1`, "damaged: 1 records are there, 2 were written"},
		{"newest missing", `DELETE FROM govctl_ledger_records WHERE serial = 2`, "damaged: 1 records are there, 2 were written"},
		{"not a record", `UPDATE govctl_ledger_records SET record = '[1]' WHERE serial = 2`, "record 2: damaged record"},
		{"future version", `UPDATE govctl_ledgers SET version = 2`, "ledger format version 2 is not known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			at := locate(t, pgtest.New(t))
			j := openAt(t, at)
			add(t, j, intend("ada@x.io"))
			add(t, j, intend("bob@x.io"))
			closed(t, j)
			sql(t, at, c.statement)
			if _, err := at.Read(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("read: %v, want %q", err, c.want)
			}
			if _, err := at.Open(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("open: %v, want %q", err, c.want)
			}
			if held, err := at.Lock(t.Context()); held != nil || err != nil {
				t.Errorf("the lock is still held: %v, %v", held, err)
			}
		})
	}
}

// The server ends every connection. What Append acknowledged before and after is there.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	at := locate(t, pgtest.New(t))
	j := openAt(t, at)
	want := []Record{add(t, j, intend("ada@x.io"))}
	sql(t, at, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	for range 3 {
		if r, err := j.Append(t.Context(), intend("bob@x.io")); err == nil {
			want = append(want, r)
		}
	}
	if diff := cmp.Diff(want, readAt(t, at).Records()); diff != "" {
		t.Errorf("(-acknowledged +read):\n%s", diff)
	}
	if diff := cmp.Diff(want, j.Log().Records()); diff != "" {
		t.Errorf("(-acknowledged +kept):\n%s", diff)
	}
}

// A statement that the server refuses leaves nothing, and the next one may succeed.
func TestServerRefuses(t *testing.T) {
	t.Parallel()
	at := locate(t, pgtest.New(t))
	j := openAt(t, at)
	sql(t, at, `ALTER TABLE govctl_ledger_records ADD CONSTRAINT small CHECK (serial < 2)`)
	first := add(t, j, intend("ada@x.io"))
	if _, err := j.Append(t.Context(), intend("bob@x.io")); err == nil || !strings.Contains(err.Error(), "small") {
		t.Errorf("got %v", err)
	}
	sql(t, at, `ALTER TABLE govctl_ledger_records DROP CONSTRAINT small`)
	third := add(t, j, intend("eve@x.io"))
	if diff := cmp.Diff([]Record{first, third}, readAt(t, at).Records()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A password is in no message, whatever goes wrong.
func TestPasswordIsNeverShown(t *testing.T) {
	t.Parallel()
	const secret = "canary-7f3a"
	real, err := url.Parse(pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	host := real.Query().Get("host")
	for _, text := range []string{
		"postgres://ada:" + secret + "@/none?host=" + url.QueryEscape(host),
		"postgres://ada:" + secret + "@127.0.0.1:1/none?connect_timeout=1",
		"postgres://ada:" + secret + "@[::1/none",
		"postgres://ada:" + secret + "#@127.0.0.1:1/none",
		"postgres://ada:" + secret + "/@127.0.0.1:1/none",
		"postgres://ada:" + secret + "%zz@127.0.0.1:1/none",
		"postgres://127.0.0.1:1/none?connect_timeout=1&user=ada&password=" + secret,
		"postgres://127.0.0.1:1/none?connect_timeout=x&user=ada&password=" + secret,
		"postgres://127.0.0.1:1/none?sslmode=" + secret + "&password=" + secret + "%zz",
		"postgres:ada:" + secret,
	} {
		at, err := Locate(text, t.TempDir())
		if err != nil {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if !at.HasPassword() {
			t.Errorf("%s: no password was found", text)
		}
		_, read := at.Read(t.Context())
		_, open := at.Open(t.Context(), Options{})
		_, unlock := at.Unlock(t.Context(), "1")
		for _, err := range []error{read, open, unlock} {
			if err == nil || strings.Contains(err.Error(), secret) || strings.Contains(at.String(), secret) {
				t.Errorf("%s: %v (%s)", text, err, at)
			}
		}
	}
}
