package store_test

import (
	"os"
	"testing"

	"github.com/govctl/govctl/internal/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// TestPostgres runs every test of this package a second time, on PostgreSQL.
func TestPostgres(t *testing.T) {
	t.Parallel()
	pgtest.Again(t)
}
