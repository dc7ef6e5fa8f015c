package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Two processes may open a new file at the same moment; the one that comes second sees
// tables appear and has only to look again.
const (
	migrateTries = 20
	migratePause = 50 * time.Millisecond
)

func migrate(ctx context.Context, db *sql.DB) error {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, dir, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	for try := 1; ; try++ {
		_, err = p.Up(ctx)
		if err == nil || try == migrateTries || ctx.Err() != nil {
			break
		}
		time.Sleep(migratePause)
	}
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
