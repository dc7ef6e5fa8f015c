package pgtest

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// TestNew makes two databases: each is there, empty, and apart from the other.
func TestNew(t *testing.T) {
	t.Parallel()
	for range 2 {
		c, err := pgx.Connect(t.Context(), New(t))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close(t.Context()) }()
		if _, err := c.Exec(t.Context(), `CREATE TABLE mine (n BIGINT)`); err != nil {
			t.Fatal(err)
		}
		var super bool
		if err := c.QueryRow(t.Context(), `SELECT rolsuper FROM pg_roles WHERE rolname = current_user`).Scan(&super); err != nil || super {
			t.Errorf("superuser %v, %v; want an ordinary user", super, err)
		}
	}
}
