package client

import (
	"context"
	"hash/maphash"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"github.com/govctl/govctl/internal/api"
)

// maxPages ends a list that never does: 6.5 million items in pages of 100, or 65,536
// where a server gives one at a time.
const maxPages = 1 << 16

// list is how one kind of page is read.
type list[P, T any] struct {
	path  string
	size  int
	query url.Values // besides limit and cursor; nil is none
	split func(*P) ([]T, api.Pagination)
	id    func(*T) string
	falls bool // whoever reads it ends the walk at an item that is not below the one before
}

// walk yields the items of all pages. Pages are distrusted: a cursor seen before, a
// cursor that is missing, or a page that brings nothing new ends the list with an error
// (principle 4). An item may come twice if the list moves under the walk.
func (l list[P, T]) walk(ctx context.Context, c *Client) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		g := newGuard(l.falls)
		cursor := ""
		for page := 1; ; page++ {
			query := url.Values{"limit": {strconv.Itoa(l.size)}}
			maps.Copy(query, l.query)
			if cursor != "" {
				query.Set("cursor", cursor)
			}
			var p P
			if err := c.do(ctx, http.MethodGet, l.path, query, nil, &p); err != nil {
				yield(zero, err)
				return
			}
			items, next := l.split(&p)
			fresh := false
			for i := range items {
				id := l.id(&items[i])
				if id == "" {
					yield(zero, c.pageError(l.path, "page %d: an item has no id", page))
					return
				}
				fresh = g.item(id) || fresh
				if !yield(items[i], nil) {
					return
				}
			}
			if !next.HasMore {
				return
			}
			problem := ""
			switch {
			case next.NextCursor == nil || *next.NextCursor == "":
				problem = "more are promised without a cursor"
			case !g.cursor(*next.NextCursor):
				problem = "a cursor comes again"
			case !fresh:
				problem = "a page brings nothing new"
			case page == maxPages:
				problem = "there is no end"
			}
			if problem != "" {
				yield(zero, c.pageError(l.path, "page %d: %s", page, problem))
				return
			}
			cursor = *next.NextCursor
		}
	}
}

// guard remembers what a walk has seen; items as hashes, because there may be millions.
// Of a list that falls it remembers the last cursor and nothing else: every item of such
// a list is new, and pages in a circle bring one that is not below the one before.
type guard struct {
	falls   bool
	last    string
	seed    maphash.Seed
	cursors map[string]bool
	items   map[uint64]struct{}
}

func newGuard(falls bool) guard {
	return guard{falls: falls, seed: maphash.MakeSeed(), cursors: map[string]bool{}, items: map[uint64]struct{}{}}
}

// cursor reports whether a cursor is new, as far as is remembered.
func (g *guard) cursor(c string) bool {
	if g.falls {
		fresh := c != g.last
		g.last = c
		return fresh
	}
	fresh := !g.cursors[c]
	g.cursors[c] = true
	return fresh
}

// item reports whether id is new.
func (g *guard) item(id string) bool {
	if g.falls {
		return true
	}
	h := maphash.String(g.seed, id)
	if _, seen := g.items[h]; seen {
		return false
	}
	g.items[h] = struct{}{}
	return true
}
