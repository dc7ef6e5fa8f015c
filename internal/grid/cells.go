package grid

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/govctl/govctl/internal/api"
	"github.com/govctl/govctl/internal/org"
)

// text is a string without the secrets of URLs.
func text(s string) any { return org.RedactURL(s) }

// optional is text for what may be absent.
func optional(s *string) any {
	if s == nil {
		return nil
	}
	return text(*s)
}

// nonempty is text where "" means that there is none.
func nonempty(s string) any {
	if s == "" {
		return nil
	}
	return text(s)
}

// address is optional for addresses, where "" means none as well (U19).
func address(s *string) any {
	if s == nil {
		return nil
	}
	return nonempty(*s)
}

func number(n *json.Number) any {
	if n == nil {
		return nil
	}
	return *n
}

func flag(b *bool) any {
	if b == nil {
		return nil
	}
	return *b
}

func count(n int) any { return json.Number(strconv.Itoa(n)) }

// stamp writes Unix milliseconds as RFC 3339. What is no such number stays as it is.
func stamp(n *json.Number) any {
	if n == nil {
		return nil
	}
	ms, err := n.Int64()
	if err != nil {
		f, ferr := n.Float64()
		if ms = int64(f); ferr != nil || float64(ms) != f {
			return n.String()
		}
	}
	at := time.UnixMilli(ms).UTC()
	if at.Year() < 1 || at.Year() > 9999 {
		return n.String()
	}
	return at.Format("2006-01-02T15:04:05.000Z07:00")
}

// texts is a list of strings.
func texts(list []string) any {
	if list == nil {
		return nil
	}
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = text(s)
	}
	return out
}

// host is the host of a URL that may itself be a right to connect (T36).
func host(s *string) any {
	if s == nil {
		return nil
	}
	u, err := url.Parse(*s)
	if err != nil || u.Host == "" {
		return "redacted"
	}
	return u.Host
}

// names lists the names of free metadata; its values are never printed whole (T35).
func names(o api.Object) any {
	if o == nil {
		return nil
	}
	return texts(slices.Sorted(maps.Keys(o)))
}

// decoded is any value of the API as conditions and outputs see it. The tokens that usage
// counts are no secrets, so nothing is hidden by its name: what may hold secrets is
// treated one by one.
func decoded(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	out, err := org.DecodeJSON(data)
	if err != nil {
		return nil
	}
	return org.RedactURLs(out)
}

// free is free metadata without secrets, for conditions.
func free(o api.Object) any {
	if o == nil {
		return nil
	}
	return org.Redact(decoded(o))
}
