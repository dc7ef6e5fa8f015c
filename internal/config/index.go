package config

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// index sorts the users and reports addresses declared twice or ignored.
func (d *limitsDecoder) index() {
	users := sorted(d.out.users)
	n := 0 // users kept
	for i := range users {
		u := &users[i]
		if n > 0 && users[n-1].Email == u.Email {
			first := users[n-1].Source
			d.add(Problem{Source: u.Source, Also: &first, Hint: "keep one of them; addresses that differ only in case are the same",
				Message: fmt.Sprintf("%s is declared twice", u.Email)})
			continue
		}
		if n < i {
			users[n] = *u
		}
		n++
		if len(d.out.ignore) > 0 {
			d.ignored(u.Email, u.Source)
		}
	}
	d.out.users = users[:n]
}

// sorted orders limits by address, then place.
func sorted(limits []org.Limit) []org.Limit {
	order := func(a, b *org.Limit) int {
		if c := strings.Compare(string(a.Email), string(b.Email)); c != 0 {
			return c
		}
		return compareSources(a.Source, b.Source)
	}
	inOrder := true
	for i := 1; i < len(limits) && inOrder; i++ {
		inOrder = order(&limits[i-1], &limits[i]) <= 0
	}
	if inOrder {
		return limits
	}
	// Keys without pointers are cheap to move about, and eight bytes mostly decide.
	type key struct {
		head uint64
		at   int32
	}
	skip := commonPrefix(limits)
	keys := make([]key, len(limits))
	for i := range limits {
		keys[i] = key{head(limits[i].Email[skip:]), int32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return order(&limits[a.at], &limits[b.at])
	})
	out := make([]org.Limit, len(limits))
	for i, k := range keys {
		out[i] = limits[k.at]
	}
	return out
}

// commonPrefix is the length of what all addresses begin with.
func commonPrefix(limits []org.Limit) int {
	first := limits[0].Email
	n := len(first)
	for i := range limits {
		email := limits[i].Email
		n = min(n, len(email))
		for j := range n {
			if email[j] != first[j] {
				n = j
				break
			}
		}
	}
	return n
}

// head is the first eight bytes as a number that orders like them. An address has no
// zero bytes, so a short one comes first.
func head(email org.Email) uint64 {
	var b [8]byte
	copy(b[:], email)
	return binary.BigEndian.Uint64(b[:])
}
