package service

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/govctl/govctl/internal/api"
)

// tick is how often a slow answer goes on.
const tick = 50 * time.Millisecond

// bent spoils an answer on its way out. It relies on answers being written in one piece.
type bent struct {
	http.ResponseWriter
	ctx    context.Context
	fault  Fault
	status int
}

// Unwrap is for http.ResponseController.
func (b *bent) Unwrap() http.ResponseWriter { return b.ResponseWriter }

// WriteHeader waits for the body, which may change the length.
func (b *bent) WriteHeader(status int) { b.status = status }

// Write sends what the fault leaves of the whole answer.
func (b *bent) Write(text []byte) (int, error) {
	whole := len(text)
	if b.fault.Pages != "" && b.status == http.StatusOK {
		text = b.fault.Pages.answer(text)
	}
	b.Header().Set("Content-Length", strconv.Itoa(len(text)))
	b.ResponseWriter.WriteHeader(b.status)
	cut := b.fault.Truncate > 0
	if cut {
		text = text[:int(float64(len(text))*b.fault.Truncate)]
	}
	if err := b.trickle(text); err != nil {
		return 0, err
	}
	if cut {
		_ = http.NewResponseController(b.ResponseWriter).Flush() // what cannot be flushed is cut, too
		panic(http.ErrAbortHandler)
	}
	return whole, nil
}

// trickle writes text at the speed of the fault.
func (b *bent) trickle(text []byte) error {
	if b.fault.Slow <= 0 {
		_, err := b.ResponseWriter.Write(text)
		return err
	}
	step := max(1, int(float64(b.fault.Slow)*tick.Seconds()))
	pause := time.Duration(float64(step) / float64(b.fault.Slow) * float64(time.Second))
	for len(text) > 0 && b.ctx.Err() == nil {
		n := min(step, len(text))
		if _, err := b.ResponseWriter.Write(text[:n]); err != nil {
			return err
		}
		_ = http.NewResponseController(b.ResponseWriter).Flush() // then it comes later
		text = text[n:]
		wait(b.ctx, pause)
	}
	return b.ctx.Err()
}

// again is the cursor of a list that begins anew.
const again = "again"

// ask changes the question for a page: short asks for half of it, cycle for the first
// one. The answer comes uncompressed, so that it can be changed.
func (p Paging) ask(r *http.Request) *http.Request {
	q := r.URL.Query()
	switch p {
	case PagesShort:
		limit, err := strconv.Atoi(q.Get("limit"))
		if err != nil {
			limit = api.DefaultPage
		}
		if limit > 1 {
			q.Set("limit", strconv.Itoa((limit+1)/2))
		}
	case PagesCycle:
		q.Del("startAfter")
		if q.Get("cursor") == again {
			q.Del("cursor")
		}
	}
	changed := r.Clone(r.Context())
	changed.URL.RawQuery = q.Encode()
	changed.Header.Del("Accept-Encoding")
	return changed
}

// answer changes pagination, or the meta of analytics, in a page.
func (p Paging) answer(text []byte) []byte {
	var page object
	if p == PagesShort || json.Unmarshal(text, &page) != nil {
		return text
	}
	for name, key := range map[string][2]string{"pagination": {"hasMore", "nextCursor"}, "meta": {"has_more", "next_cursor"}} {
		part, err := asObject(page[name], name)
		if err != nil || part[key[0]] == nil {
			continue
		}
		part[key[0]] = json.RawMessage("true")
		delete(part, key[1])
		if p == PagesCycle {
			part[key[1]] = json.RawMessage(`"` + again + `"`)
		}
		page[name], _ = encode(part)
	}
	changed, err := encode(page)
	if err != nil {
		return text
	}
	return append(changed, '\n')
}

// seconds is a Retry-After.
func seconds(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Seconds()))) }
