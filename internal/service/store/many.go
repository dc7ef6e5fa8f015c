package store

import (
	"context"
	"database/sql"
	"slices"
	"strings"
)

// maxValues is how many values one statement may hold. SQLite takes 32,766 and PostgreSQL
// 65,535; more than this saves nothing.
const maxValues = 4000

// tuple is "(?, ?, ?)" with n places.
func tuple(n int) string {
	return "(" + strings.TrimSuffix(strings.Repeat("?, ", n), ", ") + ")"
}

// insertMany inserts rows of the same length, many with each statement, because a
// statement for each row costs a round trip to a server. head ends with VALUES; tail is
// what follows them, "" for nothing.
func insertMany(ctx context.Context, tx *sql.Tx, head string, rows [][]any, tail string) error {
	return eachStatement(rows, head, tail, func(query string, args []any) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
}

// eachStatement calls do with as many statements as rows need.
func eachStatement(rows [][]any, head, tail string, do func(query string, args []any) error) error {
	if len(rows) == 0 {
		return nil
	}
	width := len(rows[0])
	for some := range slices.Chunk(rows, max(1, maxValues/width)) {
		places := strings.TrimSuffix(strings.Repeat(tuple(width)+", ", len(some)), ", ")
		if err := do(head+places+tail, slices.Concat(some...)); err != nil {
			return err
		}
	}
	return nil
}
