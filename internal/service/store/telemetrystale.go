package store

import (
	"context"
	"database/sql"
	"fmt"
)

// OutdateDays makes the days dirty, as if they had never been built, that were built with
// an older schema and still have their spans, and returns how many they are. Days without
// spans stay as they were built: there is nothing to build them from.
func (s *Store) OutdateDays(ctx context.Context, schema int) (int64, error) {
	const older = `SELECT b.day FROM analytics_built b WHERE b.schema < ?1 AND EXISTS (SELECT 1 FROM span_blocks s WHERE s.day = b.day)`
	var n int64
	err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM (`+older+`) AS o`, int64(schema)).Scan(&n)
	if err == nil && n > 0 {
		err = s.update(ctx, func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO dirty_days (day, mark) SELECT day, max(id) FROM span_blocks
				WHERE day IN (`+older+`) GROUP BY day ON CONFLICT (day) DO NOTHING`, int64(schema))
			if err != nil {
				return err
			}
			res, err := tx.ExecContext(ctx, `DELETE FROM analytics_built WHERE day IN (`+older+`)`, int64(schema))
			if err != nil {
				return err
			}
			n, err = res.RowsAffected()
			return err
		})
	}
	if err != nil {
		return 0, fmt.Errorf("find days of an older schema: %w", err)
	}
	return n, nil
}
