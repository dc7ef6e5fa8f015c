package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/govctl/govctl/internal/org"
)

// membersDigest identifies the member list by ids and spellings, in any order.
func membersDigest(have org.Live) string {
	if !have.MembersRead {
		return ""
	}
	members := have.Members
	byID := func(a, b org.Member) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Spelling, b.Spelling))
	}
	if !slices.IsSortedFunc(members, byID) {
		members = slices.Clone(members)
		slices.SortFunc(members, byID)
	}
	h := sha256.New()
	var line []byte
	for _, m := range members {
		line = append(append(append(append(line[:0], m.ID...), 0), m.Spelling...), '\n')
		h.Write(line)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
