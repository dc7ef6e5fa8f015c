package service

import (
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strconv"

	"github.com/govctl/govctl/internal/api"
)

// page is the part of a list that a request asks for.
type page struct {
	list  string // which list, with its filter: a cursor of another list is refused
	after string // key of the last item already seen, "" from the start
	limit int
}

// sumBytes of SHA-256 bind a cursor to its list and show damage; they are no secret.
const sumBytes = 8

// cursor names the place behind the item with this key; opaque to clients (U11).
func (p page) cursor(key string) string {
	sum := sha256.Sum256([]byte(p.list + "\n" + key))
	return base64.RawURLEncoding.EncodeToString(append(sum[:sumBytes], key...))
}

// readPage reads limit and cursor for a list.
func readPage(q url.Values, list string) (page, error) {
	p := page{list: list, limit: api.DefaultPage}
	limit, given, err := once(q, "limit")
	if err != nil {
		return page{}, err
	}
	if given {
		if p.limit, err = parseLimit(limit); err != nil {
			return page{}, err
		}
	}
	cursor, _, err := once(q, "cursor")
	if err != nil || cursor == "" {
		return p, err
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) <= sumBytes || p.cursor(string(raw[sumBytes:])) != cursor {
		return page{}, invalid("the cursor does not belong to this list")
	}
	p.after = string(raw[sumBytes:])
	return p, nil
}

// parseLimit takes decimal digits for 1 to 100 and nothing else (U12).
func parseLimit(s string) (int, error) {
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, invalid("limit must be a number from 1 to %d", api.MaxPage)
		}
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > api.MaxPage {
		return 0, invalid("limit must be a number from 1 to %d", api.MaxPage)
	}
	return n, nil
}

// once reads a query parameter that may stand once.
func once(q url.Values, name string) (value string, given bool, err error) {
	switch values := q[name]; len(values) {
	case 0:
		return "", false, nil
	case 1:
		return values[0], true, nil
	}
	return "", false, invalid("%s is given more than once", name)
}

// cut drops the one item that was read beyond the page, which shows that there is more,
// and makes the pagination of the rest.
func cut[T any](items []T, p page, key func(T) string) ([]T, api.Pagination) {
	next := ""
	more := len(items) > p.limit
	if more {
		items = items[:p.limit]
		next = p.cursor(key(items[p.limit-1]))
	}
	return items, api.Pagination{HasMore: more, NextCursor: &next}
}
