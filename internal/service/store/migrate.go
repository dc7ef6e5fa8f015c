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

func migrateSQLite(ctx context.Context, db *sql.DB) error {
	dir, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	for try := 1; ; try++ {
		err = up(ctx, goose.DialectSQLite3, db, dir)
		if err == nil || try == migrateTries || ctx.Err() != nil {
			return err
		}
		time.Sleep(migratePause)
	}
}

// up brings a database to the newest version.
func up(ctx context.Context, dialect goose.Dialect, db *sql.DB, dir fs.FS, options ...goose.ProviderOption) error {
	p, err := goose.NewProvider(dialect, db, dir, append(options, goose.WithDisableGlobalRegistry(true))...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
