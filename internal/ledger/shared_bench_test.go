package ledger

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/govctl/govctl/internal/pgtest"
)

// BenchmarkShared compares appending to a ledger in PostgreSQL with its floor, which is a
// bare INSERT of the same line, committed by itself. Appliers have one ledger each, in the
// same two tables, because a ledger has one holder at a time.
func BenchmarkShared(b *testing.B) {
	url := pgtest.New(b)
	log, err := parse(string(history(b, 100)))
	if err != nil {
		b.Fatal(err)
	}
	intention := log.records[0]
	line, err := encode(intention)
	if err != nil {
		b.Fatal(err)
	}
	for _, appliers := range []int{1, 20} {
		b.Run(fmt.Sprintf("floor/appliers=%d", appliers), func(b *testing.B) {
			table := fmt.Sprintf("floor%d", appliers)
			eachOf(b, appliers, func(n int) (func(int64) error, func(), error) {
				c, err := pgx.Connect(b.Context(), url)
				if err != nil {
					return nil, nil, err
				}
				if n == 0 {
					_, err = c.Exec(b.Context(), `CREATE TABLE IF NOT EXISTS `+table+
						` (ledger INT, serial BIGINT, id TEXT, at TIMESTAMPTZ, record JSON, PRIMARY KEY (ledger, serial), UNIQUE (ledger, id)); TRUNCATE `+table)
				}
				insert := func(i int64) error {
					_, err := c.Exec(b.Context(), `INSERT INTO `+table+` VALUES ($1, $2, $3, $4, $5)`, n, i, fmt.Sprint(i), time.Now(), string(line))
					return err
				}
				return insert, func() { _ = c.Close(b.Context()) }, err
			})
		})
		b.Run(fmt.Sprintf("append/appliers=%d", appliers), func(b *testing.B) {
			eachOf(b, appliers, func(n int) (func(int64) error, func(), error) {
				at, err := Locate(fmt.Sprintf("%s&ledger=bench%d-%d", url, appliers, n), "")
				if err != nil {
					return nil, nil, err
				}
				j, err := at.Open(b.Context(), Options{})
				if err != nil {
					return nil, nil, err
				}
				return func(int64) error {
					_, err := j.Append(b.Context(), intention)
					return err
				}, func() { _ = j.Close() }, nil
			})
		})
	}
}

// eachOf shares b.N operations between appliers and reports how many there are a second.
// Make prepares one of them, the first before all others.
func eachOf(b *testing.B, appliers int, make func(n int) (do func(i int64) error, end func(), err error)) {
	b.Helper()
	var work []func(int64) error
	for n := range appliers {
		do, end, err := make(n)
		if err != nil {
			b.Fatal(err)
		}
		defer end()
		work = append(work, do)
	}
	var next atomic.Int64
	var group sync.WaitGroup
	b.ResetTimer()
	for _, do := range work {
		group.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				if err := do(i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "batches/s")
}
